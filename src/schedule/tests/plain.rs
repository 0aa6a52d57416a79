//! The scenarios of spec/xla-memory.md 10.6.

use super::{OPTIONS, before, module, names, ordered};
use crate::diag::Code;
use crate::ir::hlo::{Module, Sequences, print};
use crate::model::Index;
use crate::schedule::{Budget, Order, schedule, valid};

const PLAIN: [Order; 5] = [Order::List, Order::Dfs, Order::Bfs, Order::Post, Order::Trivial];

#[test]
fn the_default_uses_a_value_up_before_it_makes_another() {
    let module = module(
        "HloModule m\nENTRY e {\n p = f32[42] parameter(0)\n ab = f32[42] abs(p)\n exp = f32[42] exponential(p)\n \
         add = f32[42] add(ab, exp)\n neg = f32[42] negate(exp)\n ROOT sub = f32[42] subtract(add, neg)\n}\n",
    );
    let scheduled =
        schedule(&module, OPTIONS, Order::Default, Budget::default()).expect("a schedule");
    let names = names(&module, &scheduled.sequences);
    assert_eq!((names.first(), names.last()), (Some(&"p"), Some(&"sub")));
    assert!(before(&names, "add", "neg"), "{names:?}");
    // p stays; beside it at most two more are alive, as add and neg take over what they use up.
    assert_eq!(scheduled.peak_after, 3 * 168);
}

const ALIASES: &str = "HloModule m\nENTRY e {\n p = s32[1000] parameter(0)\n p0 = s32[1000] copy(p)\n \
    p1 = s32[1000] copy(p)\n t = (s32[1000], s32[1000]) tuple(p0, p1)\n \
    a = s32[1000] get-tuple-element(t), index=0\n b = s32[1000] get-tuple-element(t), index=1\n \
    c = s32[1000] add(a, b)\n d = s32[1000] add(c, b)\n e = s32[1000] add(c, c)\n f = s32[1000] add(e, e)\n \
    ROOT r = (s32[1000], s32[1000], s32[1000]) tuple(d, e, f)\n}\n";

#[test]
fn the_list_scheduler_sees_through_tuples() {
    let module = module(ALIASES);
    let order = ordered(&module, Order::List);
    assert!(before(&names(&module, &order), "d", "e"), "d frees what stands in the tuple");
}

#[test]
fn the_default_compares_three_orders_and_takes_one_of_them() {
    let module = module(ALIASES);
    let scheduled =
        schedule(&module, OPTIONS, Order::Default, Budget::default()).expect("a schedule");
    let three: Vec<_> = scheduled.orders.iter().skip(1).map(|measured| measured.order).collect();
    assert_eq!(three, [Order::List, Order::Dfs, Order::Post]);
    assert!(scheduled.orders.iter().all(|measured| measured.xla > 0));
    assert!(three.contains(&scheduled.chosen));
    valid(&module, &scheduled.sequences).expect("a schedule");
    let least = scheduled.orders.iter().skip(1).map(|measured| measured.xla).min();
    let chosen = scheduled.orders.iter().skip(1).find(|m| m.order == scheduled.chosen);
    assert_eq!(chosen.map(|measured| measured.xla), least);
}

#[test]
fn the_table_of_a_tuple_costs() {
    let module = module(
        "HloModule m\nENTRY e {\n c = f32[6] constant({1,2,3,4,5,6})\n abs_const = f32[6] abs(c)\n \
         abs_abs1 = f32[6] abs(abs_const)\n tuple = (f32[6]) tuple(abs_abs1)\n \
         gte = f32[6] get-tuple-element(tuple), index=0\n abs_abs2 = f32[6] abs(abs_const)\n \
         ROOT add = f32[6] add(gte, abs_abs2)\n}\n",
    );
    let order = ordered(&module, Order::List);
    assert!(before(&names(&module, &order), "abs_abs2", "tuple"));
}

#[test]
fn a_fusion_with_several_outputs_runs_after_what_frees_more() {
    let module = module(
        "HloModule m\nf {\n q = f32[5] parameter(0)\n n = f32[5] negate(q)\n m = f32[5] multiply(q, q)\n \
         ROOT t = (f32[5], f32[5]) tuple(n, m)\n}\nENTRY e {\n p = f32[5] parameter(0)\n \
         mul = f32[5] multiply(p, p)\n exp = f32[5] exponential(mul)\n \
         fusion = (f32[5], f32[5]) fusion(mul), kind=kLoop, calls=f\n \
         g0 = f32[5] get-tuple-element(fusion), index=0\n g1 = f32[5] get-tuple-element(fusion), index=1\n \
         x = f32[5] add(g0, g1)\n ROOT y = f32[5] add(x, exp)\n}\n",
    );
    let order = ordered(&module, Order::List);
    assert!(before(&names(&module, &order), "exp", "fusion"));
}

#[test]
fn a_send_is_done_before_other_work_begins() {
    // To send takes a few bytes, which the done gives back.
    let module = module(
        "HloModule m\nENTRY e {\n p = f32[1000] parameter(0)\n token = token[] after-all()\n \
         send = (f32[1000], u32[], token[]) send(p, token), channel_id=1, is_host_transfer=true\n \
         send-done = token[] send-done(send), channel_id=1, is_host_transfer=true\n \
         n1 = f32[1000] negate(p)\n n2 = f32[1000] negate(n1)\n ROOT n3 = f32[1000] negate(n2)\n}\n",
    );
    let order = ordered(&module, Order::List);
    assert!(before(&names(&module, &order), "send-done", "n1"), "{:?}", names(&module, &order));
}

#[test]
fn breadth_first_goes_by_wave_fronts() {
    let mut text = String::from(
        "HloModule m\nsum {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}\n\
         ENTRY e {\n",
    );
    for at in 0..5 {
        text += &format!(
            " p{at} = f32[] parameter({at})\n b{at} = f32[64] broadcast(p{at}), dimensions={{}}\n \
             a{at} = f32[64] add(b{at}, b{at})\n z{at} = f32[] constant(0)\n \
             r{at} = f32[] reduce(a{at}, z{at}), dimensions={{0}}, to_apply=sum\n"
        );
    }
    text += " out0 = f32[] add(r0, r1)\n out1 = f32[] add(out0, r2)\n out2 = f32[] add(out1, r3)\n \
             ROOT out3 = f32[] add(out2, r4)\n}\n";
    let module = module(&text);
    let order = ordered(&module, Order::Bfs);
    let names = names(&module, &order);
    let waves = ["b", "a", "r"].map(|kind| (0..5).map(move |at| format!("{kind}{at}")));
    let waves: Vec<String> = waves.into_iter().flatten().collect();
    let outs = (0..4).map(|at| format!("out{at}"));
    let wanted: Vec<String> = waves.into_iter().chain(outs).collect();
    assert_eq!(names[names.len() - wanted.len()..], wanted[..]);
}

const LOOP: &str = "HloModule m\nbody {\n s = (s32[], f32[4]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n \
    x = f32[4] get-tuple-element(s), index=1\n one = s32[] constant(1)\n j = s32[] add(i, one)\n \
    y = f32[4] negate(x)\n ROOT t = (s32[], f32[4]) tuple(j, y)\n}\ncond {\n s = (s32[], f32[4]) parameter(0)\n \
    i = s32[] get-tuple-element(s), index=0\n n = s32[] constant(9)\n ROOT c = pred[] compare(i, n), direction=LT\n}\n\
    ENTRY e {\n z = s32[] constant(0)\n p = f32[4] parameter(0)\n t = (s32[], f32[4]) tuple(z, p)\n \
    w = (s32[], f32[4]) while(t), condition=cond, body=body\n ROOT r = f32[4] get-tuple-element(w), index=1\n}\n";

#[test]
fn every_order_is_a_schedule_of_the_module_also_printed() {
    for text in [LOOP, ALIASES] {
        let module = module(text);
        for wanted in PLAIN {
            let order = ordered(&module, wanted);
            valid(&module, &order).expect("a schedule");
            let scheduled = module.in_order(&order);
            assert!(scheduled.is_scheduled);
            let again = super::module(&print(&scheduled));
            valid(&again, &again.sequences()).expect("a schedule");
            assert!(again.same_as(&scheduled), "{}", print(&scheduled));
        }
    }
}

fn broken(module: &Module, change: impl Fn(&mut Sequences)) -> String {
    let mut order = module.sequences();
    change(&mut order);
    let error = valid(module, &order).expect_err("no schedule");
    assert_eq!(error.code, Code::HloBadOrder);
    error.message
}

#[test]
fn what_is_no_schedule_is_told_apart() {
    let module = module(ALIASES);
    let entry = module.entry;
    let swapped = broken(&module, |order| order.0[entry].swap(0, 1));
    assert_eq!(swapped, "`p0` runs before its operand `p`");
    let short = broken(&module, |order| order.0[entry].truncate(10));
    assert_eq!(short, "`r` never runs");
    let twice = broken(&module, |order| order.0[entry].push(Index::new(0)));
    assert_eq!(twice, "`p` runs twice");
    let none = broken(&module, |order| *order = Sequences(Vec::new().into()));
    assert!(none.contains("0 computations"), "{none}");
}

#[test]
fn control_predecessors_hold_in_every_order() {
    let module = module(
        "HloModule m\nENTRY e {\n p = f32[8] parameter(0)\n a = f32[8] negate(p), control-predecessors={b}\n \
         b = f32[8] abs(p), control-predecessors={c}\n c = f32[8] cosine(p)\n \
         ROOT t = (f32[8], f32[8], f32[8]) tuple(a, b, c)\n}\n",
    );
    for wanted in PLAIN {
        let order = ordered(&module, wanted);
        valid(&module, &order).expect("a schedule");
        let names = names(&module, &order);
        assert!(before(&names, "c", "b") && before(&names, "b", "a"), "{wanted:?}: {names:?}");
    }
}
