//! A measurement, run by hand: `cargo test --release --lib ir::hlo::tests::speed -- --ignored`.

use std::time::Instant;

use crate::diag::Sources;
use crate::ir::hlo::{parse, print};

/// A module of about that many bytes, of the kind that XLA prints.
fn large(bytes: usize) -> String {
    let mut text = "HloModule large, is_scheduled=true\n\n".to_owned();
    let mut calls = String::new();
    for n in 0_usize.. {
        if text.len() + calls.len() > bytes {
            break;
        }
        text += &format!(
            "%fused_computation.{n} (param_0.{n}: f32[256,512], param_1.{n}: f32[512]) -> f32[256,512] {{
  %param_0.{n} = f32[256,512]{{1,0}} parameter(0)
  %param_1.{n} = f32[512]{{0}} parameter(1)
  %broadcast.{n} = f32[256,512]{{1,0}} broadcast(%param_1.{n}), dimensions={{1}}, metadata={{op_name=\"jit(train)/layer_{n}/add\" stack_frame_id={n}}}
  ROOT %add.{n} = f32[256,512]{{1,0}} add(%param_0.{n}, %broadcast.{n}), metadata={{op_name=\"jit(train)/layer_{n}/add\" stack_frame_id={n}}}
}}

"
        );
        let before = if n == 0 { "p".to_owned() } else { format!("fusion.{}", n - 1) };
        calls += &format!(
            "  %fusion.{n} = f32[256,512]{{1,0}} fusion(%{before}, %b), kind=kLoop, calls=%fused_computation.{n}, backend_config={{\"outer_dimension_partitions\":[\"8\"]}}\n"
        );
    }
    text + "ENTRY %main (p: f32[256,512], b: f32[512]) -> f32[256,512] {
  %p = f32[256,512]{1,0} parameter(0)
  %b = f32[512]{0} parameter(1)
" + &calls
        + "}\n"
}

#[test]
#[ignore = "a measurement"]
fn thirty_megabytes() {
    let mut sources = Sources::default();
    let text = large(30 << 20);
    let bytes = text.len();
    let file = sources.add("large.hlo", text);
    let start = Instant::now();
    let module = parse(&sources, file).expect("a module");
    eprintln!(
        "{bytes} bytes, {} instructions read: {:?}",
        module.instructions.len(),
        start.elapsed()
    );
    let start = Instant::now();
    let printed = print(&module);
    eprintln!("{} bytes printed: {:?}", printed.len(), start.elapsed());
}
