//! Built-in programs, which are also examples of the circuit builder.
//!
//! A program is one file: a [`ProgramInfo`] with its name and ports, and a function that declares
//! the inputs, computes on their bits and declares the outputs. [`millionaires`] is the shortest;
//! [`auction`] and [`psi`] combine integer operations; [`aes128`] shows bytes, per-cycle ports, and
//! state that is carried from cycle to cycle; [`sha256`] shows how to save ANDs. [`edit_distance`],
//! [`decision_tree`], [`knn`] and [`logistic`] use typed secret values; each has an example to
//! start your own crate from.
//!
//! Integers are little-endian: bit 0 is the first wire. In byte strings (AES, SHA-256), bit `j` of
//! byte `k` is wire `8k + j`, as for `bytes:` on the command line.
//!
//! ```
//! use halfgate_circuit::{Bits, clear};
//!
//! let circuit = halfgate_programs::build("millionaires:8").unwrap();
//! let outputs = clear::evaluate(&circuit, &[Bits::from_bytes(&[7]), Bits::from_bytes(&[5])], 1);
//! assert!(outputs.unwrap()[0].get(0));
//! ```
//!
//! Memory while a program is built: its gates, which the builder spools to a file above a limit,
//! and the wires that the program's function holds, in proportion to its inputs.

pub mod aes128;
pub mod aes128_rounds;
pub mod arithmetic;
pub mod auction;
pub mod chains;
pub mod decision_tree;
pub mod division;
pub mod edit_distance;
pub mod error;
pub mod hamming;
pub mod knn;
pub mod logistic;
mod message;
pub mod millionaires;
pub mod mips;
pub mod pagerank;
pub mod ports;
pub mod program;
pub mod psi;
pub mod published;
pub mod sha256;
pub mod sha3;
pub mod sort;
pub mod square_root;
mod state;
pub mod verilog;
pub mod vickrey;
pub mod vip;

pub use error::{MakeError, ProgramError};
pub use ports::{Element, PortType};
pub use program::ProgramInfo;

use halfgate_circuit::Circuit;
use program::Params;

/// All programs. To add one, write its file and add it here.
static PROGRAMS: [ProgramInfo; 39] = [
    millionaires::INFO,
    auction::INFO,
    vickrey::INFO,
    psi::INFO,
    hamming::INFO,
    edit_distance::INFO,
    decision_tree::INFO,
    logistic::INFO,
    knn::INFO,
    sort::INFO,
    sort::NETWORK,
    pagerank::INFO,
    aes128::SINGLE,
    aes128::ECB,
    aes128::CHAINED,
    aes128_rounds::INFO,
    sha256::MESSAGE,
    sha256::BLOCK,
    sha3::INFO,
    arithmetic::ADDER,
    arithmetic::MULTIPLIER,
    arithmetic::FULL_MULTIPLIER,
    division::INFO,
    square_root::INFO,
    chains::ANDS,
    chains::XORS,
    vip::bubble_sort::INFO,
    vip::dot_product::INFO,
    vip::dot_product::FAST,
    vip::mersenne::INFO,
    vip::triangle::INFO,
    vip::matmult::INFO,
    vip::matmult::FAST,
    vip::relu::INFO,
    vip::gradient_descent::INFO,
    vip::gradient_descent::FAST,
    vip::small::ADDER,
    vip::small::MULTIPLIER,
    vip::small::MILLIONAIRES,
];

/// All built-in programs, in the order in which the command lists them.
pub fn all() -> &'static [ProgramInfo] {
    &PROGRAMS
}

/// The program that `spec` names, and its parameters: the given ones or the defaults. The
/// parameters are not checked.
pub fn find(spec: &str) -> Option<(&'static ProgramInfo, &str)> {
    let (name, given) = match spec.split_once(':') {
        Some((name, given)) => (name, Some(given)),
        None => (spec, None),
    };
    let program = PROGRAMS.iter().find(|program| program.name == name)?;
    Some((program, given.unwrap_or(program.default)))
}

/// The circuit of `spec`: a program's name, or `name:parameters`.
///
/// # Errors
/// If there is no such program (the error lists the known ones), if its parameters are malformed,
/// out of range or together too large (the error has the correct form), or if the circuit's gates
/// cannot be stored.
pub fn build(spec: &str) -> Result<Circuit, ProgramError> {
    let Some((program, text)) = find(spec) else {
        let name = spec.split(':').next().unwrap_or_default().to_owned();
        let known: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        return Err(ProgramError::Unknown { name, known: known.join(", ") });
    };
    let made = (program.make)(Params { text }).map_err(|reason| program.wrong(reason))?;
    Ok(program.describe(text, made))
}
