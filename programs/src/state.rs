//! State that starts at an input's value, as the programs with a repeat count keep it.

use halfgate_circuit::{Bit, Builder, Init};

/// Flip-flops that hold the input bits `inputs` in the first cycle. Call it before the first
/// gate, and set what each holds next with [`set_next`].
pub(crate) fn registers(b: &mut Builder, inputs: &[Bit]) -> Vec<Bit> {
    let wires = inputs.iter().filter_map(|input| input.wire());
    wires.map(|wire| b.flip_flop(Init::Input(wire))).collect()
}

/// Makes `next[i]` what the flip-flop `registers[i]` holds in the following cycle.
pub(crate) fn set_next(b: &mut Builder, registers: &[Bit], next: &[Bit]) {
    for (&q, &next) in registers.iter().zip(next) {
        b.set_next(q, next);
    }
}
