//! Lowers any text as assembly. The text is fitted to an instruction set or rejected, and the
//! result is parsed again.
//!
//! longest: 1024

use halfgate_mips::isa::SETS;
use halfgate_mips::lower::lower;

pub fn run(data: &[u8]) {
    let Some((&which, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let set = SETS[usize::from(which) % SETS.len()];
    if let Ok(lowered) = lower(text, set, "fuzz.s") {
        let _ = lower(&lowered.text, set, "fuzz.s");
    }
}
