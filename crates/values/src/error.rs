//! What can be wrong with a party's values.

use crate::literal_error::LiteralError;
use crate::set::SetError;

/// Why values cannot be used. No message repeats a value.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// A value is malformed.
    #[error("value {number}: {why}")]
    Malformed {
        /// Place in the list, from 1.
        number: usize,
        /// What is wrong.
        why: LiteralError,
    },
    /// A value does not fit its port.
    #[error("input {port:?}: {why}")]
    DoesNotFit {
        /// Name of the port.
        port: String,
        /// What is wrong.
        why: LiteralError,
    },
    /// Not as many values as ports.
    #[error("{got} {} given, {} wanted{}", plural(*got, "value"), ports.len(), named(ports))]
    Count {
        /// Values given.
        got: usize,
        /// Names of the ports.
        ports: Vec<String>,
    },
    /// A list has the wrong number of elements.
    #[error("input {port:?}: the list has {got} elements, {wanted}")]
    Elements {
        /// Name of the port.
        port: String,
        /// Elements given.
        got: usize,
        /// What would fit.
        wanted: String,
    },
    /// A list that is no set.
    #[error("input {port:?}: {why}")]
    Set {
        /// Name of the port.
        port: String,
        /// What is wrong.
        why: SetError,
    },
    /// A set in one piece whose elements are not in order.
    #[error(
        "input {port:?}: the {count} elements must be distinct and in ascending order, the least in the lowest bits; a JSON array (@FILE.json) may be in any order and shorter"
    )]
    NotAscending {
        /// Name of the port.
        port: String,
        /// Elements of the port.
        count: u32,
    },
    /// Values for another number of cycles than the run has.
    #[error(
        "input {port:?}: values for {got} cycles, the run has {wanted}: {} bits given, {} needed; give one for each cycle (bytes or a list)",
        u128::from(*got) * *width as u128,
        u128::from(*wanted) * *width as u128
    )]
    Cycles {
        /// Name of the port.
        port: String,
        /// Bits of the port each cycle.
        width: usize,
        /// Cycles that the values are for.
        got: u64,
        /// Cycles of the run.
        wanted: u64,
    },
    /// A file has the wrong size.
    #[error(
        "input {port:?}: {file} has {got} bytes, {wanted}; a file is taken as raw bytes unless its name ends in .json"
    )]
    FileSize {
        /// Name of the port.
        port: String,
        /// Name of the file.
        file: String,
        /// Size, as far as it was read.
        got: String,
        /// What would fit.
        wanted: String,
    },
    /// A file for an input of text is none.
    #[error("input {port:?}: {file} is not UTF-8 text")]
    NotText {
        /// Name of the port.
        port: String,
        /// Name of the file.
        file: String,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {why}")]
    Read {
        /// Name of the file.
        file: String,
        /// The system's reason.
        why: std::io::Error,
    },
    /// A JSON file beside other values.
    #[error(
        "{file} is an object by input name and must be a party's only value; rename a raw file that ends in .json"
    )]
    JsonNotAlone {
        /// Name of the file.
        file: String,
    },
    /// A JSON file that is no such object.
    #[error("{file}: {why}")]
    Json {
        /// Name of the file.
        file: String,
        /// What is wrong, with line and column where that is known.
        why: String,
    },
    /// Standard input named twice.
    #[error("standard input (-) can be given once only")]
    StdinTwice,
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}

fn named(ports: &[String]) -> String {
    if ports.is_empty() { String::new() } else { format!(": {}", ports.join(", ")) }
}
