//! The two passes over a body, and the state that is carried from one cycle to the next.

use super::{Follow, Signal, State};
use crate::Program;
use halfgate_circuit::{Bit, Circuit, GateKind, Init};

/// A gate that must be garbled in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The wire that it drives.
    pub wire: u32,
    /// The gate's operands. None of them is public. The operands of an XOR are not inverted.
    pub operands: [Signal; 2],
    /// For each operand: whether nothing after this gate reads its label, in this cycle or later.
    pub last: [bool; 2],
    /// The index of an AND among the body's ANDs. `None` for an XOR.
    pub and: Option<u32>,
}

/// The gates that remain in a cycle, and the labels that are no longer needed. A label that nothing
/// will read any more is listed exactly once: by [`Op::last`], in `unused` or in `given`.
#[derive(Debug)]
pub struct Decided<'a> {
    /// The gates to garble, in program order.
    pub ops: &'a [Op],
    /// Number of ANDs among `ops`.
    pub ands: u64,
    /// Flip-flops and per-cycle input bits whose labels nothing reads in this cycle or later.
    pub unused: &'a [u32],
    /// Wires whose labels only the outputs of this cycle still read.
    pub given: &'a [u32],
    /// A remark about this cycle for the user.
    pub note: Option<String>,
}

/// Decides for each cycle which gates of a program's body remain.
///
/// Memory: 17 bytes for each wire of the body, and 40 bytes for each remaining gate of a cycle.
pub struct Skipper<'p> {
    circuit: &'p Circuit,
    follow: Option<Box<dyn Follow + Send>>,
    /// The signal of each wire in this cycle.
    signals: Vec<Signal>,
    /// For a wire that is an XOR in this cycle: the kinds of its two operands. Otherwise zeros.
    pairs: Vec<[u32; 2]>,
    /// The gates whose wires need a new label.
    own: Vec<Own>,
    /// Flags for each wire: which readers need its label.
    needs: Vec<u8>,
    /// The next signal of each flip-flop.
    next: Vec<Signal>,
    /// Flip-flops that can change an output.
    live: Vec<bool>,
    /// For each input bit: whether it is a per-run bit.
    per_run: Vec<bool>,
    /// The per-cycle input bits that the circuit uses.
    fresh: Vec<u32>,
    /// The flip-flops that hold a label. If several flip-flops have the same label, only one of
    /// them is listed.
    held: Vec<u32>,
    /// For each wire, the number of the flip-flop that takes the wire's label, plus one. All
    /// entries are 0 except during [`latch`](Skipper::latch).
    taker: Vec<u32>,
    ops: Vec<Op>,
    unused: Vec<u32>,
    given: Vec<u32>,
    carried: Vec<(u32, u32)>,
}

/// A gate whose wire needs a new label: its wire, its operands, and the index of an AND (`NO_AND`
/// for an XOR).
struct Own {
    wire: u32,
    operands: [Signal; 2],
    and: u32,
}

const NO_AND: u32 = u32::MAX;

const KEPT: u8 = 1;
const GIVEN: u8 = 2;
const USED: u8 = 4;

impl<'p> Skipper<'p> {
    /// Makes the state for the beginning of a run of `program`.
    pub fn new(program: &'p Program) -> Skipper<'p> {
        let circuit = &program.circuit;
        let wires = circuit.wires();
        let inputs = circuit.input_bits();
        let per_cycle = circuit.inputs.iter();
        let per_cycle: Vec<bool> = per_cycle
            .flat_map(|input| std::iter::repeat_n(input.per_cycle, input.width as usize))
            .collect();
        let uses = halfgate_circuit::first_uses(circuit).into_iter();
        let fresh = uses.filter(|wire| per_cycle[wire.index()]).map(|wire| wire.number());
        let mut signals: Vec<Signal> = (0..wires as u32).map(Signal::label).collect();
        for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
            signals[inputs + at] = match flip_flop.init {
                Init::Constant(value) => Signal::constant(value),
                Init::Input(wire) => Signal::label(wire.number()),
            };
        }
        let known = program.skips.as_ref().and_then(|skips| skips.known.as_ref());
        Skipper {
            circuit,
            follow: known.map(|known| known.follow()),
            signals,
            pairs: vec![[0; 2]; wires],
            own: Vec::new(),
            needs: vec![0; wires],
            next: Vec::new(),
            live: live(circuit),
            per_run: per_cycle.iter().map(|per_cycle| !per_cycle).collect(),
            fresh: fresh.collect(),
            held: Vec::new(),
            taker: vec![0; wires],
            ops: Vec::new(),
            unused: Vec::new(),
            given: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Decides which gates of the next cycle remain. `last` marks the run's last cycle.
    pub fn decide(&mut self, last: bool) -> Decided<'_> {
        self.forward();
        let note = self.look_ahead(last);
        self.needs.fill(0);
        self.need_next();
        self.need_outputs(last);
        let ands = self.backward();
        self.find_unused();
        Decided { ops: &self.ops, ands, unused: &self.unused, given: &self.given, note }
    }

    /// Returns the signal of a bit in the decided cycle.
    pub fn signal(&self, bit: Bit) -> Signal {
        match (bit.wire(), bit.as_constant()) {
            (Some(wire), _) => self.signals[wire.index()].invert_if(bit.is_inverted()),
            (None, value) => Signal::constant(value == Some(true)),
        }
    }

    /// Advances to the next cycle. Returns pairs of a wire and the flip-flop that takes the wire's
    /// label. Each label occurs once. A flip-flop's wire may be the source in one pair and the
    /// destination in another.
    pub fn latch(&mut self) -> &[(u32, u32)] {
        self.carried.clear();
        self.held.clear();
        let first = self.circuit.first_flip_flop_wire();
        for (at, &next) in self.next.iter().enumerate() {
            let own = (first + at) as u32;
            self.signals[own as usize] = match next.wire() {
                Some(wire) if self.is_per_run(wire) => next,
                Some(wire) => {
                    let taker = &mut self.taker[wire as usize];
                    if *taker == 0 {
                        *taker = own + 1;
                        self.carried.push((wire, own));
                        self.held.push(own);
                    }
                    Signal::label(*taker - 1).invert_if(next.is_inverted())
                }
                None => next,
            };
        }
        self.carried.iter().for_each(|&(wire, _)| self.taker[wire as usize] = 0);
        &self.carried
    }

    /// Finds the signal of each gate's wire.
    fn forward(&mut self) {
        self.own.clear();
        let first = self.circuit.first_gate_wire() as u32;
        let mut and = 0;
        for (wire, gate) in (first..).zip(self.circuit.gates.iter()) {
            let signal = match gate.kind() {
                GateKind::Xor { a, b, invert } => {
                    let [a, b] = [a, b].map(|operand| self.signals[operand.index()]);
                    self.xor(a, b, wire).invert_if(invert)
                }
                GateKind::And { a, b, invert } => {
                    let [a, b] = [self.signal(a), self.signal(b)];
                    let found = self.and(a, b, wire, and);
                    and += 1;
                    found.invert_if(invert)
                }
                GateKind::Copy { a, invert } => self.signals[a.index()].invert_if(invert),
            };
            self.signals[wire as usize] = signal;
        }
    }

    #[inline]
    fn xor(&mut self, a: Signal, b: Signal, wire: u32) -> Signal {
        let inverted = a.is_inverted() ^ b.is_inverted();
        let (x, y) = (a.kind(), b.kind());
        let known = |kind: u32| Signal::of_kind(kind).invert_if(inverted);
        // Kind 0 is a public value; the inversion flag is that value.
        if x == y {
            return known(0);
        }
        if x == 0 || y == 0 {
            return known(x | y);
        }
        let other = |[p, q]: [u32; 2], one: u32| match one {
            _ if one == p => q,
            _ if one == q => p,
            _ => 0,
        };
        let of_x = other(self.pairs[x as usize - 1], y);
        if of_x != 0 {
            return known(of_x);
        }
        let of_y = other(self.pairs[y as usize - 1], x);
        if of_y != 0 {
            return known(of_y);
        }
        let operands = [x, y].map(Signal::of_kind);
        self.own.push(Own { wire, operands, and: NO_AND });
        self.pairs[wire as usize] = [x, y];
        Signal::label(wire).invert_if(inverted)
    }

    #[inline]
    fn and(&mut self, a: Signal, b: Signal, wire: u32, and: u32) -> Signal {
        match (a.public(), b.public()) {
            (Some(false), _) | (_, Some(false)) => Signal::constant(false),
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (None, None) if a == b => a,
            (None, None) if a.kind() == b.kind() => Signal::constant(false),
            (None, None) => {
                self.own.push(Own { wire, operands: [a, b], and });
                self.pairs[wire as usize] = [0; 2];
                Signal::label(wire)
            }
        }
    }

    /// Finds the next signals of the flip-flops. After the last cycle none is needed.
    fn look_ahead(&mut self, last: bool) -> Option<String> {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        if !last {
            next.extend(self.circuit.flip_flops.iter().zip(&self.live).map(|(f, &live)| {
                let found = self.signal(f.next);
                // A flip-flop that changes no output may take any value.
                if live { found } else { Signal::default() }
            }));
        }
        self.next = next;
        let follow = self.follow.as_mut().filter(|_| !last)?;
        follow.step(&mut State(&mut self.next))
    }

    fn need_next(&mut self) {
        for wire in self.next.iter().filter_map(|next| next.wire()) {
            self.needs[wire as usize] = KEPT;
        }
    }

    fn need_outputs(&mut self, last: bool) {
        self.given.clear();
        let outputs = self.circuit.outputs.iter().filter(|output| output.per_cycle || last);
        for bit in outputs.flat_map(|output| &output.bits) {
            let Some(wire) = self.signal(bit).wire() else { continue };
            if self.needs[wire as usize] == 0 && !self.is_per_run(wire) {
                self.needs[wire as usize] = GIVEN;
                self.given.push(wire);
            }
        }
    }

    /// Finds the gates that are needed. Returns the number of ANDs among them.
    fn backward(&mut self) -> u64 {
        let mut ands = 0;
        self.ops.clear();
        for &Own { wire, operands, and } in self.own.iter().rev() {
            if self.needs[wire as usize] == 0 {
                continue;
            }
            let per_run = &self.per_run;
            let last = operands.map(|operand| {
                let wire = operand.wire().expect("what a gate that is left reads is not public");
                let needs = &mut self.needs[wire as usize];
                let is_per_run = per_run.get(wire as usize) == Some(&true);
                std::mem::replace(needs, *needs | USED) == 0 && !is_per_run
            });
            let and = (and != NO_AND).then_some(and);
            ands += u64::from(and.is_some());
            self.ops.push(Op { wire, operands, last, and });
        }
        self.ops.reverse();
        ands
    }

    fn find_unused(&mut self) {
        let there = self.held.iter().chain(&self.fresh);
        self.unused.clear();
        self.unused.extend(there.filter(|&&wire| self.needs[wire as usize] == 0));
    }

    #[inline]
    fn is_per_run(&self, wire: u32) -> bool {
        self.per_run.get(wire as usize) == Some(&true)
    }
}

/// Returns which flip-flops can change an output, in this cycle or later. Returns true for all
/// flip-flops if the search would take too many passes.
fn live(circuit: &Circuit) -> Vec<bool> {
    const MOST_PASSES: usize = 64;
    let first = circuit.first_flip_flop_wire();
    let first_gate = circuit.first_gate_wire();
    let mut needed = vec![false; circuit.wires()];
    let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
    outputs.filter_map(|bit| bit.wire()).for_each(|wire| needed[wire.index()] = true);
    let mut live = vec![false; circuit.flip_flops.len()];
    for _ in 0..MOST_PASSES {
        for (wire, gate) in (first_gate..circuit.wires()).rev().zip(circuit.gates.iter_rev()) {
            if needed[wire] {
                gate.operands().for_each(|operand| needed[operand.index()] = true);
            }
        }
        // Follows chains of flip-flops in one pass.
        let mut found: Vec<usize> = (0..live.len()).filter(|&at| needed[first + at]).collect();
        let mut changed = false;
        while let Some(at) = found.pop() {
            if std::mem::replace(&mut live[at], true) {
                continue;
            }
            changed = true;
            if let Some(next) = circuit.flip_flops[at].next.wire() {
                needed[next.index()] = true;
                found.extend(next.index().checked_sub(first).filter(|&at| at < live.len()));
            }
        }
        if !changed {
            return live;
        }
    }
    vec![true; live.len()]
}
