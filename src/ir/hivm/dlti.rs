//! What a module says of its target (HIVM spec, sections 1.3 and D.2).

use super::{Family, TargetNumbers};
use crate::ir::mlir::{Attr, Attrs};

/// The integers of `dlti.target_system_spec` by key, whatever the punctuation between them; none
/// without the attribute.
pub fn system_spec(attrs: &Attrs) -> Option<Vec<(String, u64)>> {
    let attr = attrs.get("dlti.target_system_spec")?;
    let mut entries = Vec::new();
    collect(attr, &mut entries);
    Some(entries)
}

/// The name in `hacc.target`.
pub fn hacc_target(attrs: &Attrs) -> Option<&str> {
    Some(attrs.get("hacc.target")?.word()?.trim_matches('"'))
}

/// The numbers that the pass works with. The device spec of the module counts; without one, that of
/// the chip given on the command line, as if it had been appended. None: the pass fails silently.
pub fn module_target(attrs: &Attrs, command_line: Option<&str>) -> Option<TargetNumbers> {
    let chip = command_line.and_then(Family::of);
    // D.2: the module's chip, else that of the command line, else 910B.
    let family = match hacc_target(attrs) {
        Some(name) => Family::of(name),
        None => chip,
    };
    let reg_based = family.is_some_and(Family::reg_based);
    let Some(spec) = system_spec(attrs) else {
        return Some(TargetNumbers { reg_based, ..chip?.numbers() });
    };
    let get = |key: &str| spec.iter().rev().find(|(k, _)| k == key).map(|&(_, n)| n);
    Some(TargetNumbers {
        ub: get("UB_SIZE")?,
        l1: get("L1_SIZE")?,
        l0c: get("L0C_SIZE")?,
        ub_align: get("UB_ALIGN_SIZE")?.max(1),
        l1_align: get("L1_ALIGN_SIZE")?.max(1),
        l0c_align: get("L0C_ALIGN_SIZE")?.max(1),
        min_dcache: get("MINIMAL_D_CACHE_SIZE").unwrap_or(0),
        max_dcache: get("MAXIMUM_D_CACHE_SIZE").unwrap_or(0),
        reg_based,
    })
}

fn collect(attr: &Attr, entries: &mut Vec<(String, u64)>) {
    match attr {
        Attr::Other(text) => scan(text, entries),
        Attr::Array(items) => items.iter().for_each(|item| collect(item, entries)),
        Attr::Dict(attrs) => {
            for (key, value, _) in attrs.iter() {
                match value.int().and_then(|n| u64::try_from(n).ok()) {
                    Some(n) => entries.push((key.trim_matches('"').to_owned(), n)),
                    None => collect(value, entries),
                }
            }
        }
        _ => {}
    }
}

/// `"KEY", 12 : i32` and `"KEY" = 12 : i32`, wherever they stand.
fn scan(text: &str, entries: &mut Vec<(String, u64)>) {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('"') {
        let Some((key, after)) = after.split_once('"') else { return };
        rest = after;
        let number = after.trim_start();
        let Some(number) = number.strip_prefix([',', '=', ':']) else { continue };
        let number = number.trim_start();
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        if let Ok(n) = number[..digits].parse() {
            entries.push((key.to_owned(), n));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{FileId, Loc};

    fn attrs(items: &[(&str, &str)]) -> Attrs {
        let loc = Loc { file: FileId(0), start: 0, end: 0 };
        let mut attrs = Attrs::default();
        for (name, text) in items {
            attrs.push(*name, Attr::Other((*text).to_owned()), loc);
        }
        attrs
    }

    const ENTRIES: &str = "#dlti.target_system_spec<\"NPU\" : #hacc.target_device_spec<\
        #dlti.dl_entry<\"ARCH\", \"dav-c310\">, #dlti.dl_entry<\"UB_SIZE\", 2031616 : i32>, \
        #dlti.dl_entry<\"L1_SIZE\", 8 : i32>, #dlti.dl_entry<\"L0C_SIZE\", 16 : i32>, \
        #dlti.dl_entry<\"UB_ALIGN_SIZE\", 256 : i32>, #dlti.dl_entry<\"L1_ALIGN_SIZE\", 2 : i32>, \
        #dlti.dl_entry<\"L0C_ALIGN_SIZE\", 4 : i32>>>";

    #[test]
    fn a_module_tells_its_memories() {
        let attrs = attrs(&[
            ("dlti.target_system_spec", ENTRIES),
            ("hacc.target", "#hacc.target<\"Ascend950PR_950z\">"),
        ]);
        let target = module_target(&attrs, None).expect("it has a device spec");
        assert_eq!((target.ub, target.ub_align, target.l0c), (2_031_616, 256, 16));
        assert!(target.reg_based);
    }

    #[test]
    fn both_spellings_of_an_entry_are_read() {
        let mut entries = Vec::new();
        scan("<\"NPU\" = #hacc.target_device_spec<\"UB_SIZE\" = 7 : i32, \"A\"=8>>", &mut entries);
        assert_eq!(entries, [("UB_SIZE".to_owned(), 7), ("A".to_owned(), 8)]);
    }

    #[test]
    fn the_command_line_stands_in_for_what_the_module_lacks() {
        let none = Attrs::default();
        assert_eq!(module_target(&none, None), None);
        assert_eq!(module_target(&none, Some("Ascend950PR_9579")), Some(Family::A950.numbers()));
        let spec_only = attrs(&[("dlti.target_system_spec", ENTRIES)]);
        assert!(!module_target(&spec_only, None).expect("it has a spec").reg_based);
        assert!(module_target(&spec_only, Some("Ascend310B1")).expect("it has a spec").reg_based);
        let named = attrs(&[("hacc.target", "#hacc.target<\"Ascend910B1\">")]);
        let target = module_target(&named, Some("Ascend950PR_9579")).expect("the chip is given");
        assert!(!target.reg_based && target.ub == 2_031_616);
    }
}
