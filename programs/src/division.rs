//! Division of two integers: quotient and remainder. For the divisor 0, the quotient is all ones
//! and the remainder is the dividend. The garbler can compute the evaluator's divisor from the
//! outputs, unless it is greater than the dividend; this includes a divisor of 0.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::{Function, U64};
//!
//! let average = Function::new("average", |sum: U64, count: U64| sum.div_rem(count))
//!     .named(&["sum"], &["count"], &["quotient", "remainder"]);
//! let program = average.compile()?;
//! assert_eq!(program.run(1_000_000, 7)?, (142_857, 1));
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::program::{Make, Params, ProgramInfo, check};
use halfgate_circuit::{Builder, Circuit, Party, int};

/// `divide`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "divide",
    params: "BITS",
    default: "64",
    summary: "quotient and remainder of two unsigned integers",
    ports: "garbler a:BITS; evaluator b:BITS; outputs quotient:BITS (a / b; all ones if b is 0) and \
            remainder:BITS (a % b; a if b is 0)",
    types: &[],
    make: Make::Flat(|params: Params| circuit(params.one("BITS")?)),
};

/// Garbler's `a` and evaluator's `b`, unsigned integers of `bits` bits; outputs `quotient` and
/// `remainder` of `bits` bits: `a / b` and `a % b`, or all ones and `a` if `b` is 0. The number of
/// ANDs is that of [`int::div_rem_unsigned`]: 2,745 for 64 bits.
///
/// # Errors
/// If `bits` is 0 or above 2,048, or the gates cannot be stored.
pub fn circuit(bits: u32) -> Result<Circuit, MakeError> {
    check("BITS", bits.into(), 1..=1 << 11)?;
    let mut b = Builder::new();
    let dividend = b.input("a", Party::Garbler, bits);
    let divisor = b.input("b", Party::Evaluator, bits);
    let (quotient, remainder) = int::div_rem_unsigned(&mut b, &dividend, &divisor);
    b.output("quotient", &quotient);
    b.output("remainder", &remainder);
    Ok(b.finish()?)
}

/// The same function in plain Rust, for `bits` up to 128.
pub fn plain(a: u128, b: u128, bits: u32) -> (u128, u128) {
    let ones = u128::MAX >> (128 - bits);
    (a.checked_div(b).unwrap_or(ones), a.checked_rem(b).unwrap_or(a))
}
