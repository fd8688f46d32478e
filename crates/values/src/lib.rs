//! Input values as a user gives them, and how they become the bits of a party's ports.
//!
//! Read in this order: [`port`] (what wants a value), [`source`] (a party's list of values, split
//! and read), [`literal`] (one value as it is written), [`value`] (a value becomes bits), [`show`]
//! (outputs, back to text). `json`, `files`, `real` and `set` have the forms of their own.
//!
//! A party's values are separated by commas, one for each of its input ports in order:
//!
//! | written | means |
//! |---|---|
//! | `123`, `-5` | a number; for an integer input range checked, negative in two's complement |
//! | `1.5`, `-0.25e3`, `inf`, `nan` | a number, for an input of floats or of fixed point |
//! | `f32:…`, `f64:…` | the same, as binary32 or binary64 for an input of 32 or 64 bits |
//! | `0x…`, `0b…` | bits; the rightmost digit holds wire 0 |
//! | `bytes:…` | hexadecimal in byte order: byte k, bit j is wire 8k+j |
//! | `text:…` | characters; a shorter text than the input takes is filled up with zeros |
//! | `[…,…]` | a list of these: the elements of an input |
//! | `@FILE` | raw bytes, in the same order |
//! | `-` | the same from standard input (once a command) |
//! | `@FILE.json` | an object by input name, alone in its list; see below |
//! | nothing | a party without inputs |
//!
//! In JSON a value is a number, a string in the grammar of the rows above `[…]` (for an input of
//! text: the text), or an array of these. A list has one element a cycle for a per-cycle port, or
//! the parts of a wide port, lowest first, each of the same width. Where a party has one input,
//! the array may stand without the object. `psi` takes a list as a set, in any order and of any
//! size up to its count.
//!
//! What a number means to a port is the program's to say ([`Element`](halfgate_circuit::Element));
//! for a circuit from a file it is an integer unless the value says otherwise.
//!
//! A per-cycle port takes bytes for all cycles together: each cycle's value starts a new byte.
//! Where the number of cycles is known otherwise, it also takes one integer whose bits are fed to
//! it cycle by cycle, the lowest first.
//!
//! Memory: the bytes of the values, twice.

mod error;
mod files;
mod json;
pub mod literal;
mod literal_error;
pub mod port;
mod real;
mod set;
pub mod show;
pub mod source;
pub mod value;

pub use error::ValueError;
pub use json::{JsonError, parse_object};
pub use literal::Literal;
pub use literal_error::{LiteralError, MAX_DECIMAL_DIGITS};
pub use port::{Elements, Port};
pub use set::{SetError, prepare_set};
pub use source::{Source, has_literal, parse, read};
pub use value::{Value, cycles};

#[cfg(test)]
mod tests;
