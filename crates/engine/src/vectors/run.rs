//! Garbles and evaluates a vector with the reference and with engines, and compares.

use super::format::Vector;
use super::{Field, Mismatch, Verdict};
use crate::testing::{MemoryEvaluator, MemoryGarbler, Outputs};
use crate::{Delta, Engine, EngineError, Label, Prepared, RunKey};
use halfgate_circuit::{Bit, Circuit, Gate, Input, Output, Party, Wire};
use halfgate_compiler::pipeline::CompileError;
use halfgate_compiler::{Order, Program, compile};
use halfgate_reference as reference;

/// Number of sets of input values on which tables are evaluated: all 0, all 1, and pseudorandom
/// ones. With 32 sets, only about one two-input gate in a thousand does not get all four
/// combinations of input values. Fewer sets are used when fuzzing.
const EVALUATIONS: usize = if cfg!(fuzzing) { 4 } else { 32 };

/// Most gates, over all cycles, that an engine runs to reach a vector's own cycle.
const MAX_GATES: u64 = if cfg!(fuzzing) { 1 << 12 } else { 1 << 22 };

/// The reference's verdict.
pub(super) fn reference(vector: &Vector) -> Verdict {
    let cycle = reference::Cycle { number: vector.cycle, first_and: 0 };
    let Vector { key, delta, gates, inputs, .. } = vector;
    let garbled = reference::garble(*key, *delta, cycle, gates, inputs);
    let label = |wire: usize| garbled.false_labels[wire];
    let outputs = vector.outputs.iter().map(|&(wire, _)| label(wire));
    if let Err(mismatch) = compare_garbling(vector, &garbled.tables.concat(), outputs) {
        return Verdict::Differs(mismatch);
    }
    for n in 0..EVALUATIONS {
        let values = values(vector, n);
        let inputs = active_inputs(vector, &values);
        let labels = reference::evaluate(*key, cycle, gates, &garbled.tables, &inputs);
        let outputs = vector.outputs.iter().map(|&(wire, _)| labels[wire]);
        if let Err(mismatch) = compare_evaluation(vector, n, &values, outputs) {
            return Verdict::Differs(mismatch);
        }
    }
    Verdict::Agrees
}

/// The vector's gates as a program, in the file's order. A vector of cycle `c` becomes a program
/// with new inputs and outputs in each of `c + 1` cycles.
pub(super) fn program(vector: &Vector) -> Result<Program, CompileError> {
    let bit = |wire: usize, invert: bool| Bit::new(Wire::new(wire as u32), invert);
    let gates = vector.gates.iter().map(|&gate| match gate {
        reference::Gate::Xor { a, b, invert, .. } => {
            Gate::xor(bit(a, false), bit(b, false), invert)
        }
        reference::Gate::And { a, b, invert_a, invert_b, invert_out, .. } => {
            Gate::and(bit(a, invert_a), bit(b, invert_b), invert_out)
        }
        reference::Gate::Copy { a, invert, .. } => Gate::copy(bit(a, false), invert),
    });
    let per_cycle = vector.cycle > 0;
    let (name, width) = ("inputs".into(), vector.inputs.len() as u32);
    let bits = vector.outputs.iter().map(|&(wire, _)| bit(wire, false)).collect();
    let circuit = Circuit {
        inputs: vec![Input {
            name,
            party: Party::Garbler,
            width,
            per_cycle,
            elements: None,
            is_set: false,
        }],
        flip_flops: Vec::new(),
        gates: gates.collect(),
        outputs: vec![Output { name: "outputs".into(), bits, per_cycle, elements: None }],
        cycles: vector.cycle.saturating_add(1),
    };
    compile(circuit, Order::Given)
}

/// An engine's verdict.
pub(super) fn engine(engine: &dyn Engine, vector: &Vector, program: &Program) -> Verdict {
    let gates = (vector.gates.len() as u64).saturating_mul(vector.cycle.saturating_add(1));
    if vector.cycle > 0 && gates > MAX_GATES {
        let cycle = vector.cycle;
        return Verdict::NotRun(format!(
            "an engine reaches cycle {cycle} only after {gates} gates"
        ));
    }
    let checked = engine.prepare(program).map_err(Stop::Engine).and_then(|mut prepared| {
        let tables = garble(prepared.as_mut(), vector)?;
        (0..EVALUATIONS).try_for_each(|n| evaluate(prepared.as_mut(), vector, &tables, n))
    });
    match checked {
        Ok(()) => Verdict::Agrees,
        Err(Stop::Differs(mismatch)) => Verdict::Differs(mismatch),
        Err(Stop::Engine(error)) => Verdict::Failed(error.to_string()),
        Err(Stop::Broken(what)) => Verdict::Failed(what),
    }
}

enum Stop {
    Differs(Mismatch),
    Engine(EngineError),
    Broken(String),
}

/// Garbles, compares, and returns the tables of all cycles.
fn garble(engine: &mut dyn Prepared, vector: &Vector) -> Result<Vec<u8>, Stop> {
    let labels = |_cycle: u64, bit: Wire| input_label(&vector.inputs, bit);
    let mut io = MemoryGarbler::new(labels, Label::ZERO);
    let delta = Delta::new(Label::from_u128(vector.delta));
    engine.garble(run_key(vector), &delta, vector.cycle + 1, &mut io).map_err(Stop::Engine)?;

    let body = vector.tables.len() * vector.suite.table_bytes();
    let cycles = vector.cycle as usize + 1;
    if io.tables().len() != cycles * body {
        let (bytes, due) = (io.tables().len(), cycles * body);
        return Err(Stop::Broken(format!("the engine made {bytes} bytes of tables, not {due}")));
    }
    let outputs = last_outputs(vector, io.outputs())?;
    compare_garbling(vector, &io.tables()[(cycles - 1) * body..], outputs.into_iter())
        .map_err(Stop::Differs)?;
    Ok(io.tables().to_vec())
}

/// Evaluates the tables of all cycles on the `n`th set of values, and compares.
fn evaluate(
    engine: &mut dyn Prepared,
    vector: &Vector,
    tables: &[u8],
    n: usize,
) -> Result<(), Stop> {
    let values = values(vector, n);
    let active = active_inputs(vector, &values);
    let labels = |_cycle: u64, bit: Wire| input_label(&active, bit);
    let mut io = MemoryEvaluator::new(labels, Label::ZERO, tables);
    engine.evaluate(run_key(vector), vector.cycle + 1, &mut io).map_err(Stop::Engine)?;
    if io.tables_left() != 0 {
        return Err(Stop::Broken(format!("{} bytes of tables were not read", io.tables_left())));
    }
    let outputs = last_outputs(vector, io.outputs())?;
    compare_evaluation(vector, n, &values, outputs.into_iter()).map_err(Stop::Differs)
}

fn run_key(vector: &Vector) -> RunKey {
    RunKey { suite: vector.suite, point: vector.key.point }
}

/// The label of an input bit. An engine that requests a bit that is not an input gets a label too;
/// its results will then differ.
fn input_label(labels: &[u128], bit: Wire) -> Label {
    Label::from_u128(labels.get(bit.index()).copied().unwrap_or_default())
}

/// The labels of all outputs in the vector's own cycle.
fn last_outputs(vector: &Vector, outputs: &Outputs) -> Result<Vec<u128>, Stop> {
    let label = |bit: usize| match outputs.get(&(vector.cycle, bit as u32)) {
        Some(label) => Ok(label.to_u128()),
        None => Err(Stop::Broken(format!("the engine gave no output bit {bit}"))),
    };
    (0..vector.outputs.len()).map(label).collect()
}

/// Compares tables of one cycle and the false labels of the outputs with the file.
fn compare_garbling(
    vector: &Vector,
    tables: &[u8],
    outputs: impl Iterator<Item = u128>,
) -> Result<(), Mismatch> {
    let is_and = |gate: &reference::Gate| matches!(gate, reference::Gate::And { .. });
    let ands = vector.gates.iter().enumerate().filter(|(_, gate)| is_and(gate)).map(|(i, _)| i);
    for ((gate, rows), table) in
        ands.zip(&vector.tables).zip(tables.chunks_exact(vector.suite.table_bytes()))
    {
        let found = table.chunks_exact(table.len() / rows.len()).map(little_endian);
        for (row, (&expected, found)) in rows.iter().zip(found).enumerate() {
            let field = match (rows.len(), row) {
                (2, 0) => Field::Tg,
                (2, _) => Field::Te,
                _ => Field::Row(row + 1),
            };
            same(Some(gate), field, expected, found)?;
        }
    }
    for (&(wire, expected), found) in vector.outputs.iter().zip(outputs) {
        same(driver(vector, wire), Field::FalseLabel, expected, found)?;
    }
    Ok(())
}

fn little_endian(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Compares the active labels of the outputs with those that stand for their values.
fn compare_evaluation(
    vector: &Vector,
    n: usize,
    values: &[bool],
    outputs: impl Iterator<Item = u128>,
) -> Result<(), Mismatch> {
    for (&(wire, false_label), found) in vector.outputs.iter().zip(outputs) {
        let expected = active(vector, false_label, values[wire]);
        same(driver(vector, wire), Field::ActiveLabel(n), expected, found)?;
    }
    Ok(())
}

fn same(gate: Option<usize>, field: Field, expected: u128, found: u128) -> Result<(), Mismatch> {
    if expected == found { Ok(()) } else { Err(Mismatch { gate, field, expected, found }) }
}

fn driver(vector: &Vector, wire: usize) -> Option<usize> {
    wire.checked_sub(vector.inputs.len())
}

/// The values of all wires on the `n`th set of input values.
fn values(vector: &Vector, n: usize) -> Vec<bool> {
    // AES in counter mode gives the same values in every run, so that a difference can be
    // reproduced.
    let random = reference::Aes128::new(n as u128);
    let input = |i: usize| match n {
        0 => false,
        1 => true,
        _ => random.encrypt(i as u128) & 1 == 1,
    };
    let mut values: Vec<bool> = (0..vector.inputs.len()).map(input).collect();
    for gate in &vector.gates {
        values.push(gate.clear(&values));
    }
    values
}

fn active_inputs(vector: &Vector, values: &[bool]) -> Vec<u128> {
    vector.inputs.iter().zip(values).map(|(&label, &value)| active(vector, label, value)).collect()
}

fn active(vector: &Vector, false_label: u128, value: bool) -> u128 {
    if value { false_label ^ vector.delta } else { false_label }
}
