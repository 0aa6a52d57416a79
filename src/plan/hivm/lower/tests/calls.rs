//! Section 3.3: reuse in place across calls of vector functions.

use super::*;

const READ: &str = "%v = vector.transfer_read %x[%i], %p : UB<64xf32>, vector<64xf32>";
const WRITE: &str = "vector.transfer_write %v, %y[%i] : vector<64xf32>, UB<64xf32>";

/// A vector function `@f(%x, %y)` and a kernel with that body.
fn with_function(inside: &str, body: &str) -> Chunk {
    module(&format!(
        "func.func @f(%x: UB<64xf32>, %y: UB<64xf32>) attributes {{hivm.vector_function}} {{\n\
        %p = arith.constant 0.0 : f32\n%i = arith.constant 0 : index\n{inside}\nreturn\n}}\n\
        func.func @kernel(%g: GM<?xf32>, %n: index) {{\n{body}\nreturn\n}}"
    ))
}

fn call(x: &str, y: &str) -> String {
    format!("call @f({x}, {y}) {{hivm.vector_function}} : (UB<64xf32>, UB<64xf32>) -> ()")
}

fn simple() -> String {
    let call = call("%a", "%b");
    format!("%a = UB<64xf32>\n%b = UB<64xf32>\nload %a : 64xf32\n{call}\nstore %b : 64xf32")
}

fn found(inside: &str, body: &str) -> Vec<u64> {
    let chunk = with_function(inside, body);
    let base = bytes(&planned(&chunk, &PassOptions::default(), CHIP_950)[0]).concat();
    let other = bytes(&planned(&chunk, &regbase(), CHIP_950)[0]).concat();
    assert_eq!(base, other);
    base
}

#[test]
fn an_argument_read_once_gives_its_memory_to_one_written_once() {
    assert_eq!(found(&format!("{READ}\n{WRITE}"), &simple()), [0, 0]);
}

#[test]
fn an_argument_that_is_also_read_takes_no_memory() {
    let read = READ.replace("%x", "%y").replace("%v", "%w");
    assert_eq!(found(&format!("{READ}\n{read}\n{WRITE}"), &simple()), [0, 256]);
    assert_eq!(found(&format!("{READ}\n{WRITE}\n{WRITE}"), &simple()), [0, 256]);
    let constant = "%v = arith.constant dense<0.0> : vector<64xf32>";
    assert_eq!(found(&format!("{constant}\n{WRITE}"), &simple()), [0, 256]);
}

#[test]
fn a_wider_write_takes_no_memory() {
    let inside = format!(
        "%u = vector.transfer_read %x[%i], %p : UB<64xf32>, vector<64xf16>\n\
        %v = arith.extf %u : vector<64xf16> to vector<64xf32>\n{WRITE}"
    );
    assert_eq!(found(&inside, &simple()), [0, 256]);
}

#[test]
fn the_read_must_come_first_in_the_same_block() {
    let apart = format!("{READ}\nscf.for %k = %i to %i step %i {{\n{WRITE}\n}}");
    assert_eq!(found(&apart, &simple()), [0, 256]);
}

#[test]
fn slices_must_be_those_of_the_same_iteration() {
    let slices = |x: &str, y: &str| {
        let ty = "UB<8xf32, strided<[1], offset: ?>>";
        let sub = |name: &str, of: &str, at: &str| {
            format!("{name} = memref.subview {of}[{at}] [8] [1] : UB<64xf32> to {ty}")
        };
        format!(
            "%q = arith.constant 8 : index\nscf.for %k = %i to %q step %q {{\n{}\n{}\n\
            %v = vector.transfer_read %s[%i], %p : {ty}, vector<8xf32>\n\
            vector.transfer_write %v, %t[%i] : vector<8xf32>, {ty}\n}}",
            sub("%s", "%x", x),
            sub("%t", "%y", y)
        )
    };
    assert_eq!(found(&slices("%k", "%k"), &simple()), [0, 0]);
    assert_eq!(found(&slices("%k", "%q"), &simple()), [0, 256]);
    // Constants compare by value.
    assert_eq!(found(&slices("8", "%q"), &simple()), [0, 0]);
}

#[test]
fn an_alloc_given_twice_is_not_reused() {
    let inside = format!("{READ}\n{WRITE}");
    let body = simple().replace(
        &call("%a", "%b"),
        &format!("%z = memref.cast %b : UB<64xf32> to UB<64xf32>\n{}", call("%b", "%z")),
    );
    assert_eq!(found(&inside, &body), [0, 256]);
}

#[test]
fn in_a_loop_a_loaded_and_a_stored_buffer_stay_apart_unless_the_check_is_off() {
    let inside = format!("{READ}\n{WRITE}");
    let body = format!("scf.for %k = %n to %n step %n {{\n{}\n}}", simple());
    assert_eq!(found(&inside, &body), [0, 256]);
    assert_eq!(found(&inside, &simple()), [0, 0]);
    let options = PassOptions { no_vf_check: true, ..PassOptions::default() };
    let chunk = with_function(&inside, &body);
    assert_eq!(bytes(&planned(&chunk, &options, CHIP_950)[0]).concat(), [0, 0]);
}

#[test]
fn the_check_follows_buffers_that_were_joined_before() {
    // %b moves into %a, which is loaded; %d is stored and may not follow.
    let inside = format!("{READ}\n{WRITE}");
    let body = format!(
        "scf.for %k = %n to %n step %n {{\n%a = UB<64xf32>\n%b = UB<64xf32>\n%d = UB<64xf32>\n\
        load %a : 64xf32\n{}\n{}\nstore %d : 64xf32\n}}",
        call("%a", "%b"),
        call("%b", "%d")
    );
    assert_eq!(found(&inside, &body), [0, 0, 256]);
}

#[test]
fn the_largest_destination_comes_first() {
    let small = "UB<32xf32>";
    let chunk = module(&format!(
        "func.func @f(%x: UB<64xf32>, %z: {small}, %y: UB<64xf32>) attributes \
        {{hivm.vector_function}} {{\n%p = arith.constant 0.0 : f32\n\
        %i = arith.constant 0 : index\n{READ}\n\
        vector.transfer_write %v, %z[%i] : vector<64xf32>, {small}\n{WRITE}\nreturn\n}}\n\
        func.func @kernel(%g: GM<?xf32>) {{\n%a = UB<64xf32>\n%b = {small}\n%d = UB<64xf32>\n\
        load %a : 64xf32\ncall @f(%a, %b, %d) {{hivm.vector_function}} : (UB<64xf32>, {small}, \
        UB<64xf32>) -> ()\nstore %b : 32xf32\nstore %d : 64xf32\nreturn\n}}"
    ));
    let all = planned(&chunk, &PassOptions::default(), CHIP_950);
    assert_eq!(bytes(&all[0]).concat(), [0, 256, 0]);
}
