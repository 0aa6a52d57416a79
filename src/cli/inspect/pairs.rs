//! In-place pairs with the rule that allowed them, near misses with the rules that forbid them.

use super::scene::{Scene, level, lifetime};
use crate::analyze::explain::{self, Bar, Cause, PairRule};
use crate::analyze::{InplacePair, allowed_at};
use crate::format::json_inspect::{Inplace, NearMiss};
use crate::model::{BufferId, Step};

/// Near misses of a function, at most.
const MAX_NEAR_MISSES: usize = 10_000;

/// The pairs that may share in place.
pub(super) fn inplace(scene: Scene<'_>) -> Vec<Inplace> {
    let row = |pair: &InplacePair| {
        let rule = scene.reasons.pair_rule(pair);
        let op = pair.op.and_then(|op| scene.function.ops.get(op));
        let relation = match rule {
            PairRule::Given(relation) => relation,
            PairRule::Any | PairRule::Isa => None,
        };
        Inplace {
            from: pair.from.0,
            into: pair.into.0,
            op: op.map(|op| op.name.clone()),
            rule: rule.name(),
            message: match rule {
                PairRule::Given(_) => match relation.and_then(|r| r.why.as_deref()) {
                    Some(why) => format!("the input names the pair: {why}"),
                    None => "the input names the pair".to_owned(),
                },
                PairRule::Any => "the op allows it (`any`)".to_owned(),
                PairRule::Isa => "the instruction set allows it (`isa`)".to_owned(),
            },
            level: level(allowed_at(scene.function, scene.facts, pair.from, pair.into)),
            loc: scene.place(op.and_then(|op| op.loc).or(relation.and_then(|r| r.loc))),
        }
    };
    scene.facts.inplace.iter().map(row).collect()
}

/// Near misses, and how many more there are.
pub(super) fn near_misses(scene: Scene<'_>) -> (Vec<NearMiss>, u64) {
    let all = scene.reasons.near_misses(MAX_NEAR_MISSES);
    (all.found.iter().map(|miss| row(scene, miss)).collect(), all.left_out)
}

fn row(scene: Scene<'_>, miss: &explain::NearMiss<'_>) -> NearMiss {
    let op = &scene.function.ops[miss.op];
    let words: Vec<String> = miss.bars.iter().map(|bar| words(scene, miss, bar)).collect();
    NearMiss {
        from: miss.from.0,
        into: miss.into.0,
        op: op.name.clone(),
        step: scene.facts.order.ops[miss.op].0,
        dies: miss.dies,
        rules: miss.bars.iter().map(|bar| bar.name()).collect(),
        message: words.join("; "),
        loc: scene.place(op.loc),
    }
}

fn words(scene: Scene<'_>, miss: &explain::NearMiss<'_>, bar: &Bar<'_>) -> String {
    let name = |id: BufferId| format!("`{}`", scene.name(id));
    let (from, into) = (miss.from, miss.into);
    match *bar {
        Bar::Never => "the op never allows it".to_owned(),
        Bar::OnlyIsa => "the input asks for `inplace = \"isa\"`, the op only has `any`".to_owned(),
        Bar::NoPairs => "the input asks for `inplace = \"never\"`".to_owned(),
        Bar::Scope => {
            let (a, b) = (&scene.scope(from).name, &scene.scope(into).name);
            format!("different scopes, {a} and {b}")
        }
        Bar::Larger(by) => {
            format!("{} is {} larger than the operand", name(into), crate::model::Bytes(by))
        }
        Bar::Unique(id) => format!("{} is unique", name(id)),
        Bar::Slots => {
            let slots = |id: BufferId| scene.function.buffers[id].slots;
            match (slots(from), slots(into)) {
                (a, b) if a != b => format!("slots differ, {a} and {b}"),
                _ => "slots rotate in different loops".to_owned(),
            }
        }
        Bar::Wanted(_) => {
            let what = lifetime(&scene.function.buffers[from]);
            format!("{} must keep its data to the end ({what})", name(from))
        }
        Bar::Filled(_) => {
            let what = lifetime(&scene.function.buffers[into]);
            format!("{} holds data from before the function ({what})", name(into))
        }
        Bar::Relation(r) => {
            let why = r.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("relation `{}`{}{why}", r.kind.name(), scene.line(r.loc))
        }
        Bar::Unknown(id) => {
            format!("{} is touched through a name that may mean other bytes, too", name(id))
        }
        Bar::Shifted(read, write) => {
            format!("touched from another byte on: read from {read}, written from {write}")
        }
        Bar::Wider(by) => format!("the op writes {} more than it reads", crate::model::Bytes(by)),
        Bar::ReadTwice => format!("the op also reads {} from another byte on", name(from)),
        Bar::Otherwise(id) => format!("the op also touches {} in another way", name(id)),
        Bar::StillNeeded(step, Some(op)) => {
            format!("{} is still read at step {} by {}", name(from), step.0, scene.op(op))
        }
        Bar::StillNeeded(step, None) => needed(scene, from, step),
        Bar::Together(step) => format!("both are also alive at {}", scene.moment(step)),
    }
}

/// Why an operand is needed although nothing reads it later in the order.
fn needed(scene: Scene<'_>, id: BufferId, at: Step) -> String {
    let name = scene.name(id);
    let spans = scene.reasons.spans(id);
    let span = spans.iter().find(|s| s.live.start <= at && at < s.live.end);
    match span.map(|s| s.end) {
        Some(Cause::Carried(l, _)) => {
            format!("`{name}` is still read in later trips of {}", scene.looped(l))
        }
        Some(Cause::Preload(l)) => format!("`{name}` is preloaded for {}", scene.looped(l)),
        Some(Cause::Class(_)) => {
            let what = lifetime(&scene.function.buffers[id]);
            format!("`{name}` is needed to the end ({what})")
        }
        _ => format!("`{name}` is still needed at {}", scene.moment(at)),
    }
}
