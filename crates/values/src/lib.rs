//! Converts the input values that a user writes to the bits of a party's ports, and outputs back to
//! text.
//!
//! Reading order: [`port`] (an input that takes a value), [`source`] (splits a party's list of
//! values), `read` (reads each value from its source), [`literal`] (parses one value), [`value`]
//! and `list` (convert values to bits), [`show`] (converts outputs to text). `written` parses the
//! contents of files, and `files` reads them. `json`, `csv`, `real` and `set` handle one form each.
//!
//! A party's values are separated by commas, one for each of its input ports in order:
//!
//! | written                            | means                                                  |
//! |------------------------------------|--------------------------------------------------------|
//! | `123`, `-5`                        | a number, range checked                                |
//! | `1.5`, `-0.25e3`, `inf`, `nan`     | a number, for an input of floats or of fixed point     |
//! | `f32:…`, `f64:…`                   | the same, as binary32 or binary64 for an input of 32   |
//! |                                    | or 64 bits                                             |
//! | `0x…`, `0b…`                       | bits; the rightmost digit holds wire 0                 |
//! | `bytes:…`                          | hexadecimal in byte order: byte k, bit j is wire 8k+j  |
//! | `text:…`, `text:"…"`               | characters; a text shorter than the input is filled up |
//! |                                    | with zeros                                             |
//! | `[…,…]`                            | a list of these: the elements of an input, or a value  |
//! |                                    | for each cycle                                         |
//! | `u8:[…]`, `i16:[…]`, `f32:[…]`     | a list with the type of its elements                   |
//! | `@FILE`                            | the contents of a file: a value as in the rows above,  |
//! |                                    | one such value per line, or JSON                       |
//! | `@FILE.json`                       | a value in JSON; or all values of the party, as one    |
//! |                                    | object with the names of the inputs                    |
//! | `@FILE.csv:COLUMN`                 | a column of a table whose first line names the columns |
//! | `u8:@FILE`, `u32:@FILE.csv:COLUMN` | a list in a file or a column, with the type of its     |
//! |                                    | elements                                               |
//! | `bytes:@FILE`, `@FILE.bin`         | raw bytes, in the order of `bytes:…`                   |
//! | `text:@FILE`                       | the characters of a file, without the final line end   |
//! | `-`, `bytes:-`, `text:@-`          | the same as `@FILE`, `bytes:@FILE` and `text:@FILE`,   |
//! |                                    | from standard input (once per command)                 |
//! | nothing                            | a party without inputs                                 |
//!
//! The name of a file and the prefix decide how it is read, never its contents. A text file that is
//! read as raw bytes is an error, and so is the reverse.
//!
//! In JSON a value is a number, a string in the grammar of the rows above `@FILE` (for a text
//! input: the text itself), or an array of these. A list has one element per cycle for a per-cycle
//! port, or the elements of a port, lowest first. If a party has one input, its value may stand
//! without the object. An input that is a set, as in `psi`, takes a list in any order, with any
//! number of elements up to the input's count.
//!
//! The circuit declares what a number means to a port
//! ([`ElementType`](halfgate_circuit::ElementType)), and a number outside the range of this type is
//! an error. Without a declaration, as in a Bristol file, a number is an integer of the port's
//! width; negative numbers are in two's complement. A list of several elements then needs a type
//! before it, unless it has one element for each bit.
//!
//! A per-cycle port takes the bytes of all cycles together; each cycle's value starts a new byte.
//! If the number of cycles does not come from the value itself, a port of one bit, or a port
//! without a declared type, also takes one integer. Its bits are fed to the port cycle by cycle,
//! the lowest first.
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
