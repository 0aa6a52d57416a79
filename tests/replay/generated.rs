//! Traces too long to be written by hand.

use libtest_mimic::Failed;

use crate::cases::{errors, run};

/// A batch of so many entries, all of the same bytes of the host.
fn batch(entries: usize, expect: &str) -> String {
    let mut text = String::from("trace = 1\n[[op]]\nop = \"alloc\"\nout = \"h\"\nsize = 64\n");
    text.push_str("kind = \"host\"\n[[op]]\nop = \"host_write\"\np = \"h\"\nlen = 64\n");
    text.push_str("[[op]]\nop = \"alloc\"\nout = \"d\"\nsize = \"1 MiB\"\n");
    text.push_str("[[op]]\nop = \"memcpy_batch\"\nentries = [");
    for at in 0..entries {
        let off = at * 64;
        text.push_str(&format!("[{{p = \"d\", off = {off}, len = 64}}, {{p = \"h\", len = 64}}],"));
    }
    text.push_str("]\n");
    text.push_str(expect);
    text
}

pub(crate) fn batch_4097() -> Result<(), Failed> {
    let fits = run(&batch(4096, ""))?;
    assert_eq!(errors(&fits), [""; 0]);
    let refused = run(&batch(4097, "expect = {err = \"NotSupport\"}\n"))?;
    assert_eq!(errors(&refused), [""; 0]);
    Ok(())
}
