//! Section 5: workspaces.

use super::*;

fn kernel_of_workspaces(body: &str) -> Chunk {
    module(&format!(
        "func.func @kernel(%w: memref<?xi8>, %u: memref<?xi8>, %n: index) {{\n{body}\nreturn\n}}"
    ))
}

fn alloc(name: &str, bytes: u32, from: &str) -> String {
    format!(
        "{name} = memref_ext.alloc_workspace() from {from} : from memref<?xi8> to memref<{bytes}xi8>\n"
    )
}

fn fill(name: &str, bytes: u32) -> String {
    format!(
        "%z = arith.constant 0 : i8\nlinalg.fill ins(%z : i8) outs({name} : memref<{bytes}xi8>)\n"
    )
}

fn two(from: [&str; 2]) -> Chunk {
    let body = alloc("%a", 100, from[0]) + &alloc("%b", 100, from[1]);
    let body = body + &fill("%a", 100) + &fill("%b", 100).replace("%z", "%y");
    kernel_of_workspaces(&body)
}

#[test]
fn base_rounds_sizes_of_workspaces_and_regbase_does_not() {
    let chunk = two(["%w", "%w"]);
    let base = planned(&chunk, &workspace(), CHIP);
    assert_eq!(bytes(&base[0]), [[0], [128]]);
    let options = PassOptions { pass: PassKind::Regbase, ..workspace() };
    assert_eq!(bytes(&planned(&chunk, &options, CHIP)[0]), [[0], [100]]);
}

#[test]
fn every_workspace_argument_begins_at_zero() {
    let chunk = two(["%w", "%u"]);
    let all = planned(&chunk, &workspace(), CHIP);
    assert_eq!(bytes(&all[0]), [[0], [0]]);
    let names: Vec<_> = all[0].lowered.input.scopes.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["%w", "%u"]);
}

#[test]
fn with_reuse_workspaces_share_over_time() {
    let options = PassOptions { workspace_reuse: true, ..workspace() };
    assert_eq!(bytes(&planned(&two(["%w", "%w"]), &options, CHIP)[0]), [[0], [0]]);
}

#[test]
fn workspaces_carried_by_a_loop_are_one() {
    let body = alloc("%a", 64, "%w")
        + "%t = bufferization.to_tensor %a restrict writable : memref<64xi8>\n\
           %x = tensor.empty() : tensor<64xi8>\n%z = arith.constant 0 : i8\n\
           %f = linalg.fill ins(%z : i8) outs(%t : tensor<64xi8>) -> tensor<64xi8>\n\
           %r = scf.for %k = %n to %n step %n iter_args(%q = %f) -> (tensor<64xi8>) {\n"
        + &alloc("%b", 64, "%w")
        + "%s = bufferization.to_tensor %b restrict writable : memref<64xi8>\n\
           %h = linalg.fill ins(%z : i8) outs(%s : tensor<64xi8>) -> tensor<64xi8>\n\
           scf.yield %h : tensor<64xi8>\n}\n\
           %l = linalg.fill ins(%z : i8) outs(%r : tensor<64xi8>) -> tensor<64xi8>";
    let all = planned(&kernel_of_workspaces(&body), &workspace(), CHIP);
    assert_eq!(bytes(&all[0]), [[0], [0]]);
}

#[test]
fn local_buffers_are_left_alone() {
    let body = "%a = UB<8xf32>\n%d = memref.dim %a, %n : UB<8xf32>\nmemref.dealloc %a : UB<8xf32>\n"
        .to_owned()
        + &alloc("%b", 64, "%w") + &fill("%b", 64);
    let all = planned(&kernel_of_workspaces(&body), &workspace(), CHIP);
    assert_eq!(bytes(&all[0]), [[0]]);
}

#[test]
fn an_unwritten_workspace_is_reported_unless_it_has_an_offset() {
    let body = alloc("%a", 64, "%w")
        + "%b = memref_ext.alloc_workspace() from %w offset = [%n] : from memref<?xi8> to memref<64xi8>";
    let chunk = kernel_of_workspaces(&body);
    let all = planned(&chunk, &workspace(), CHIP);
    assert_eq!(unwritten(&chunk.functions[0], &all[0]), [0]);
}
