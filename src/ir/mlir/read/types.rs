//! Types, from their text.

use std::sync::Arc;

use crate::ir::mlir::{Dim, Layout, MemRef, Scalar, Shaped, Type};

/// Looks up what an alias (`#name`, `!name`) stands for.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// Reads the text of one type. The error says what is wrong with it.
pub(super) fn read(text: &str, aliases: Lookup<'_>) -> Result<Type, String> {
    let text = aliases(text).unwrap_or(text);
    if let Some(inner) = within(text, "memref") {
        return memref(inner, aliases).map(|m| Type::MemRef(Arc::new(m)));
    }
    if let Some(inner) = within(text, "tensor") {
        return shaped(inner, aliases).map(|s| Type::Tensor(Arc::new(s)));
    }
    if let Some(inner) = within(text, "vector") {
        return shaped(inner, aliases).map(|s| Type::Vector(Arc::new(s)));
    }
    Ok(match known_scalar(text) {
        Some(scalar) => Type::Scalar(scalar),
        None => Type::Other(Arc::from(text)),
    })
}

/// The text between `name<` and `>`.
fn within<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')
}

fn memref(text: &str, aliases: Lookup<'_>) -> Result<MemRef, String> {
    let mut parts = split(text).into_iter();
    let (dims, element) = dims_and_element(parts.next().unwrap_or_default(), aliases)?;
    let mut parts: Vec<&str> = parts.map(|p| aliases(p).unwrap_or(p)).collect();
    if parts.len() > 2 {
        return Err(format!("a memref has at most a layout and a memory space, here: {parts:?}"));
    }
    let mut layout = Layout::Identity;
    if parts.len() == 2 || parts.first().is_some_and(|p| is_layout(p)) {
        layout = read_layout(parts.remove(0))?;
    }
    let space = parts.first().map(|space| read_space(space));
    Ok(MemRef { dims, element, layout, space })
}

fn shaped(text: &str, aliases: Lookup<'_>) -> Result<Shaped, String> {
    let parts = split(text);
    let (dims, element) = dims_and_element(parts.first().copied().unwrap_or_default(), aliases)?;
    Ok(Shaped { dims, element })
}

/// `4x?xf32`: splits at `x` only behind digits and `?`, so that `f8E4M3FN` and the like survive.
fn dims_and_element(text: &str, aliases: Lookup<'_>) -> Result<(Option<Vec<Dim>>, Scalar), String> {
    if let Some(element) = text.strip_prefix('*') {
        let element = element.trim_start().strip_prefix('x').unwrap_or(element);
        return Ok((None, scalar(element, aliases)?));
    }
    let mut dims = Vec::new();
    let mut rest = text;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (dim, after) = if let Some(after) = rest.strip_prefix('?') {
            (None, after)
        } else if digits > 0 {
            let dim = rest[..digits].parse::<u64>();
            (Some(dim.map_err(|_| format!("{} is too large", &rest[..digits]))?), &rest[digits..])
        } else if let Some((_, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            // A scalable dimension is a multiple of the number: not known here.
            (None, after)
        } else {
            break;
        };
        let Some(after) = after.trim_start().strip_prefix('x') else {
            return Err(format!(
                "expected `x` and an element type after the dimensions of `{text}`"
            ));
        };
        dims.push(dim);
        rest = after.trim_start();
    }
    Ok((Some(dims), scalar(rest, aliases)?))
}

/// An element type.
fn scalar(text: &str, aliases: Lookup<'_>) -> Result<Scalar, String> {
    let text = aliases(text).unwrap_or(text).trim();
    if let Some(scalar) = known_scalar(text) {
        return Ok(scalar);
    }
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let named = text.bytes().all(word) && text != "none";
    if text.is_empty() {
        return Err("the element type is missing".to_owned());
    }
    // `i32`-like words that are none, such as `i` or `f33x`, are slips; `!t`, `complex<f32>` not.
    if named {
        return Err(format!("`{text}` is not an element type"));
    }
    Ok(Scalar::Other(text.to_owned()))
}

/// `index`, integers and floats.
fn known_scalar(text: &str) -> Option<Scalar> {
    let number = |digits: &str| -> Option<u32> {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { digits.parse().ok().filter(|bits| *bits <= 1 << 24) } else { None }
    };
    match text {
        "index" => return Some(Scalar::Index),
        "bf16" => return Some(Scalar::Float(16)),
        "tf32" => return Some(Scalar::Float(19)),
        _ => {}
    }
    let int = ["i", "si", "ui"].iter().find_map(|p| number(text.strip_prefix(p)?));
    if let Some(bits) = int {
        return Some(Scalar::Int(bits));
    }
    // `f32`, `f8E4M3FN`, `f4E2M1FN`: the digits behind the `f` are the width.
    let digits = text.strip_prefix('f')?;
    let width = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (width, rest) = digits.split_at(width);
    let formats = rest.bytes().all(|b| b.is_ascii_alphanumeric());
    (rest.is_empty() || rest.starts_with('E') && formats).then_some(())?;
    number(width).filter(|bits| (4..=128).contains(bits)).map(Scalar::Float)
}

fn is_layout(text: &str) -> bool {
    text.starts_with("strided<") || text.starts_with("affine_map<")
}

fn read_layout(text: &str) -> Result<Layout, String> {
    if let Some(map) = within(text, "affine_map") {
        let (from, to) = map.split_once("->").unwrap_or((map, ""));
        let identity = from.trim() == to.trim();
        return Ok(if identity { Layout::Identity } else { Layout::Other(text.to_owned()) });
    }
    let Some(inner) = within(text, "strided") else { return Ok(Layout::Other(text.to_owned())) };
    let bad = || format!("expected `strided<[numbers], offset: number>`, found `{text}`");
    let (list, after) =
        inner.trim().strip_prefix('[').and_then(|r| r.split_once(']')).ok_or_else(bad)?;
    let number = |text: &str| match text.trim() {
        "?" => Ok(None),
        number => number.parse::<i64>().map(Some).map_err(|_| bad()),
    };
    let list = list.split(',').filter(|s| !s.trim().is_empty());
    let strides = list.map(number).collect::<Result<_, _>>()?;
    let after = after.trim().trim_start_matches(',').trim();
    let offset = match after.strip_prefix("offset") {
        Some(offset) => number(offset.trim_start().strip_prefix(':').ok_or_else(bad)?)?,
        None if after.is_empty() => Some(0),
        None => return Err(bad()),
    };
    Ok(Layout::Strided { strides, offset })
}

/// `ub` of `#hivm.address_space<ub>`, `1` of `1 : i32`, others as written.
fn read_space(text: &str) -> String {
    let word = within(text, "#hivm.address_space");
    let number = text.split_once(':').map(|(number, _)| number.trim());
    let number = number.filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
    word.or(number).unwrap_or(text).trim().to_owned()
}

/// Splits at commas outside of brackets and strings.
fn split(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_i64, false);
    for (at, byte) in bytes.iter().enumerate() {
        let before = if at > 0 { bytes[at - 1] } else { 0 };
        match byte {
            b'"' if before != b'\\' => quoted = !quoted,
            _ if quoted => {}
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if before == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The inputs of a function type `(a, b) -> c`, as text.
pub(super) fn inputs(text: &str) -> Vec<&str> {
    let mut depth = 0_i64;
    let close = text.bytes().position(|byte| {
        depth += i64::from(matches!(byte, b'(' | b'[' | b'{'));
        depth -= i64::from(matches!(byte, b')' | b']' | b'}'));
        depth == 0
    });
    let inner = close.and_then(|close| text.get(1..close)).unwrap_or_default();
    split(inner).into_iter().filter(|part| !part.is_empty()).collect()
}
