//! `memplan report`.

use super::args::{Global, ReportArgs};
use super::exit::Exit;
use super::streams::Streams;

/// Draws the memory of an input.
pub(super) fn run(_args: &ReportArgs, _global: &Global, _streams: &mut Streams) -> Exit {
    Exit::Broken
}
