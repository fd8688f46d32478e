//! The hash of a structured circuit, by `spec/functions.md`.

use crate::error::CompileError;
use crate::hash::{self, codes, count, program_hash};
use crate::program_hash::ProgramHash;
use halfgate_circuit::structured::{
    Argument, Body, Call, Form, Function, Item, StructuredCircuit, flatten,
};

/// Version tags: the first bytes of the encodings.
const TAG: &[u8] = b"halfgate structured program 1\n";
const FUNCTION_TAG: &[u8] = b"halfgate function 1\n";

/// The hash of a valid structured circuit, and those of its functions.
///
/// Memory: 32 bytes for each function.
///
/// # Errors
/// If the circuit has no calls, is hashed as a flat one, and its temporary file cannot be read.
pub fn structured_hash(
    circuit: &StructuredCircuit,
) -> Result<(ProgramHash, Vec<[u8; 32]>), CompileError> {
    if circuit.body.calls.is_empty() {
        return Ok((program_hash(&flatten(circuit)?), Vec::new()));
    }
    let mut functions: Vec<[u8; 32]> = Vec::with_capacity(circuit.functions.len());
    for function in &circuit.functions {
        let hash = function_hash(function, &circuit.functions, &functions);
        functions.push(hash);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(TAG);
    hash::hash_ports(&mut hasher, &circuit.inputs, &circuit.flip_flops);
    let first = circuit.first_item_wire();
    hash_body(&mut hasher, &circuit.body, first, &circuit.functions, &functions);
    count(&mut hasher, circuit.outputs.len());
    for output in &circuit.outputs {
        hasher.update(&[u8::from(output.per_cycle)]);
        count(&mut hasher, output.bits.len());
        count(&mut hasher, output.bits.runs().count());
        for (first, count) in output.bits.runs() {
            hasher.update(&first.code().to_le_bytes()).update(&count.to_le_bytes());
        }
    }
    Ok((ProgramHash(*hasher.finalize().as_bytes()), functions))
}

/// The hash of a function, from those of the functions before it.
fn function_hash(function: &Function, all: &[Function], hashes: &[[u8; 32]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(FUNCTION_TAG).update(&function.inputs.to_le_bytes());
    hash_body(&mut hasher, &function.body, function.inputs as usize, all, hashes);
    hasher.update(&(function.outputs.len() as u32).to_le_bytes());
    codes(&mut hasher, function.outputs.iter().copied());
    *hasher.finalize().as_bytes()
}

fn hash_body(
    hasher: &mut blake3::Hasher,
    body: &Body,
    first: usize,
    functions: &[Function],
    hashes: &[[u8; 32]],
) {
    count(hasher, body.gates.len());
    count(hasher, body.calls.len());
    // BLAKE3 is faster on long inputs.
    let mut gates: Vec<u8> = Vec::new();
    for item in body.items(first, functions) {
        match item {
            Item::Gate(_, gate) => {
                gates.extend_from_slice(&gate.to_bytes());
                if gates.len() >= hash::BYTES_AT_A_TIME {
                    hasher.update(&gates);
                    gates.clear();
                }
            }
            Item::Call(_, call) => {
                hasher.update(&gates);
                gates.clear();
                hash_call(hasher, call, hashes);
            }
        }
    }
    hasher.update(&gates);
}

fn hash_call(hasher: &mut blake3::Hasher, call: &Call, hashes: &[[u8; 32]]) {
    hasher.update(&hashes[call.function.index()]);
    let form = match call.form {
        Form::Once => 0,
        Form::Map { .. } => 1,
        Form::Fold { .. } => 2,
    };
    hasher.update(&[form]);
    hasher.update(&call.form.runs().to_le_bytes());
    hasher.update(&call.form.state().to_le_bytes());
    count(hasher, call.after);
    hasher.update(&(call.arguments.len() as u32).to_le_bytes());
    for argument in &call.arguments {
        let width = argument.width() as u32;
        match argument {
            Argument::Shared(bits) => {
                hasher.update(&[0]).update(&width.to_le_bytes());
                codes(hasher, bits.iter().copied());
            }
            Argument::Sliced { first, run_stride, bit_stride, .. } => {
                hasher.update(&[1]).update(&width.to_le_bytes());
                for number in [first.number(), *run_stride, *bit_stride] {
                    hasher.update(&number.to_le_bytes());
                }
            }
            Argument::Listed { bits, .. } => {
                hasher.update(&[2]).update(&width.to_le_bytes());
                codes(hasher, bits.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests;
