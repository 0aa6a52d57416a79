//! A model cut into parts that share no pair: each is solved by itself.

use std::collections::BTreeMap;

use crate::model::{Block, Model, Pair, Price};

/// A part and, for each of its bodies, the body of the whole.
pub(crate) struct Part {
    pub(crate) model: Model,
    pub(crate) bodies: Vec<u32>,
}

/// Cuts the model; `whole` leaves it in one piece.
pub(crate) fn parts(model: &Model, whole: bool) -> Vec<Part> {
    let n = model.bodies.len();
    let mut root: Vec<usize> = (0..n).collect();
    let mut join = |a: u32, b: u32| {
        let (a, b) = (find(&mut root, a as usize), find(&mut root, b as usize));
        root[a.max(b)] = a.min(b);
    };
    model.pairs.iter().for_each(|pair| join(pair.first, pair.second));
    for price in &model.prices {
        let ends = price.pairs.iter().map(|&p| model.pairs[p as usize].first);
        let ends: Vec<u32> = ends.collect();
        ends.windows(2).for_each(|w| join(w[0], w[1]));
    }
    if whole {
        (1..n as u32).for_each(|b| join(0, b));
    }
    let mut members: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for body in 0..n {
        members.entry(find(&mut root, body)).or_default().push(body as u32);
    }
    members.into_values().map(|bodies| cut(model, bodies)).collect()
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

fn cut(model: &Model, bodies: Vec<u32>) -> Part {
    let mut new = vec![None; model.bodies.len()];
    for (index, &body) in bodies.iter().enumerate() {
        new[body as usize] = Some(index as u32);
    }
    let mut part = Model { walls: model.walls.clone(), ..Model::default() };
    part.bodies = bodies.iter().map(|&b| model.bodies[b as usize].clone()).collect();
    let mut block_of = vec![0; model.blocks.len()];
    for (index, block) in model.blocks.iter().enumerate() {
        if let Some(body) = new[block.body as usize] {
            block_of[index] = part.blocks.len() as u32;
            part.blocks.push(Block { body, ..*block });
        }
    }
    let mut prices: BTreeMap<u32, u32> = BTreeMap::new();
    for pair in &model.pairs {
        let (Some(first), Some(second)) = (new[pair.first as usize], new[pair.second as usize])
        else {
            continue;
        };
        let index = part.pairs.len() as u32;
        let price = pair.price.map(|price| {
            let here = *prices.entry(price).or_insert_with(|| {
                let cost = model.prices[price as usize].cost;
                part.prices.push(Price { cost, pairs: Vec::new() });
                part.prices.len() as u32 - 1
            });
            part.prices[here as usize].pairs.push(index);
            here
        });
        part.pairs.push(Pair { first, second, allowed: pair.allowed.clone(), price });
    }
    for section in &model.sections {
        // Blocks of a section conflict, so all of them are in one part (with one body, too).
        let inside =
            section.iter().filter(|&&b| new[model.blocks[b as usize].body as usize].is_some());
        let blocks: Vec<u32> = inside.map(|&b| block_of[b as usize]).collect();
        if !blocks.is_empty() {
            part.sections.push(blocks);
        }
    }
    part.index();
    Part { model: part, bodies }
}
