//! What an access to a pool's addresses meets.

use super::Pools;
use crate::diag::Code;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{Pointer, Reach, Who};
use crate::runtime::status::Remark;

impl Pools {
    /// The bytes at a pointer (5.15). `direct`: by a load or store, not through a call that copies or
    /// sets; the host may not do that (there is nobody to serve its faults).
    pub fn reach(&self, pointer: Pointer, len: u64, who: Who, direct: bool) -> Reach {
        let mut reach = Reach::default();
        let address = pointer.address;
        let mut wrong = |code, message: String| reach.wrong.push(Remark { code, message });
        if direct && who == Who::Host {
            wrong(
                Code::ReplayPerm,
                format!("the host cannot touch address {address:#x} of a pool"),
            );
            return reach;
        }
        let live = self.find(address).filter(|f| f.block.generation == pointer.generation);
        let Some(found) = live else {
            if self.ended.contains_key(&pointer.generation) {
                wrong(Code::ReplayUaf, format!("the block of address {address:#x} was given back"));
            } else {
                wrong(Code::ReplayOob, format!("address {address:#x} lies outside its block"));
            }
            return reach;
        };
        let block = &found.block;
        if !block.mapped {
            let message = format!("no memory was found for the block at {:#x}", block.address);
            wrong(Code::ReplayUnmappedAccess, message);
            return reach;
        }
        let into = address - block.address;
        let inside = block.requested.saturating_sub(into);
        if len > inside {
            let message = format!(
                "{len} bytes from byte {into} of a block for which {} were asked",
                block.requested
            );
            wrong(Code::ReplayOob, message);
        }
        let len = len.min(block.len - into);
        if len > 0 {
            reach.pieces.push(Piece { object: found.object, start: block.offset + into, len });
        }
        reach
    }
}
