use super::*;
use crate::diag::Severity;
use crate::model::{BufferId, Bytes, Live};

fn read_named(name: &str, text: &str) -> Result<Read, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    fuzz::check(text.as_bytes());
    super::read(&sources, file)
}

fn good(text: &str) -> Function {
    let read = read_named("t.csv", text).unwrap();
    assert_eq!(read.warnings, []);
    let [function] = <[Function; 1]>::try_from(read.problem.functions).unwrap();
    function
}

/// Code, the text under the first label, message.
fn bad(text: &str) -> Vec<(Code, &str, String)> {
    let errors = read_named("t.csv", text).unwrap_err();
    let shown = errors.into_iter().map(|error| {
        let under = error
            .labels
            .first()
            .map_or("", |label| &text[label.loc.start as usize..label.loc.end as usize]);
        (error.code, under, error.message)
    });
    shown.collect()
}

fn one(text: &str) -> (Code, &str) {
    match &bad(text)[..] {
        [(code, under, _)] => (*code, under),
        many => panic!("{many:#?}"),
    }
}

#[test]
fn a_plain_file() {
    let read = read_named("runs/case.64.csv", "id,lower,upper,size\na,0,3,4\nb,3,9,0\n").unwrap();
    let problem = read.problem;
    assert_eq!((problem.name.as_str(), &problem.target), ("case.64", &None));
    assert!(problem.pipes.is_empty());
    let arena = &problem.scopes[ScopeId(0)];
    assert_eq!((arena.name.as_str(), arena.capacity), ("arena", Capacity::Unbounded));
    assert_eq!((arena.alignment, arena.round_up), (1, false));
    let function = &problem.functions[0];
    assert_eq!((function.name.as_str(), function.buffers.len()), ("case.64", 2));
    assert!(!function.has_program());
    let b = &function.buffers[BufferId(1)];
    assert_eq!((b.name.as_str(), b.size, b.alignment), ("b", Bytes(0), 1));
    assert_eq!(b.live, Some(vec![Live::new(3, 9)]));
    assert_eq!((b.pin.as_ref(), b.slots), (None, 1));
    assert_eq!(function.values[b.value].kind, ValueKind::Buffer(BufferId(1)));
    assert_eq!(function.values[b.value].name, "b");
}

#[test]
fn columns_in_any_order_and_by_any_name() {
    let function = good("size, End ,buffer_id,begin\n 8 ,4,x,2\n");
    let x = &function.buffers[BufferId(0)];
    // `end` is inclusive.
    assert_eq!((x.size, x.live.clone()), (Bytes(8), Some(vec![Live::new(2, 5)])));
    assert_eq!(good("buffer,start,upper,size\nx,0,1,1").buffers.len(), 1);
}

#[test]
fn optional_columns() {
    let text = "id,lower,upper,size,alignment,offset,gaps\n\
                a,0,9,4,8,16,\nb,0,9,4,,-1,2-3 5-7\nc,0,9,4,2,,0-1 1-4\nd,0,9,4,1,-20,8-9\n";
    let function = good(text);
    let all: Vec<_> = function.buffers.iter().collect();
    assert_eq!((all[0].alignment, all[0].pin.clone()), (8, Some(vec![16])));
    assert_eq!((all[1].alignment, all[1].pin.clone()), (1, None));
    let live = |at: usize| all[at].live.clone().unwrap();
    assert_eq!(live(1), [Live::new(0, 2), Live::new(3, 5), Live::new(7, 9)]);
    assert_eq!(live(2), [Live::new(4, 9)]);
    assert_eq!((live(3), all[3].pin.clone()), (vec![Live::new(0, 8)], None));
}

#[test]
fn quotes_blank_lines_byte_order_marks_and_line_ends() {
    let text =
        "\u{feff}id,lower,upper,size\r\n\r\n\"a,\"\"1\"\"\",0,1,2\r\n   \n\n\"b\nc\",0,1,2\r\n";
    let function = good(text);
    let names: Vec<&str> = function.buffers.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["a,\"1\"", "b\nc"]);
}

#[test]
fn a_function_column() {
    let text = "id,lower,upper,size,function\na,0,1,1,f\na,0,1,1,g\nb,0,1,1,f\nc,0,1,1,\n";
    let read = read_named("dir/stem.csv", text).unwrap();
    let functions: Vec<_> =
        read.problem.functions.iter().map(|f| (f.name.as_str(), f.buffers.len())).collect();
    assert_eq!(functions, [("f", 2), ("g", 1), ("stem", 1)]);
}

#[test]
fn names_of_files() {
    for (name, expected) in
        [("<stdin>", "stdin"), ("-", "stdin"), ("a/b.csv", "b"), ("K.1048576.csv", "K.1048576")]
    {
        assert_eq!(stem(name), expected);
    }
}

#[test]
fn what_is_ignored_is_said() {
    let text = "id,lower,end,size,hint,note,gaps\na,0,4,1,7,x,1-2\nb,0,4,1,8,y,1-2\n";
    let warnings = read_named("t.csv", text).unwrap().warnings;
    let said: Vec<_> =
        warnings.iter().map(|w| (w.code, w.severity, w.labels[0].loc.start)).collect();
    let at = |word: &str| u32::try_from(text.find(word).unwrap()).unwrap();
    assert_eq!(
        said,
        [
            (Code::CsvUnknownColumn, Severity::Warning, at("note")),
            (Code::CsvUnknownColumn, Severity::Note, at("7,x")),
            (Code::CsvBadInterval, Severity::Warning, at("1-2")),
        ]
    );
    assert_eq!(good("id,lower,upper,size,hint\na,0,1,1,-1\nb,0,1,1,\n").buffers.len(), 2);
}

#[test]
fn headers_that_do_not_do() {
    assert_eq!(one(""), (Code::CsvSyntax, ""));
    assert_eq!(one("\n\n"), (Code::CsvSyntax, ""));
    assert_eq!(one("id,lower,upper,size\n"), (Code::CsvSyntax, ""));
    assert_eq!(one("id,lower,size\n"), (Code::CsvMissingColumn, "id,lower,size"));
    assert_eq!(one("0,0,3,4\n1,0,3,4"), (Code::CsvMissingColumn, "0,0,3,4"));
    assert_eq!(one("id,lower,upper,sze\n"), (Code::CsvUnknownColumn, "sze"));
    assert_eq!(one("id,lower,upper,size,algnment\n"), (Code::CsvUnknownColumn, "algnment"));
    assert_eq!(one("id,buffer,lower,upper,size\n"), (Code::CsvSyntax, "buffer"));
    assert_eq!(one("id,lower,upper,end,size\n"), (Code::CsvSyntax, "end"));
    let help = read_named("t.csv", "id,lower,upper,sze\n").unwrap_err().remove(0).help;
    assert_eq!(help.as_deref(), Some("did you mean `size`?"));
}

#[test]
fn fields_that_do_not_do() {
    let row = |row: &str| {
        let text = format!("id,lower,upper,size,alignment,offset,gaps,hint\n{row}\n");
        let (code, under) = one(&text);
        (code, under.to_owned())
    };
    let value = |under: &str| (Code::CsvInvalidValue, under.to_owned());
    assert_eq!(row("a,0,9,x1,,,,"), value("x1"));
    assert_eq!(row("a,0,9,-4,,,,"), value("-4"));
    assert_eq!(row("a,0,9,4.5,,,,"), value("4.5"));
    assert_eq!(row("a,0,9,+4,,,,"), value("+4"));
    assert_eq!(row("a,0,9,,,,,"), value("a,0,9,,,,,"));
    assert_eq!(row(",0,9,1,,,,"), value(",0,9,1,,,,"));
    assert_eq!(row("a,0,9,4,0,,,"), value("0"));
    assert_eq!(row("a,0,9,4,8,12,,"), value("12"));
    assert_eq!(row("a,0,9,4,8,1x,,"), value("1x"));
    assert_eq!(row("a,0,9,4,,,3-5@0:8,"), value("3-5@0:8"));
    assert_eq!(row("a,0,9,4,,,3,"), value("3"));
    assert_eq!(row("a,0,9,4,,,, yes"), value("yes"));
    let interval = |under: &str| (Code::CsvBadInterval, under.to_owned());
    assert_eq!(row("a,9,9,4,,,,"), interval("9"));
    assert_eq!(row("a,9,\"3\",4,,,,"), interval("3"));
    assert_eq!(row("a,0,9,4,,,5-3,"), interval("5-3"));
    assert_eq!(row("a,0,9,4,,,5-10,"), interval("5-10"));
    assert_eq!(row("a,0,9,4,,,0-5 4-9,"), interval("0-5 4-9"));
    let overflow = |under: &str| (Code::CsvSizeOverflow, under.to_owned());
    assert_eq!(row("a,0,9,18446744073709551616,,,,"), overflow("18446744073709551616"));
    assert_eq!(row("a,0,9,18446744073709551615,,,,"), overflow("18446744073709551615"));
    assert_eq!(row("a,0,9,2,,18446744073709551615,,"), overflow("18446744073709551615"));
    assert_eq!(row("a,0,9,2"), (Code::CsvSyntax, "a,0,9,2".to_owned()));
    assert_eq!(row("\"a\"b,0,9,2,,,,"), (Code::CsvSyntax, "b".to_owned()));
    assert_eq!(row("\"a,0,9,2,,,,"), (Code::CsvSyntax, "\"".to_owned()));
    assert_eq!(
        one("id,lower,end,size\na,0,18446744073709551615,1"),
        (Code::CsvSizeOverflow, "18446744073709551615")
    );
}

#[test]
fn all_errors_at_once_and_in_order() {
    let found = bad("id,lower,upper,size\na,0,1,x\na,2,1,y\nb,0,1,1\nc,0,1\nb,0,1,1\n");
    let at: Vec<_> = found.iter().map(|(code, under, _)| (*code, *under)).collect();
    assert_eq!(
        at,
        [
            (Code::CsvInvalidValue, "x"),
            (Code::CsvBadInterval, "1"),
            (Code::CsvInvalidValue, "y"),
            (Code::CsvSyntax, "c,0,1"),
            (Code::CsvDuplicateName, "b"),
        ]
    );
    let many = format!("id,lower,upper,size\n{}", "a,0,1,x\n".repeat(50));
    let errors = read_named("t.csv", &many).unwrap_err();
    assert_eq!(errors.len(), 20);
    assert!(errors[19].help.as_ref().unwrap().contains("there may be more"));
}

#[test]
fn sums_stay_within_64_bits() {
    let half = u64::MAX / 2;
    let text = format!("id,lower,upper,size\na,0,1,{half}\nb,0,1,{half}\nc,0,1,{half}\n");
    let found = bad(&text);
    let codes: Vec<_> = found.iter().map(|(code, _, _)| *code).collect();
    assert_eq!(codes, [Code::CsvSizeOverflow; 2]);
}

#[test]
fn a_text_beyond_the_limit() {
    let mut sources = Sources::default();
    let file = sources.add("t.csv", "");
    let text = "id,lower,upper,size\na,0,1,1\n";
    assert!(read_text(text, file, "t", text.len()).is_ok());
    let errors = read_text(text, file, "t", text.len() - 1).unwrap_err();
    assert_eq!(errors[0].code, Code::CsvTooLarge);
}
