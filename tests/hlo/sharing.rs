//! Who takes whose bytes in XLA's heap traces, against the rules about sharing.

use crate::corpus::programs;
use memplan::ir::hlo::{Platform, Sharing, platform_of};

/// Wherever XLA let a result take the bytes of an operand of its, the rules allow it.
#[test]
fn what_xla_shared_may_be_shared() {
    let mut checked = 0;
    let mut refused = Vec::new();
    for program in programs() {
        let analysis = program.analysis();
        let trace = program.trace();
        let values = analysis.values.values.enumerate();
        let name = |id| analysis.values.name(&program.module, id);
        let keys = values.map(|(id, value)| ((name(id), value.is_phi), id)).collect();
        let ids = program.ids(&trace, &keys);
        let platform = platform_of(&program.module);
        assert_eq!(platform == Platform::Gpu, program.name.starts_with("gpu_"), "{}", program.name);
        let rules = Sharing::new(&program.module, platform);
        let traces = trace["heap_traces"].as_array().into_iter().flatten();
        for event in traces.flat_map(|trace| trace["events"].as_array().into_iter().flatten()) {
            let Some([kind, taker, giver]) = event.as_array().map(Vec::as_slice) else { continue };
            let id = |value: &serde_json::Value| ids[&value.as_u64().expect("an id")];
            let (taker, giver) = (id(taker), id(giver));
            if kind != "S" || analysis.groups.of[taker] == analysis.groups.of[giver] {
                continue;
            }
            checked += 1;
            let [to, from] = [taker, giver].map(|v| &analysis.values.values[v].definition);
            if !rules.may_share(from.instruction, &from.index, to.instruction, &to.index) {
                refused.push(format!("{}: {} of {}", program.name, name(taker), name(giver)));
            }
        }
    }
    eprintln!("{checked} shares");
    assert!(refused.is_empty(), "{refused:#?}");
}
