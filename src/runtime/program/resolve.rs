//! From values to bytes of slots.

use std::rc::Rc;

use super::env::Env;
use super::names::{Names, Root, Window};
use super::observe::Ref;
use super::reach::Reach;
use super::slots::Slots;
use crate::model::{BufferId, ByteRange, Function, ValueId};

/// What is needed to resolve a value.
pub(super) struct Resolver<'a> {
    pub function: &'a Function,
    pub names: &'a Names,
    pub slots: &'a Slots,
    pub reach: Reach<'a>,
}

impl Resolver<'_> {
    /// What a value may stand for; sorted, empty only when nothing is known of it.
    pub(super) fn refs(&mut self, env: &Env, value: ValueId, range: Option<ByteRange>) -> Vec<Ref> {
        let part = range.map_or(Window::ALL, |r| Window {
            start: r.start,
            len: Some(r.len()),
            exact: true,
        });
        let Some(paths) = self.names.paths(value) else {
            return self.anything(value);
        };
        let mut refs = Vec::with_capacity(paths.len());
        for path in paths {
            let window = path.window.then(part);
            match path.root {
                Root::Buffer(buffer) => self.whole(env, buffer, |r| refs.push(cut(r, window))),
                Root::Bound(root) => match env.get(root) {
                    Some(bound) => refs.extend(bound.iter().map(|&r| cut(r, window))),
                    // Asked for where it has no meaning: it may be anything it ever is.
                    None => refs.extend(self.anything(root)),
                },
            }
        }
        refs.sort_unstable();
        refs.dedup();
        refs
    }

    /// As [`Self::refs`], to be bound to a name.
    pub(super) fn bind(&mut self, env: &Env, value: ValueId) -> Rc<[Ref]> {
        self.refs(env, value, None).into()
    }

    /// A buffer in the slot of the current trip; in every slot when that is not known.
    fn whole(&self, env: &Env, buffer: BufferId, mut to: impl FnMut(Ref)) {
        let Some(body) = self.function.buffers.get(buffer) else { return };
        let count = self.slots.count[buffer].max(1);
        let bytes = ByteRange::new(0, body.size.0);
        let trip = self.slots.rotates[buffer].map(|id| env.trip(id));
        let slots = match (count, trip) {
            (1, _) => 0..1,
            (_, Some(Some(trip))) => {
                let slot = u32::try_from(trip % u64::from(count)).unwrap_or(0);
                slot..slot + 1
            }
            (_, None | Some(None)) => 0..count,
        };
        for slot in slots {
            to(Ref { buffer, slot, bytes, exact: true });
        }
    }

    fn anything(&mut self, value: ValueId) -> Vec<Ref> {
        let mut refs = Vec::new();
        for buffer in self.reach.buffers(self.names, value) {
            let Some(body) = self.function.buffers.get(buffer) else { continue };
            let bytes = ByteRange::new(0, body.size.0);
            for slot in 0..self.slots.count[buffer].max(1) {
                refs.push(Ref { buffer, slot, bytes, exact: false });
            }
        }
        refs
    }
}

/// The bytes of `r` seen through a window; what reaches past its end is cut.
fn cut(r: Ref, window: Window) -> Ref {
    let ByteRange { start, end } = r.bytes;
    let from = start.saturating_add(window.start).min(end);
    let to = match window.len.filter(|_| r.exact) {
        Some(len) => from.saturating_add(len).min(end),
        // Where an inexact base starts is not known, so only its end limits the window.
        None => end,
    };
    Ref { bytes: ByteRange::new(from, to), exact: r.exact && window.exact, ..r }
}
