//! A bound from below: bytes that are alive while an instruction runs in every order.

use super::model::{Item, Model};

/// Beyond this many instructions the bound is not computed: what comes before what takes a bit a pair.
const LIMIT: usize = 6_000;

/// Bytes that any order of the model needs; what its computations need inside is not counted. 0 where the
/// model is too large.
pub(crate) fn floor(model: &Model) -> u64 {
    if model.len() > LIMIT {
        return 0;
    }
    let after = reach(model);
    let born = birthplaces(model);
    let touched = touchers(model);
    let words = model.len().div_ceil(64);
    let mut needed: Vec<u64> = vec![0; model.len()];
    for group in groups(model) {
        // Places at which any of the group's items is alive in every order.
        let mut at = vec![0_u64; words];
        for item in group.iter().copied() {
            always(model, &after, born[item as usize], &touched[item as usize], item, &mut at);
        }
        let size = group.first().map_or(0, |&item| model.items[item as usize].size);
        for (place, bytes) in needed.iter_mut().enumerate() {
            if at[place / 64] >> (place % 64) & 1 == 1 {
                *bytes += size;
            }
        }
    }
    for (place, takes) in model.takes.iter().enumerate() {
        // In the best case everything that may take over bytes does.
        let size = |from: &u32| model.items[*from as usize].size;
        let most: u64 = takes.iter().map(|from| from.iter().map(size).max().unwrap_or(0)).sum();
        needed[place] = needed[place].saturating_sub(most);
    }
    model.base + needed.into_iter().max().unwrap_or(0)
}

/// Sets the places at which an item is alive in every order: where it is touched, and where it was born
/// before and is touched after.
fn always(
    model: &Model,
    after: &[Vec<u64>],
    born: Option<u32>,
    touched: &[u32],
    item: u32,
    at: &mut [u64],
) {
    let Item { touches, enters, .. } = model.items[item as usize];
    let stays = touches as usize > touched.len();
    for &place in touched {
        at[place as usize / 64] |= 1 << (place % 64);
    }
    let born = born.filter(|_| !enters);
    for place in 0..model.len() {
        let is_after =
            |first: u32, then: usize| after[first as usize][then / 64] >> (then % 64) & 1 == 1;
        let was_born = enters || born.is_some_and(|born| is_after(born, place));
        let next = &after[place];
        let is_needed = |&on: &u32| next[on as usize / 64] >> (on % 64) & 1 == 1;
        if was_born && (stays || touched.iter().any(is_needed)) {
            at[place / 64] |= 1 << (place % 64);
        }
    }
}

/// What comes after each instruction in every order.
fn reach(model: &Model) -> Vec<Vec<u64>> {
    let words = model.len().div_ceil(64);
    let mut after = vec![vec![0_u64; words]; model.len()];
    let mut left: Vec<usize> = model.after.iter().map(Vec::len).collect();
    let mut open: Vec<u32> =
        (0_u32..).zip(&left).filter(|(_, n)| **n == 0).map(|(p, _)| p).collect();
    while let Some(place) = open.pop() {
        let mut own = std::mem::take(&mut after[place as usize]);
        for &next in &model.after[place as usize] {
            own[next as usize / 64] |= 1 << (next % 64);
            let further = &after[next as usize];
            own.iter_mut().zip(further).for_each(|(word, more)| *word |= more);
        }
        after[place as usize] = own;
        for &before in &model.before[place as usize] {
            left[before as usize] -= 1;
            if left[before as usize] == 0 {
                open.push(before);
            }
        }
    }
    after
}

/// The place where each item is born.
pub(crate) fn birthplaces(model: &Model) -> Vec<Option<u32>> {
    let mut places = vec![None; model.items.len()];
    for (place, born) in (0_u32..).zip(&model.born) {
        born.iter().for_each(|&item| places[item as usize] = Some(place));
    }
    places
}

/// The places that touch each item.
pub(crate) fn touchers(model: &Model) -> Vec<Vec<u32>> {
    let mut places = vec![Vec::new(); model.items.len()];
    for (place, touched) in (0_u32..).zip(&model.touched) {
        touched.iter().for_each(|&item| places[item as usize].push(place));
    }
    places
}

/// The items of each group.
fn groups(model: &Model) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); model.groups];
    for (at, item) in (0_u32..).zip(&model.items) {
        groups[item.group as usize].push(at);
    }
    groups
}
