//! Names are made before they are used, and slips are told with the nearest right word.

use super::{good, wrong};

#[test]
fn a_name_that_nothing_makes_is_an_error_with_the_nearest_one() {
    let text = "{\"trace\": 1}\n{\"op\": \"alloc\", \"out\": \"weights\", \"size\": 1}\n\
                {\"op\": \"free\", \"p\": \"weight\"}\n{\"op\": \"pool_trim\", \"pool\": \"P\", \"keep\": 0}\n\
                {\"op\": \"kernel\", \"body\": \"k\"}\n{\"op\": \"event_sync\", \"ev\": \"e\"}\n\
                {\"op\": \"join\", \"thread\": \"h9\"}\n{\"op\": \"map\", \"handle\": \"h\", \"size\": 1}\n\
                {\"op\": \"import\", \"key\": \"s\"}\n";
    assert_eq!(
        wrong(text),
        [
            "unknown_name t:3:21: no pointer is named `weight` (did you mean `weights`?)",
            "unknown_name t:4:29: no pool is named `P`",
            "unknown_name t:5:26: no program is named `k`",
            "unknown_name t:6:28: no event is named `e`",
            "unknown_name t:7:26: no thread is named `h9` (a thread starts with `fork`, or with a line of \
         its own)",
            "unknown_name t:8:25: no handle is named `h`",
            "unknown_name t:9:25: no key is named `s`",
        ]
    );
}

#[test]
fn what_the_same_thread_makes_later_is_not_there_yet_but_another_thread_may_be_first() {
    let text = |th: &str| {
        format!(
            "{{\"trace\": 1}}\n{{\"op\": \"free\", \"p\": \"a\", \"th\": \"{th}\"}}\n\
             {{\"op\": \"alloc\", \"out\": \"a\", \"size\": 1}}\n"
        )
    };
    assert_eq!(wrong(&text("h0")), ["unknown_name t:2:21: pointer `a` is used before it is made"]);
    good(&text("h1"));
}

#[test]
fn streams_and_recorded_events_need_not_be_made() {
    good(
        "{\"trace\": 1}\n{\"op\": \"event_record\", \"ev\": \"e\", \"stream\": \"A\"}\n\
          {\"op\": \"event_wait\", \"ev\": \"e\", \"stream\": \"B\"}\n",
    );
}

#[test]
fn a_stream_or_thread_is_made_once() {
    let twice = |op: &str| format!("{{\"trace\": 1}}\n{{{op}}}\n{{{op}}}\n");
    assert_eq!(
        wrong(&twice("\"op\": \"stream_create\", \"out\": \"s\"")),
        ["duplicate_name t:3:32: stream `s` is made twice"]
    );
    assert_eq!(
        wrong(&twice("\"op\": \"fork\", \"thread\": \"h1\"")),
        ["duplicate_name t:3:26: thread `h1` starts twice"]
    );
    good(
        "{\"trace\": 1}\n{\"op\": \"stream_create\", \"out\": \"s\"}\n\
          {\"op\": \"stream_destroy\", \"stream\": \"s\"}\n{\"op\": \"stream_create\", \"out\": \"s\"}\n",
    );
}

#[test]
fn several_errors_of_a_text_come_together() {
    let text = r#"trace = 1
devices = 0
mod = "spec"
[[op]]
op = "allok"
[[op]]
op = "free"
q = "x"
[[op]]
op = "alloc"
size = "3 parsecs"
[[op]]
op = "memcpy2d"
width = true
"#;
    let errors = wrong(text);
    let heads: Vec<&str> = errors.iter().filter_map(|e| e.split(": ").next()).collect();
    assert_eq!(
        heads,
        [
            "invalid_value t:2:11",
            "unknown_key t:3:1",
            "unknown_op t:5:6",
            "unknown_key t:8:1",
            "invalid_value t:11:8",
            "missing_key t:13:6",
            "missing_key t:13:6",
            "missing_key t:13:6",
            "wrong_type t:14:9",
        ]
    );
    assert!(errors[1].ends_with("(did you mean `mode`?)"), "{errors:?}");
    assert!(errors[2].ends_with("(did you mean `alloc`?)"), "{errors:?}");
    assert!(errors[3].ends_with("(did you mean `p`?)") || errors[3].contains("keys"), "{errors:?}");
}

#[test]
fn of_many_errors_twenty_are_shown() {
    let line = "{\"op\": \"fre\"}\n";
    let errors = wrong(&format!("{{\"trace\": 1}}\n{}", line.repeat(100)));
    assert_eq!(errors.len(), 20);
    assert!(errors[19].contains("reading stopped after 20 errors"), "{}", errors[19]);
}

#[test]
fn a_trace_says_its_version() {
    assert_eq!(wrong("mode = \"spec\"\n")[0].split(':').next(), Some("version t"));
    assert_eq!(wrong("{\"trace\": 2}\n")[0].split(':').next(), Some("version t"));
}

#[test]
fn loops_nest_sixty_four_deep_and_no_deeper() {
    let nest = |depth: usize| {
        let open = "{\"op\": \"loop\", \"n\": 2, \"body\": [".repeat(depth);
        format!("{{\"trace\": 1}}\n{open}{}\n", "]}".repeat(depth))
    };
    good(&nest(64));
    let errors = wrong(&nest(65));
    assert!(errors[0].starts_with("nesting_too_deep"), "{errors:?}");
    let errors = wrong(&nest(100_000));
    assert!(errors[0].starts_with("nesting_too_deep"), "{errors:?}");
}

#[test]
fn a_line_in_a_loop_is_of_its_core() {
    let text = "{\"trace\": 1}\n{\"op\": \"loop\", \"n\": 2, \"core\": \"aiv0\", \"body\": [\
                {\"op\": \"barrier\", \"core\": \"aiv1\"}]}\n";
    assert!(wrong(text)[0].starts_with("invalid_value"), "{:?}", wrong(text));
}
