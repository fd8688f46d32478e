//! Two circuits for benchmarks only: a serial chain of ANDs, each of which depends on the previous
//! one, and XORs without any AND. Both are a short body that is repeated over many cycles, so the
//! memory does not grow with the number of gates.

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use crate::state::{registers, set_next};
use halfgate_circuit::{Builder, Circuit, Party};

/// `chain`.
pub const ANDS: ProgramInfo = ProgramInfo {
    name: "chain",
    params: "ANDS",
    default: "1000000",
    summary: "benchmark: a serial chain of ANDs, each with the previous one as an input",
    ports: "garbler key:64; evaluator x:1; output y:1",
    types: &[],
    make: Make::Flat(|params: Params| and_chain(params.one("ANDS")?)),
};

/// `xors`.
pub const XORS: ProgramInfo = ProgramInfo {
    name: "xors",
    params: "XORS",
    default: "4096000",
    summary: "benchmark: only XORs, a shift register with linear feedback",
    ports: "garbler a:64; evaluator b:63; output state:127",
    types: &[],
    make: Make::Flat(|params: Params| xors(params.one("XORS")?)),
};

/// ANDs in the body of [`and_chain`].
pub const CHAIN_BODY: u64 = 1000;
/// XORs in the body of [`xors`].
pub const XOR_BODY: u64 = 4096;

/// Maximum number of gates of each program, over all cycles.
const MAX_GATES: u64 = 1 << 50;
const KEY_BITS: u32 = 64;

/// A chain of `x := !(x & key[i])`, which starts at the evaluator's bit `x` and ends as output `y`.
/// Each body of [`CHAIN_BODY`] ANDs goes through the 64 bits of the garbler's `key` in turn, from
/// bit 0. There are no other gates, so the AND depth is `ands`.
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

/// The recurrence `s[n] = s[n - 127] ^ s[n - 64]`. It starts at the garbler's `a` (64 bits)
/// followed by the evaluator's `b` (63); output `state` is the last 127 bits. The trinomial x^127 +
/// x^63 + 1 is primitive, so only the zero state repeats soon. There is no AND, and each 64
/// successive XORs are independent of each other.
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

/// Gates of the body and number of cycles: one body if it holds all gates, else only full bodies.
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
