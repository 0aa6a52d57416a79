//! The examples of xla-memory 17, and a naive manager to compare with.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::{Finalized, Given, Layout, Manager, Protection, SectionError};
use crate::model::trace::{Section, SectionSize};
use crate::runtime::pointer::How;

const PAGE: u64 = 4096;
const BASE: u64 = 1 << 42;

fn sizes(all: [(u64, u64); 3]) -> [SectionSize; 3] {
    all.map(|(bytes, align)| SectionSize { bytes, align })
}

/// A manager with these sections.
fn manager(all: [(u64, u64); 3]) -> Manager {
    let mut manager = Manager::default();
    let layout = manager.reserve(sizes(all), PAGE).expect("a layout");
    manager.mapped(BASE, &layout);
    manager
}

#[test]
fn small_sections_take_a_page_each_and_three_pages_are_to_spare() {
    let layout = Layout::of(sizes([(100, 16), (50, 8), (10, 8)]), PAGE).expect("a layout");
    assert_eq!(layout.sections.map(|placed| placed.offset), [0, 4096, 8192]);
    assert_eq!(layout.sections.map(|placed| placed.reserved), [4096; 3]);
    assert_eq!(layout.sections.map(|placed| placed.padding), [3996, 4046, 4086]);
    assert_eq!((layout.slack, layout.total, layout.waste()), (12_288, 24_576, 24_416));
}

#[test]
fn the_alignment_counts_for_the_pages_of_a_section() {
    let layout = Layout::of(sizes([(4090, 16), (1, 1), (1, 1)]), PAGE).expect("a layout");
    assert_eq!(layout.sections.map(|placed| placed.reserved), [8192, 4096, 4096]);
    let fits = Layout::of(sizes([(4090, 6), (0, 0), (0, 0)]), PAGE).expect("a layout");
    assert_eq!(fits.sections.map(|placed| placed.reserved), [4096, 0, 0]);
    assert_eq!(fits.total, 4096 + 3 * 4096);
}

#[test]
fn an_alignment_of_a_page_is_the_largest() {
    assert!(Layout::of(sizes([(1, PAGE), (1, PAGE), (1, PAGE)]), PAGE).is_ok());
    let wanted = sizes([(1, 1), (1, PAGE + 1), (1, 1)]);
    let error = SectionError::Alignment { section: Section::Ro, align: PAGE + 1, page: PAGE };
    assert_eq!(Layout::of(wanted, PAGE), Err(error));
}

#[test]
fn sizes_beyond_64_bits_are_told() {
    for wanted in [[(u64::MAX, 1), (0, 0), (0, 0)], [(u64::MAX / 2, 1); 3]] {
        assert_eq!(Layout::of(sizes(wanted), PAGE), Err(SectionError::TooLarge));
    }
}

#[test]
fn a_manager_reserves_once_even_where_nothing_could_be_mapped() {
    let mut manager = Manager::default();
    assert!(manager.needs_to_reserve());
    assert!(manager.reserve(sizes([(1, 1); 3]), PAGE).is_ok());
    assert_eq!(manager.reserve(sizes([(1, 1); 3]), PAGE), Err(SectionError::Twice));
}

#[test]
fn allocations_of_a_section_follow_each_other_at_their_alignments() {
    let mut manager = manager([(100, 16), (50, 8), (10, 8)]);
    let first = Given { address: BASE, offset: 0, padding: 0, free: 4086 };
    assert_eq!(manager.allocate(Section::Code, 10, 16), Ok(first));
    let second = Given { address: BASE + 16, offset: 16, padding: 6, free: 4070 };
    assert_eq!(manager.allocate(Section::Code, 10, 16), Ok(second));
    let full = SectionError::Full {
        section: Section::Code,
        size: 5000,
        align: 16,
        free: 4070,
        reserved: 4096,
    };
    assert_eq!(manager.allocate(Section::Code, 5000, 16), Err(full));
    // What failed has taken nothing, and other sections are others.
    assert_eq!(manager.free(Section::Code), 4070);
    assert_eq!(manager.allocate(Section::Ro, 1, 8).map(|given| given.offset), Ok(4096));
    assert_eq!(manager.allocate(Section::Rw, 1, 8).map(|given| given.offset), Ok(8192));
}

#[test]
fn all_bytes_of_a_section_can_be_had_and_not_one_more() {
    let mut manager = manager([(0, 0), (100, 1), (0, 0)]);
    assert!(manager.allocate(Section::Ro, 4096, 0).is_ok());
    assert!(manager.allocate(Section::Ro, 0, 1).is_ok());
    assert!(manager.allocate(Section::Ro, 1, 1).is_err());
    assert!(manager.allocate(Section::Code, 1, 1).is_err());
    assert!(manager.allocate(Section::Ro, u64::MAX, 1 << 63).is_err());
}

#[test]
fn nothing_is_allocated_where_nothing_was_reserved() {
    let mut manager = Manager::default();
    assert!(manager.allocate(Section::Code, 1, 16).is_err());
}

#[test]
fn finalize_ends_writing_to_code_and_constants_and_flushes_the_code() {
    let mut manager = manager([(5000, 16), (50, 8), (10, 8)]);
    let all = Section::ALL.map(|section| manager.protection(section));
    assert_eq!(all, [Protection::ReadWrite; 3]);
    let protections = [Protection::ReadExecute, Protection::Read, Protection::ReadWrite];
    assert_eq!(manager.finalize(|| true), Ok(Finalized { protections, flushed: 8192 }));
    assert!(manager.is_finalized());
    let writable = protections.map(|protection| protection.allows(How::Write));
    assert_eq!(writable, [false, false, true]);
    assert!(protections.iter().all(|protection| protection.allows(How::Read)));
}

#[test]
fn a_protection_that_cannot_be_changed_ends_finalize_before_the_flush() {
    let mut manager = manager([(1, 1); 3]);
    let mut turn = 0;
    let second_fails = || {
        turn += 1;
        turn != 2
    };
    let error = SectionError::Protect { section: Section::Ro, protection: Protection::Read };
    assert_eq!(manager.finalize(second_fails), Err(error));
    assert_eq!(manager.protection(Section::Code), Protection::ReadExecute);
    assert_eq!(manager.protection(Section::Ro), Protection::ReadWrite);
    assert!(!manager.is_finalized());
}

/// A request: which section, how many bytes, aligned to what.
#[derive(Clone, Debug)]
struct Requests {
    reserved: [(u64, u64); 3],
    calls: Vec<(usize, u64, u64)>,
}

impl Arbitrary for Requests {
    fn arbitrary(g: &mut Gen) -> Self {
        let align = |g: &mut Gen| 1_u64 << (u8::arbitrary(g) % 13);
        let size = |g: &mut Gen| u64::from(u16::arbitrary(g)) % 9000;
        let reserved = std::array::from_fn(|_| (size(g), align(g)));
        let calls = (0..usize::from(u8::arbitrary(g)) % 40)
            .map(|_| (usize::arbitrary(g) % 3, size(g) % 1200, align(g)))
            .collect();
        Self { reserved, calls }
    }
}

/// Byte by byte: a section is a list of flags, an allocation goes to the first aligned byte behind
/// all that were taken.
fn naive(taken: &mut [bool], base: u64, size: u64, align: u64) -> Option<u64> {
    let behind = taken.iter().rposition(|&taken| taken).map_or(0, |at| at + 1);
    let start = (behind..=taken.len()).find(|&at| (base + at as u64).is_multiple_of(align))?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    // What is skipped is gone too.
    taken.get_mut(behind..end)?.fill(true);
    Some(base + start as u64)
}

#[test]
fn a_manager_gives_what_a_naive_one_gives() {
    fn same(requests: Requests) -> bool {
        let mut manager = manager(requests.reserved);
        let page = |(bytes, align): (u64, u64)| (bytes + align).div_ceil(PAGE) * PAGE;
        let [code, ro, rw] = requests.reserved.map(page);
        let bases = [BASE, BASE + code, BASE + code + ro];
        let mut sections = [code, ro, rw].map(|len| vec![false; len as usize]);
        requests.calls.iter().all(|&(which, size, align)| {
            let given = manager.allocate(Section::ALL[which], size, align);
            let wanted = naive(&mut sections[which], bases[which], size, align);
            let free = sections[which].iter().filter(|taken| !**taken).count() as u64;
            given.ok().map(|given| given.address) == wanted
                && manager.free(Section::ALL[which]) == free
        })
    }
    QuickCheck::new().tests(cases()).quickcheck(same as fn(Requests) -> bool);
}

fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
}
