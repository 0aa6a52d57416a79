//! Which elements of a pool are free: those that were given back longest ago go first.

use std::collections::VecDeque;

use crate::diag::Code;
use crate::model::trace::Primitive;
use crate::runtime::clock::Clock;
use crate::runtime::status::{Refused, Status};

/// Elements of a pool.
pub const ELEMENTS: u32 = 128;

/// An element that is handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its number, from 0.
    pub index: u32,
    /// What was known to whoever gave it back: who is given it next knows that too.
    pub clock: Clock,
}

/// A pool. Elements in use and free elements are always [`ELEMENTS`] together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPool {
    primitive: Primitive,
    free: VecDeque<Element>,
    requests: u64,
    acquired: u64,
    high: u32,
    first_failed: Option<u64>,
}

impl HostPool {
    /// A pool whose elements are all free, made by somebody who knows `clock`.
    pub fn new(primitive: Primitive, clock: &Clock) -> Self {
        let free = (0..ELEMENTS).map(|index| Element { index, clock: clock.clone() }).collect();
        Self { primitive, free, requests: 0, acquired: 0, high: 0, first_failed: None }
    }

    /// The element that was free for longest.
    ///
    /// # Errors
    /// `NoResources` when all are in use.
    pub fn acquire(&mut self) -> Result<Element, Refused> {
        self.requests = self.requests.saturating_add(1);
        let Some(element) = self.free.pop_front() else {
            let _ = self.first_failed.get_or_insert(self.requests);
            let why = format!(
                "request {}: all {ELEMENTS} elements in the host memory pool are in use, likely \
                 because there are more than {ELEMENTS} concurrent calls to an XLA executable",
                self.requests
            );
            return Err(
                Refused::new(Status::NoResources, why).finding(Code::ReplayHostPoolExhausted)
            );
        };
        self.acquired = self.acquired.saturating_add(1);
        self.high = self.high.max(self.in_use());
        Ok(element)
    }

    /// An element comes back, behind all that are free.
    pub fn release(&mut self, element: Element) {
        debug_assert!(self.free.iter().all(|free| free.index != element.index), "{element:?}");
        self.free.push_back(element);
    }

    /// The type of the elements.
    pub fn primitive(&self) -> Primitive {
        self.primitive
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> u64 {
        self.primitive.bytes().saturating_mul(ELEMENTS.into())
    }

    /// The first byte of an element, counted from the start of the pool.
    pub fn offset(&self, index: u32) -> u64 {
        self.primitive.bytes().saturating_mul(index.into())
    }

    /// Elements in use.
    pub fn in_use(&self) -> u32 {
        ELEMENTS.saturating_sub(u32::try_from(self.free.len()).unwrap_or(ELEMENTS))
    }

    /// The most elements that were ever in use at a time.
    pub fn high(&self) -> u32 {
        self.high
    }

    /// Requests so far, those that failed included.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Requests that were served.
    pub fn acquired(&self) -> u64 {
        self.acquired
    }

    /// The first request, from 1, that found no element.
    pub fn first_failed(&self) -> Option<u64> {
        self.first_failed
    }
}
