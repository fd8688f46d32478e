//! The small programs of Table 5 with the shortest path: adders and comparators of logarithmic
//! depth and carry-save trees replace ripple carries, and take more ANDs.

use super::product::{Form, sum_of_products};
use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use crate::{arithmetic, millionaires};
use halfgate_circuit::{Bit, Builder, Circuit, Party, int};

/// `adder-fast`.
pub const ADDER: ProgramInfo = ProgramInfo {
    name: "adder-fast",
    summary: "adder with the shortest path: a parallel-prefix adder, at more ANDs",
    make: Make::Flat(|params: Params| two_operands(params, 1 << 16, "sum", int::add_fast)),
    ..arithmetic::ADDER
};

/// `multiplier-fast`.
pub const MULTIPLIER: ProgramInfo = ProgramInfo {
    name: "multiplier-fast",
    summary: "multiplier with the shortest path: a carry-save tree, at more ANDs",
    make: Make::Flat(|params: Params| {
        two_operands(params, 1 << 11, "product", |b, x, y| {
            sum_of_products(b, Form::Fast, &[(x, y)])
        })
    }),
    ..arithmetic::MULTIPLIER
};

/// `millionaires-fast`.
pub const MILLIONAIRES: ProgramInfo = ProgramInfo {
    name: "millionaires-fast",
    summary: "millionaires with the shortest path: a tree of comparisons, at more ANDs",
    make: Make::Flat(|params: Params| {
        two_operands(params, 1 << 16, "a_richer", |b, x, y| vec![int::lt_unsigned_fast(b, y, x)])
    }),
    ..millionaires::INFO
};

/// A program with garbler's `a` and evaluator's `b`, whose width is the parameter, and one output.
fn two_operands(
    params: Params,
    max: u64,
    result: &str,
    operation: impl Fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Result<Circuit, MakeError> {
    let bits: u32 = params.one("BITS")?;
    check("BITS", bits.into(), 1..=max)?;
    let mut b = Builder::new();
    let x = b.input("a", Party::Garbler, bits);
    let y = b.input("b", Party::Evaluator, bits);
    let value = operation(&mut b, &x, &y);
    b.output(result, &value);
    Ok(b.finish()?)
}
