//! Yosys' cells: what each kind computes.

mod bitwise;
mod shift;
mod table;
mod word;

pub(super) use bitwise::Bitwise;
pub(super) use word::Word;

use super::netlist::{Cell, Signal};
use halfgate_circuit::{Bit, Builder};

/// What a kind of cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Register,
    Latch,
    TriState,
    /// Nothing that a circuit has: assertions, messages.
    Ignored,
    /// Each bit of the output comes of one bit of each operand.
    Bitwise(Bitwise),
    /// All bits of the output come of all bits of the operands.
    Word(Word),
    /// A memory that is never written.
    Table,
    Unknown,
}

impl Kind {
    pub(super) fn of(name: &str) -> Kind {
        if let Some(bitwise) = Bitwise::of(name) {
            return Kind::Bitwise(bitwise);
        }
        if let Some(word) = Word::of(name) {
            return Kind::Word(word);
        }
        match name {
            "$dff" | "$adff" | "$aldff" | "$dffsr" | "$_DFF_P_" | "$_DFF_N_" => Kind::Register,
            "$dlatch" | "$adlatch" | "$dlatchsr" | "$sr" => Kind::Latch,
            _ if name.starts_with("$_DLATCH") || name.starts_with("$_SR_") => Kind::Latch,
            "$tribuf" | "$_TBUF_" => Kind::TriState,
            "$assert" | "$assume" | "$cover" | "$live" | "$fair" | "$print" | "$check"
            | "$scopeinfo" | "$specify2" | "$specify3" => Kind::Ignored,
            "$mem_v2" => Kind::Table,
            _ => Kind::Unknown,
        }
    }

    /// The port that its output is.
    pub(super) fn output(self) -> &'static str {
        match self {
            Kind::Register | Kind::Latch => "Q",
            Kind::Table => "RD_DATA",
            _ => "Y",
        }
    }
}

impl Cell {
    /// What bit `bit` of the output depends on.
    pub(super) fn reads(&self, bit: usize) -> Vec<Signal> {
        match self.kind {
            Kind::Bitwise(bitwise) => bitwise.reads(self, bit),
            _ => self.inputs().collect(),
        }
    }

    /// The output, of a cell of words or a table; `None` for what cannot be computed.
    ///
    /// `value` is that of each signal that the cell reads.
    pub(super) fn compute(
        &self,
        b: &mut Builder,
        value: &dyn Fn(Signal) -> Bit,
    ) -> Option<Vec<Bit>> {
        match self.kind {
            Kind::Word(word) => word.compute(self, b, value),
            Kind::Table => table::compute(self, b, value),
            _ => None,
        }
    }
}
