//! Measures gadgets as functions: a chain of them that is a fold, beside the same chain as a flat
//! program in the default order, which may put ANDs of several steps side by side.

use super::{ROLES, Step, chain, times_of};
use halfgate_circuit::float::{self, BINARY64};
use halfgate_circuit::keccak::keccak_f;
use halfgate_circuit::structured::flatten;
use halfgate_circuit::{Bit, int};
use halfgate_compiler::{Order, StructuredProgram, compile};
use halfgate_programs::sha256;
use halfgate_record::engine::TURNS;
use halfgate_record::record::Figure;
use halfgate_record::timed::Timed;

/// ANDs of a chain, at least.
const ANDS: u64 = 500_000;

/// The gadgets: name, width of the state, width of the other operand, and a step.
const GADGETS: [(&str, u32, u32, Step); 8] = [
    ("compare-exchange of 64 bits", 128, 64, |b, state, x| {
        let (low, high) = (int::xor(b, &state[..64], x), &state[64..]);
        let swap = int::lt_unsigned(b, high, &low);
        let (low, high) = int::swap_if(b, swap, &low, high);
        [low, high].concat()
    }),
    ("product of 64 bits", 64, 64, int::mul),
    ("quotient of 64 bits", 64, 64, |b, state, x| {
        let sum = int::add(b, state, x);
        int::div_unsigned(b, x, &sum)
    }),
    ("binary64 sum", 64, 64, |b, state, x| float::add(b, BINARY64, state, x)),
    ("binary64 product", 64, 64, |b, state, x| float::mul(b, BINARY64, state, x)),
    ("binary64 quotient", 64, 64, |b, state, x| float::div(b, BINARY64, state, x)),
    ("SHA-256's compression", 256, 512, sha256::compress_bytes),
    ("Keccak-f[1600]", 1600, 64, |b, state, x| {
        let mut state: Vec<Bit> = state.to_vec();
        let mixed = int::xor(b, &state[..64], x);
        state[..64].copy_from_slice(&mixed);
        keccak_f(b, &state)
    }),
];

/// Measures all gadgets.
///
/// # Errors
/// If a program cannot be built or run.
pub fn run() -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for (name, state, other, step) in GADGETS {
        let one = chain(1, (state, other), step)?;
        let ands = one.size().ands;
        let program = chain(ANDS.div_ceil(ands), (state, other), step)?;
        figures.extend(over_flat(name, ands, &program)?);
    }
    Ok(figures)
}

/// The time of the chain over that of the flat program.
fn over_flat(name: &str, ands: u64, program: &StructuredProgram) -> Result<Vec<Figure>, String> {
    let written_out = flatten(&program.circuit).map_err(|e| e.to_string())?;
    let flat = compile(written_out, Order::default()).map_err(|e| e.to_string())?;
    let (mut own, mut other) = (Timed::structured(program)?, Timed::flat(&flat)?);
    let times = times_of(&mut own, &mut other, TURNS)?;
    let figures = ROLES.iter().zip(times).map(|(role, spread)| {
        let name = format!("{name} as a function, {role}");
        Figure::measured(&format!("{name}, time over a flat program's"), "times", spread.median)
            .note(format!("{spread}; {ands} ANDs a step, folded in one lane"))
    });
    Ok(figures.collect())
}
