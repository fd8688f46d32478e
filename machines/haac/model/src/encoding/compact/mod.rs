//! The encoding `compact`: operands by how far they lie behind the output, and that by what it has
//! in common with the neighbours'. Lossless; about half as long as [`plain`](super::plain).
//!
//! A scheduled row holds gates that are alike: their operands lie equally far behind their outputs,
//! or as far as those of the row before, or a few places off. So an operand is not written as a
//! slot, but as its *distance* d, from 1 to n (the window's labels): the output's slot less the
//! operand's, modulo n. It is told by a *class*, which says what it is compared with, and a field
//! whose width the class gives:
//!
//! | class | the operand |
//! |---|---|
//! | `oor` | comes from the out-of-range queue; no field |
//! | `left w` | d is that of the operand before in the same column, plus or minus a number |
//! | `up w` | the same of the operand at the same place in the group before |
//! | `cross w` | the same of the other column: for b the a before it or beside it, for a the b before |
//! | `recent k w` | d is that of one of the last 2^k operands of the column (k bits: 0 is the last), plus a two's complement of w bits |
//! | `distance w` | d - 1 in w bits |
//! | `full` | the slot itself, 0 for out of range |
//!
//! A number in w bits is from 1 to 2^(w-1) with a sign, the sign on top; w = 0 says "equal". Each
//! of the two *columns* (first operands, second operands) takes its classes from one of the tables
//! in `machines/haac/spec/isa.toml`, each of which has 2^k classes, so that a class takes k bits.
//!
//! The tables were fitted to the programs of VIP-Bench in the order `haac:best`, for 16 engines and a
//! window of 2 MB. Programs that were not in the fit, so ordered and for that machine: SHA-256 takes
//! 2.54 bytes an instruction, AES-128 as a Bristol file 2.48.
//!
//! The stream is a sequence of *groups* of G places: one row, or as many rows of fewer than 16
//! engines as make 16 places. The last group is filled up with no-ops. A group is, in this order:
//!
//! 1. two bits for the operations (0: all XOR, 1: all AND, 2: a bit each, set for AND, 3: two bits
//!    each), two for live bits (0: none set, 1: all of them, 2: a bit each), and for each column the
//!    number of its table;
//! 2. operations, one after the other, where they are not all the same;
//! 3. live bits of all places that are no no-ops, where they are neither none nor all;
//! 4. classes of the first operands of all places that are no no-ops; classes of the second operands
//!    of XOR and AND, and for UNARY a bit, set for INV;
//! 5. the fields of the first operands, then those of the second.
//!
//! What an operand is compared with starts as 1, and operands that come from the out-of-range queue
//! are passed over. So all the lengths in a group follow from its parts 1, 2 and 4, which have fixed
//! widths, and sums over places give every field's place and every distance: hardware can take a
//! row apart in each cycle, in a few stages.

pub(crate) mod class;
mod costs;
mod decode;
mod encode;
mod history;
mod operand;

pub use class::Class;
pub use decode::Decoder;
pub use encode::Encoder;

use crate::isa::COMPACT_TABLES;
use crate::machine::Shape;

/// The fewest bits, and the most, that say which operand the class `recent` reaches back to.
const REACH: [u8; 2] = [2, 4];
/// How many operands it reaches back at most.
const RECENT: usize = 1 << REACH[1];
/// How many different reaches there are.
const REACHES: usize = (REACH[1] - REACH[0] + 1) as usize;

// A table that reaches further back than the history goes is a mistake in
// machines/haac/spec/isa.toml.
const _: () = {
    let mut t = 0;
    while t < COMPACT_TABLES.len() {
        let mut c = 0;
        while c < COMPACT_TABLES[t].len() {
            if let Class::Recent(reach, _) = COMPACT_TABLES[t][c] {
                assert!(REACH[0] <= reach && reach <= REACH[1], "recent reaches 2 to 4 bits back");
            }
            c += 1;
        }
        t += 1;
    }
};

/// The number of tables.
const TABLES: usize = COMPACT_TABLES.len();
/// Bits of a table's number.
const TABLE_BITS: u32 = TABLES.ilog2();

/// Bits of a class of the table.
const fn class_bits(table: &[Class]) -> u32 {
    table.len().ilog2()
}

/// Rows in a group.
pub(super) fn rows_in_group(shape: Shape) -> usize {
    16usize.div_ceil(shape.engines as usize)
}

const OPS_XOR: u64 = 0;
const OPS_AND: u64 = 1;
const OPS_BIT: u64 = 2;
const OPS_TWO_BITS: u64 = 3;

const LIVE_NONE: u64 = 0;
const LIVE_ALL: u64 = 1;
const LIVE_BIT: u64 = 2;
