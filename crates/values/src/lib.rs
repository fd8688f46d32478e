//! Input values as a user gives them, and how they become the bits of a party's ports.
//!
//! Read in this order: [`port`] (what wants a value), [`source`] (a party's list of values, split),
//! `read` (from where each is), [`literal`] (one value as it is written), [`value`] and `list`
//! (values become bits), [`show`] (outputs, back to text). `written` has what is in files, `files`
//! reads them; `json`, `csv`, `real` and `set` have the forms of their own.
//!
//! A party's values are separated by commas, one for each of its input ports in order:
//!
//! | written | means |
//! |---|---|
//! | `123`, `-5` | a number, range checked |
//! | `1.5`, `-0.25e3`, `inf`, `nan` | a number, for an input of floats or of fixed point |
//! | `f32:…`, `f64:…` | the same, as binary32 or binary64 for an input of 32 or 64 bits |
//! | `0x…`, `0b…` | bits; the rightmost digit holds wire 0 |
//! | `bytes:…` | hexadecimal in byte order: byte k, bit j is wire 8k+j |
//! | `text:…`, `text:"…"` | characters; a shorter text than the input takes is filled up with zeros |
//! | `[…,…]` | a list of these: the elements of an input, or a value a cycle |
//! | `u8:[…]`, `i16:[…]`, `f32:[…]` | a list that says what its elements are |
//! | `@FILE` | what is written in a file: one of the rows above, one of them a line, or JSON |
//! | `@FILE.json` | a value in JSON, or an object by input name, alone in its list |
//! | `@FILE.csv:COLUMN` | a column of a table whose first line names the columns |
//! | `u8:@FILE`, `u32:@FILE.csv:COLUMN` | the same with what the elements are |
//! | `bytes:@FILE`, `@FILE.bin` | raw bytes, in the same order |
//! | `text:@FILE` | the characters of a file, without the line end at its end |
//! | `-`, `bytes:-`, `text:@-` | the same three from standard input (once a command) |
//! | nothing | a party without inputs |
//!
//! What a file holds follows from its name and the prefix, never from what is in it: a file of text
//! that is read as raw bytes is an error, and so is the other way round.
//!
//! In JSON a value is a number, a string in the grammar of the rows above `@FILE` (for an input of
//! text: the text), or an array of these. A list has one element a cycle for a per-cycle port, or
//! the elements of a port, lowest first. Where a party has one input, its value may stand without
//! the object. `psi` takes a list as a set, in any order and of any size up to its count.
//!
//! What a number means to a port is what the circuit declares
//! ([`ElementType`](halfgate_circuit::ElementType)), and a number outside it is an error. Where
//! nothing is declared, as in a Bristol file, a number is an integer of the port's width, negative
//! in two's complement; there a list of several elements needs a type before it, unless it has one
//! element for each bit.
//!
//! A per-cycle port takes bytes for all cycles together: each cycle's value starts a new byte.
//! Where the number of cycles is known otherwise, a port of one bit, or one of which nothing is
//! declared, also takes one integer whose bits are fed to it cycle by cycle, the lowest first.
//!
//! Memory: the bytes of the values, twice.

mod csv;
mod element_type;
mod error;
mod files;
mod json;
mod list;
pub mod literal;
mod literal_error;
pub mod port;
mod read;
mod real;
mod set;
pub mod show;
pub mod source;
pub mod value;
mod written;

pub use error::{Place, ValueError};
pub use json::{JsonError, parse_object};
pub use list::List;
pub use literal::Literal;
pub use literal_error::{LiteralError, MAX_DECIMAL_DIGITS, TextUnit};
pub use port::{Elements, Port};
pub use read::read;
pub use set::{SetError, prepare_set};
pub use source::{Form, Source, has_literal, parse};
pub use value::{Value, cycles};
pub use written::value_of;

#[cfg(test)]
mod tests;
