//! `memplan what-if`.

use super::args::{Global, WhatIfArgs};
use super::exit::Exit;
use super::streams::Streams;

/// Plans variants of an input.
pub(super) fn run(_args: &WhatIfArgs, _global: &Global, _streams: &mut Streams) -> Exit {
    Exit::Broken
}
