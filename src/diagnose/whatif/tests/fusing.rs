//! Two kernels in one.

use super::super::fused;
use super::{read, sizes};
use crate::model::{BufferId, LifetimeClass, Live, Problem};
use crate::{analyze, plan, verify};

const PRODUCER: &str = r#"
version = 1
name = "producer"
target = "ascend910b"
[[buffer]]
name = "x"
scope = "ub"
size = 1024
class = "parameter"
[[buffer]]
name = "y"
scope = "ub"
size = 2048
class = "output"
[[op]]
name = "make"
pipe = "V"
reads = ["x"]
writes = ["y"]
"#;

const CONSUMER: &str = r#"
version = 1
name = "consumer"
target = "ascend910b"
[[buffer]]
name = "y"
scope = "ub"
size = 2048
class = "parameter"
[[buffer]]
name = "t"
scope = "ub"
size = 512
slots = 2
[[buffer]]
name = "z"
scope = "ub"
size = 256
class = "output"
[[loop]]
name = "rows"
trips = 4
[[op]]
name = "part"
in = "rows"
pipe = "V"
reads = ["y"]
writes = ["t"]
[[op]]
name = "use"
in = "rows"
pipe = "S"
reads = ["t"]
writes = ["z"]
"#;

fn peak(problem: &Problem) -> u64 {
    let answer = plan::solve(&plan::Question::of(problem), &plan::Options::default(), &|_| ());
    let f = &answer.functions[0];
    let findings = verify::one(problem, &problem.functions[0], &f.plan);
    let wrong = findings.iter().filter(|f| f.severity == crate::diag::Severity::Error);
    assert_eq!(wrong.count(), 0, "{findings:?}");
    f.scopes[0].peak.unwrap_or(0)
}

#[test]
fn what_one_kernel_hands_over_the_other_takes() {
    let (a, b) = (read(PRODUCER), read(CONSUMER));
    let both = fused((&a, 0), (&b, 0)).unwrap_or_default();
    let f = &both.functions[0];
    assert_eq!(f.name, "producer+consumer");
    assert_eq!(sizes(f), [("a.x", 1024), ("a.y", 2048), ("b.t", 512), ("b.z", 256)]);
    assert_eq!(f.buffers[BufferId(1)].class, LifetimeClass::Local);
    assert_eq!(
        f.ops.iter().map(|op| op.name.as_str()).collect::<Vec<_>>(),
        ["a.make", "b.part", "b.use"]
    );
    let facts = analyze::facts(&both, f);
    // From the op that makes it to the end of the loop that needs it in every trip.
    assert_eq!(facts.live[BufferId(1)], [Live::new(0, 5)]);
    assert!(peak(&both) >= 1024 + 2048 + 1024);
}

#[test]
fn names_alone_share_nothing() {
    let b = read(&CONSUMER.replace("class = \"parameter\"", ""));
    let both = fused((&read(PRODUCER), 0), (&b, 0)).unwrap_or_default();
    assert_eq!(both.functions[0].buffers.len(), 5);
    let fresh = both.functions[0].buffers.iter().filter(|b| b.name.ends_with(".y"));
    assert_eq!(fresh.count(), 2);
}

#[test]
fn what_does_not_match_is_refused() {
    let a = read(PRODUCER);
    let why = |from: &str, to: &str| {
        let b = read(&CONSUMER.replace(from, to));
        fused((&a, 0), (&b, 0)).err().unwrap_or_default()
    };
    assert_eq!(
        why("size = 2048", "size = 1024"),
        "`y` is 2,048 B in 1 slots, then 1,024 B in 1 slots"
    );
    let ranges = "version = 1\ntarget = \"ascend910b\"\n[[buffer]]\nname = \"u\"\nscope = \"ub\"\n\
                  size = 1\nlive = [0, 1]\n";
    let why = fused((&a, 0), (&read(ranges), 0)).err().unwrap_or_default();
    assert_eq!(why, "one function has ops, the other one live ranges");
}

#[test]
fn given_live_ranges_follow_each_other() {
    let text = |class: &str, name: &str, live: &str| {
        format!(
            "version = 1\n[[scope]]\nname = \"s\"\n[[buffer]]\nname = \"v\"\nsize = 8\n\
             class = \"{class}\"\nlive = {live}\n[[buffer]]\nname = \"{name}\"\nsize = 4\n\
             live = [0, 3]\n"
        )
    };
    let (a, b) =
        (read(&text("output", "p", "[1, 2]")), read(&text("donated", "q", "[[1, 2], [4, 5]]")));
    let both = fused((&a, 0), (&b, 0)).unwrap_or_default();
    let f = &both.functions[0];
    let live = |id: u32| f.buffers[BufferId(id)].live.clone().unwrap_or_default();
    assert_eq!(live(0), [Live::new(1, 5), Live::new(7, 8)]);
    assert_eq!((live(1), live(2)), (vec![Live::new(0, 3)], vec![Live::new(3, 6)]));
    assert_eq!(sizes(f), [("a.v", 8), ("a.p", 4), ("b.q", 4)]);
}
