//! Takes the inversions out of a circuit's gates, for machines that have none.
//!
//! The *polarity* of a wire is what it carries when all inputs and flip-flops are 0. Gates without
//! inversions give 0 there, so they can drive every wire that is 0 itself, and of one that is 1 only
//! the inverse: nothing is left to choose but the gates. An inversion moves through an XOR to
//! what the XOR drives; an inverted output of an AND is a matter of polarity. An AND that reads
//! wires a and b of which one or both are inverted becomes one that reads them as they are, and XORs:
//!
//! - ¬a ∧ b = (a ∧ b) ⊕ b
//! - ¬a ∧ ¬b = ¬((a ∧ b) ⊕ a ⊕ b)
//!
//! Where a ⊕ b is there already, ¬a ∧ b is (a ⊕ b) ∧ b and takes no XOR at all, and often the others
//! need not be there either. The carry of a subtraction is (x ∧ y) ⊕ c with x = a ⊕ c and y = b ⊕ c;
//! if x is the inverted one, it is (x ∧ y) ⊕ y ⊕ c, which is (x ∧ y) ⊕ b. So such a sum waits a while
//! for its readers, and where one XORs a wire to it, terms cancel or join into wires that there are
//! ([`Recent`]) before gates are made of it.
//!
//! A machine that has an instruction to invert may do with fewer gates: one such instruction serves
//! all that read the wire inverted, where each took an XOR of its own. [`with_copies`] is for these.

mod recent;
mod sum;
mod targets;
#[cfg(test)]
mod tests;

use crate::dead::rename_ports;
use crate::pipeline::CompileError;
use crate::uses::{Use, Uses};
use crate::wire_map::WireMap;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Gates, Wire};
use recent::{Both, Recent};
use std::io;
use sum::Sum;
use targets::Targets;

/// Gates that a sum waits for readers that may shorten it. No longer, as its terms stay alive.
const WAIT: usize = 256;

/// `circuit`, which has no dead gates and whose uses are `uses`, without copies, and with gates that
/// invert nothing. Outputs and next states of flip-flops may be inverted. There are as many ANDs; a
/// gate that nobody reads may be among the gates.
///
/// Memory: the wires alive at once, output bits and flip-flops; 160 KiB.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn positive(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let rewriter = run(&circuit, uses, Inversions::Rewritten)?;
    Ok(rewriter.into_circuit(circuit))
}

/// As [`positive`], but inputs of ANDs may be inverted, and so may copies, which are for instructions
/// that invert: of two ways to place them the one that takes fewer instructions in all.
///
/// # Errors
/// As for [`positive`].
pub(crate) fn with_copies(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let at_inputs = run(&circuit, Uses::of(&circuit)?, Inversions::AtInputs)?;
    let in_copies = run(&circuit, uses, Inversions::InCopies)?;
    let is_better = in_copies.instructions() < at_inputs.instructions();
    Ok(if is_better { in_copies } else { at_inputs }.into_circuit(circuit))
}

/// Where inversions may stay, other than at outputs and at what flip-flops take next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inversions {
    /// Nowhere.
    Rewritten,
    /// At the inputs of ANDs, where to rewrite them would take an XOR more.
    AtInputs,
    /// There, and in copies that invert a wire for several ANDs, or for what is made of it.
    InCopies,
}

/// Takes all of the circuit's gates through a rewriter.
fn run(
    circuit: &Circuit,
    mut uses: Uses,
    inversions: Inversions,
) -> Result<Rewriter, CompileError> {
    let mut rewriter = Rewriter {
        first: circuit.first_gate_wire(),
        inversions,
        names: WireMap::new(),
        waiting: vec![None; WAIT],
        gates: Gates::new(),
        recent: Recent::new(),
        inverted: vec![None; WAIT],
        inversions_at_inputs: 0,
    };
    let mut targets = match inversions {
        Inversions::InCopies => Some(Targets::of(circuit)?),
        Inversions::AtInputs | Inversions::Rewritten => None,
    };
    for (wire, gate) in (circuit.first_gate_wire()..).zip(circuit.gates.iter()) {
        let wire = Wire::new(wire as u32);
        rewriter.settle(Wire::new(wire.number().saturating_sub(WAIT as u32)))?;
        let target = targets.as_mut().map_or(Ok(None), |targets| targets.next(gate))?;
        rewriter.rewrite(wire, gate, uses.next(gate)?, target)?;
        // A step makes fewer than eight gates, and so does each sum that waits.
        if rewriter.first + rewriter.gates.len() > Wire::MAX as usize - 8 * (WAIT + 2) {
            return Err(CompileError::TooManyWires);
        }
    }
    for wire in circuit.wires().saturating_sub(WAIT)..circuit.wires() {
        rewriter.settle(Wire::new(wire as u32))?;
    }
    Ok(rewriter)
}

/// What an old wire is in new ones.
fn name(names: &WireMap, wire: Wire) -> Bit {
    Bit::from_code(names.get(wire).expect("a wire is remembered up to its last use"))
}

/// In place of a name: the wire waits.
const WAITING: u32 = u32::MAX - 1;

/// A wire that is not made yet.
#[derive(Clone, Copy)]
struct Waiting {
    /// What the wire is.
    sum: Sum,
    /// If the first term of `sum` is an AND that is not made either: that AND with the inversions of
    /// its inputs, which make the other terms superfluous, and whether the wire is its inverse.
    and: Option<(Gate, bool)>,
}

struct Rewriter {
    /// The first gate wire, old and new.
    first: usize,
    inversions: Inversions,
    /// The new bits that gates' wires alive are, as codes, or [`WAITING`].
    names: WireMap,
    /// The wires that wait, each at its number modulo [`WAIT`].
    waiting: Vec<Option<Waiting>>,
    gates: Gates,
    recent: Recent,
    /// Wires that ANDs read inverted, each at its number modulo [`WAIT`], and how many there were.
    inverted: Vec<Option<Wire>>,
    inversions_at_inputs: usize,
}

impl Rewriter {
    /// Takes the old gate that drives `wire`, whose label should be that of the inverse or not if
    /// there is a `target`.
    fn rewrite(
        &mut self,
        wire: Wire,
        gate: Gate,
        fate: Use,
        target: Option<bool>,
    ) -> io::Result<()> {
        let sum = match gate.kind() {
            GateKind::Xor { a, b, invert } => Sum::of(self.xor(a, b, fate)?.invert_if(invert)),
            GateKind::Copy { a, invert } => Sum::of(self.bit(a)?.invert_if(invert)),
            GateKind::And { a, b, invert } => {
                let (a, b) = (self.input(a)?, self.input(b)?);
                self.and(a, b, invert, wire)?
            }
        };
        for (index, operand) in gate.operands().enumerate() {
            if fate.is_last(index) && self.names.remove(operand) == Some(WAITING) {
                self.waiting[operand.index() % WAIT] = None;
            }
        }
        let name = match sum.as_bit() {
            Some(bit) if target.is_some_and(|inverted| inverted != bit.is_inverted()) => {
                let copy = self.push(Gate::copy(plain(bit), true))?;
                Bit::new(copy, !bit.is_inverted()).code()
            }
            Some(bit) => bit.code(),
            None => {
                self.waiting[wire.index() % WAIT].get_or_insert(Waiting { sum, and: None });
                WAITING
            }
        };
        self.names.insert(wire, name);
        Ok(())
    }

    /// An XOR.
    fn xor(&mut self, a: Wire, b: Wire, fate: Use) -> io::Result<Bit> {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(a), Some(b)) = (known_a.as_bit(), known_b.as_bit()) {
            let made = self.push(Gate::xor(plain(a), plain(b), false))?;
            return Ok(Bit::new(made, a.is_inverted() ^ b.is_inverted()));
        }
        let len = known_a.plus(known_b).shortened(&self.recent).terms().len();
        for (index, wire) in [a, b].into_iter().enumerate() {
            let is_last = fate.is_last(index);
            // What others read as well is made once for all of them.
            if len > 2 && !(is_last && self.is_better_in_terms(wire, len)) {
                self.bit(wire)?;
            } else {
                self.make_first_term(wire)?;
            }
        }
        let sum = self.known(a).plus(self.known(b)).shortened(&self.recent);
        if sum.terms().is_empty() {
            let any = plain(self.bit(a)?);
            return Ok(Bit::new(self.push(Gate::xor(any, any, false))?, sum.inverted));
        }
        self.make(sum)
    }

    /// The AND of two new bits that drives the old `wire`.
    fn and(&mut self, a: Bit, b: Bit, invert: bool, wire: Wire) -> io::Result<Sum> {
        if let Some(sum) = self.and_if_cheap(a, b)? {
            return Ok(sum.invert_if(invert));
        }
        // What the AND differs by from that of the wires as they are.
        let more = match (a.is_inverted(), b.is_inverted()) {
            (true, true) => Sum::of(a).plus(Sum::of(b)).invert_if(true),
            (true, _) => Sum::of(b),
            _ => Sum::of(a),
        };
        if self.inversions == Inversions::Rewritten {
            let made = self.push(Gate::and(plain(a), plain(b), false))?;
            return Ok(Sum::of(made.bit()).plus(more).invert_if(invert));
        }
        let place = wire.index() % WAIT;
        let unmade = Wire::new(Wire::MAX - 2 - place as u32);
        let sum = Sum::of(unmade.bit()).plus(more).invert_if(invert);
        self.waiting[place] = Some(Waiting { sum, and: Some((Gate::and(a, b, false), invert)) });
        Ok(sum)
    }

    /// Makes the AND of two new bits, if it takes one XOR more at most (where both are inverted) or
    /// none.
    fn and_if_cheap(&mut self, a: Bit, b: Bit) -> io::Result<Option<Sum>> {
        let (x, y) = (plain(a), plain(b));
        let both = self.recent.xor(wire_of(x), wire_of(y));
        let (gate, more) = match (a.is_inverted(), b.is_inverted(), both) {
            (false, false, _) | (true, true, Some(Both::Nothing)) => (Gate::and(x, y, false), None),
            (true, true, Some(Both::One(both))) => (Gate::and(x, y, false), Some(both)),
            (true, false, Some(Both::One(both))) => (Gate::and(both.bit(), y, false), None),
            (false, true, Some(Both::One(both))) => (Gate::and(both.bit(), x, false), None),
            _ => return Ok(None),
        };
        let mut sum = Sum::of(self.push(gate)?.bit());
        if let Some(both) = more {
            sum = sum.plus(Sum::of(both.bit()));
        }
        Ok(Some(sum.invert_if(a.is_inverted() && b.is_inverted())))
    }

    /// An input of an AND, as a new bit.
    fn input(&mut self, bit: Bit) -> io::Result<Bit> {
        Ok(self.bit(wire_of(bit))?.invert_if(bit.is_inverted()))
    }

    /// What an old wire is.
    #[inline]
    fn known(&self, wire: Wire) -> Sum {
        match self.waits(wire) {
            Some(waiting) => waiting.sum,
            None if wire.index() < self.first => Sum::of(wire.bit()),
            None => Sum::of(name(&self.names, wire)),
        }
    }

    /// The old wire, if it waits.
    #[inline]
    fn waits(&self, wire: Wire) -> Option<Waiting> {
        let waits = wire.index() >= self.first && self.names.get(wire) == Some(WAITING);
        waits.then(|| self.waiting[wire.index() % WAIT].expect("what waits is among the waiting"))
    }

    /// The new bit that an old wire is, made now if it waits.
    fn bit(&mut self, wire: Wire) -> io::Result<Bit> {
        let bit = match self.waits(wire) {
            None if wire.index() < self.first => return Ok(wire.bit()),
            None => return Ok(name(&self.names, wire)),
            Some(Waiting { and: Some((and, invert)), .. }) => {
                let GateKind::And { a, b, .. } = and.kind() else { unreachable!("an AND waits") };
                let bit = match self.and_if_cheap(a, b)? {
                    Some(sum) => self.make(sum)?,
                    None => {
                        self.count_inversions(a, b);
                        self.push(and)?.bit()
                    }
                };
                bit.invert_if(invert)
            }
            Some(Waiting { sum, .. }) => self.make(sum.shortened(&self.recent))?,
        };
        self.waiting[wire.index() % WAIT] = None;
        self.names.insert(wire, bit.code());
        Ok(bit)
    }

    /// Makes an old wire if it waits.
    fn settle(&mut self, wire: Wire) -> io::Result<()> {
        if self.waits(wire).is_some() { self.bit(wire).map(drop) } else { Ok(()) }
    }

    /// Whether a sum of `len` terms, some of them of the old `wire`, takes no more gates than to make
    /// the wire and add it.
    fn is_better_in_terms(&self, wire: Wire, len: usize) -> bool {
        match self.waits(wire) {
            Some(Waiting { sum, and: Some(_) }) => len <= sum.terms().len(),
            _ => true,
        }
    }

    /// Makes the AND, without inversions, of an old wire that waits with one.
    fn make_first_term(&mut self, wire: Wire) -> io::Result<()> {
        let Some(Waiting { mut sum, and: Some((and, _)) }) = self.waits(wire) else {
            return Ok(());
        };
        let GateKind::And { a, b, .. } = and.kind() else { unreachable!("an AND waits") };
        sum.set_first(self.push(Gate::and(plain(a), plain(b), false))?);
        self.waiting[wire.index() % WAIT] = Some(Waiting { sum, and: None });
        Ok(())
    }

    /// The gates of a sum that is not empty. The newest term comes last, as it is known last.
    fn make(&mut self, sum: Sum) -> io::Result<Bit> {
        let mut terms = sum.terms().to_vec();
        terms.sort_unstable();
        let mut made = terms[0];
        for term in &terms[1..] {
            made = self.push(Gate::xor(made.bit(), term.bit(), false))?;
        }
        Ok(Bit::new(made, sum.inverted))
    }

    /// Counts an AND's inputs that are read inverted, if that was not so shortly before.
    fn count_inversions(&mut self, a: Bit, b: Bit) {
        for bit in [a, b].into_iter().filter(|bit| bit.is_inverted()) {
            let place = &mut self.inverted[wire_of(bit).index() % WAIT];
            if place.replace(wire_of(bit)) != Some(wire_of(bit)) {
                self.inversions_at_inputs += 1;
            }
        }
    }

    /// About how many instructions the gates take, where an input that is inverted takes one, too.
    fn instructions(&self) -> usize {
        self.gates.len() + self.inversions_at_inputs
    }

    /// `circuit` with the gates that there are now.
    fn into_circuit(self, circuit: Circuit) -> Circuit {
        let Rewriter { first, names, gates, .. } = self;
        rename_ports(circuit, gates, |wire| match wire.index() < first {
            true => wire.bit(),
            false => name(&names, wire),
        })
    }

    #[inline]
    fn push(&mut self, gate: Gate) -> io::Result<Wire> {
        let wire = Wire::new((self.first + self.gates.len()) as u32);
        self.gates.push(gate)?;
        self.recent.push(gate, wire);
        Ok(wire)
    }
}

/// The bit without its inversion.
fn plain(bit: Bit) -> Bit {
    bit.invert_if(bit.is_inverted())
}

/// The wire of a gate's operand.
fn wire_of(bit: Bit) -> Wire {
    bit.wire().expect("gates read no constants")
}
