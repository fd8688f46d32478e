//! The program hash: BLAKE3 over the canonical encoding that `spec/program-hash.md` defines.

use crate::program_hash::ProgramHash;
use halfgate_circuit::{Bit, Circuit, FlipFlop, Init, Input, Party};

/// Version tag: the first bytes of the encoding.
const TAG: &[u8] = b"halfgate program 1\n";
/// Bytes of gates hashed per call. BLAKE3 is faster on long inputs.
pub(crate) const BYTES_AT_A_TIME: usize = 1 << 17;

/// Hashes `circuit` with its gates in their present order.
///
/// Memory: a buffer of 512 KiB if gates lie in a file, and four bytes for each bit of the widest
/// output.
pub fn program_hash(circuit: &Circuit) -> ProgramHash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(TAG);
    hash_ports(&mut hasher, &circuit.inputs, &circuit.flip_flops);
    hash_gates(&mut hasher, circuit);
    hash_outputs(&mut hasher, circuit);
    ProgramHash(*hasher.finalize().as_bytes())
}

/// Hashes the inputs and the flip-flops.
pub(crate) fn hash_ports(hasher: &mut blake3::Hasher, inputs: &[Input], flip_flops: &[FlipFlop]) {
    hash_inputs(hasher, inputs);
    hash_flip_flops(hasher, flip_flops);
}

fn hash_inputs(hasher: &mut blake3::Hasher, inputs: &[Input]) {
    count(hasher, inputs.len());
    for input in inputs {
        let owner = match input.party {
            Party::Garbler => 0,
            Party::Evaluator => 1,
        };
        hasher.update(&[owner, u8::from(input.per_cycle)]);
        hasher.update(&input.width.to_le_bytes());
    }
}

fn hash_flip_flops(hasher: &mut blake3::Hasher, flip_flops: &[FlipFlop]) {
    count(hasher, flip_flops.len());
    for flip_flop in flip_flops {
        let init = match flip_flop.init {
            Init::Constant(value) => Bit::constant(value),
            Init::Input(wire) => wire.bit(),
        };
        hasher.update(&init.code().to_le_bytes());
        hasher.update(&flip_flop.next.code().to_le_bytes());
    }
}

fn hash_gates(hasher: &mut blake3::Hasher, circuit: &Circuit) {
    count(hasher, circuit.gates.len());
    circuit.gates.for_each_block(|block| {
        hasher.update(block);
    });
}

fn hash_outputs(hasher: &mut blake3::Hasher, circuit: &Circuit) {
    count(hasher, circuit.outputs.len());
    for output in &circuit.outputs {
        hasher.update(&[u8::from(output.per_cycle)]);
        count(hasher, output.bits.len());
        codes(hasher, output.bits.iter());
    }
}

/// Hashes the codes of bits.
pub(crate) fn codes(hasher: &mut blake3::Hasher, bits: impl Iterator<Item = Bit>) {
    let codes: Vec<u8> = bits.flat_map(|bit| bit.code().to_le_bytes()).collect();
    hasher.update(&codes);
}

/// Hashes a number of things, in 8 bytes.
pub(crate) fn count(hasher: &mut blake3::Hasher, count: usize) {
    hasher.update(&(count as u64).to_le_bytes());
}
