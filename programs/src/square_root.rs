//! Square root of a binary64 number, correctly rounded, with the special cases of IEEE 754: the
//! root of -0 is -0, and that of infinity is infinity. For negative numbers and NaNs, the result is
//! the NaN 0x7ff8000000000000.
//!
//! The parties hold the number in XOR shares, as it may result from an earlier computation: the
//! number's bits are the XOR of both inputs. If one party knows the number, the other's input is 0.
//!
//! # Your own
//!
//! With `halfgate` as a dependency in `Cargo.toml`, this is a complete `main.rs` apart from its
//! `fn main() -> Result<(), halfgate::Error>`:
//!
//! ```
//! use halfgate::circuit::float::{BINARY64, sqrt};
//! use halfgate::{Function, Secret, U64, with_builder};
//!
//! // The library represents floats by their bits.
//! let root = Function::new("root", |mine: U64, yours: U64| {
//!     let shared = mine ^ yours;
//!     U64::from_bits(&(), &with_builder(|b| sqrt(b, BINARY64, &shared.to_bits())))
//! });
//! let program = root.compile()?;
//! let mask = 0x0123_4567_89ab_cdef;
//! let bits = program.run(2f64.to_bits() ^ mask, mask)?;
//! assert_eq!(f64::from_bits(bits), 2f64.sqrt());
//! # Ok::<(), halfgate::Error>(())
//! ```

use crate::error::MakeError;
use crate::ports::{Element, PortType};
use crate::program::{Make, Params, ProgramInfo};
use halfgate_circuit::float::{BINARY64, sqrt};
use halfgate_circuit::{Builder, Circuit, Party, int};

/// `sqrt64`.
pub const INFO: ProgramInfo = ProgramInfo {
    name: "sqrt64",
    params: "",
    default: "",
    summary: "square root of a binary64 number that the parties share by XOR",
    ports: "garbler a:64 (the number's bits, XORed with b), evaluator b:64 (0 if a is the number \
            itself); output root:64 (binary64)",
    types: &[PortType::one("a", Element::Float64), PortType::one("root", Element::Float64)],
    make: Make::Flat(|params: Params| {
        params.none()?;
        circuit()
    }),
};

/// Garbler's `a` and evaluator's `b`, 64 bits each; output `root`, the square root of the binary64
/// number `a ^ b`. 2,046 ANDs.
///
/// # Errors
/// If the gates cannot be stored.
pub fn circuit() -> Result<Circuit, MakeError> {
    let mut b = Builder::new();
    let mine = b.input("a", Party::Garbler, 64);
    let yours = b.input("b", Party::Evaluator, 64);
    let number = int::xor(&mut b, &mine, &yours);
    let root = sqrt(&mut b, BINARY64, &number);
    b.output("root", &root);
    Ok(b.finish()?)
}

/// The same function in plain Rust, by the processor's square root.
pub fn plain(a: u64, b: u64) -> u64 {
    let root = f64::from_bits(a ^ b).sqrt();
    if root.is_nan() { 0x7ff8_0000_0000_0000 } else { root.to_bits() }
}
