//! The cells of Yosys, and the function of each kind.

mod bitwise;
mod cell;
mod shift;
mod table;
mod word;

pub(super) use bitwise::Bitwise;
pub(super) use cell::{Cell, Signal};
pub(super) use word::Word;

use halfgate_circuit::{Bit, Builder};

/// The port of an instance that has the bits of all input ports, in the order of ports.
pub(super) const INSTANCE_INPUTS: &str = "inputs";
/// The port of an instance that has the bits of all output ports.
pub(super) const INSTANCE_OUTPUTS: &str = "outputs";

/// The kind of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Register,
    Latch,
    TriState,
    /// A cell without a counterpart in circuits: assertions, messages.
    Ignored,
    /// Each bit of the output depends on one bit of each operand.
    Bitwise(Bitwise),
    /// Each bit of the output may depend on all bits of the operands.
    Word(Word),
    /// A memory that is never written.
    Table,
    /// An instance of a function's module, by the module's number.
    Instance(u32),
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
            "$dff" | "$adff" | "$aldff" | "$dffsr" => Kind::Register,
            _ if is_register_gate(name) => Kind::Register,
            "$dlatch" | "$adlatch" | "$dlatchsr" | "$sr" => Kind::Latch,
            _ if name.starts_with("$_DLATCH") || name.starts_with("$_SR_") => Kind::Latch,
            "$tribuf" | "$_TBUF_" => Kind::TriState,
            "$assert" | "$assume" | "$cover" | "$live" | "$fair" | "$print" | "$check"
            | "$scopeinfo" | "$specify2" | "$specify3" => Kind::Ignored,
            "$mem_v2" => Kind::Table,
            _ => Kind::Unknown,
        }
    }

    /// Returns the name of the output port.
    pub(super) fn output(self) -> &'static str {
        match self {
            Kind::Register | Kind::Latch => "Q",
            Kind::Table => "RD_DATA",
            Kind::Instance(_) => INSTANCE_OUTPUTS,
            _ => "Y",
        }
    }
}

/// Whether `name` is a one-bit flip-flop without an enable. The letters after the kind are the edge
/// of the clock; then a letter for each asynchronous set or clear, P if it is active at 1 and N if
/// at 0; then the reset value.
fn is_register_gate(name: &str) -> bool {
    let Some((kind, letters)) = name.strip_prefix("$_").and_then(|name| name.split_once('_'))
    else {
        return false;
    };
    let letters = letters.trim_end_matches('_').as_bytes();
    let edges = |letters: &[u8]| letters.iter().all(|letter| matches!(letter, b'N' | b'P'));
    match (kind, letters) {
        ("DFF", [_] | [_, _, b'0' | b'1']) => edges(&letters[..letters.len().min(2)]),
        ("ALDFF", [_, _]) | ("DFFSR", [_, _, _]) => edges(letters),
        _ => false,
    }
}

impl Cell {
    /// Returns the signals that bit `bit` of the output depends on.
    pub(super) fn reads(&self, bit: usize) -> Vec<Signal> {
        match self.kind {
            Kind::Bitwise(bitwise) => bitwise.reads(self, bit),
            _ => self.inputs().collect(),
        }
    }

    /// Computes the output of a word cell or a table, or returns `None` if that is not possible.
    ///
    /// `value` returns the value of each signal that the cell reads.
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
