//! Calls of 5.1, 5.2 and 5.4.

use super::access::Ledger;
use super::engine::Engine;
use super::host::Caller;
use super::outcome::Reply;
use crate::model::trace::Call;
use crate::runtime::objects::Piece;
use crate::runtime::svm::PointerPlace;
use crate::runtime::watch::Watch;

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn svm_call(&mut self, caller: &mut Caller<'_, '_>, call: &Call) -> Reply {
        let process = caller.process;
        match call {
            Call::Open { device, flag } => {
                self.ask(caller, |cx, space, _, _| space.open(cx, process, *device, *flag))?;
                Ok(None)
            }
            Call::Close { device, fails } => {
                let gone =
                    self.ask(caller, |cx, space, _, _| space.close(cx, process, *device, *fails))?;
                self.gone(caller, &gone);
                self.device_closed(caller, *device);
                Ok(None)
            }
            Call::Free { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                match pointer.filter(|&p| self.ledger(p) == Ledger::Pools) {
                    Some(pointer) => self.pool_free_now(caller, pointer)?,
                    None => self.free(caller, pointer)?,
                }
                Ok(None)
            }
            Call::QueryAttr { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let answer =
                    self.ask(caller, |cx, space, _, _| space.attribute(cx, process, pointer))?;
                let device = answer.device.map_or(String::new(), |d| format!(" device {d}"));
                let stale = if answer.stale { " stale" } else { "" };
                Ok(Some(format!("{:?}{device} page {}{stale}", answer.kind, answer.page)))
            }
            Call::QueryInfo { device, kind } => {
                let info =
                    self.ask(caller, |cx, space, _, _| space.info(cx, process, *device, *kind))?;
                Ok(Some(format!(
                    "total {} free {} huge_total {} huge_free {} giant_total {} giant_free {}",
                    info.total,
                    info.free,
                    info.huge_total,
                    info.huge_free,
                    info.giant_total,
                    info.giant_free
                )))
            }
            Call::AddressRange { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let range =
                    self.ask(caller, |_, space, _, _| space.address_range(process, pointer))?;
                let inside = pointer.map_or(0, |p| p.address - range.base.address);
                Ok(Some(format!("offset {inside} size {}", range.size)))
            }
            Call::PointerAttr { p, off } => {
                let pointer = self.pointer(*p, *off)?;
                let place =
                    self.ask(caller, |_, space, _, _| space.pointer_attr(process, pointer))?;
                Ok(Some(match place {
                    PointerPlace::Host => "host".to_owned(),
                    PointerPlace::Device(device) => format!("device {device}"),
                    PointerPlace::Managed => "managed".to_owned(),
                    PointerPlace::Unregistered => "unregistered".to_owned(),
                }))
            }
            _ => Ok(None),
        }
    }

    /// Objects that went with a device or a process.
    pub(super) fn gone(&mut self, caller: &Caller<'_, '_>, pieces: &[Piece]) {
        for piece in pieces {
            let owner = self.owned.iter().find(|(_, owned)| owned.object == piece.object);
            match owner.map(|(key, _)| *key) {
                Some((ledger, generation)) => self.died(caller.at, ledger, generation),
                None => self.watch.free(caller.at, *piece, 0),
            }
        }
    }
}
