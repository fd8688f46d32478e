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

use super::recent::{Both, Recent};
use crate::dead::rename_ports;
use crate::pipeline::CompileError;
use crate::uses::{Use, Uses};
use crate::wire_map::WireMap;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Gates, Wire};
use std::io;

/// Gates that a sum waits for readers that may shorten it. No longer, as its terms stay alive.
const WAIT: usize = 256;

/// `circuit`, which has no dead gates and whose uses are `uses`, with gates that invert nothing, and
/// no copies. Outputs and next states of flip-flops may be inverted. There are as many ANDs;
/// a gate that nobody reads may be among the gates.
///
/// Memory: the wires alive at once, output bits and flip-flops; 96 KiB.
///
/// # Errors
/// If a temporary file cannot be written or read, or if there are too many wires.
pub(crate) fn positive(circuit: Circuit, uses: Uses) -> Result<Circuit, CompileError> {
    let Rewriter { first, names, gates, .. } = run(&circuit, uses)?;
    Ok(rename_ports(circuit, gates, |wire| match wire.index() < first {
        true => wire.bit(),
        false => name(&names, wire),
    }))
}

/// Takes all of the circuit's gates through a rewriter.
fn run(circuit: &Circuit, mut uses: Uses) -> Result<Rewriter, CompileError> {
    let mut rewriter = Rewriter {
        first: circuit.first_gate_wire(),
        names: WireMap::new(),
        waiting: vec![None; WAIT],
        gates: Gates::new(),
        recent: Recent::new(),
    };
    for (wire, gate) in (circuit.first_gate_wire()..).zip(circuit.gates.iter()) {
        let wire = Wire::new(wire as u32);
        rewriter.settle(Wire::new(wire.number().saturating_sub(WAIT as u32)))?;
        rewriter.rewrite(wire, gate, uses.next(gate)?)?;
        // A gate makes five at most, and so do the sums that wait.
        if rewriter.first + rewriter.gates.len() > (Wire::MAX as usize) - 5 * (WAIT + 2) {
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

/// In place of a name: the wire is a sum that waits.
const WAITING: u32 = u32::MAX - 1;

/// New wires XORed with each other, and perhaps inverted.
#[derive(Clone, Copy)]
struct Sum {
    terms: [Wire; 6],
    len: usize,
    inverted: bool,
}

struct Rewriter {
    /// The first gate wire, old and new.
    first: usize,
    /// The new bits that gates' wires alive are, as codes, or [`WAITING`].
    names: WireMap,
    /// The sums that wait, each at its wire's number modulo [`WAIT`].
    waiting: Vec<Option<Sum>>,
    gates: Gates,
    recent: Recent,
}

impl Rewriter {
    /// Takes the old gate that drives `wire`.
    fn rewrite(&mut self, wire: Wire, gate: Gate, fate: Use) -> io::Result<()> {
        let sum = match gate.kind() {
            GateKind::Xor { a, b, invert } => self.xor(a, b, fate)?.invert_if(invert),
            GateKind::And { a, b, invert } => self.and(a, b)?.invert_if(invert),
            GateKind::Copy { a, invert } => Sum::of(self.bit(a)?.invert_if(invert)),
        };
        for (index, operand) in gate.operands().enumerate() {
            if fate.is_last(index) && self.names.remove(operand) == Some(WAITING) {
                self.waiting[operand.index() % WAIT] = None;
            }
        }
        let name = match sum.as_bit() {
            Some(bit) => bit.code(),
            None => {
                self.waiting[wire.index() % WAIT] = Some(sum);
                WAITING
            }
        };
        self.names.insert(wire, name);
        Ok(())
    }

    /// An XOR: a single wire.
    fn xor(&mut self, a: Wire, b: Wire, fate: Use) -> io::Result<Sum> {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(a), Some(b)) = (known_a.as_bit(), known_b.as_bit()) {
            let inverted = a.is_inverted() ^ b.is_inverted();
            let gate = Gate::xor(a, b, inverted);
            return Ok(Sum::of(Bit::new(self.push(gate)?, inverted)));
        }
        let mut sum = self.shorten(known_a.plus(known_b));
        if sum.len > 2 {
            // What others read as well is made once for all of them.
            for (index, wire) in [a, b].into_iter().enumerate() {
                if !fate.is_last(index) {
                    self.bit(wire)?;
                }
            }
            sum = self.shorten(self.known(a).plus(self.known(b)));
        }
        if sum.len == 0 {
            let any = self.bit(a)?;
            let zero = self.push(Gate::xor(any, any, false))?;
            return Ok(Sum::of(Bit::new(zero, sum.inverted)));
        }
        Ok(Sum::of(self.make(sum)?))
    }

    /// An AND, perhaps with XORs to come.
    fn and(&mut self, a: Bit, b: Bit) -> io::Result<Sum> {
        let wire = |bit: Bit| bit.wire().expect("gates read no constants");
        let a = self.bit(wire(a))?.invert_if(a.is_inverted());
        let b = self.bit(wire(b))?.invert_if(b.is_inverted());
        let plain = |bit: Bit| bit.invert_if(bit.is_inverted());
        let (inverted, [a, b]) = ([a.is_inverted(), b.is_inverted()], [plain(a), plain(b)]);
        let other = if inverted[0] { b } else { a };
        if inverted[0] != inverted[1]
            && let Some(Both::One(both)) = self.recent.xor(wire(a), wire(b))
        {
            return Ok(Sum::of(self.push(Gate::and(both.bit(), other, false))?.bit()));
        }
        let and = Sum::of(self.push(Gate::and(a, b, false))?.bit());
        Ok(match inverted {
            [false, false] => and,
            [true, true] => {
                let both = self.shorten(Sum::of(a).plus(Sum::of(b)));
                and.plus(both).invert_if(true)
            }
            _ => and.plus(Sum::of(other)),
        })
    }

    /// What an old wire is.
    #[inline]
    fn known(&self, wire: Wire) -> Sum {
        if wire.index() < self.first {
            return Sum::of(wire.bit());
        }
        match self.names.get(wire) {
            Some(WAITING) => {
                self.waiting[wire.index() % WAIT].expect("what waits is among the waiting")
            }
            _ => Sum::of(name(&self.names, wire)),
        }
    }

    /// The new bit that an old wire is, made now if it waits.
    fn bit(&mut self, wire: Wire) -> io::Result<Bit> {
        let sum = self.known(wire);
        if let Some(bit) = sum.as_bit() {
            return Ok(bit);
        }
        let bit = self.make(sum)?;
        self.waiting[wire.index() % WAIT] = None;
        self.names.insert(wire, bit.code());
        Ok(bit)
    }

    /// Makes an old wire if it waits.
    fn settle(&mut self, wire: Wire) -> io::Result<()> {
        if self.names.get(wire) == Some(WAITING) {
            self.bit(wire)?;
        }
        Ok(())
    }

    /// The gates of a sum that is not empty. The newest term comes last, as it is known last.
    fn make(&mut self, mut sum: Sum) -> io::Result<Bit> {
        let terms = &mut sum.terms[..sum.len];
        terms.sort_unstable();
        let mut made = terms[0];
        for term in &terms[1..] {
            made = self.push(Gate::xor(made.bit(), term.bit(), false))?;
        }
        Ok(Bit::new(made, sum.inverted))
    }

    /// The sum with as many terms as possible cancelled or joined into wires that there are.
    fn shorten(&self, mut sum: Sum) -> Sum {
        let mut i = 0;
        'next: while i < sum.len {
            for j in i + 1..sum.len {
                let Some(both) = self.recent.xor(sum.terms[i], sum.terms[j]) else { continue };
                sum.remove(j);
                sum.remove(i);
                if let Both::One(wire) = both {
                    sum.push(wire);
                }
                i = 0;
                continue 'next;
            }
            i += 1;
        }
        sum
    }

    #[inline]
    fn push(&mut self, gate: Gate) -> io::Result<Wire> {
        let wire = Wire::new((self.first + self.gates.len()) as u32);
        self.gates.push(gate)?;
        self.recent.push(gate, wire);
        Ok(wire)
    }
}

impl Sum {
    /// A sum of one term.
    #[inline]
    fn of(bit: Bit) -> Sum {
        let mut terms = [Wire::new(0); 6];
        terms[0] = bit.wire().expect("no wire is a constant");
        Sum { terms, len: 1, inverted: bit.is_inverted() }
    }

    /// The sum as a bit if it has one term.
    #[inline]
    fn as_bit(&self) -> Option<Bit> {
        (self.len == 1).then(|| Bit::new(self.terms[0], self.inverted))
    }

    /// Both sums, XORed with each other: three terms each at most.
    fn plus(mut self, other: Sum) -> Sum {
        other.terms[..other.len].iter().for_each(|&term| self.push(term));
        self.invert_if(other.inverted)
    }

    #[inline]
    fn invert_if(self, invert: bool) -> Sum {
        Sum { inverted: self.inverted ^ invert, ..self }
    }

    fn push(&mut self, term: Wire) {
        self.terms[self.len] = term;
        self.len += 1;
    }

    fn remove(&mut self, index: usize) {
        self.len -= 1;
        self.terms[index] = self.terms[self.len];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Output, Party, int};

    fn rewritten(circuit: Circuit) -> Circuit {
        let uses = Uses::of(&circuit).unwrap();
        positive(circuit, uses).unwrap()
    }

    /// The XORs that `f` of two numbers of 32 bits has more without inversions.
    fn additional_xors(f: impl FnOnce(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>) -> i64 {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 32);
        let y = b.input("y", Party::Evaluator, 32);
        let z = f(&mut b, &x, &y);
        b.output("z", &z);
        let circuit = b.finish().unwrap();
        let before = (circuit.gates.len() as i64, circuit.gates.ands());
        let after = rewritten(circuit);
        assert_eq!(after.gates.ands(), before.1);
        after.gates.len() as i64 - before.0
    }

    #[test]
    fn differences_and_comparisons_take_no_xor_more_for_each_bit() {
        assert_eq!(additional_xors(int::add), 0);
        assert_eq!(additional_xors(int::sub), 0);
        assert_eq!(additional_xors(|b, x, y| vec![int::lt_unsigned(b, x, y)]), 1);
    }

    #[test]
    fn sums_that_others_read_are_made_once() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 8);
        let and = b.and(!x[0], x[1]);
        let sums: Vec<_> = x[2..].iter().map(|&bit| b.xor(and, bit)).collect();
        b.output("z", &sums);
        assert_eq!(rewritten(b.finish().unwrap()).gates.len(), 1 + 1 + 6);
    }

    /// Terms that wait, and names that are remembered, go with the wires that are dead.
    #[test]
    fn what_is_remembered_does_not_grow_with_the_gates() {
        let gates = 200_000;
        let wire = |i: u32| Wire::new(i).bit();
        let gate = |i: u32| match i % 3 {
            0 => Gate::and(!wire(i), wire(i + 1), false),
            1 => Gate::xor(wire(i), wire(i + 1), true),
            _ => Gate::and(!wire(i), !wire(i + 1), true),
        };
        let mut b = Builder::new();
        b.input("x", Party::Garbler, 2);
        let circuit = Circuit { gates: (0..gates).map(gate).collect(), ..b.finish().unwrap() };
        let output = Output {
            name: "y".to_owned(),
            bits: vec![wire(gates), wire(gates + 1)],
            per_cycle: false,
        };
        let circuit = Circuit { outputs: vec![output], ..circuit };
        let uses = Uses::of(&circuit).unwrap();
        let rewriter = run(&circuit, uses).unwrap();
        assert!(rewriter.gates.len() > gates as usize);
        assert!(rewriter.names.peak() <= 4, "{} remembered", rewriter.names.peak());
        assert!(rewriter.waiting.iter().all(Option::is_none));
    }
}
