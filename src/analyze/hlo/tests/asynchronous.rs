//! Chains of start, update and done (4.1, 15, 22.6).

use super::{analyse, read};

#[test]
fn an_asynchronous_copy_makes_its_destination_at_the_start() {
    let module = read(
        "HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  s = (f32[2], f32[2], u32[]) copy-start(p)
  ROOT d = f32[2] copy-done(s)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.positions("p"), ["p", "s{1}"]);
    assert_eq!(all.positions("s{0}"), ["d", "s{0}"]);
    assert_eq!(all.names_at("s{2}"), ["s{2}"]);
    assert_eq!(all.uses("p"), ["s 0", "d 0{1}"], "the source is kept until the copy is done");
    assert_eq!(all.range("s{0}"), (1, 3));
}

#[test]
fn sending_forwards_what_is_sent_and_receiving_makes_it() {
    let module = read(
        "HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  k = token[] after-all()
  s = (f32[2], u32[], token[]) send(p, k), channel_id=1
  sd = token[] send-done(s), channel_id=1
  r = (f32[2], u32[], token[]) recv(k), channel_id=2
  rd = (f32[2], token[]) recv-done(r), channel_id=2
  ROOT g = f32[2] get-tuple-element(rd), index=0
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.positions("p"), ["p", "s{0}"]);
    assert_eq!(all.names_at("s{2}"), ["s{2}"]);
    assert_eq!(all.names_at("sd"), ["sd"]);
    assert_eq!(all.positions("r{0}"), ["g", "rd{0}", "r{0}"]);
    assert_eq!(all.names_at("rd{}"), ["rd{}"]);
    assert_eq!(all.names_at("rd{1}"), ["rd{1}"]);
}

#[test]
fn collectives_forward_operands_and_make_results() {
    let module = read(
        "HloModule m
sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT a = f32[] add(x, y)
}
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  g = (f32[2], f32[4]) all-gather-start(p), dimensions={0}
  gd = f32[4] all-gather-done(g)
  h = ((f32[2], f32[2]), (f32[4], f32[4])) all-gather-start(p, q), dimensions={0}
  hd = (f32[4], f32[4]) all-gather-done(h)
  c = (f32[2], f32[2], u32[], u32[]) collective-permute-start(p), source_target_pairs={{0,1}}
  cd = f32[2] collective-permute-done(c)
  r = f32[2] all-reduce-start(q), to_apply=sum
  rd = f32[2] all-reduce-done(r)
  ROOT t = (f32[4], (f32[4], f32[4]), f32[2], f32[2]) tuple(gd, hd, cd, rd)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.positions("p"), ["c{0}", "g{0}", "h{0,0}", "p"]);
    assert_eq!(all.positions("q"), ["h{0,1}", "q"]);
    assert_eq!(all.positions("g{1}"), ["gd", "g{1}", "t{0}"]);
    assert_eq!(all.positions("h{1,1}"), ["hd{1}", "h{1,1}", "t{1,1}"]);
    assert_eq!(all.names_at("h{0}"), ["h{0}"]);
    assert_eq!(all.names_at("h{1}"), ["h{1}"]);
    assert_eq!(all.names_at("hd{}"), ["hd{}"]);
    assert_eq!(all.positions("c{1}"), ["cd", "c{1}", "t{2}"]);
    assert_eq!(all.names_at("c{3}"), ["c{3}"]);
    assert_eq!(all.positions("r"), ["r", "rd", "t{3}"]);
    assert_eq!(all.group("r"), ["q", "r"], "an all-reduce-start works in place");
}

#[test]
fn an_asynchronous_computation_returns_its_root_at_every_link() {
    let module = read(
        "HloModule m
work {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT n = f32[2] add(x, y)
}
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  s = ((f32[2], f32[2]), f32[2], s32[]) async-start(p, q), calls=work
  u = ((f32[2], f32[2]), f32[2], s32[]) async-update(s), calls=work
  ROOT d = f32[2] async-done(u), calls=work
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.positions("p"), ["p", "s{0,0}", "u{0,0}", "x"]);
    assert_eq!(all.positions("q"), ["q", "s{0,1}", "u{0,1}", "y"]);
    assert_eq!(all.positions("n"), ["d", "n", "s{1}", "u{1}"]);
    for table in ["s{}", "s{0}", "u{}", "u{0}", "s{2}"] {
        assert_eq!(all.names_at(table), [table]);
    }
    assert_eq!(all.names_at("u{2}"), ["s{2}"], "the context is passed on");
    assert!(all.phis().is_empty());
}

#[test]
fn a_result_that_is_a_tuple_has_a_table_at_every_link() {
    let module = read(
        "HloModule m
work {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT t = (f32[2], f32[2]) tuple(n, x)
}
ENTRY e {
  p = f32[2] parameter(0)
  s = ((f32[2]), (f32[2], f32[2])) async-start(p), calls=work
  ROOT d = (f32[2], f32[2]) async-done(s)
}
",
    );
    let all = analyse(&module);
    assert_eq!(all.names_at("s{1}"), ["s{1}"]);
    assert_eq!(all.names_at("d{}"), ["d{}"]);
    assert_eq!(all.names_at("d{0}"), ["n"]);
    assert_eq!(all.names_at("d{1}"), ["p"]);
}

const LATE: &str = "HloModule m
work {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  n = f32[2] add(x, y)
  ROOT t = (f32[2]) tuple(n)
}
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  s = ((f32[2]), ()) async-start(p), calls=work
  u = ((f32[2], f32[2]), (f32[2])) async-update(s, q), calls=work
  d = (f32[2]) async-done(u), calls=work
  ROOT g = f32[2] get-tuple-element(d), index=0
}
";

#[test]
fn operands_may_be_bound_after_the_start() {
    let module = read(LATE);
    let all = analyse(&module);
    assert_eq!(all.positions("p"), ["p", "s{0,0}", "u{0,0}", "x"]);
    assert_eq!(all.positions("q"), ["q", "u{0,1}", "y"]);
    assert_eq!(all.positions("n"), ["d{0}", "g", "n", "t{0}", "u{1,0}"]);
}
