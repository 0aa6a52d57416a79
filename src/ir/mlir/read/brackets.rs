//! Which bracket closes which: found once per chunk, so that anything in brackets is skipped in
//! one step and deep nesting costs no stack.

use super::token::{Kind, Token};

/// Open `(`, `[` and `<` since the last open `{`.
#[derive(Clone, Copy, Default)]
struct Open {
    parens: u32,
    squares: u32,
}

/// Fills [`Token::link`]. A bracket that nothing closes keeps none; one that closes nothing is
/// left alone. A brace outranks the others: `{ ( }` leaves the `(` open, so that a slip inside a
/// region stays there.
pub(super) fn link(tokens: &mut [Token]) {
    let mut stack: Vec<u32> = Vec::new();
    let mut braces: Vec<Open> = Vec::new();
    let mut open = Open::default();
    for at in 0..tokens.len() {
        let kind = tokens[at].kind;
        match kind {
            Kind::LParen => open.parens += 1,
            Kind::LSquare => open.squares += 1,
            Kind::LBrace => braces.push(std::mem::take(&mut open)),
            Kind::Less => {}
            Kind::Greater => {
                if let Some(&top) = stack.last()
                    && tokens[top as usize].kind == Kind::Less
                {
                    stack.pop();
                    tokens[top as usize].link = at as u32;
                }
                continue;
            }
            Kind::RParen if open.parens > 0 => {
                close(tokens, &mut stack, at, Kind::LParen, &mut open);
                continue;
            }
            Kind::RSquare if open.squares > 0 => {
                close(tokens, &mut stack, at, Kind::LSquare, &mut open);
                continue;
            }
            Kind::RBrace => {
                if let Some(outer) = braces.pop() {
                    close(tokens, &mut stack, at, Kind::LBrace, &mut open);
                    open = outer;
                }
                continue;
            }
            _ => continue,
        }
        stack.push(at as u32);
    }
}

/// Takes brackets off the stack down to the one that `at` closes; it is there.
fn close(tokens: &mut [Token], stack: &mut Vec<u32>, at: usize, kind: Kind, open: &mut Open) {
    while let Some(top) = stack.pop() {
        let top = &mut tokens[top as usize];
        match top.kind {
            Kind::LParen => open.parens = open.parens.saturating_sub(1),
            Kind::LSquare => open.squares = open.squares.saturating_sub(1),
            _ => {}
        }
        if top.kind == kind {
            top.link = at as u32;
            return;
        }
    }
}
