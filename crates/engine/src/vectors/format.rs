//! Reads vector files strictly. An extra field, a short label or a missing table is an error that
//! names the file, the field and what is wrong.

use halfgate_compiler::pipeline::CompileError;
use halfgate_kernels::Suite;
use halfgate_reference::{Gate, Key};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashMap};

/// Why a text is not a vector file.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// The text is not JSON, or lacks the fields of a vector file.
    #[error("{file}: not a vector file: {error}")]
    Json {
        /// The file.
        file: String,
        /// What is wrong, and where.
        error: serde_json::Error,
    },
    /// A field has an invalid value.
    #[error("{file}: {field}: {what}")]
    Field {
        /// The file.
        file: String,
        /// The field, as a path: `gates[3].type`.
        field: String,
        /// What is wrong.
        what: String,
    },
    /// The circuit could not be compiled for the engines.
    #[error("{file}: {error}")]
    Compile {
        /// The file.
        file: String,
        /// The reason.
        error: CompileError,
    },
}

/// A vector of either format: the gates of a body, false labels of inputs, and the tables and false
/// labels of outputs that follow.
///
/// Gate `i` drives wire `inputs.len() + i`. Single gates are at their own positions, each with its
/// own inputs, and copies fill the positions between them.
pub(super) struct Vector {
    pub suite: Suite,
    pub key: Key,
    pub delta: u128,
    pub cycle: u64,
    pub inputs: Vec<u128>,
    pub gates: Vec<Gate>,
    /// Number of gates that the file lists. The others are copies that fill positions.
    pub listed: usize,
    /// The rows of each AND's table, in order: TG and TE, or three rows.
    pub tables: Vec<Vec<u128>>,
    /// Output wires and the false labels that they must have.
    pub outputs: Vec<(usize, u128)>,
}

/// Highest position of a single gate. The positions before it are filled with copies.
const MAX_POSITION: u64 = 1 << 20;
/// Most gates and inputs of a circuit: vectors are read whole.
const MAX_WIRES: usize = 1 << 24;

/// The fields that begin both formats.
struct Head {
    suite: String,
    delta: String,
    start: Option<String>,
    key: Option<String>,
    cycle: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CircuitFile {
    suite: String,
    #[serde(rename = "source")]
    _source: Option<String>,
    delta: String,
    start: Option<String>,
    key: Option<String>,
    cycle: Option<u64>,
    inputs: Vec<String>,
    gates: Vec<(String, u64, Option<u64>, u64)>,
    tables: Vec<Vec<String>>,
    outputs: BTreeMap<u64, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GatesFile {
    suite: String,
    #[serde(rename = "source")]
    _source: Option<String>,
    delta: String,
    start: Option<String>,
    key: Option<String>,
    cycle: Option<u64>,
    gates: Vec<SingleGate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SingleGate {
    gate: u64,
    #[serde(rename = "type")]
    operation: String,
    a: String,
    b: Option<String>,
    table: Option<Vec<String>>,
    out: String,
}

/// Reads a vector of either format. A circuit has its own field `inputs`; single gates do not.
pub(super) fn parse(text: &str, file: &str) -> Result<Vector, VectorError> {
    #[derive(Deserialize)]
    struct Probe {
        inputs: Option<IgnoredAny>,
    }
    let json = |error| VectorError::Json { file: file.into(), error };
    let probe: Probe = serde_json::from_str(text).map_err(json)?;
    let vector = if probe.inputs.is_some() {
        circuit(serde_json::from_str(text).map_err(json)?)
    } else {
        single_gates(serde_json::from_str(text).map_err(json)?)
    };
    vector.map_err(|Wrong { field, what }| VectorError::Field { file: file.into(), field, what })
}

/// A field and what is wrong with it; the caller adds the file name.
struct Wrong {
    field: String,
    what: String,
}

fn wrong<T>(field: impl Into<String>, what: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { field: field.into(), what: what.into() })
}

fn circuit(file: CircuitFile) -> Result<Vector, Wrong> {
    let CircuitFile { suite, delta, start, key, cycle, .. } = file;
    let mut vector = head(Head { suite, delta, start, key, cycle })?;
    let suite = vector.suite;
    if file.inputs.len() + file.gates.len() > MAX_WIRES {
        return wrong("gates", format!("more than {MAX_WIRES} wires"));
    }
    for (i, text) in file.inputs.iter().enumerate() {
        vector.inputs.push(label(suite, text, || format!("inputs[{i}]"))?);
    }
    // Files may number the wires that gates drive in any way.
    let mut wires: HashMap<u64, usize> = (0..file.inputs.len()).map(|i| (i as u64, i)).collect();
    for (i, (operation, a, b, out)) in file.gates.iter().enumerate() {
        let wire = |field: usize, number: &u64| match wires.get(number) {
            Some(&wire) => Ok(wire),
            None => wrong(
                format!("gates[{i}][{field}]"),
                format!("wire {number} is neither an input nor driven by an earlier gate"),
            ),
        };
        let a = wire(1, a)?;
        let b = b.as_ref().map(|b| wire(2, b)).transpose()?;
        let own = vector.inputs.len() + i;
        let gate = gate(operation, a, b, own, || format!("gates[{i}]"))?;
        if wires.insert(*out, own).is_some() {
            return wrong(format!("gates[{i}][3]"), format!("wire {out} already has a driver"));
        }
        vector.gates.push(gate);
    }
    vector.listed = vector.gates.len();
    for (i, rows) in file.tables.iter().enumerate() {
        vector.tables.push(table(suite, rows, || format!("tables[{i}]"))?);
    }
    let ands = vector.gates.iter().filter(|gate| matches!(gate, Gate::And { .. })).count();
    if ands != vector.tables.len() {
        let tables = vector.tables.len();
        return wrong("tables", format!("{tables} tables for {ands} gates that have one"));
    }
    if file.outputs.is_empty() {
        return wrong("outputs", "there must be at least one");
    }
    for (number, text) in &file.outputs {
        let field = || format!("outputs[{number}]");
        let Some(&wire) = wires.get(number) else {
            return wrong(field(), "the circuit has no such wire");
        };
        vector.outputs.push((wire, label(suite, text, field)?));
    }
    Ok(vector)
}

fn single_gates(file: GatesFile) -> Result<Vector, Wrong> {
    let GatesFile { suite, delta, start, key, cycle, .. } = file;
    let mut vector = head(Head { suite, delta, start, key, cycle })?;
    let suite = vector.suite;
    let operands: usize = file.gates.iter().map(|gate| 1 + usize::from(gate.b.is_some())).sum();
    let mut position = 0;
    for (i, single) in file.gates.iter().enumerate() {
        let field = |name: &str| format!("gates[{i}].{name}");
        if single.gate < position || single.gate > MAX_POSITION {
            let what = format!("gate numbers must ascend, and not exceed {MAX_POSITION}");
            return wrong(field("gate"), what);
        }
        // The copies in between only fill positions.
        for out in position..single.gate {
            vector.gates.push(Gate::Copy { a: 0, out: operands + out as usize, invert: false });
        }
        position = single.gate + 1;
        let a = vector.inputs.len();
        let b = single.b.is_some().then_some(a + 1);
        let out = operands + single.gate as usize;
        let gate = gate(&single.operation, a, b, out, || format!("gates[{i}]"))?;
        vector.gates.push(gate);
        vector.inputs.push(label(suite, &single.a, || field("a"))?);
        if let Some(b) = &single.b {
            vector.inputs.push(label(suite, b, || field("b"))?);
        }
        match (&single.table, matches!(gate, Gate::And { .. })) {
            (Some(rows), true) => {
                vector.tables.push(table(suite, rows, || field("table"))?);
            }
            (None, false) => {}
            (None, true) => return wrong(field("table"), "this type has a table"),
            (Some(_), false) => return wrong(field("table"), "this type has none"),
        }
        vector.outputs.push((out, label(suite, &single.out, || field("out"))?));
    }
    vector.listed = file.gates.len();
    if vector.listed == 0 {
        return wrong("gates", "there must be at least one");
    }
    Ok(vector)
}

/// Converts the fields that begin both formats to a vector without gates.
fn head(head: Head) -> Result<Vector, Wrong> {
    let suite: Suite = match head.suite.parse() {
        Ok(suite) => suite,
        Err(error) => return wrong("suite", format!("{error}")),
    };
    let Some(reference_suite) = halfgate_reference::Suite::from_name(suite.name()) else {
        return wrong("suite", format!("the reference has no {suite}"));
    };
    let delta = label(suite, &head.delta, || "delta".into())?;
    if delta & 1 == 0 {
        return wrong("delta", "its lowest bit, the colour bit, must be set");
    }
    let Head { start, key, cycle, .. } = head;
    let absent = |field: &str, there: bool| match there {
        true => wrong(field, format!("{suite} has none")),
        false => Ok(()),
    };
    let missing = |field: &str| Wrong { field: field.into(), what: format!("{suite} needs it") };
    let number = |text: &str, field: &str| hex(text, 128, || field.into());
    absent("start", start.is_some() && (suite.tweaks_by_position() || !suite.has_point()))?;
    absent("key", key.is_some() && !suite.tweaks_by_position())?;
    absent("cycle", cycle.is_some() && !suite.tweaks_by_position())?;
    let (point, cycle) = if suite.tweaks_by_position() {
        let key = key.ok_or_else(|| missing("key"))?;
        (number(&key, "key")?, cycle.ok_or_else(|| missing("cycle"))?)
    } else if suite.has_point() {
        (number(&start.ok_or_else(|| missing("start"))?, "start")?, 0)
    } else {
        (0, 0)
    };
    Ok(Vector {
        suite,
        key: Key { suite: reference_suite, point },
        delta,
        cycle,
        inputs: Vec::new(),
        gates: Vec::new(),
        listed: 0,
        tables: Vec::new(),
        outputs: Vec::new(),
    })
}

/// Returns the gate called `operation`. Every gate with a table is an AND with some values
/// inverted.
fn gate(
    operation: &str,
    a: usize,
    b: Option<usize>,
    out: usize,
    field: impl Fn() -> String,
) -> Result<Gate, Wrong> {
    let Some(b) = b else {
        return match operation {
            "NOT" => Ok(Gate::Copy { a, out, invert: true }),
            _ => wrong(field(), format!("{operation:?} with one input: only NOT has one")),
        };
    };
    let (invert_a, invert_b, invert_out) = match operation {
        "XOR" => return Ok(Gate::Xor { a, b, out, invert: false }),
        "XNOR" => return Ok(Gate::Xor { a, b, out, invert: true }),
        "AND" => (false, false, false),
        "ANDN" => (false, true, false),
        "NAND" => (false, false, true),
        "NANDN" => (false, true, true),
        "OR" => (true, true, true),
        "ORN" => (true, false, true),
        "NOR" => (true, true, false),
        "NORN" => (true, false, false),
        _ => {
            let known = "AND, ANDN, NAND, NANDN, OR, ORN, NOR, NORN, XOR or XNOR";
            return wrong(field(), format!("{operation:?} with two inputs: use {known}"));
        }
    };
    Ok(Gate::And { a, b, out, invert_a, invert_b, invert_out })
}

/// Reads the rows of a table; the suite fixes their number.
fn table(suite: Suite, rows: &[String], field: impl Fn() -> String) -> Result<Vec<u128>, Wrong> {
    let wanted = 8 * suite.table_bytes() / suite.label_bits() as usize;
    if rows.len() != wanted {
        return wrong(field(), format!("{} rows: a table of {suite} has {wanted}", rows.len()));
    }
    let row = |(i, row): (usize, &String)| label(suite, row, || format!("{}[{i}]", field()));
    rows.iter().enumerate().map(row).collect()
}

/// Reads a label of the suite.
fn label(suite: Suite, text: &str, field: impl FnOnce() -> String) -> Result<u128, Wrong> {
    hex(text, suite.label_bits(), field)
}

/// Reads hex digits, most significant first; `bits` fixes their number.
fn hex(text: &str, bits: u32, field: impl FnOnce() -> String) -> Result<u128, Wrong> {
    let wanted = bits as usize / 4;
    let digits = text.len() == wanted && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match u128::from_str_radix(text, 16) {
        Ok(label) if digits => Ok(label),
        _ => wrong(field(), format!("{text:?} is not a label: {wanted} hex digits")),
    }
}
