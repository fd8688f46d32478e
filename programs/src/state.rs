//! State in flip-flops that starts at an input's value, for sequential programs.

use halfgate_circuit::{Bit, Builder, Init};

/// Flip-flops that have the values of `inputs` in the first cycle. Call it before the first gate,
/// and set their next values with [`set_next`].
pub(crate) fn registers(b: &mut Builder, inputs: &[Bit]) -> Vec<Bit> {
    let wires = inputs.iter().filter_map(|input| input.wire());
    wires.map(|wire| b.flip_flop(Init::Input(wire))).collect()
}

/// Makes `next[i]` the value of the flip-flop `registers[i]` in the next cycle.
pub(crate) fn set_next(b: &mut Builder, registers: &[Bit], next: &[Bit]) {
    for (&q, &next) in registers.iter().zip(next) {
        b.set_next(q, next);
    }
}
