//! What can be wrong with a party's values.

use crate::element_type::{split_hint, type_name};
use crate::literal_error::LiteralError;
use crate::set::SetError;
use halfgate_circuit::ElementType;
use std::fmt;

/// Why values cannot be used. No message repeats a value.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// A value is malformed.
    #[error("value {number}{}: {why}", element.map_or(Place::Whole, Place::Element))]
    Malformed {
        /// Place in the list, from 1.
        number: usize,
        /// Which element of it, from 1, if it is a list.
        element: Option<usize>,
        /// What is wrong.
        why: LiteralError,
    },
    /// A value does not fit its port.
    #[error("input {port:?}{place}: {why}")]
    DoesNotFit {
        /// Name of the port.
        port: String,
        /// Where in its value.
        place: Place,
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
    /// A list without a width of its elements, for an input without one.
    #[error(
        "input {port:?}: nothing says how wide an element is, so {got} of them in {width} bits can be read in several ways: say the type before the list, as in u8:[…] or i16:[…]{}",
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
    /// A list that states another type than the port declares.
    #[error(
        "input {port:?}: the list is of {}, the input of {}",
        type_name(*stated),
        type_name(*declared)
    )]
    ListType {
        /// Name of the port.
        port: String,
        /// What the list says.
        stated: ElementType,
        /// What the port says.
        declared: ElementType,
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
        "input {port:?}: values for {got} {}, the run has {wanted}: {} bits given, {} needed; give one for each cycle (bytes or a list)",
        plural(*got as usize, "cycle"),
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
    /// A file of raw bytes has the wrong size.
    #[error(
        "input {port:?}: {file} has {got} bytes, {wanted}; it is read as raw bytes: a value that is written in a file is @FILE.txt"
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
    /// A file of raw bytes holds text.
    #[error(
        "input {port:?}: raw bytes are read from {file}, but all of it is printable text: write @FILE (with no name in .bin) for the value that is written there, or text:@FILE for its characters as bytes"
    )]
    Printable {
        /// Name of the port.
        port: String,
        /// Name of the file.
        file: String,
    },
    /// A file for a written value holds something else.
    #[error(
        "{file} has {got} bytes that are no text in UTF-8, and a value is read from what is written in a file: write bytes:@FILE, or name it .bin, if it holds raw bytes"
    )]
    NotText {
        /// Name of the file.
        file: String,
        /// Bytes read.
        got: usize,
    },
    /// A type of elements for raw bytes or characters.
    #[error(
        "{file} is read as bytes, which are no list: write the type before a file of text or of JSON, or a column of a table"
    )]
    Untyped {
        /// Name of the file.
        file: String,
    },
    /// A file of text that nobody has written.
    #[error("{file} has more than {limit} bytes")]
    TooLong {
        /// Name of the file.
        file: String,
        /// The most bytes.
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
        /// Where in it.
        place: Place,
        /// What is wrong.
        why: LiteralError,
    },
    /// A table whose first line has values.
    #[error(
        "{file}: the first line of a table names its columns, and this one has numbers only: add a line of names"
    )]
    NoHeader {
        /// Name of the file.
        file: String,
    },
    /// A table without a column.
    #[error("{file}: {why} {wanted:?}; its columns are {columns}")]
    Column {
        /// Name of the file.
        file: String,
        /// The column that is asked for.
        wanted: String,
        /// What is wrong.
        why: &'static str,
        /// Names of all columns.
        columns: String,
    },
    /// A line of a table with too many or too few cells.
    #[error("{file}, line {line}: {got} cells in a table of {wanted} columns")]
    Row {
        /// Name of the file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// Cells found.
        got: usize,
        /// Columns of the table.
        wanted: usize,
    },
    /// A cell of a table is malformed.
    #[error("{file}, line {line}, column {column:?}: {why}")]
    Cell {
        /// Name of the file.
        file: String,
        /// Name of the column.
        column: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: LiteralError,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {why}")]
    Read {
        /// Name of the file.
        file: String,
        /// The system's reason.
        why: std::io::Error,
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

/// Where something is wrong in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In all of it.
    Whole,
    /// In an element of a list, from 1.
    Element(usize),
    /// In a line of a file, from 1.
    Line(u64),
}

/// As it follows a name: with a comma, or nothing.
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
