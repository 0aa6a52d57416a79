//! The end of a process or of a device's process.

use super::{Done, Range, Uvm};
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};

impl Uvm {
    /// The device's process ends: the host frees every managed page of the process, whatever device
    /// it was on, and contents are lost (5.9 note 4). Addresses stay allocated, attributes are gone.
    pub fn crash_device(&mut self, cx: &mut Context<'_>, device: u32) -> Done {
        let mut done = Done::default();
        if !cx.memory.exists(Bank::Device(device)) {
            return done;
        }
        for start in self.space.starts() {
            let Some(range) = self.range(start) else { continue };
            if self.drop_pages(cx, start, false) {
                let (first, end) = (self.page_of(start), self.page_of(start + range.rounded));
                Done::add(&mut done.poison, self.bytes(first, end));
            }
        }
        done
    }

    /// The process ends: everything is freed. Answers what the process had not freed.
    pub fn close(&mut self, cx: &mut Context<'_>) -> Vec<Range> {
        let left: Vec<Range> = self.space.ranges().collect();
        for range in &left {
            self.report(cx, range.start);
            self.drop_pages(cx, range.start, true);
            self.space.give(range.start);
        }
        if let Some(area) = self.area.take() {
            cx.memory.give(Bank::Host, Purpose::Uvm, area.size.saturating_mul(self.page));
        }
        left
    }
}
