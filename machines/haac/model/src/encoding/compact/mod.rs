//! The encoding `compact`: an operand is written as its distance from the output, relative to the
//! distances of neighbouring operands. Lossless; about half as long as [`plain`](super::plain).
//!
//! In a scheduled row, gates are alike: operands are at about the same distance from their outputs
//! as those of neighbouring gates, or of the previous row. So an operand is not written as a slot,
//! but as its *distance* d, from 1 to n (the window's labels): the output's slot minus the
//! operand's, modulo n. A *class* defines how the distance is encoded: the distance with which it
//! is compared, and the width of the field:
//!
//! | class        | the operand                                                                |
//! |--------------|----------------------------------------------------------------------------|
//! | `oor`        | comes from the out-of-range queue; no field                                |
//! | `left w`     | d is that of the previous operand in the column, plus or minus a number    |
//! | `up w`       | as `left`, but from the operand at the same place in the previous group    |
//! | `cross w`    | as `left`, but from the previous operand in the other column; for a second |
//! |              | operand this is usually the first operand of its own instruction           |
//! | `recent k w` | as `left`, but from one of the column's last 2^k operands (k + w bits)     |
//! | `distance w` | d - 1 in w bits                                                            |
//! | `full`       | the slot itself, 0 for out of range                                        |
//!
//! A number in w bits is from 1 to 2^(w-1) with a sign in the top bit; w = 0 means "equal". In
//! `recent`, the k bits select the operand of the column (0: the last). The w bits are a number in
//! two's complement, which is added to that operand's distance.
//!
//! Each of the two *columns* (first operands, second operands) takes its classes from one of the
//! tables in `machines/haac/spec/isa.toml`. A table has 2^k classes, so a class takes k bits.
//!
//! The tables were fitted to the programs of VIP-Bench in the order `haac:best`, for 16 engines and
//! a window of 2 MB. In this order and for this machine, two programs outside the fit take 2.54
//! (SHA-256) and 2.48 (AES-128 as a Bristol file) bytes per instruction.
//!
//! The stream is a sequence of *groups* of G places: one row or, with fewer than 16 engines, as
//! many rows as are needed for 16 places. The last group is padded with no-ops. A group consists
//! of, in this order:
//!
//! 1. two bits for the operations (0: all XOR, 1: all AND, 2: one bit per place, set for AND,
//!    3: two bits per place), two for live bits (0: none set, 1: all set, 2: one bit per
//!    instruction), and for each column the number of its table;
//! 2. operations, one after the other, unless they are all the same;
//! 3. live bits of all places other than no-ops, unless none or all are set;
//! 4. classes of the first operands of all places other than no-ops; then, for each XOR and AND,
//!    the class of the second operand, and for each UNARY a bit, set for INV;
//! 5. the fields of the first operands, then those of the second.
//!
//! All distances for comparison start as 1, and out-of-range operands do not change them. Parts 1,
//! 2 and 4 have fixed widths and determine all other lengths in a group. The positions of all
//! fields, and all distances, are sums over places, so hardware can decode a row per cycle in a few
//! stages.

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

/// Smallest and largest width, in bits, of the index in the class `recent`.
const REACH: [u8; 2] = [2, 4];
/// Number of operands that the widest index can select.
const RECENT: usize = 1 << REACH[1];
/// Number of different widths of the index.
const REACHES: usize = (REACH[1] - REACH[0] + 1) as usize;

// Tables must not need more history than is kept; if one does, machines/haac/spec/isa.toml is
// wrong.
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

/// Bits that select a class of the table.
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
