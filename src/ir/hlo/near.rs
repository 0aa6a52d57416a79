//! Which known name was meant.

/// How many names are looked at: enough for any text that a person wrote.
const LOOKED_AT: usize = 20_000;

/// The known name nearest to one that is not known, if it is near.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > 64 {
        return None;
    }
    // Half of a short word may be wrong, three letters of a long one.
    let limit = (name.len() / 2).min(3);
    let close = known.filter(|k| k.len().abs_diff(name.len()) <= limit).take(LOOKED_AT);
    let scored = close.map(|k| (strsim::damerau_levenshtein(name, k), k));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= limit).then_some(best)
}
