//! Two circuits that compute nothing of use, for benchmarks: a serial chain of ANDs, where each
//! waits for the one before, and XORs alone. Both are a short body with a repeat count, so that
//! a hundred million gates take no memory.

use crate::error::MakeError;
use crate::program::{Params, ProgramInfo, check};
use crate::state::{registers, set_next};
use halfgate_circuit::{Builder, Circuit, Party};

/// `chain`.
pub const ANDS: ProgramInfo = ProgramInfo {
    name: "chain",
    params: "ANDS",
    default: "1000000",
    summary: "benchmark: a serial chain of ANDs, each with the one before as an input",
    ports: "garbler key:64; evaluator x:1; output y:1",
    types: &[],
    make: |params: Params| and_chain(params.one("ANDS")?),
};

/// `xors`.
pub const XORS: ProgramInfo = ProgramInfo {
    name: "xors",
    params: "XORS",
    default: "4096000",
    summary: "benchmark: XORs alone, a shift register with linear feedback",
    ports: "garbler a:64; evaluator b:63; output state:127",
    types: &[],
    make: |params: Params| xors(params.one("XORS")?),
};

/// ANDs in the body of [`and_chain`].
pub const CHAIN_BODY: u64 = 1000;
/// XORs in the body of [`xors`].
pub const XOR_BODY: u64 = 4096;

/// The most gates over all cycles of either.
const MAX_GATES: u64 = 1 << 50;
const KEY_BITS: u32 = 64;

/// `x := !(x & key[i])` for `i` from 0 to `ands - 1`, the key's 64 bits (the garbler's) taken in
/// turn and anew in each body of [`CHAIN_BODY`]; `x` (the evaluator's bit) ends as `y`. The depth
/// in ANDs is their number, and there is no other gate.
///
/// # Errors
/// If `ands` is 0, or above [`CHAIN_BODY`] and not a multiple of it, or above 2^50, or the gates
/// cannot be stored.
pub fn and_chain(ands: u64) -> Result<Circuit, MakeError> {
    let (body, cycles) = body_and_cycles("ANDS", ands, CHAIN_BODY)?;
    let mut b = Builder::new();
    let key = b.input("key", Party::Garbler, KEY_BITS);
    let x = b.input("x", Party::Evaluator, 1);
    let state = registers(&mut b, &x);
    let y = key.iter().cycle().take(body).fold(state[0], |x, &k| b.nand(x, k));
    set_next(&mut b, &state, &[y]);
    b.output("y", &[y]);
    b.set_cycles(cycles);
    Ok(b.finish()?)
}

/// The recurrence `s[n] = s[n - 127] ^ s[n - 64]` (the trinomial x^127 + x^63 + 1 is primitive,
/// so no state but zero repeats soon), started at the garbler's `a` (64 bits) followed by the
/// evaluator's `b` (63); output `state`, the last 127 bits. No AND, and 64 XORs at a time that do
/// not depend on each other.
///
/// # Errors
/// If `xors` is 0, or above [`XOR_BODY`] and not a multiple of it, or above 2^50, or the gates
/// cannot be stored.
pub fn xors(xors: u64) -> Result<Circuit, MakeError> {
    let (body, cycles) = body_and_cycles("XORS", xors, XOR_BODY)?;
    let mut b = Builder::new();
    let mut seed = b.input("a", Party::Garbler, 64);
    seed.extend(b.input("b", Party::Evaluator, 63));
    let state = registers(&mut b, &seed);
    let mut s = state.clone();
    for _ in 0..body {
        let n = s.len();
        s.push(b.xor(s[n - 127], s[n - 64]));
    }
    let last = &s[body..];
    set_next(&mut b, &state, last);
    b.output("state", last);
    b.set_cycles(cycles);
    Ok(b.finish()?)
}

/// One body if the gates fit in it, else full bodies.
fn body_and_cycles(
    parameter: &'static str,
    gates: u64,
    body: u64,
) -> Result<(usize, u64), MakeError> {
    check(parameter, gates, 1..=MAX_GATES)?;
    if gates <= body {
        Ok((gates as usize, 1))
    } else if gates.is_multiple_of(body) {
        Ok((body as usize, gates / body))
    } else {
        Err(MakeError::NotAMultiple { parameter, given: gates, of: body })
    }
}
