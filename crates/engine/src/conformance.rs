//! The test that every engine must pass: garble and evaluate a program, and compare with the
//! reference and with evaluation in the clear.
//!
//! A garbler and an evaluator that share a mistake agree with each other. So tables and output
//! labels are compared with [`halfgate_reference`]'s, bit for bit, and decoded outputs with
//! [`halfgate_circuit::clear`]. For programs that skip, a second implementation decides which gates
//! remain. Memory: all tables and labels of the run, so use small circuits.

mod skip;

use crate::testing::{MemoryEvaluator, MemoryGarbler, Outputs, expanded_labels, seeded_labels};
use crate::{Delta, Engine, Label, RunKey, Suite};
use halfgate_circuit::{Bit, Bits, Circuit, GateKind, Init, Wire, clear};
use halfgate_compiler::Program;
use halfgate_reference as reference;
use std::collections::BTreeMap;

/// A run to check; its labels and Δ follow from `seed`.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The suite.
    pub suite: Suite,
    /// Seed of Δ, the start point and all labels.
    pub seed: u64,
    /// Number of cycles.
    pub cycles: u64,
}

/// Checks `engine` on `program`. `inputs` has a value for every port, as [`clear::evaluate`] takes
/// them. A structured program's reference is that of its flattening.
///
/// # Errors
/// A description of the first difference.
pub fn check(
    engine: &dyn Engine,
    program: &Program,
    inputs: &[Bits],
    run: Run,
) -> Result<(), String> {
    check_pair(engine, engine, program, inputs, run)
}

/// Like [`check`], with one engine that garbles and one that evaluates.
///
/// # Errors
/// A description of the first difference.
pub fn check_pair(
    garbles: &dyn Engine,
    evaluates: &dyn Engine,
    program: &Program,
    inputs: &[Bits],
    run: Run,
) -> Result<(), String> {
    let Run { suite, seed, cycles } = run;
    let flat = match &program.structure {
        Some(structured) => structured.flat().map_err(|e| format!("flattening: {e}"))?,
        None => program,
    };
    let circuit = &flat.circuit;
    let mut label = seeded_labels(seed);
    let mut draw = |n: u32| label(0, Wire::new(Wire::MAX - 1 - n)).to_u128();
    let clipped = |label: u128| suite.clip(Label::from_u128(label)).to_u128();
    let (delta, constant, point) = (clipped(draw(0) | 1), clipped(draw(1)), draw(2));
    let label_seed = draw(3).to_le_bytes();
    let key = RunKey { suite, point };
    let labels = || {
        let label = expanded_labels(circuit, &label_seed);
        move |cycle, wire: Wire| suite.clip(label(cycle, wire))
    };
    let secrets = (delta, constant);
    let wanted = match &program.skips {
        Some(_) => skip::by_rule(circuit, run, key, secrets, labels()),
        None => by_reference(circuit, run, key, secrets, labels()),
    };

    let mut prepared = garbles.prepare(program).map_err(|e| format!("prepare: {e}"))?;
    let mut garbler =
        MemoryGarbler::new(labels(), Label::from_u128(constant)).with_seed(label_seed);
    let garbled = prepared
        .garble(key, &Delta::new(Label::from_u128(delta)), cycles, &mut garbler)
        .map_err(|e| format!("garbling: {e}"))?;
    if garbler.tables().len() != wanted.tables.len() {
        let (got, all) = (garbler.tables().len(), wanted.tables.len());
        return Err(format!("{got} bytes of tables, not {all}"));
    }
    let differs = garbler.tables().iter().zip(&wanted.tables).position(|(a, b)| a != b);
    if let Some(byte) = differs {
        return Err(format!("the table of AND {} differs", byte / suite.table_bytes()));
    }
    if garbler.outputs() != &wanted.outputs {
        return Err("false labels of outputs differ".into());
    }
    let cycle_bytes = circuit.gates.ands() as usize * suite.table_bytes();
    // A program that skips announces each cycle's length, which is checked at once.
    let cycle_bytes = if program.skips.is_some() { 0 } else { cycle_bytes };
    garbler.check_cycles(cycle_bytes).map_err(|e| format!("garbling: {e}"))?;
    if garbler.requested() != wanted.requested {
        return Err("input bits were not requested in order of first use".into());
    }

    let active = labels();
    let value = input_values(circuit, inputs);
    let give = move |cycle, wire: Wire| {
        active(cycle, wire) ^ Label::from_u128(delta).masked(value(cycle, wire))
    };
    let mut evaluator = MemoryEvaluator::new(give, Label::from_u128(constant), garbler.tables());
    let mut prepared = evaluates.prepare(program).map_err(|e| format!("prepare: {e}"))?;
    let evaluated =
        prepared.evaluate(key, cycles, &mut evaluator).map_err(|e| format!("evaluating: {e}"))?;
    if evaluator.tables_left() > 0 {
        return Err(format!("{} bytes of tables were not read", evaluator.tables_left()));
    }
    evaluator.check_cycles(cycle_bytes).map_err(|e| format!("evaluating: {e}"))?;
    if evaluator.requested() != wanted.requested {
        return Err("the evaluator did not request input bits in order of first use".into());
    }
    if garbled != evaluated || garbled.ands != wanted.ands {
        return Err(format!("counters: {garbled:?} garbling, {evaluated:?} evaluating"));
    }
    let clear = clear::evaluate(circuit, inputs, cycles).map_err(|e| format!("clear: {e}"))?;
    let wanted = active_outputs(circuit, cycles, &clear, &wanted.outputs, delta);
    if evaluator.outputs() != &wanted {
        return Err("active labels of outputs are not those of the values in the clear".into());
    }
    Ok(())
}

struct Wanted {
    tables: Vec<u8>,
    outputs: Outputs,
    requested: Vec<(u64, Wire)>,
    ands: u64,
}

/// Runs the whole program with the reference: the body once per cycle.
fn by_reference(
    circuit: &Circuit,
    run: Run,
    key: RunKey,
    (delta, constant): (u128, u128),
    label: impl Fn(u64, Wire) -> Label,
) -> Wanted {
    let suite = reference::Suite::from_name(run.suite.name()).expect("a suite of the reference");
    let key = reference::Key { suite, point: key.point };
    let gates = reference_gates(circuit);
    let offset = |invert: bool| if invert { delta } else { 0 };
    let mut inputs: Vec<u128> =
        (0..circuit.input_bits() as u32).map(|wire| label(0, Wire::new(wire)).to_u128()).collect();
    let mut state: Vec<u128> = circuit
        .flip_flops
        .iter()
        .map(|flip_flop| match flip_flop.init {
            Init::Constant(value) => constant ^ offset(value),
            Init::Input(wire) => inputs[wire.index()],
        })
        .collect();
    let ands = circuit.gates.ands() * run.cycles;
    let mut wanted =
        Wanted { tables: Vec::new(), outputs: BTreeMap::new(), requested: Vec::new(), ands };
    let mut cycle = reference::Cycle::default();
    for number in 0..run.cycles {
        let requested = first_uses(circuit, number);
        for wire in &requested {
            inputs[wire.index()] = label(number, *wire).to_u128();
        }
        wanted.requested.extend(requested.into_iter().map(|wire| (number, wire)));
        let wires = [inputs.as_slice(), state.as_slice()].concat();
        let garbled = reference::garble(key, delta, cycle, &gates, &wires);
        wanted.tables.extend(garbled.tables.concat());
        let of = |bit: Bit| match bit.wire() {
            Some(wire) => garbled.false_labels[wire.index()] ^ offset(bit.is_inverted()),
            None => constant ^ offset(bit.is_inverted()),
        };
        each_output(circuit, number + 1 == run.cycles, |index, bit| {
            wanted.outputs.insert((number, index), Label::from_u128(of(bit)));
        });
        state = circuit.flip_flops.iter().map(|flip_flop| of(flip_flop.next)).collect();
        cycle = cycle.next(&gates);
    }
    wanted
}

/// A circuit's body garbled by the reference, to measure how long that takes.
pub struct ByReference {
    key: reference::Key,
    delta: u128,
    gates: Vec<reference::Gate>,
    inputs: Vec<u128>,
}

impl ByReference {
    /// Uses labels from a fixed seed; they are not secret.
    pub fn new(circuit: &Circuit, suite: Suite) -> ByReference {
        let mut draw = seeded_labels(1);
        let mut draw = |wire: u32| suite.clip(draw(0, Wire::new(wire))).to_u128();
        let suite = reference::Suite::from_name(suite.name()).expect("a suite of the reference");
        let first = circuit.first_gate_wire() as u32;
        let inputs = (0..first).map(&mut draw).collect();
        let (key, delta) = (reference::Key { suite, point: 1 }, draw(first) | 1);
        ByReference { key, delta, gates: reference_gates(circuit), inputs }
    }

    /// Garbles the body once and returns the number of tables.
    pub fn garble(&self) -> usize {
        let cycle = reference::Cycle::default();
        reference::garble(self.key, self.delta, cycle, &self.gates, &self.inputs).tables.len()
    }
}

fn reference_gates(circuit: &Circuit) -> Vec<reference::Gate> {
    let first = circuit.first_gate_wire();
    let gate = |(i, gate): (usize, halfgate_circuit::Gate)| {
        let out = first + i;
        let index = |bit: Bit| bit.wire().expect("operands are wires").index();
        match gate.kind() {
            GateKind::Xor { a, b, invert } => {
                reference::Gate::Xor { a: a.index(), b: b.index(), out, invert }
            }
            GateKind::And { a, b, invert } => reference::Gate::And {
                a: index(a),
                b: index(b),
                out,
                invert_a: a.is_inverted(),
                invert_b: b.is_inverted(),
                invert_out: invert,
            },
            GateKind::Copy { a, invert } => reference::Gate::Copy { a: a.index(), out, invert },
        }
    };
    circuit.gates.iter().enumerate().map(gate).collect()
}

/// Calls `f` for each bit that a cycle outputs, with the bit's number through all outputs.
fn each_output(circuit: &Circuit, last: bool, mut f: impl FnMut(u32, Bit)) {
    let mut index = 0;
    for output in &circuit.outputs {
        for bit in &output.bits {
            if (output.per_cycle || last) && bit.as_constant().is_none() {
                f(index, bit);
            }
            index += 1;
        }
    }
}

/// The order of inputs that [`io`](crate::io) prescribes.
fn first_uses(circuit: &Circuit, cycle: u64) -> Vec<Wire> {
    let mut per_cycle = Vec::new();
    for input in &circuit.inputs {
        per_cycle.extend(std::iter::repeat_n(input.per_cycle, input.width as usize));
    }
    let mut seen = vec![false; per_cycle.len()];
    let mut requested = Vec::new();
    let mut name = |wire: Wire| {
        let Some(seen) = seen.get_mut(wire.index()) else { return };
        if !std::mem::replace(seen, true) && (cycle == 0 || per_cycle[wire.index()]) {
            requested.push(wire);
        }
    };
    for flip_flop in &circuit.flip_flops {
        if let Init::Input(wire) = flip_flop.init {
            name(wire);
        }
    }
    circuit.gates.iter().for_each(|gate| gate.operands().for_each(&mut name));
    circuit.flip_flops.iter().filter_map(|f| f.next.wire()).for_each(&mut name);
    let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
    outputs.filter_map(|bit| bit.wire()).for_each(&mut name);
    requested
}

/// Returns a function that gives the value of an input bit in a cycle.
fn input_values(circuit: &Circuit, inputs: &[Bits]) -> impl Fn(u64, Wire) -> bool + 'static {
    let ports: Vec<_> = circuit
        .inputs_with_wires()
        .zip(inputs)
        .map(|((first, port), bits)| (first, port.width, port.per_cycle, bits.clone()))
        .collect();
    move |cycle, wire| {
        let inside =
            |p: &&(Wire, u32, bool, Bits)| wire >= p.0 && wire.number() < p.0.number() + p.1;
        let (first, width, per_cycle, bits) = ports.iter().find(inside).expect("an input bit");
        let start = if *per_cycle { cycle as usize * *width as usize } else { 0 };
        bits.get(start + wire.index() - first.index())
    }
}

/// The active labels that stand for the values in the clear.
fn active_outputs(
    circuit: &Circuit,
    cycles: u64,
    clear: &[Bits],
    false_labels: &Outputs,
    delta: u128,
) -> Outputs {
    let mut active = Outputs::new();
    let mut index = 0;
    for (output, values) in circuit.outputs.iter().zip(clear) {
        let width = output.bits.len();
        for bit in 0..width {
            for cycle in 0..cycles {
                let place = (cycle, (index + bit) as u32);
                let Some(&label) = false_labels.get(&place) else { continue };
                let start = if output.per_cycle { cycle as usize * width } else { 0 };
                let offset = Label::from_u128(delta).masked(values.get(start + bit));
                active.insert(place, label ^ offset);
            }
        }
        index += width;
    }
    active
}
