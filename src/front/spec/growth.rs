//! With which dimensions a buffer grows: the key `scales`.

use super::context::{Context, count};
use crate::diag::{Code, Diagnostic};
use crate::format::spec::BufferTable;
use crate::model::{BufferId, Growth};

/// The word for a dimension of a shape that stays as it is.
const STAYS: &str = "_";

/// Adds what a buffer grows with.
pub(super) fn lower(
    context: &mut Context,
    table: &BufferTable,
    buffer: BufferId,
    growth: &mut Vec<Growth>,
) {
    let Some(key) = &table.scales else { return };
    let loc = context.place(key);
    let names = &key.get_ref().0;
    let mut wrong = |message: String, help: &str| {
        context.error(Diagnostic::error(Code::SpecInvalidValue, message).at(loc, "").help(help));
    };
    let shape = table.shape.as_ref().map(|shape| shape.get_ref().len());
    if let Some(dims) = shape.filter(|dims| *dims != names.len()) {
        let (names, dims) = (count(names.len() as u64, "name"), count(dims as u64, "dimension"));
        wrong(
            format!("{names} in `scales` for {dims} of the shape"),
            "name every dimension of the shape, `_` where it stays",
        );
        return;
    }
    for (at, name) in names.iter().enumerate() {
        if name == STAYS && shape.is_some() {
            continue;
        }
        // Numbers are sizes of dimensions on the command line, and `=` and `,` end a name there.
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name == STAYS || !name.chars().all(word) || !name.starts_with(char::is_alphabetic) {
            wrong(
                format!("`{name}` is no name of a dimension"),
                "a name is a letter, then letters, digits, `_`, `-` and `.`",
            );
            continue;
        }
        let axis = shape.and_then(|_| u32::try_from(at).ok());
        growth.push(Growth { buffer, dimension: name.clone(), axis });
    }
}

#[cfg(test)]
mod tests {
    use crate::diag::Sources;
    use crate::front::spec::{self, targets::Embedded};
    use crate::model::{BufferId, Growth};

    fn read(buffer: &str) -> Result<Vec<Growth>, Vec<String>> {
        let text = format!(
            "version = 1\n[[scope]]\nname = \"s\"\n[[buffer]]\nname = \"a\"\nlive = [0, 1]\n{buffer}"
        );
        let mut sources = Sources::default();
        let file = sources.add("a.toml", text.as_str());
        match spec::read(&mut sources, file, None, &mut Embedded) {
            Ok(read) => Ok(read.problem.functions[0].growth.clone()),
            Err(errors) => Err(errors.into_iter().map(|e| e.message).collect()),
        }
    }

    fn growth(dimension: &str, axis: Option<u32>) -> Growth {
        Growth { buffer: BufferId(0), dimension: dimension.to_owned(), axis }
    }

    #[test]
    fn sizes_scale_with_one_name_or_several_and_shapes_with_one_a_dimension() {
        assert_eq!(read("size = 4\nscales = \"m\""), Ok(vec![growth("m", None)]));
        let both = vec![growth("m", None), growth("n", None)];
        assert_eq!(read("size = 4\nscales = [\"m\", \"n\"]"), Ok(both));
        let shape = "shape = [2, 3]\ndtype = \"f16\"\n";
        let second = vec![growth("n.2", Some(1))];
        assert_eq!(read(&format!("{shape}scales = [\"_\", \"n.2\"]")), Ok(second));
    }

    #[test]
    fn names_that_say_nothing_are_errors() {
        let shape = "shape = [2, 3]\ndtype = \"f16\"\n";
        let few = vec!["1 name in `scales` for 2 dimensions of the shape".to_owned()];
        assert_eq!(read(&format!("{shape}scales = \"m\"")), Err(few));
        for name in ["_", "", "2", "m=1", "a,b"] {
            let wrong = vec![format!("`{name}` is no name of a dimension")];
            assert_eq!(read(&format!("size = 4\nscales = \"{name}\"")), Err(wrong));
        }
    }
}
