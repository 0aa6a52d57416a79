//! Which kernel of today is which of the baseline.

use std::collections::BTreeMap;

use super::base::Base;
use crate::model::Kernel;

/// For each new kernel its place in `old`: by input and function; then by the file's name and function
/// (another folder); then by function (the file moved); each only where it is the only one. One kernel on
/// both sides is the same whatever it is called.
pub(super) fn match_kernels(old: &[Kernel], new: &[Kernel]) -> Vec<Option<usize>> {
    let plain = Base::default();
    // Two files are two states of one input, whatever they are called.
    let one = |all: &[Kernel]| all.windows(2).all(|pair| pair[0].input == pair[1].input);
    let alone = one(old) && one(new);
    let name = |k: &Kernel| if alone { String::new() } else { plain.name(&k.input) };
    let file = |input: &str| input.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let mut found = vec![None; new.len()];
    let mut taken = vec![false; old.len()];
    let mut round = |most: usize, key: &dyn Fn(&Kernel) -> (String, String)| {
        let mut left: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (at, kernel) in old.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            left.entry(key(kernel)).or_default().push(at);
        }
        let mut asking: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (at, kernel) in new.iter().enumerate().filter(|(at, _)| found[*at].is_none()) {
            asking.entry(key(kernel)).or_default().push(at);
        }
        for (key, who) in asking {
            let Some(there) = left.get(&key) else { continue };
            if who.len() == there.len() && who.len() <= most {
                for (new, old) in who.into_iter().zip(there) {
                    found[new] = Some(*old);
                    taken[*old] = true;
                }
            }
        }
    };
    // One input may have several functions of one name.
    round(usize::MAX, &|k| (name(k), k.name.clone()));
    round(1, &|k| (file(&k.input), k.name.clone()));
    round(1, &|k| (String::new(), k.name.clone()));
    if let ([_], [_]) = (old, new) {
        found[0] = Some(0);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernels(all: &[(&str, &str)]) -> Vec<Kernel> {
        let kernel = |(input, name): &(&str, &str)| Kernel {
            input: (*input).to_owned(),
            name: (*name).to_owned(),
            ..Kernel::default()
        };
        all.iter().map(kernel).collect()
    }

    #[test]
    fn kernels_are_found_where_they_moved_to() {
        let of = |old: &[_], new: &[_]| match_kernels(&kernels(old), &kernels(new));
        let same = [("a.toml", "f"), ("b.toml", "f")];
        assert_eq!(of(&same, &[("./b.toml", "f"), ("a.toml", "f")]), [Some(1), Some(0)]);
        assert_eq!(of(&same, &[("new/b.toml", "f"), ("new/a.toml", "f")]), [Some(1), Some(0)]);
        assert_eq!(of(&same, &[("c.toml", "f"), ("a.toml", "f")]), [Some(1), Some(0)]);
        assert_eq!(of(&same, &[("c.toml", "f"), ("d.toml", "f")]), [None, None]);
        assert_eq!(of(&[("old.csv", "old")], &[("new.csv", "new")]), [Some(0)]);
        let twice = [("a", "f"), ("a", "f")];
        assert_eq!(of(&twice, &[("a", "f")]), [None]);
        assert_eq!(of(&twice, &twice), [Some(0), Some(1)]);
        assert_eq!(of(&twice, &[("b", "f"), ("b", "f")]), [Some(0), Some(1)]);
        assert_eq!(of(&[], &[("a", "f")]), [None]);
    }
}
