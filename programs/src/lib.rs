//! Built-in programs, which are also examples of the circuit builder.
//!
//! A program is one file: a [`ProgramInfo`] with its name and ports, and a function that declares
//! the inputs, computes on their bits and declares the outputs. [`millionaires`] is the shortest;
//! [`auction`] and [`psi`] combine integer operations; [`aes128`] shows bytes, per-cycle ports, and
//! state that is carried from cycle to cycle; [`sha256`] shows how to save ANDs. [`edit_distance`],
//! [`decision_tree`], [`knn`] and [`logistic`] use typed secret values; each has an example to
//! start your own crate from. [`aes128_batch`] is the shortest of those that are structured: their
//! functions are called, mapped and folded, so that the circuit has a short text at any size.
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
pub mod aes128_batch;
pub mod aes128_rounds;
pub mod arithmetic;
pub mod auction;
pub mod chains;
pub mod decision_tree;
pub mod division;
pub mod edit_distance;
pub mod edit_distance_rows;
pub mod error;
pub mod hamming;
pub mod join;
pub mod knn;
pub mod logistic;
mod message;
pub mod millionaires;
pub mod mips;
pub mod mlp;
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
use halfgate_circuit::structured::StructuredCircuit;
use program::{Make, Params};

/// All programs. To add one, write its file and add it here.
static PROGRAMS: [ProgramInfo; 52] = [
    millionaires::INFO,
    auction::INFO,
    vickrey::INFO,
    psi::INFO,
    join::INFO,
    hamming::INFO,
    hamming::MAPPED,
    edit_distance::INFO,
    edit_distance_rows::INFO,
    decision_tree::INFO,
    logistic::INFO,
    knn::INFO,
    mlp::INFO,
    sort::INFO,
    sort::NETWORK,
    pagerank::INFO,
    aes128::SINGLE,
    aes128::ECB,
    aes128::CHAINED,
    aes128_rounds::INFO,
    aes128_batch::INFO,
    sha256::MESSAGE,
    sha256::BLOCK,
    sha256::CHAIN,
    sha3::INFO,
    arithmetic::ADDER,
    arithmetic::MULTIPLIER,
    arithmetic::FULL_MULTIPLIER,
    division::INFO,
    square_root::INFO,
    chains::ANDS,
    chains::XORS,
    vip::bubble_sort::INFO,
    vip::bubble_sort::FOLDED,
    vip::dot_product::INFO,
    vip::dot_product::FAST,
    vip::dot_product::MAPPED,
    vip::mersenne::INFO,
    vip::mersenne::FOLDED,
    vip::triangle::INFO,
    vip::triangle::MAPPED,
    vip::matmult::INFO,
    vip::matmult::FAST,
    vip::matmult::MAPPED,
    vip::relu::INFO,
    vip::relu::MAPPED,
    vip::gradient_descent::INFO,
    vip::gradient_descent::FAST,
    vip::gradient_descent::FOLDED,
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

/// The circuit of `spec`: a program's name, or `name:parameters`. A structured program is
/// flattened.
///
/// # Errors
/// If there is no such program (the error lists the known ones), if its parameters are malformed,
/// out of range or together too large (the error has the correct form), if a structured program is
/// too large to be flattened, or if the circuit's gates cannot be stored.
pub fn build(spec: &str) -> Result<Circuit, ProgramError> {
    let (program, text) = named(spec)?;
    match program.make {
        Make::Flat(make) => {
            let made = make(Params { text }).map_err(|reason| program.wrong(reason))?;
            Ok(program.describe(text, made))
        }
        Make::Structured(_) => build_structured(spec)?
            .into_circuit()
            .map_err(|source| ProgramError::Flatten { name: program.name, source }),
    }
}

/// The circuit of `spec` with its functions and calls. A flat program has none.
///
/// # Errors
/// As for [`build`], but no size is too large to be flattened.
pub fn build_structured(spec: &str) -> Result<StructuredCircuit, ProgramError> {
    let (program, text) = named(spec)?;
    match program.make {
        Make::Flat(_) => build(spec).map(StructuredCircuit::from),
        Make::Structured(make) => {
            let made = make(Params { text }).map_err(|reason| program.wrong(reason))?;
            Ok(program.describe_structured(text, made))
        }
    }
}

fn named(spec: &str) -> Result<(&'static ProgramInfo, &str), ProgramError> {
    find(spec).ok_or_else(|| {
        let name = spec.split(':').next().unwrap_or_default().to_owned();
        let known: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        ProgramError::Unknown { name, known: known.join(", ") }
    })
}
