//! Lowered programs as text: [`disassemble`] writes it, [`assemble`] reads it back.
//!
//! ```text
//! haac engines 2 window 16 first w9 ; the shape, and the address of the first output
//! row 0
//!   0: w9 = xor w1(s1) w2(s2)
//!   1: w10 = and w3(s3) w2(s2) #0 live
//! row 1
//!   0: w11 = copy oor(w4 last)
//!   1: nop
//! ```
//!
//! A row has a line for each engine. Outputs and ANDs (`#0`) are numbered in the order of the
//! lines, and the assembler checks the numbers in the text. An operand in the window is named by
//! its address, followed by its slot. An out-of-range operand is named by the address that the
//! engine's queue gives, with `last` if nothing needs that label afterwards. If no wire in the
//! window has the slot of an operand, the slot stands alone: `s5`. Text after a `;`, empty lines
//! and blanks are ignored. Slots and AND numbers may be omitted.

mod read;
mod write;

pub use read::{AsmError, assemble};
pub use write::{DisassembleError, disassemble};

use crate::code::Code;
use crate::machine::Shape;
use halfgate_compiler::spool::Spool;

/// The greatest address: addresses have 31 bits.
const MOST_ADDRESS: u32 = (1 << crate::isa::ADDRESS_BITS) - 1;

/// A lowered program as read from text: its instructions, and the out-of-range words of its
/// engines.
///
/// Memory: the lists' in-memory shares; the rest of the lists is in temporary files.
#[derive(Debug)]
pub struct Listing {
    /// The shape that it is lowered for.
    pub shape: Shape,
    /// The address of the first instruction's output.
    pub first_output: u32,
    /// Instructions in rows, as in [`Code::rows`].
    pub rows: Spool<8>,
    /// Out-of-range words of each engine, as in [`Code::oor`].
    pub oor: Vec<Spool<4>>,
}

/// A borrowed [`Listing`].
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// See [`Listing::shape`].
    pub shape: Shape,
    /// See [`Listing::first_output`].
    pub first_output: u32,
    /// See [`Listing::rows`].
    pub rows: &'a Spool<8>,
    /// See [`Listing::oor`].
    pub oor: &'a [Spool<4>],
}

impl<'a> From<&'a Code> for View<'a> {
    fn from(code: &'a Code) -> View<'a> {
        let Code { shape, first_output, ref rows, ref oor, .. } = *code;
        View { shape, first_output, rows, oor }
    }
}

impl<'a> From<&'a Listing> for View<'a> {
    fn from(listing: &'a Listing) -> View<'a> {
        let Listing { shape, first_output, ref rows, ref oor } = *listing;
        View { shape, first_output, rows, oor }
    }
}

/// The address after `address`; `None` if it would exceed [`MOST_ADDRESS`].
fn next_address(shape: Shape, address: u32) -> Option<u32> {
    let next = if address < MOST_ADDRESS { shape.next_address(address) } else { u32::MAX };
    (next <= MOST_ADDRESS).then_some(next)
}

#[cfg(test)]
mod tests;
