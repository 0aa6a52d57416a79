//! The promises of xla-memory 18, and a naive pool to compare with.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{ELEMENTS, Element, Handle, Handles, HostPool, Moved, Taken};
use crate::diag::Code;
use crate::model::trace::{Primitive, Sym};
use crate::runtime::clock::Clock;

fn pool(primitive: Primitive) -> HostPool {
    HostPool::new(primitive, &Clock::default())
}

fn free(index: u32) -> Element {
    Element { index, clock: Clock::default() }
}

fn handle(element: u32) -> Handle {
    Handle { pool: 0, elements: vec![(element, element + 1)] }
}

#[test]
fn all_elements_are_distinct_and_a_width_apart() {
    for (primitive, width) in [(Primitive::Pred, 1), (Primitive::S32, 4), (Primitive::C128, 16)] {
        let mut pool = pool(primitive);
        assert_eq!(pool.bytes(), 128 * width);
        for wanted in 0..ELEMENTS {
            let element = pool.acquire().expect("an element");
            assert_eq!(pool.offset(element.index), u64::from(wanted) * width);
        }
        assert_eq!((pool.in_use(), pool.high()), (128, 128));
    }
}

#[test]
fn request_129_fails_and_is_remembered_as_the_first() {
    let mut pool = pool(Primitive::S32);
    let _all: Vec<Element> = (0..128).map(|_| pool.acquire().expect("an element")).collect();
    assert_eq!(pool.first_failed(), None);
    let refused = pool.acquire().expect_err("no element");
    assert_eq!(refused.finding, Some(Code::ReplayHostPoolExhausted));
    assert!(pool.acquire().is_err());
    assert_eq!((pool.first_failed(), pool.requests(), pool.acquired()), (Some(129), 130, 128));
}

#[test]
fn the_element_that_was_given_back_first_comes_first() {
    let mut pool = pool(Primitive::Pred);
    let _all: Vec<Element> = (0..128).map(|_| pool.acquire().expect("an element")).collect();
    for index in [5, 3, 90] {
        pool.release(free(index));
    }
    let next: Vec<u32> = (0..3).map(|_| pool.acquire().expect("an element").index).collect();
    assert_eq!(next, [5, 3, 90]);
}

#[test]
fn an_element_given_back_waits_behind_those_never_used() {
    let mut pool = pool(Primitive::Pred);
    let first = pool.acquire().expect("an element");
    pool.release(first);
    assert_eq!(pool.acquire().expect("an element").index, 1);
}

#[test]
fn a_handle_that_was_moved_from_gives_nothing_back() {
    let (a, b) = (Sym(1), Sym(2));
    let mut handles = Handles::default();
    assert_eq!(handles.assign(a, handle(7)), None);
    let moved = Moved::Over { released: None, holds: Some(handle(7)) };
    assert_eq!(handles.shift(b, a, "a"), Ok(moved));
    assert_eq!(handles.end(a, "a"), Ok(Taken::Nothing));
    assert_eq!(handles.end(b, "b"), Ok(Taken::Elements(handle(7))));
}

#[test]
fn a_move_gives_back_what_the_target_held() {
    let (a, b) = (Sym(1), Sym(2));
    let mut handles = Handles::default();
    handles.assign(a, handle(7));
    handles.assign(b, handle(9));
    let moved = Moved::Over { released: Some(handle(9)), holds: Some(handle(7)) };
    assert_eq!(handles.shift(b, a, "a"), Ok(moved));
    // Moved again, from a handle that holds nothing.
    let emptied = Moved::Over { released: Some(handle(7)), holds: None };
    assert_eq!(handles.shift(b, a, "a"), Ok(emptied));
    assert_eq!(handles.end(b, "b"), Ok(Taken::Nothing));
}

#[test]
fn a_move_to_itself_changes_nothing() {
    let a = Sym(1);
    let mut handles = Handles::default();
    handles.assign(a, handle(7));
    assert_eq!(handles.shift(a, a, "a"), Ok(Moved::Same));
    assert_eq!(handles.get(a, "a"), Ok(&handle(7)));
}

#[test]
fn a_handle_ends_once_and_is_no_use_afterwards() {
    let a = Sym(1);
    let mut handles = Handles::default();
    handles.assign(a, handle(7));
    assert!(handles.end(a, "a").is_ok());
    let finding = |refused: Result<Taken, _>| {
        let refused: crate::runtime::status::Refused = refused.expect_err("ended");
        refused.finding
    };
    assert_eq!(finding(handles.end(a, "a")), Some(Code::ReplayDoubleFree));
    assert_eq!(finding(handles.end(Sym(2), "b")), Some(Code::ReplayStaleHandle));
    assert!(handles.get(a, "a").is_err());
    assert!(handles.shift(Sym(3), a, "a").is_err());
}

/// What threads do with handles of the names 0 to 199.
#[derive(Clone, Copy, Debug)]
enum Step {
    Acquire(u32),
    Release(u32),
    Move(u32, u32),
}

#[derive(Clone, Debug)]
struct Steps(Vec<Step>);

impl Arbitrary for Steps {
    fn arbitrary(g: &mut Gen) -> Self {
        let name = |g: &mut Gen| u32::from(u8::arbitrary(g)) % 200;
        let step = |g: &mut Gen| match u8::arbitrary(g) % 8 {
            0..=4 => Step::Acquire(name(g)),
            5 | 6 => Step::Release(name(g)),
            _ => Step::Move(name(g), name(g)),
        };
        Self((0..600).map(|_| step(g)).collect())
    }
}

/// When each element was given back last, and who holds it.
struct Naive {
    since: Vec<u64>,
    holder: Vec<Option<u32>>,
    now: u64,
}

impl Naive {
    fn acquire(&mut self, name: u32) -> Option<usize> {
        let idle = (0..128).filter(|&at| self.holder[at].is_none());
        let oldest = idle.min_by_key(|&at| self.since[at])?;
        self.release(name);
        self.holder[oldest] = Some(name);
        Some(oldest)
    }

    fn release(&mut self, name: u32) {
        for at in 0..128 {
            if self.holder[at] == Some(name) {
                self.holder[at] = None;
                self.now += 1;
                self.since[at] = self.now;
            }
        }
    }

    fn shift(&mut self, to: u32, from: u32) {
        if to != from {
            self.release(to);
            for holder in self.holder.iter_mut().filter(|holder| **holder == Some(from)) {
                *holder = Some(to);
            }
        }
    }
}

#[test]
fn handles_hold_what_a_naive_pool_says() {
    fn same(Steps(steps): Steps) -> bool {
        let mut pool = pool(Primitive::S32);
        let mut handles = Handles::default();
        let (since, holder) = ((0..128).collect(), vec![None; 128]);
        let mut naive = Naive { since, holder, now: 128 };
        let back = |pool: &mut HostPool, handle: Option<Handle>| {
            for (index, _) in handle.into_iter().flat_map(|handle| handle.elements) {
                pool.release(free(index));
            }
        };
        let mut high = 0;
        steps.into_iter().all(|step| {
            match step {
                Step::Acquire(name) => {
                    let element = pool.acquire().ok().map(|element| element.index);
                    if let Some(index) = element {
                        let before = handles.assign(Sym(name), handle(index));
                        // The new one is there before the old one goes.
                        high = high.max(pool.in_use());
                        back(&mut pool, before);
                    }
                    if naive.acquire(name) != element.map(|index| index as usize) {
                        return false;
                    }
                }
                Step::Release(name) => {
                    if let Ok(Taken::Elements(handle)) = handles.end(Sym(name), "") {
                        back(&mut pool, Some(handle));
                    }
                    naive.release(name);
                }
                Step::Move(to, from) => match handles.shift(Sym(to), Sym(from), "") {
                    Ok(Moved::Over { released, .. }) => {
                        back(&mut pool, released);
                        naive.shift(to, from);
                    }
                    Ok(Moved::Same) | Err(_) => {}
                },
            }
            let in_use = naive.holder.iter().filter(|holder| holder.is_some()).count();
            pool.in_use() as usize == in_use && pool.high() == high
        })
    }
    QuickCheck::new().tests(cases()).quickcheck(same as fn(Steps) -> bool);
}

fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(50)
}
