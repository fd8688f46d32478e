//! A program that skips, by the reference: the rule of [`skip`](halfgate_compiler::skip) once more, written to be
//! read and not to be fast, so that engines and the decisions that they follow are held to something else.

use super::{Run, Wanted, each_output, first_uses};
use crate::{Label, RunKey};
use halfgate_circuit::{Bit, Circuit, FlipFlop, GateKind, Init, Wire};
use halfgate_reference as reference;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a bit is: public, or a label that has a number, perhaps inverted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Public(bool),
    Secret(usize, bool),
}

use What::{Public, Secret};

impl What {
    fn invert_if(self, invert: bool) -> What {
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

/// A gate with a label of its own: of an AND, its index and its position in the body.
struct Own {
    label: usize,
    operands: [What; 2],
    and: Option<[u64; 2]>,
}

/// The whole run of a program that knows nothing besides its gates.
pub(super) fn by_rule(
    circuit: &Circuit,
    run: Run,
    key: RunKey,
    (delta, constant): (u128, u128),
    given: impl Fn(u64, Wire) -> Label,
) -> Wanted {
    let suite = reference::Suite::from_name(run.suite.name()).expect("a suite of the reference");
    let key = reference::Key { suite, point: key.point };
    let offset = |invert: bool| if invert { delta } else { 0 };
    let mut wanted =
        Wanted { tables: Vec::new(), outputs: BTreeMap::new(), asked: Vec::new(), ands: 0 };
    let live = live(circuit);
    // The false label of each number, once it is known.
    let mut labels: Vec<Option<u128>> = Vec::new();
    let mut inputs: Vec<What> = Vec::new();
    let mut state: Vec<What> = Vec::new();
    for cycle in 0..run.cycles {
        let last = cycle + 1 == run.cycles;
        let asked = first_uses(circuit, cycle);
        inputs.resize(circuit.input_bits(), Public(false));
        for &wire in &asked {
            inputs[wire.index()] = Secret(labels.len(), false);
            labels.push(Some(given(cycle, wire).to_u128()));
        }
        wanted.asked.extend(asked.into_iter().map(|wire| (cycle, wire)));
        if cycle == 0 {
            let start = |init| match init {
                Init::Constant(value) => Public(value),
                Init::Input(wire) => inputs[wire.index()],
            };
            state = circuit.flip_flops.iter().map(|flip_flop| start(flip_flop.init)).collect();
        }

        let mut wires = [inputs.as_slice(), state.as_slice()].concat();
        let mut own: Vec<Own> = Vec::new();
        let mut pairs: HashMap<usize, [usize; 2]> = HashMap::new();
        let mut ands = 0;
        for (position, gate) in circuit.gates.iter().enumerate() {
            let of = |bit: Bit| {
                let wire = bit.wire().expect("operands are wires");
                wires[wire.index()].invert_if(bit.is_inverted())
            };
            let mut fresh = |operands, and| {
                own.push(Own { label: labels.len(), operands, and });
                labels.push(None);
                Secret(labels.len() - 1, false)
            };
            let what = match gate.kind() {
                GateKind::Copy { a, invert } => of(a.bit()).invert_if(invert),
                GateKind::And { a, b, invert } => {
                    ands += 1;
                    let found = match (of(a), of(b)) {
                        (Public(false), _) | (_, Public(false)) => Public(false),
                        (Public(true), other) | (other, Public(true)) => other,
                        (a, b) if a == b => a,
                        (a, b) if a == b.invert_if(true) => Public(false),
                        (a, b) => fresh([a, b], Some([ands - 1, position as u64])),
                    };
                    found.invert_if(invert)
                }
                GateKind::Xor { a, b, invert } => {
                    let found = match (of(a.bit()), of(b.bit())) {
                        (Public(value), other) | (other, Public(value)) => other.invert_if(value),
                        (Secret(a, i), Secret(b, j)) if a == b => Public(i ^ j),
                        (Secret(a, i), Secret(b, j)) => {
                            let left = |sum: usize, one: usize| {
                                let pair = pairs.get(&sum).filter(|pair| pair.contains(&one))?;
                                Some(pair[0] ^ pair[1] ^ one)
                            };
                            let found = match left(a, b).or_else(|| left(b, a)) {
                                Some(label) => Secret(label, false),
                                None => {
                                    let sum = fresh([Secret(a, false), Secret(b, false)], None);
                                    pairs.insert(sum.label().expect("a label"), [a, b]);
                                    sum
                                }
                            };
                            found.invert_if(i ^ j)
                        }
                    };
                    found.invert_if(invert)
                }
            };
            wires.push(what);
        }

        let of = |bit: Bit| match bit.wire() {
            Some(wire) => wires[wire.index()].invert_if(bit.is_inverted()),
            None => Public(bit.is_inverted()),
        };
        let next = |(flip_flop, live): (&FlipFlop, &bool)| {
            if *live { of(flip_flop.next) } else { Public(false) }
        };
        let next: Vec<What> = circuit.flip_flops.iter().zip(&live).map(next).collect();
        let mut needed: HashSet<usize> = HashSet::new();
        if !last {
            needed.extend(next.iter().filter_map(|what| what.label()));
        }
        each_output(circuit, last, |_, bit| needed.extend(of(bit).label()));
        own.reverse();
        own.retain(|gate| {
            let is_needed = needed.contains(&gate.label);
            if is_needed {
                needed.extend(gate.operands.iter().filter_map(|operand| operand.label()));
            }
            is_needed
        });
        own.reverse();

        for Own { label, operands, and } in own {
            let [a, b] = operands.map(|operand| match operand {
                Secret(label, inverted) => {
                    labels[label].expect("garbled before") ^ offset(inverted)
                }
                Public(_) => unreachable!("what is left reads labels"),
            });
            labels[label] = Some(match and {
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
            let label = match of(bit) {
                Public(value) => constant ^ offset(value),
                Secret(label, inverted) => {
                    labels[label].expect("garbled before") ^ offset(inverted)
                }
            };
            wanted.outputs.insert((cycle, index), Label::from_u128(label));
        });
        state = next;
    }
    wanted
}

/// Which flip-flops can change an output: those that outputs need, and what they need, until there is no more.
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
