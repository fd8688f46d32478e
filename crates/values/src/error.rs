//! Errors in a party's values.

use crate::element_type::{split_hint, type_name};
use crate::literal_error::LiteralError;
use crate::set::SetError;
use halfgate_circuit::ElementType;
use std::fmt;

/// Errors in a party's values. No message repeats a value, because values are secret.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// A value is malformed.
    #[error("value {number}{}: {why}", element.map_or(Place::Whole, Place::Element))]
    Malformed {
        /// Number of the value in the list, from 1.
        number: usize,
        /// Number of the element in the value, from 1, if the value is a list.
        element: Option<usize>,
        /// The error in the value.
        why: LiteralError,
    },
    /// A value does not fit its port.
    #[error("input {port:?}{place}: {why}")]
    DoesNotFit {
        /// Name of the port.
        port: String,
        /// Place in the port's value.
        place: Place,
        /// The error in the value.
        why: LiteralError,
    },
    /// The number of values differs from the number of ports.
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
        /// Numbers of elements that would fit.
        wanted: String,
    },
    /// A list without an element type, for an input whose circuit declares none.
    #[error(
        "input {port:?}: the circuit declares no element type, so {got} elements in {width} bits can be read in several ways: write the type before the list, as in u8:[…] or i16:[…]{}",
        split_hint(*got, *width)
    )]
    Ambiguous {
        /// Name of the port.
        port: String,
        /// Elements given.
        got: usize,
        /// Bits of the port.
        width: usize,
    },
    /// A table whose quotes do not match.
    #[error("{file}, line {line}: {why}")]
    Quotes {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// A list whose element type differs from the port's.
    #[error(
        "input {port:?}: the list is of {}, the input of {}",
        type_name(*stated),
        type_name(*declared)
    )]
    ListType {
        /// Name of the port.
        port: String,
        /// Element type of the list.
        stated: ElementType,
        /// Element type of the port.
        declared: ElementType,
    },
    /// A list that is not a valid set.
    #[error("input {port:?}: {why}")]
    Set {
        /// Name of the port.
        port: String,
        /// The error in the set.
        why: SetError,
    },
    /// A set written as one value whose elements are not in order.
    #[error(
        "input {port:?}: the {count} elements must be distinct and in ascending order, the least in the lowest bits; a JSON array (@FILE.json) may be in any order and shorter"
    )]
    NotAscending {
        /// Name of the port.
        port: String,
        /// Number of elements of the port.
        count: u32,
    },
    /// The values are for another number of cycles than the run has.
    #[error(
        "input {port:?}: values for {got} {}, the run has {wanted}: {} bits given, {} needed; give one for each cycle (bytes or a list)",
        plural(*got as usize, "cycle"),
        u128::from(*got) * *width as u128,
        u128::from(*wanted) * *width as u128
    )]
    Cycles {
        /// Name of the port.
        port: String,
        /// Bits of the port per cycle.
        width: usize,
        /// Number of cycles that the values are for.
        got: u64,
        /// Number of cycles of the run.
        wanted: u64,
    },
    /// A file of raw bytes has the wrong size.
    #[error(
        "input {port:?}: {file} has {got} bytes, {wanted}; it is read as raw bytes: a value that is written in a file is @FILE.txt"
    )]
    FileSize {
        /// Name of the port.
        port: String,
        /// Name of the file.
        file: String,
        /// Number of bytes read; beyond the limit, `more than` and the limit.
        got: String,
        /// Size that would fit.
        wanted: String,
    },
    /// A file that is read as raw bytes contains text.
    #[error(
        "input {port:?}: {file} is read as raw bytes, but contains only printable text: write @FILE (for a file not named .bin) to read the value written in it, or text:@FILE for its characters as bytes"
    )]
    Printable {
        /// Name of the port.
        port: String,
        /// Name of the file.
        file: String,
    },
    /// A file that is read as text contains other bytes.
    #[error(
        "{file} has {got} bytes that are no text in UTF-8, but @FILE reads a written value: for raw bytes write bytes:@FILE, or name the file .bin"
    )]
    NotText {
        /// Name of the file.
        file: String,
        /// Number of bytes read.
        got: usize,
    },
    /// An element type before raw bytes or characters.
    #[error(
        "{file} is read as bytes, which cannot have an element type: write the type only before a file of text or JSON, or a column of a table"
    )]
    Untyped {
        /// Name of the file.
        file: String,
    },
    /// A text file that exceeds the size limit.
    #[error("{file} has more than {limit} bytes")]
    TooLong {
        /// Name of the file.
        file: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// A file without a value.
    #[error("{file} has no value in it")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// A value in a file is malformed.
    #[error("{file}{place}: {why}")]
    InFile {
        /// Name of the file.
        file: String,
        /// Place in the file.
        place: Place,
        /// The error in the value.
        why: LiteralError,
    },
    /// A table whose first line holds numbers instead of names.
    #[error(
        "{file}: the first line of a table must name its columns, but this one has only numbers: add a line of names"
    )]
    NoHeader {
        /// Name of the file.
        file: String,
    },
    /// A table without the requested column.
    #[error("{file}: {why} {wanted:?}; its columns are {columns}")]
    Column {
        /// Name of the file.
        file: String,
        /// The requested column.
        wanted: String,
        /// The problem with the column.
        why: &'static str,
        /// Names of all columns, or their number if the first line has numbers.
        columns: String,
    },
    /// A line of a table with too many or too few cells.
    #[error("{file}, line {line}: {got} cells in a table of {wanted} columns")]
    Row {
        /// Name of the file.
        file: String,
        /// Number of the line, from 1.
        line: u64,
        /// Number of cells in the line.
        got: usize,
        /// Number of columns of the table.
        wanted: usize,
    },
    /// A cell of a table is malformed.
    #[error("{file}, line {line}, column {column}: {why}")]
    Cell {
        /// Name of the file.
        file: String,
        /// The quoted name by which the column was requested, or its number.
        column: String,
        /// Number of the line, from 1.
        line: u64,
        /// The error in the cell.
        why: LiteralError,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {why}")]
    Read {
        /// Name of the file.
        file: String,
        /// The operating system's error.
        why: std::io::Error,
    },
    /// A JSON file that holds no valid values.
    #[error("{file}: {why}")]
    Json {
        /// Name of the file.
        file: String,
        /// The error, with line and column if known.
        why: String,
    },
    /// Standard input is named twice.
    #[error("standard input (-) can be given once only")]
    StdinTwice,
}

/// The place of an error in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The value as a whole.
    Whole,
    /// An element of a list, from 1.
    Element(usize),
    /// A line of a file, from 1.
    Line(u64),
}

/// Formats the place as a suffix of a name: with a comma, or empty.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Element(number) => write!(f, ", element {number}"),
            Place::Line(number) => write!(f, ", line {number}"),
        }
    }
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}

fn named(ports: &[String]) -> String {
    if ports.is_empty() { String::new() } else { format!(": {}", ports.join(", ")) }
}
