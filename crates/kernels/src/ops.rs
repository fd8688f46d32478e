//! The operations of a kernel: moves, XORs and ANDs on numbered slots of label memory.
//!
//! XORs and ANDs address the *window*, the first [`WINDOW`] slots, by 16 bits. Moves address all of
//! label memory: the window and the spill area behind it. XORs have no inversion: the lowering
//! tracks each slot's polarity and sets it in the flags of the ANDs and moves that read the slot.

/// Slots that XORs and ANDs can address. Label memory is never smaller, so 16 bits cannot
/// address outside it. 1 MiB of labels.
pub const WINDOW: usize = 1 << 16;

/// `slot[c] = slot[a] ^ slot[b]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Xor {
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
    /// Output.
    pub c: u16,
}

/// `slot[c] = slot[a] & slot[b]`, with one garbled table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct And {
    /// First operand.
    pub a: u16,
    /// Second operand.
    pub b: u16,
    /// Output.
    pub c: u16,
    /// [`And::INVERT_A`] and [`And::INVERT_B`]; other bits are zero.
    pub flags: u16,
}

impl And {
    /// The first input is inverted.
    pub const INVERT_A: u16 = 1;
    /// The second input is inverted.
    pub const INVERT_B: u16 = 2;
}

/// `memory[to] = memory[from]`. If `invert`, the garbler also XORs Δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Move {
    /// Source address.
    pub from: u32,
    /// Target address.
    pub to: u32,
    /// Whether the value is inverted on the way.
    pub invert: bool,
}

/// A step of a chunk: some moves, then some XORs, then some ANDs. A segment has only their counts;
/// in each list it begins where the previous segment ended. Moves and XORs run in order. The ANDs
/// of one segment are independent: none reads or overwrites a slot that another AND of the segment
/// writes, and none overwrites a slot that a later AND of the segment reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Segment {
    /// Number of moves.
    pub moves: u32,
    /// Number of XORs.
    pub xors: u32,
    /// Number of ANDs.
    pub ands: u32,
}

/// A sequence of operations. The counts of the segments add up to the lengths of the lists.
#[derive(Clone, Copy, Debug)]
pub struct Ops<'a> {
    /// The steps.
    pub segments: &'a [Segment],
    /// Moves of all segments.
    pub moves: &'a [Move],
    /// XORs of all segments.
    pub xors: &'a [Xor],
    /// ANDs of all segments.
    pub ands: &'a [And],
    /// Each AND's position in the program's body, XORs counted: the fixed-key suites' tweak.
    pub positions: &'a [u32],
}

impl<'a> Ops<'a> {
    /// Divides the operations between segments, into pieces of at most `most` ANDs, or of one
    /// segment.
    pub fn pieces(self, most: usize) -> impl Iterator<Item = Ops<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            if rest.segments.is_empty() {
                return None;
            }
            let (count, [moves, xors, ands]) = first_piece(rest.segments, most);
            let (segments, later) = rest.segments.split_at(count);
            let (moves, later_moves) = rest.moves.split_at(moves);
            let (xors, later_xors) = rest.xors.split_at(xors);
            let (positions, later_positions) = rest.positions.split_at(ands);
            let (ands, later_ands) = rest.ands.split_at(ands);
            rest = Ops {
                segments: later,
                moves: later_moves,
                xors: later_xors,
                ands: later_ands,
                positions: later_positions,
            };
            Some(Ops { segments, moves, xors, ands, positions })
        })
    }
}

/// How many of `segments` are one piece, and their moves, XORs and ANDs.
fn first_piece(segments: &[Segment], most: usize) -> (usize, [usize; 3]) {
    let mut counts = [0; 3];
    for (index, segment) in segments.iter().enumerate() {
        let ands = counts[2] + segment.ands as usize;
        if index > 0 && ands > most {
            return (index, counts);
        }
        counts = [counts[0] + segment.moves as usize, counts[1] + segment.xors as usize, ands];
    }
    (segments.len(), counts)
}

/// How *wide* operations address label memory: each runs on many lanes, such as the calls of a map.
///
/// Operand x, a slot of an XOR or AND or an address of a move, has one label per lane: those at the
/// addresses `places[x] .. places[x] + lanes`. Two operands have the same place or do not overlap.
/// AND j is `lanes` ANDs with consecutive numbers, consecutive tables, and the positions
/// `positions[j] * lanes + lane`.
#[derive(Clone, Copy, Debug)]
pub struct Wide<'a> {
    /// Number of lanes, at least 1.
    pub lanes: usize,
    /// Address of each operand's first label.
    pub places: &'a [u32],
}
