//! From axes to variants: one setting after the other, or every combination.

use super::axes::{Axes, Part, Setting, Whole};
use crate::cli::input::Ready;
use crate::diag::{Code, Diagnostic};

/// Variants of one input, at most.
const MOST: usize = 10_000;

/// The name of the first variant.
pub(super) const AS_IT_IS: &str = "as it is";

/// The name of the input as it is, without what the compiler's pass knows about HIVM text.
pub(super) const OUR_FACTS: &str = "as it is, by our own facts";

/// One variant of an input.
#[derive(Clone, Debug, Default)]
pub(super) struct Variant {
    /// What is different.
    pub(super) name: String,
    /// What is different about reading and planning.
    pub(super) whole: Vec<Whole>,
    /// The function that is another one, by its index, and what it is; none for variants of the whole input.
    pub(super) part: Option<(usize, Vec<Part>)>,
}

/// All variants of an input, the one as it is first.
///
/// # Errors
/// When there are too many.
pub(super) fn variants(
    axes: &Axes,
    ready: &Ready,
    cross: bool,
) -> Result<Vec<Variant>, Diagnostic> {
    let mut out = vec![Variant { name: AS_IT_IS.to_owned(), ..Variant::default() }];
    let wholes = combined(&axes.whole, cross)?;
    let whole = |(name, whole): &Setting<Vec<Whole>>| Variant {
        name: name.clone(),
        whole: whole.clone(),
        part: None,
    };
    out.extend(wholes.iter().map(whole));
    for (index, axes) in axes.parts.iter().enumerate() {
        let parts = combined(axes, cross)?;
        if ready.kernels.is_some() && !parts.is_empty() {
            // Changed functions have no text that the compiler's pass could look at.
            let part = Some((index, Vec::new()));
            out.push(Variant { name: OUR_FACTS.to_owned(), whole: Vec::new(), part });
        }
        for (name, part) in parts {
            let part = Some((index, part));
            out.push(Variant { name: name.clone(), whole: Vec::new(), part: part.clone() });
            for (before, whole) in wholes.iter().filter(|_| cross) {
                let name = format!("{before}, {name}");
                out.push(Variant { name, whole: whole.clone(), part: part.clone() });
                if out.len() > MOST {
                    return Err(too_many());
                }
            }
        }
        if out.len() > MOST {
            return Err(too_many());
        }
    }
    Ok(out)
}

fn too_many() -> Diagnostic {
    let message = format!("more than {MOST} variants of one input");
    Diagnostic::error(Code::ConfigBadOption, message).help("name fewer values")
}

/// Each setting alone, or every combination of settings of different axes; never none at all.
fn combined<T: Clone>(
    axes: &[Vec<Setting<T>>],
    cross: bool,
) -> Result<Vec<Setting<Vec<T>>>, Diagnostic> {
    if !cross {
        let all = axes.iter().flatten();
        return Ok(all.map(|(name, setting)| (name.clone(), vec![setting.clone()])).collect());
    }
    let mut out: Vec<Setting<Vec<T>>> = vec![(String::new(), Vec::new())];
    for axis in axes {
        if out.len().saturating_mul(axis.len() + 1) > MOST {
            return Err(too_many());
        }
        let mut next = Vec::new();
        for (name, settings) in out {
            next.push((name.clone(), settings.clone()));
            for (word, setting) in axis {
                let name = if name.is_empty() { word.clone() } else { format!("{name}, {word}") };
                let mut settings = settings.clone();
                settings.push(setting.clone());
                next.push((name, settings));
            }
        }
        out = next;
    }
    out.retain(|(_, settings)| !settings.is_empty());
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axes: &[Vec<Setting<u8>>], cross: bool) -> Vec<String> {
        let all = combined(axes, cross).unwrap_or_default();
        all.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn variants_multiply_only_when_asked() {
        let axis = |names: &[&str]| names.iter().map(|n| ((*n).to_owned(), 0)).collect::<Vec<_>>();
        let axes = [axis(&["a", "b"]), axis(&["x"])];
        assert_eq!(names(&axes, false), ["a", "b", "x"]);
        assert_eq!(names(&axes, true), ["x", "a", "a, x", "b", "b, x"]);
        let many = vec![axis(&["n"; 99]); 9];
        assert!(combined(&many, true).is_err());
    }
}
