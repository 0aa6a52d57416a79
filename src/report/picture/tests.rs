use super::load::{Piece, of_plan, pieces};
use super::stack::{Together, stack};
use super::{Extra, Note, Picture, html, svg};
use crate::format::picture::Columns;
use crate::model::{BufferId, Live, Relation, RelationKind, Slice, Timeline};
use crate::report::fixture::{self, Case};
use crate::report::{chrome, json};
use quickcheck::quickcheck;
use serde_json::Value;

/// A case as a page, a drawing and a trace.
fn drawn(case: &Case) -> [String; 3] {
    let pictures = [Picture::of(case.input(), &case.answer, |_, _| Extra::default())];
    let page = html::page(&pictures).expect("JSON");
    [page, svg::drawing(&pictures), chrome::memory(&pictures).expect("JSON")]
}

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = "<script id=\"data\" type=\"application/json\">";
    let rest = &page[page.find(begin).expect("data") + begin.len()..];
    serde_json::from_str(&rest[..rest.find("</script>").expect("end")]).expect("JSON")
}

fn cases() -> [Case; 4] {
    [fixture::planned(), fixture::overflown(), fixture::undecided(), fixture::several()]
}

#[test]
fn the_numbers_of_a_page_are_those_of_solve() {
    for case in cases() {
        let [page, ..] = drawn(&case);
        let data = data(&page);
        let solved = json::functions(case.input(), &case.answer);
        let solved = serde_json::to_value(solved).expect("JSON");
        for (f, function) in solved.as_array().expect("functions").iter().enumerate() {
            for (s, scope) in function["scopes"].as_array().expect("scopes").iter().enumerate() {
                let map = &data["sheets"][f]["maps"][s];
                for key in ["capacity", "usable", "peak", "max_load", "lower_bound"] {
                    assert_eq!(map[key], scope[key], "{key}");
                }
                assert_eq!(map["max_load_at"], scope["max_load_at"]["step"]);
                for (b, buffer) in scope["buffers"].as_array().expect("buffers").iter().enumerate()
                {
                    for key in ["id", "size", "slots", "offsets"] {
                        assert_eq!(map["buffers"][key][b], buffer[key], "{key}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_name_becomes_markup() {
    const BAD: &str = "</script><img src=x onerror=alert(1)>\"'&\u{1b}[31m\u{202e}";
    let mut case = fixture::planned();
    let function = &mut case.problem.functions[0];
    for at in 0..2 {
        function.buffers[BufferId(at)].name = BAD.to_owned();
    }
    for placement in &mut case.answer.functions[0].plan.placements[..2] {
        placement.name = BAD.to_owned();
    }
    case.answer.functions[0].name = BAD.to_owned();
    case.answer.functions[0].scopes[0].message = Some(BAD.to_owned());
    let slice = Slice { track: BAD.to_owned(), name: BAD.to_owned(), start: 0, end: 4 };
    let timeline = Timeline { makespan: 4, slices: vec![slice], ..Timeline::default() };
    let note = Note { scope: None, head: BAD.to_owned(), lines: vec![BAD.to_owned()] };
    let extra = |_, _: &_| Extra {
        timeline: Some(&timeline),
        notes: vec![note.clone()],
        ..Extra::default()
    };
    let pictures = [Picture::of(case.input(), &case.answer, extra)];
    let page = html::page(&pictures).expect("JSON");
    let drawing = svg::drawing(&pictures);
    for text in [&page, &drawing] {
        assert!(!text.contains("<img"), "an element from a name");
        assert!(!text.contains('\u{1b}'), "an escape sequence");
    }
    assert_eq!(page.matches("</script>").count(), 3);
    let name = &data(&page)["sheets"][0]["maps"][0]["buffers"]["name"][0];
    assert!(name.as_str().is_some_and(|n| n.starts_with("</script><img")), "{name}");
    assert!(serde_json::from_str::<Value>(&chrome::memory(&pictures).expect("JSON")).is_ok());
}

#[test]
fn pictures_repeat_and_need_nobody() {
    for case in cases() {
        let first = drawn(&case);
        assert_eq!(first, drawn(&case));
        for text in &first[..2] {
            for outside in ["http://", "https://", "url(", "@import", "src="] {
                let own = text.replace("http://www.w3.org/2000/svg", "");
                assert!(!own.contains(outside), "{outside}");
            }
        }
    }
}

#[test]
fn drawings_are_well_formed() {
    for case in cases() {
        let [_, drawing, _] = drawn(&case);
        let mut open: Vec<&str> = Vec::new();
        for tag in drawing.split('<').skip(1) {
            let name = tag.split(['>', ' ', '\n']).next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
    let [_, drawing, _] = drawn(&fixture::planned());
    let title = "acc: 65,536 B, [98,304, 163,840), steps [2, 5)";
    assert!(drawing.contains(title), "buffers say what they are");
}

#[test]
fn a_plan_that_is_not_shows_what_is_alive() {
    let mut case = fixture::overflown();
    let ranges = vec![Live::new(0, 3), Live::new(2, 4)];
    case.answer.functions[0].scopes[0].buffers =
        ranges.into_iter().zip(0..).map(|(live, id)| (BufferId(id), vec![live])).collect();
    let picture = Picture::of(case.input(), &case.answer, |_, _| Extra::default());
    let map = &picture.functions[0].sheet.maps[0];
    assert_eq!(map.load, [[0, 192_000], [2, 288_000], [3, 96_000], [4, 0]]);
    // `acc` lies on `tile` until that ends.
    let stack = map.stack.as_ref().expect("a stack");
    let all = stack.buffer.iter().zip(&stack.start).zip(&stack.end).zip(&stack.base);
    let all: Vec<(u32, u64, u64, u64)> = all.map(|(((b, s), e), y)| (*b, *s, *e, *y)).collect();
    assert_eq!(all, [(1, 2, 3, 192_000), (0, 0, 3, 0), (1, 3, 4, 0)]);
    // In place the second takes the bytes of the first at the step at which they meet.
    let inplace = vec![(BufferId(0), BufferId(1))];
    let extra = |_, _: &_| Extra { inplace: inplace.clone(), ..Extra::default() };
    let picture = Picture::of(case.input(), &case.answer, extra);
    let map = &picture.functions[0].sheet.maps[0];
    assert_eq!(map.load, [[0, 192_000], [3, 96_000], [4, 0]]);
    let page = html::page(&[picture]).expect("JSON");
    // Buffers that are exclusive lie on the same bytes, too.
    let relation = Relation {
        kind: RelationKind::Exclusive,
        first: BufferId(1),
        second: BufferId(0),
        why: None,
        loc: None,
    };
    case.problem.functions[0].relations.push(relation);
    let picture = Picture::of(case.input(), &case.answer, |_, _| Extra::default());
    let map = &picture.functions[0].sheet.maps[0];
    assert_eq!(map.load, [[0, 192_000], [3, 96_000], [4, 0]]);
    assert!(page.contains("99,584 B too many"), "the excess stands in words");
    assert!(page.contains("1 instead of 2") || page.contains("1 slot instead of 2"));
}

#[test]
fn traces_have_the_structure_of_trace_events() {
    let [.., text] = drawn(&fixture::planned());
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let of = |ph: &str| events.iter().filter(|e| e["ph"] == ph).collect::<Vec<_>>();
    for event in events {
        assert!(event["pid"].is_u64() && event["tid"].is_u64() && event["name"].is_string());
    }
    let loads: Vec<u64> = of("C").iter().filter_map(|e| e["args"]["bytes"].as_u64()).collect();
    assert_eq!(loads.iter().max(), Some(&163_840));
    assert_eq!(loads.last(), Some(&0), "the counter ends with the last buffer");
    // Slices of one track do not meet: viewers nest what does.
    let mut slices: Vec<[u64; 3]> = of("X")
        .iter()
        .map(|e| ["tid", "ts", "dur"].map(|key| e[key].as_u64().expect("a number")))
        .collect();
    slices.sort_unstable();
    assert_eq!(slices.len(), 7, "each slot through each live range");
    for pair in slices.windows(2) {
        assert!(pair[0][0] != pair[1][0] || pair[0][1] + pair[0][2] <= pair[1][1], "{pair:?}");
    }
}

/// Bytes in use at a step, byte by byte.
fn naive(pieces: &[Piece], step: u64) -> u64 {
    let alive = |p: &&Piece| p.start <= step && step < p.end;
    let held = |byte: u64| pieces.iter().filter(alive).any(|p| p.low <= byte && byte < p.high);
    (0..80).filter(|byte| held(*byte)).count() as u64
}

quickcheck! {
    fn a_stack_is_as_high_as_all_that_is_alive(buffers: Vec<(u8, u8, u8)>) -> bool {
        let columns = Columns {
            size: buffers.iter().map(|b| u64::from(b.0)).collect(),
            slots: vec![1; buffers.len()],
            live: buffers
                .iter()
                .map(|(_, start, length)| [start % 20, start % 20 + length % 20].map(u64::from).into())
                .collect(),
            ..Columns::default()
        };
        let (stack, load) = stack(&columns, &Together::default());
        let Some(stack) = stack else { return false };
        let alive = |step: u64, live: &[u64]| live[0] <= step && step < live[1];
        let drawn = |step: u64| {
            let here = (0..stack.buffer.len()).filter(|k| alive(step, &[stack.start[*k], stack.end[*k]]));
            let size = |k: usize| columns.size[stack.buffer[k] as usize];
            let mut all: Vec<[u64; 2]> = here.map(|k| [stack.base[k], stack.base[k] + size(k)]).collect();
            all.sort_unstable();
            all
        };
        (0..45).all(|step| {
            let sizes = columns.live.iter().zip(&columns.size).filter(|(live, _)| alive(step, live));
            let sum: u64 = sizes.map(|(_, size)| size).sum();
            let height = load.iter().rfind(|[from, _]| *from <= step).map_or(0, |p| p[1]);
            let drawn = drawn(step);
            // One on another, without holes.
            let whole = drawn.windows(2).all(|pair| pair[0][1] == pair[1][0]);
            height == sum && whole && drawn.last().map_or(0, |top| top[1]) == sum
        })
    }

    fn the_load_is_the_number_of_bytes_in_use(buffers: Vec<(u8, u8, u8, u8)>) -> bool {
        let buffers: Vec<[u64; 4]> = buffers
            .iter()
            .map(|(offset, size, start, length)| {
                [offset % 40, size % 40, start % 20, length % 20].map(u64::from)
            })
            .collect();
        let columns = Columns {
            size: buffers.iter().map(|b| b[1]).collect(),
            offsets: buffers.iter().map(|b| vec![b[0]]).collect(),
            live: buffers.iter().map(|b| vec![b[2], b[2] + b[3]]).collect(),
            ..Columns::default()
        };
        let pieces = pieces(&columns);
        let load = of_plan(&pieces);
        let at = |step: u64| load.iter().rfind(|[from, _]| *from <= step).map_or(0, |p| p[1]);
        (0..45).all(|step| at(step) == naive(&pieces, step))
            && load.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] != pair[1][1])
    }
}
