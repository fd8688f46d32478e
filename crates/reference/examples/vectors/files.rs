//! The vector files in `spec/vectors`, generated from the reference. The text is the same on every
//! computer, so a test can compare it with the committed files.

use halfgate_reference::{Aes128, Cycle, Garbled, Gate, Key, Suite, garble};

const SOURCE: &str = "halfgate-reference, cargo run -p halfgate-reference --example vectors";

/// Returns the name and text of every file.
pub fn all() -> Vec<(&'static str, String)> {
    use Suite::*;
    let plain = &["AND", "XOR", "AND", "XOR", "AND"];
    vec![
        ("half-gates-small.json", circuit(1, HalfGates, 0, 4, 24, plain)),
        // More than 256 ANDs, so that AND numbers and the doubled numbers in keys need a second
        // byte.
        ("half-gates.json", circuit(2, HalfGates, 0, 16, 480, OPERATIONS)),
        ("half-gates-fixed-key.json", circuit(3, HalfGatesFixedKey, 0, 12, 200, OPERATIONS)),
        ("half-gates-fixed-key-cycle.json", circuit(4, HalfGatesFixedKey, 3, 8, 64, OPERATIONS)),
        ("half-gates-fixed-key-gates.json", single_gates(5, HalfGatesFixedKey, 0)),
        ("half-gates-fase-gates.json", single_gates(6, HalfGatesFase, 2)),
        ("grr3-sha1.json", circuit(7, Grr3Sha1, 0, 12, 200, OPERATIONS)),
        ("grr3-sha1-gates.json", single_gates(8, Grr3Sha1, 0)),
        ("grr3.json", circuit(9, Grr3, 0, 12, 200, OPERATIONS)),
        ("grr3-gates.json", single_gates(10, Grr3, 2)),
    ]
}

/// Generates a circuit of `count` random gates with operations drawn from `operations`.
fn circuit(
    seed: u128,
    suite: Suite,
    cycle: u64,
    inputs: usize,
    count: usize,
    operations: &[&'static str],
) -> String {
    let mut random = Random::new(seed);
    let (delta, point) = (suite.clip(random.label() | 1), random.label());
    let zeros: Vec<u128> = (0..inputs).map(|_| suite.clip(random.label())).collect();
    let mut unread = vec![true; inputs + count];
    let drawn: Vec<(&str, usize, usize, usize)> = (inputs..inputs + count)
        .map(|out| {
            let operation = operations[random.below(operations.len())];
            // The later operand is a recent wire, so the circuit is deep and few wires stay unread.
            let b = out - 1 - random.below(inputs);
            let a = (b + 1 + random.below(out - 1)) % out;
            unread[a] = false;
            unread[b] &= operation == "NOT";
            (operation, a, b, out)
        })
        .collect();
    let gates: Vec<Gate> = drawn.iter().map(|&(op, a, b, out)| gate(op, a, b, out)).collect();
    let first = Cycle { number: cycle, first_and: 0 };
    let Garbled { tables, false_labels } =
        garble(Key { suite, point }, delta, first, &gates, &zeros);

    // An output may be an input; wire 0 is such an output.
    let outputs = (0..inputs + count).filter(|&wire| wire == 0 || unread[wire]);
    let list = |items: Vec<String>| items.join(",\n  ");
    let gate_text = |&(op, a, b, out): &(&str, usize, usize, usize)| match op {
        "NOT" => format!("[\"{op}\",{a},null,{out}]"),
        _ => format!("[\"{op}\",{a},{b},{out}]"),
    };
    format!(
        "{{\n{},\n \"inputs\": [\n  {}\n ],\n \"gates\": [\n  {}\n ],\n \"tables\": [\n  {}\n ],\n \
         \"outputs\": {{\n  {}\n }}\n}}\n",
        header(suite, delta, point, cycle),
        list(zeros.iter().map(|&label| hex(suite, label)).collect()),
        list(
            drawn
                .chunks(6)
                .map(|row| row.iter().map(gate_text).collect::<Vec<_>>().join(", "))
                .collect()
        ),
        list(tables.iter().map(|table| rows(suite, table)).collect()),
        list(
            outputs.map(|wire| format!("\"{wire}\": {}", hex(suite, false_labels[wire]))).collect()
        ),
    )
}

/// Each operation at least once, each gate by itself, at positions that are not consecutive.
fn single_gates(seed: u128, suite: Suite, cycle: u64) -> String {
    let mut random = Random::new(seed);
    let (delta, point) = (suite.clip(random.label() | 1), random.label());
    let (mut position, mut ands) = (0, 0);
    let mut entries = Vec::new();
    for _ in 0..2 {
        for &operation in OPERATIONS {
            position += 1 + random.below(30);
            let (a, b) = (suite.clip(random.label()), suite.clip(random.label()));
            // The gates before the AND are copies: they count as gates but change nothing.
            let mut gates = vec![Gate::Copy { a: 0, out: 3, invert: false }; position];
            gates.push(gate(operation, 0, 1, 2));
            let here = Cycle { number: cycle, first_and: ands };
            let garbled = garble(Key { suite, point }, delta, here, &gates, &[a, b]);
            ands += garbled.tables.len() as u64;
            entries.push(format!(
                "{{\n   \"gate\": {position},\n   \"type\": \"{operation}\",\n   \"a\": {},\n   \
                 \"b\": {},\n   \"table\": {},\n   \"out\": {}\n  }}",
                hex(suite, a),
                if operation == "NOT" { "null".into() } else { hex(suite, b) },
                garbled.tables.first().map_or("null".into(), |table| rows(suite, table)),
                hex(suite, garbled.false_labels[2]),
            ));
        }
    }
    format!(
        "{{\n{},\n \"gates\": [\n  {}\n ]\n}}\n",
        header(suite, delta, point, cycle),
        entries.join(",\n  ")
    )
}

/// Returns the gate of that name. Every gate with a table is an AND with some values inverted.
fn gate(operation: &str, a: usize, b: usize, out: usize) -> Gate {
    let and =
        |invert_a, invert_b, invert_out| Gate::And { a, b, out, invert_a, invert_b, invert_out };
    match operation {
        "AND" => and(false, false, false),
        "ANDN" => and(false, true, false),
        "NAND" => and(false, false, true),
        "NANDN" => and(false, true, true),
        "OR" => and(true, true, true),
        "ORN" => and(true, false, true),
        "NOR" => and(true, true, false),
        "NORN" => and(true, false, false),
        "XOR" => Gate::Xor { a, b, out, invert: false },
        "XNOR" => Gate::Xor { a, b, out, invert: true },
        "NOT" => Gate::Copy { a, out, invert: true },
        _ => unreachable!("the lists in this file name no operation {operation}"),
    }
}

const OPERATIONS: &[&str] =
    &["AND", "ANDN", "NAND", "NANDN", "OR", "ORN", "NOR", "NORN", "XOR", "XNOR", "NOT"];

fn header(suite: Suite, delta: u128, point: u128, cycle: u64) -> String {
    let (name, delta) = (suite.name(), hex(suite, delta));
    let point = match suite {
        Suite::HalfGates => format!(",\n \"start\": \"{point:032x}\""),
        Suite::Grr3Sha1 => String::new(),
        _ => format!(",\n \"key\": \"{point:032x}\",\n \"cycle\": {cycle}"),
    };
    format!(" \"suite\": \"{name}\",\n \"source\": \"{SOURCE}\",\n \"delta\": {delta}{point}")
}

fn rows(suite: Suite, table: &[u8]) -> String {
    let label = |row: &[u8]| row.iter().rev().fold(0, |label, &byte| label << 8 | u128::from(byte));
    let rows = table.chunks(suite.label_bits() as usize / 8).map(|row| hex(suite, label(row)));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

/// Formats a label in as many hexadecimal digits as the suite's labels have.
fn hex(suite: Suite, label: u128) -> String {
    format!("\"{label:0digits$x}\"", digits = suite.label_bits() as usize / 4)
}

/// AES in counter mode: gives the same numbers on every computer.
struct Random {
    aes: Aes128,
    counter: u128,
}

impl Random {
    fn new(seed: u128) -> Random {
        Random { aes: Aes128::new(seed), counter: 0 }
    }

    fn label(&mut self) -> u128 {
        self.counter += 1;
        self.aes.encrypt(self.counter)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.label() % bound as u128) as usize
    }
}
