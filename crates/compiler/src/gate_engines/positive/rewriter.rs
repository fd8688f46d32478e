//! Rewrites the gates of a circuit one by one, without inversions.

use super::Inversions;
use super::recent::{Both, Recent};
use super::sum::Sum;
use crate::dead::rename_ports;
use crate::uses::Use;
use crate::wire_map::WireMap;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Gates, Wire};
use std::io;

/// A sum waits during this number of gates for readers that may shorten it. The terms of the sum
/// stay alive meanwhile.
pub(super) const WAIT: usize = 256;

/// Returns the new bit of an old wire.
fn name(names: &WireMap, wire: Wire) -> Bit {
    Bit::from_code(names.get(wire).expect("a wire is remembered up to its last use"))
}

/// Marks a wire that waits, in place of its name.
const WAITING: u32 = u32::MAX - 1;

/// A wire without a gate yet.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    /// The wire's value as a sum.
    sum: Sum,
    /// Present if the first term of `sum` is an AND for which no gate exists yet. Then the wire can
    /// also be computed by this AND with inverted inputs, without the other terms of the sum. The
    /// flag is true if the wire is the inverse of that AND.
    and: Option<(Gate, bool)>,
}

/// Reads a circuit's gates and builds the rewritten ones.
pub(super) struct Rewriter {
    /// The first gate wire, which is the same in the old and the new circuit.
    first: usize,
    inversions: Inversions,
    /// Codes of the new bits of gate wires alive, or [`WAITING`].
    pub(super) names: WireMap,
    /// The waiting wires. The index is the wire's number modulo [`WAIT`].
    pub(super) waiting: Vec<Option<Waiting>>,
    pub(super) gates: Gates,
    recent: Recent,
    /// Wires that ANDs read inverted, for which `inversions_at_inputs` was increased. The index is
    /// the wire's number modulo [`WAIT`].
    inverted: Vec<Option<Wire>>,
    inversions_at_inputs: usize,
}

impl Rewriter {
    /// Starts without gates. The first gate will drive wire `first`.
    pub(super) fn new(first: usize, inversions: Inversions) -> Rewriter {
        Rewriter {
            first,
            inversions,
            names: WireMap::new(),
            waiting: vec![None; WAIT],
            gates: Gates::new(),
            recent: Recent::new(),
            inverted: vec![None; WAIT],
            inversions_at_inputs: 0,
        }
    }

    /// Number of new wires so far: inputs, flip-flops, gates.
    pub(super) fn wires(&self) -> usize {
        self.first + self.gates.len()
    }

    /// Rewrites the old gate that drives `wire`. If `target` is present, it decides whether the new
    /// label is that of the wire's inverse.
    pub(super) fn rewrite(
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

    /// Rewrites an XOR.
    fn xor(&mut self, a: Wire, b: Wire, fate: Use) -> io::Result<Bit> {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(a), Some(b)) = (known_a.as_bit(), known_b.as_bit()) {
            let made = self.push(Gate::xor(plain(a), plain(b), false))?;
            return Ok(Bit::new(made, a.is_inverted() ^ b.is_inverted()));
        }
        let len = known_a.plus(known_b).shortened(&self.recent).terms().len();
        for (index, wire) in [a, b].into_iter().enumerate() {
            let is_last = fate.is_last(index);
            // If other gates read the wire too, its gates are made once for all readers.
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

    /// Rewrites the AND of two new bits that drives the old `wire`.
    fn and(&mut self, a: Bit, b: Bit, invert: bool, wire: Wire) -> io::Result<Sum> {
        if let Some(sum) = self.and_if_cheap(a, b)? {
            return Ok(sum.invert_if(invert));
        }
        // The terms to XOR to the AND of the plain wires.
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

    /// Makes the AND of two new bits if it needs no additional XOR, or at most one if both bits are
    /// inverted. Otherwise returns `None`.
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

    /// Returns the new bit for an AND's input.
    fn input(&mut self, bit: Bit) -> io::Result<Bit> {
        Ok(self.bit(wire_of(bit))?.invert_if(bit.is_inverted()))
    }

    /// Returns an old wire as a sum of new wires.
    #[inline]
    fn known(&self, wire: Wire) -> Sum {
        match self.waits(wire) {
            Some(waiting) => waiting.sum,
            None if wire.index() < self.first => Sum::of(wire.bit()),
            None => Sum::of(name(&self.names, wire)),
        }
    }

    /// Returns the entry of the old wire if the wire waits.
    #[inline]
    fn waits(&self, wire: Wire) -> Option<Waiting> {
        let waits = wire.index() >= self.first && self.names.get(wire) == Some(WAITING);
        waits.then(|| self.waiting[wire.index() % WAIT].expect("what waits is among the waiting"))
    }

    /// Returns the new bit of an old wire. If the wire waits, makes its gates now.
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

    /// Makes the gates of an old wire if the wire waits.
    pub(super) fn settle(&mut self, wire: Wire) -> io::Result<()> {
        if self.waits(wire).is_some() { self.bit(wire).map(drop) } else { Ok(()) }
    }

    /// Whether a sum of `len` terms, which contains terms of the old `wire`, takes at most as many
    /// gates as making the wire and XORing it to the other terms.
    fn is_better_in_terms(&self, wire: Wire, len: usize) -> bool {
        match self.waits(wire) {
            Some(Waiting { sum, and: Some(_) }) => len <= sum.terms().len(),
            _ => true,
        }
    }

    /// If the old wire waits with an AND, makes that AND without inversions.
    fn make_first_term(&mut self, wire: Wire) -> io::Result<()> {
        let Some(Waiting { mut sum, and: Some((and, _)) }) = self.waits(wire) else {
            return Ok(());
        };
        let GateKind::And { a, b, .. } = and.kind() else { unreachable!("an AND waits") };
        sum.set_first(self.push(Gate::and(plain(a), plain(b), false))?);
        self.waiting[wire.index() % WAIT] = Some(Waiting { sum, and: None });
        Ok(())
    }

    /// Makes the gates of a non-empty sum. The newest term comes last, because its label is
    /// available last.
    fn make(&mut self, sum: Sum) -> io::Result<Bit> {
        let mut terms = sum.terms().to_vec();
        terms.sort_unstable();
        let mut made = terms[0];
        for term in &terms[1..] {
            made = self.push(Gate::xor(made.bit(), term.bit(), false))?;
        }
        Ok(Bit::new(made, sum.inverted))
    }

    /// Counts the inverted inputs of an AND. A wire that was counted shortly before is not counted
    /// again.
    fn count_inversions(&mut self, a: Bit, b: Bit) {
        for bit in [a, b].into_iter().filter(|bit| bit.is_inverted()) {
            let place = &mut self.inverted[wire_of(bit).index() % WAIT];
            if place.replace(wire_of(bit)) != Some(wire_of(bit)) {
                self.inversions_at_inputs += 1;
            }
        }
    }

    /// Approximate number of instructions: the gates, and one for each counted inverted input.
    pub(super) fn instructions(&self) -> usize {
        self.gates.len() + self.inversions_at_inputs
    }

    /// Returns `circuit` with the gates made so far.
    pub(super) fn into_circuit(self, circuit: Circuit) -> Circuit {
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

/// Returns the bit without its inversion.
fn plain(bit: Bit) -> Bit {
    bit.invert_if(bit.is_inverted())
}

/// Returns the wire of a gate's operand.
fn wire_of(bit: Bit) -> Wire {
    bit.wire().expect("gates read no constants")
}
