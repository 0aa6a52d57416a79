//! Broken texts: whatever is done to a program, reading, planning and writing it ends in words.

use memplan::plan::Strategy;

use super::choose::Choose;
use super::emitted::emitted;
use super::generic::generic;
use super::print::custom;
use super::property::{Any, Tally, check};
use super::solve::{COMPAT, LARGEST, solve, try_read};

static TALLY: Tally = Tally::new();

/// Damages a text in one of several ways.
fn damage(text: &str, choose: &mut Choose) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (a, b) = (choose.index(lines.len()), choose.index(lines.len()));
    match choose.below(7) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(b, lines[a].clone()),
        2 => lines.swap(a, b),
        3 => {
            // Another name, somewhere.
            let own = format!("%v{}", choose.below(20));
            let other = format!("%v{}", choose.below(20));
            lines[a] = lines[a].replace(&own, &other);
        }
        4 => {
            let words = ["ub", "gm", "cbuf", "?x", "0x", "99999999999999999999", "i1", "-1", "%c0"];
            let (from, to) = (choose.pick(&words), choose.pick(&words));
            lines[a] = lines[a].replacen(from, to, 1);
        }
        5 => {
            let line: Vec<char> = lines[a].chars().collect();
            let (x, y) = (choose.index(line.len() + 1), choose.index(line.len() + 1));
            lines[a] = line[..x.min(y)].iter().chain(&line[x.max(y)..]).collect();
        }
        _ => {
            let bytes =
                ["{", "}", "(", ")", "<", ">", "\"", "^bb0:", "%", "\u{1F980}", "\0", ":", "//"];
            let at = choose.index(lines[a].chars().count() + 1);
            let at = lines[a].char_indices().nth(at).map_or(lines[a].len(), |(at, _)| at);
            lines[a].insert_str(at, choose.pick(&bytes));
        }
    }
    lines.join("\n")
}

/// Reads, plans and writes; panics where any of them does.
fn survive(text: &str) {
    let Ok(read) = try_read(text) else {
        TALLY.count("not readable");
        return;
    };
    TALLY.count(if read.defects.is_empty() { "readable" } else { "with defects" });
    for strategy in [COMPAT, LARGEST, Strategy::Auto] {
        if strategy == Strategy::Auto && !read.defects.is_empty() {
            continue;
        }
        let answer = solve(&read, strategy);
        let written = emitted(text, &read, &answer);
        let _ = try_read(&written);
    }
}

#[test]
fn no_damage_to_a_text_brings_us_down() {
    check(25, 16, |Any(program)| {
        let mut choose = Choose::new(program.seed);
        for text in [custom(&program), generic(&program)] {
            let mut text = text;
            for _ in 0..4 {
                text = damage(&text, &mut choose);
                survive(&text);
            }
        }
        Ok(())
    });
    TALLY.print();
}
