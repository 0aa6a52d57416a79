//! Lines of core programs.

use serde_json::{Value, json};

use super::keys::Keys;
use crate::model::trace::{CoreLine, Instruction, Names, PipeName, Place, Rotation, Whole};

/// A line and what is in it; the depth is limited by whoever made the program.
pub(super) fn line<'a>(names: &'a Names, line: &CoreLine) -> Keys<'a> {
    let mut keys = instruction(names, &line.instruction);
    keys.put("i", json!(line.label));
    keys.name("core", Some(line.core));
    keys
}

fn instruction<'a>(names: &'a Names, instruction: &Instruction) -> Keys<'a> {
    let pipe = |keys: &mut Keys<'a>, key: &str, pipe: PipeName| keys.put(key, json!(pipe.name()));
    match instruction {
        Instruction::Copy { pipe: by, src, dst, cost } => {
            let mut keys = Keys::op(names, "copy");
            pipe(&mut keys, "pipe", *by);
            keys.put("src", place(names, src));
            keys.put("dst", place(names, dst));
            keys.maybe("cost", *cost);
            keys
        }
        Instruction::Exec { pipe: by, name, r, w, inplace, accumulate, cost } => {
            let mut keys = Keys::op(names, "exec");
            pipe(&mut keys, "pipe", *by);
            keys.name("name", *name);
            keys.put("r", r.iter().map(|p| place(names, p)).collect());
            keys.put("w", w.iter().map(|p| place(names, p)).collect());
            keys.truth("inplace", *inplace, false);
            keys.truth("accumulate", *accumulate, false);
            keys.maybe("cost", *cost);
            keys
        }
        Instruction::Set { pipe: from, peer, id } | Instruction::Wait { pipe: from, peer, id } => {
            let set = matches!(instruction, Instruction::Set { .. });
            let mut keys = Keys::op(names, if set { "set" } else { "wait" });
            pipe(&mut keys, "pipe", *from);
            pipe(&mut keys, "peer", *peer);
            let Rotation { ids, of } = id;
            keys.put("id", json!(ids));
            keys.name("of", *of);
            keys
        }
        Instruction::Barrier { pipe: by } => {
            let mut keys = Keys::op(names, "barrier");
            by.iter().for_each(|by| pipe(&mut keys, "pipe", *by));
            keys
        }
        Instruction::XSet { pipe: by, mode, flag }
        | Instruction::XWait { pipe: by, mode, flag } => {
            let set = matches!(instruction, Instruction::XSet { .. });
            let mut keys = Keys::op(names, if set { "xset" } else { "xwait" });
            pipe(&mut keys, "pipe", *by);
            keys.put("mode", json!(mode));
            keys.put("flag", json!(flag));
            keys
        }
        Instruction::Loop { name, n, may_be_zero, body } => {
            let mut keys = Keys::op(names, "loop");
            keys.name("name", *name);
            keys.put("n", json!(n));
            keys.truth("may_be_zero", *may_be_zero, false);
            keys.put("body", lines(names, body));
            keys
        }
        Instruction::If { cond, then, otherwise } => {
            let mut keys = Keys::op(names, "if");
            keys.name("cond", Some(*cond));
            keys.put("then", lines(names, then));
            keys.put("else", lines(names, otherwise));
            keys
        }
    }
}

fn lines(names: &Names, all: &[CoreLine]) -> Value {
    all.iter().map(|inner| line(names, inner).value()).collect()
}

fn place(names: &Names, place: &Place) -> Value {
    let mut keys = Keys::new(names);
    match place.at {
        Whole::Scope(scope) => {
            keys.name("scope", Some(scope));
            keys.number("base", place.base);
        }
        Whole::Global(pointer) => {
            keys.name("gm", Some(pointer));
            keys.number("off", place.base);
        }
    }
    keys.put("len", json!(place.len));
    keys.val("val", place.val);
    keys.number("voff", place.voff);
    keys.number("stride", place.stride);
    if place.modulo != 1 {
        keys.put("mod", json!(place.modulo));
    }
    keys.name("of", place.of);
    keys.value()
}
