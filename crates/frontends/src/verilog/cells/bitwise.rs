//! Cells that compute each bit of their output separately.
//!
//! A word of such cells may read other bits of itself. For example, a carry ripples through `assign
//! c = g | p & {c, 1'b0}`. This is not a loop.

use super::{Cell, Signal};
use halfgate_circuit::{Bit, Builder};

/// A function of one bit of each operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Bitwise {
    Buffer,
    Not,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Xnor,
    /// `a & !b`
    AndNot,
    /// `a | !b`
    OrNot,
    /// `s ? b : a`
    Mux,
    /// `!(s ? b : a)`
    NotMux,
    /// Of several words the one whose bit of `s` is 1, or `a` if all bits of `s` are 0.
    ParallelMux,
    /// `!(a & b | c)`
    AndOrNot,
    /// `!((a | b) & c)`
    OrAndNot,
    /// `!(a & b | c & d)`
    AndAndOrNot,
    /// `!((a | b) & (c | d))`
    OrOrAndNot,
    /// `a ^ b ^ c`
    Xor3,
    /// At least two of three.
    Majority,
    /// `(a ^ b) & c`
    XorAnd,
    /// `a & b ^ c`
    AndXor,
}

impl Bitwise {
    /// Returns the function of a cell by the cell's name: a word cell of Yosys (`$and`), a gate of
    /// Yosys (`$_AND_`), or one of the [cells that ABC may use](super::super::COSTS).
    pub(super) fn of(name: &str) -> Option<Bitwise> {
        Some(match name {
            "$pos" | "$_BUF_" | "$buf" | "HALFGATE_BUF" => Bitwise::Buffer,
            "$not" | "$_NOT_" | "HALFGATE_NOT" => Bitwise::Not,
            "$and" | "$_AND_" | "HALFGATE_AND" => Bitwise::And,
            "$_NAND_" => Bitwise::Nand,
            "$or" | "$_OR_" => Bitwise::Or,
            "$_NOR_" => Bitwise::Nor,
            "$xor" | "$_XOR_" | "HALFGATE_XOR" => Bitwise::Xor,
            "$xnor" | "$_XNOR_" => Bitwise::Xnor,
            "$_ANDNOT_" => Bitwise::AndNot,
            "$_ORNOT_" => Bitwise::OrNot,
            "$mux" | "$_MUX_" | "HALFGATE_MUX" => Bitwise::Mux,
            "$_NMUX_" => Bitwise::NotMux,
            "$pmux" => Bitwise::ParallelMux,
            "$_AOI3_" => Bitwise::AndOrNot,
            "$_OAI3_" => Bitwise::OrAndNot,
            "$_AOI4_" => Bitwise::AndAndOrNot,
            "$_OAI4_" => Bitwise::OrOrAndNot,
            "HALFGATE_XOR3" => Bitwise::Xor3,
            "HALFGATE_MAJORITY" => Bitwise::Majority,
            "HALFGATE_XOR_AND" => Bitwise::XorAnd,
            "HALFGATE_AND_XOR" => Bitwise::AndXor,
            _ => return None,
        })
    }

    /// Returns the signals that bit `bit` of the output depends on, in the order that
    /// [`compute`](Bitwise::compute) expects.
    pub(super) fn reads(self, cell: &Cell, bit: usize) -> Vec<Signal> {
        let operand = |port| operand(cell, port, bit);
        let select = || cell.signals("S").first().copied().unwrap_or(Signal::Undefined);
        match self {
            Bitwise::Buffer | Bitwise::Not => vec![operand("A")],
            Bitwise::Mux | Bitwise::NotMux => vec![operand("A"), operand("B"), select()],
            Bitwise::ParallelMux => {
                let width = cell.signals("A").len();
                let words = cell.signals("B").iter().skip(bit).step_by(width.max(1)).copied();
                let pairs = cell.signals("S").iter().copied().zip(words);
                [operand("A")].into_iter().chain(pairs.flat_map(|(s, b)| [s, b])).collect()
            }
            Bitwise::AndOrNot
            | Bitwise::OrAndNot
            | Bitwise::Xor3
            | Bitwise::Majority
            | Bitwise::XorAnd
            | Bitwise::AndXor => vec![operand("A"), operand("B"), operand("C")],
            Bitwise::AndAndOrNot | Bitwise::OrOrAndNot => {
                vec![operand("A"), operand("B"), operand("C"), operand("D")]
            }
            _ => vec![operand("A"), operand("B")],
        }
    }

    /// Computes the output bit from `x`, the values of the signals that it [reads](Bitwise::reads).
    pub(in super::super) fn compute(self, b: &mut Builder, x: &[Bit]) -> Bit {
        match self {
            Bitwise::Buffer => x[0],
            Bitwise::Not => !x[0],
            Bitwise::And => b.and(x[0], x[1]),
            Bitwise::Nand => b.nand(x[0], x[1]),
            Bitwise::Or => b.or(x[0], x[1]),
            Bitwise::Nor => b.nor(x[0], x[1]),
            Bitwise::Xor => b.xor(x[0], x[1]),
            Bitwise::Xnor => b.xnor(x[0], x[1]),
            Bitwise::AndNot => b.and(x[0], !x[1]),
            Bitwise::OrNot => b.or(x[0], !x[1]),
            Bitwise::Mux => b.mux(x[2], x[1], x[0]),
            Bitwise::NotMux => !b.mux(x[2], x[1], x[0]),
            // At most one choice is taken. So the result is the first word XOR the changes of all
            // choices.
            Bitwise::ParallelMux => x[1..].chunks(2).fold(x[0], |sum, choice| {
                let change = b.xor(choice[1], x[0]);
                let chosen = b.and(choice[0], change);
                b.xor(sum, chosen)
            }),
            Bitwise::AndOrNot => {
                let and = b.and(x[0], x[1]);
                b.nor(and, x[2])
            }
            Bitwise::OrAndNot => {
                let or = b.or(x[0], x[1]);
                b.nand(or, x[2])
            }
            Bitwise::AndAndOrNot => {
                let (first, second) = (b.and(x[0], x[1]), b.and(x[2], x[3]));
                b.nor(first, second)
            }
            Bitwise::OrOrAndNot => {
                let (first, second) = (b.or(x[0], x[1]), b.or(x[2], x[3]));
                b.nand(first, second)
            }
            Bitwise::Xor3 => {
                let sum = b.xor(x[0], x[1]);
                b.xor(sum, x[2])
            }
            Bitwise::Majority => {
                let (first, second) = (b.xor(x[0], x[2]), b.xor(x[1], x[2]));
                let both = b.and(first, second);
                b.xor(both, x[2])
            }
            Bitwise::XorAnd => {
                let differ = b.xor(x[0], x[1]);
                b.and(differ, x[2])
            }
            Bitwise::AndXor => {
                let both = b.and(x[0], x[1]);
                b.xor(both, x[2])
            }
        }
    }
}

/// Returns bit `bit` of an operand, extended to the output's width.
fn operand(cell: &Cell, port: &str, bit: usize) -> Signal {
    let signals = cell.signals(port);
    let beyond = || match signals.last() {
        Some(&top) if cell.number("A_SIGNED") == 1 => top,
        _ => Signal::Constant(false),
    };
    signals.get(bit).copied().unwrap_or_else(beyond)
}
