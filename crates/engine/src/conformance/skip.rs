//! Runs a program that skips with the reference. This is a second implementation of the rule of
//! [`skip`](halfgate_compiler::skip), written for clarity and not for speed, so that engines and
//! the decisions they follow are checked against independent code.

use super::{Run, Wanted, each_output, first_uses};
use crate::{Label, RunKey};
use halfgate_circuit::{Bit, Circuit, FlipFlop, GateKind, Init, Wire};
use halfgate_reference as reference;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The state of a bit: public, or a numbered label, perhaps inverted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BitState {
    Public(bool),
    Secret(usize, bool),
}

use BitState::{Public, Secret};

impl BitState {
    fn invert_if(self, invert: bool) -> BitState {
        match self {
            Public(value) => Public(value ^ invert),
            Secret(label, inverted) => Secret(label, inverted ^ invert),
        }
    }

    fn label(self) -> Option<usize> {
        match self {
            Public(_) => None,
            Secret(label, _) => Some(label),
        }
    }
}

/// A gate with a label of its own. An AND also has its index and its position in the body.
struct Own {
    label: usize,
    operands: [BitState; 2],
    and: Option<[u64; 2]>,
}

/// Runs a whole program. Its decisions use only the program's gates.
pub(super) fn by_rule(
    circuit: &Circuit,
    run: Run,
    key: RunKey,
    (delta, constant): (u128, u128),
    given: impl Fn(u64, Wire) -> Label,
) -> Wanted {
    let suite = reference::Suite::from_name(run.suite.name()).expect("a suite of the reference");
    let key = reference::Key { suite, point: key.point };
    let mut wanted =
        Wanted { tables: Vec::new(), outputs: BTreeMap::new(), requested: Vec::new(), ands: 0 };
    let live = live(circuit);
    let mut labels = Labels { delta, known: Vec::new() };
    let mut inputs: Vec<BitState> = Vec::new();
    let mut state: Vec<BitState> = Vec::new();
    for cycle in 0..run.cycles {
        let last = cycle + 1 == run.cycles;
        let requested = first_uses(circuit, cycle);
        inputs.resize(circuit.input_bits(), Public(false));
        for &wire in &requested {
            inputs[wire.index()] = Secret(labels.known.len(), false);
            labels.known.push(Some(given(cycle, wire).to_u128()));
        }
        wanted.requested.extend(requested.into_iter().map(|wire| (cycle, wire)));
        if cycle == 0 {
            let start = |init| match init {
                Init::Constant(value) => Public(value),
                Init::Input(wire) => inputs[wire.index()],
            };
            state = circuit.flip_flops.iter().map(|flip_flop| start(flip_flop.init)).collect();
        }

        let decided = Decided::of(circuit, &inputs, &state, &mut labels);
        let next = |(flip_flop, live): (&FlipFlop, &bool)| {
            if *live { decided.bit(flip_flop.next) } else { Public(false) }
        };
        let next: Vec<BitState> = circuit.flip_flops.iter().zip(&live).map(next).collect();
        for &Own { label, operands, and } in decided.needed(circuit, last, &next) {
            let [a, b] = operands.map(|operand| match operand {
                Secret(label, inverted) => labels.get(label, inverted),
                Public(_) => unreachable!("remaining gates read labels"),
            });
            labels.known[label] = Some(match and {
                None => a ^ b,
                Some([index, position]) => {
                    let and = cycle * circuit.gates.ands() + index;
                    let place = reference::Place { and, cycle, gate: position };
                    let (c, table) = reference::garble_and(key, delta, place, a, b);
                    wanted.tables.extend(table);
                    wanted.ands += 1;
                    c
                }
            });
        }
        each_output(circuit, last, |index, bit| {
            let label = match decided.bit(bit) {
                Public(value) => constant ^ labels.offset(value),
                Secret(label, inverted) => labels.get(label, inverted),
            };
            wanted.outputs.insert((cycle, index), Label::from_u128(label));
        });
        state = next;
    }
    wanted
}

/// Labels by number.
struct Labels {
    delta: u128,
    /// The false label of each number, once it is known.
    known: Vec<Option<u128>>,
}

impl Labels {
    fn offset(&self, invert: bool) -> u128 {
        if invert { self.delta } else { 0 }
    }

    fn get(&self, label: usize, inverted: bool) -> u128 {
        self.known[label].expect("garbled before") ^ self.offset(inverted)
    }
}

/// The decisions about the gates of one cycle.
struct Decided {
    wires: Vec<BitState>,
    own: Vec<Own>,
    /// For each label that is the XOR of two labels: the numbers of these two.
    pairs: HashMap<usize, [usize; 2]>,
}

impl Decided {
    /// Decides every gate; gates with a label of their own get a number in `labels`.
    fn of(
        circuit: &Circuit,
        inputs: &[BitState],
        state: &[BitState],
        labels: &mut Labels,
    ) -> Decided {
        let wires = [inputs, state].concat();
        let mut decided = Decided { wires, own: Vec::new(), pairs: HashMap::new() };
        let mut ands = 0;
        for (position, gate) in circuit.gates.iter().enumerate() {
            let what = match gate.kind() {
                GateKind::Copy { a, invert } => decided.bit(a.bit()).invert_if(invert),
                GateKind::And { a, b, invert } => {
                    ands += 1;
                    let place = [ands - 1, position as u64];
                    let (a, b) = (decided.bit(a), decided.bit(b));
                    decided.and(a, b, place, labels).invert_if(invert)
                }
                GateKind::Xor { a, b, invert } => {
                    let (a, b) = (decided.bit(a.bit()), decided.bit(b.bit()));
                    decided.xor(a, b, labels).invert_if(invert)
                }
            };
            decided.wires.push(what);
        }
        decided
    }

    fn bit(&self, bit: Bit) -> BitState {
        match bit.wire() {
            Some(wire) => self.wires[wire.index()].invert_if(bit.is_inverted()),
            None => Public(bit.is_inverted()),
        }
    }

    fn fresh(
        &mut self,
        operands: [BitState; 2],
        and: Option<[u64; 2]>,
        labels: &mut Labels,
    ) -> usize {
        let label = labels.known.len();
        self.own.push(Own { label, operands, and });
        labels.known.push(None);
        label
    }

    fn and(&mut self, a: BitState, b: BitState, place: [u64; 2], labels: &mut Labels) -> BitState {
        match (a, b) {
            (Public(false), _) | (_, Public(false)) => Public(false),
            (Public(true), other) | (other, Public(true)) => other,
            (a, b) if a == b => a,
            (a, b) if a == b.invert_if(true) => Public(false),
            (a, b) => Secret(self.fresh([a, b], Some(place), labels), false),
        }
    }

    fn xor(&mut self, a: BitState, b: BitState, labels: &mut Labels) -> BitState {
        let (a, i, b, j) = match (a, b) {
            (Public(value), other) | (other, Public(value)) => return other.invert_if(value),
            (Secret(a, i), Secret(b, j)) if a == b => return Public(i ^ j),
            (Secret(a, i), Secret(b, j)) => (a, i, b, j),
        };
        let left = |sum: usize, one: usize| {
            let pair = self.pairs.get(&sum).filter(|pair| pair.contains(&one))?;
            Some(pair[0] ^ pair[1] ^ one)
        };
        let label = left(a, b).or_else(|| left(b, a)).unwrap_or_else(|| {
            let sum = self.fresh([Secret(a, false), Secret(b, false)], None, labels);
            self.pairs.insert(sum, [a, b]);
            sum
        });
        Secret(label, i ^ j)
    }

    /// The gates that outputs and flip-flops need, in program order.
    fn needed(&self, circuit: &Circuit, last: bool, next: &[BitState]) -> Vec<&Own> {
        let mut needed: HashSet<usize> = HashSet::new();
        if !last {
            needed.extend(next.iter().filter_map(|what| what.label()));
        }
        each_output(circuit, last, |_, bit| needed.extend(self.bit(bit).label()));
        let mut own: Vec<&Own> = self.own.iter().rev().collect();
        own.retain(|gate| {
            let is_needed = needed.contains(&gate.label);
            if is_needed {
                needed.extend(gate.operands.iter().filter_map(|operand| operand.label()));
            }
            is_needed
        });
        own.reverse();
        own
    }
}

/// For each flip-flop, whether it can change an output: an output depends on it, directly or
/// through gates and other flip-flops.
fn live(circuit: &Circuit) -> Vec<bool> {
    let first = circuit.first_flip_flop_wire();
    let mut needed = vec![false; circuit.wires()];
    let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
    outputs.filter_map(|bit| bit.wire()).for_each(|wire| needed[wire.index()] = true);
    loop {
        let before = needed.clone();
        for (at, flip_flop) in circuit.flip_flops.iter().enumerate() {
            if let (true, Some(next)) = (needed[first + at], flip_flop.next.wire()) {
                needed[next.index()] = true;
            }
        }
        for (position, gate) in circuit.gates.iter().enumerate() {
            if needed[circuit.first_gate_wire() + position] {
                gate.operands().for_each(|wire| needed[wire.index()] = true);
            }
        }
        if needed == before {
            return needed[first..circuit.first_gate_wire()].to_vec();
        }
    }
}
