//! What a call on managed memory did to contents.

/// Bytes by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes {
    /// The first.
    pub start: u64,
    /// How many.
    pub len: u64,
}

/// What became of contents. Empty: everything is as the call promises.
///
/// A caller marks `poison` first, and applies the writes of the call after that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Bytes whose contents are lost for everybody (Q-UVM-8, Q-UVM-10, a crash).
    pub poison: Vec<Bytes>,
    /// Bytes that this touch read from a replica that was never filled (Q-UVM-8, Q-UVM-10): it has
    /// seen nonsense, the contents are still good elsewhere.
    pub stale: Vec<Bytes>,
    /// Bytes of the destination that the call did not write although it succeeded (Q-UVM-12,
    /// Q-UVM-13).
    pub missing: Vec<Bytes>,
}

impl Done {
    /// True when contents are as the call promises.
    pub fn as_promised(&self) -> bool {
        self.poison.is_empty() && self.stale.is_empty() && self.missing.is_empty()
    }

    /// Adds bytes, joined with those that end where they start.
    pub(super) fn add(list: &mut Vec<Bytes>, bytes: Bytes) {
        match list.last_mut() {
            Some(last) if last.start.saturating_add(last.len) == bytes.start => {
                last.len = last.len.saturating_add(bytes.len);
            }
            _ if bytes.len > 0 => list.push(bytes),
            _ => {}
        }
    }

    /// All that another call did, too.
    pub(super) fn absorb(&mut self, other: Self) {
        self.poison.extend(other.poison);
        self.stale.extend(other.stale);
        self.missing.extend(other.missing);
    }
}
