//! Tests every operator of Verilog on words of many widths, signed and unsigned. The circuit must
//! agree with Yosys' own evaluation of the same module before any optimisation.

use crate::verilog_common::{Folder, yosys};
use halfgate_circuit::{Bits, Circuit, clear};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::fmt::Write;

/// An input of a module.
#[derive(Clone, Debug)]
struct Operand {
    width: usize,
    signed: bool,
}

/// A module with four inputs and an output for each expression.
#[derive(Clone, Debug)]
struct Module {
    operands: Vec<Operand>,
    outputs: Vec<(usize, bool, String)>,
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

impl Module {
    fn verilog(&self) -> String {
        let mut text = String::from("module m (\n");
        for (name, operand) in NAMES.iter().zip(&self.operands) {
            let signed = if operand.signed { "signed " } else { "" };
            let high = operand.width - 1;
            let _ = writeln!(text, "  (* party = \"garbler\" *) input {signed}[{high}:0] {name},");
        }
        let ports = self.outputs.iter().enumerate().map(|(number, (width, signed, _))| {
            let signed = if *signed { "signed " } else { "" };
            format!("  output {signed}[{}:0] y{number}", width - 1)
        });
        let _ = writeln!(text, "{}\n);", ports.collect::<Vec<_>>().join(",\n"));
        for (number, (_, _, expression)) in self.outputs.iter().enumerate() {
            let _ = writeln!(text, "  assign y{number} = {expression};");
        }
        text + "endmodule\n"
    }
}

fn operand() -> impl Strategy<Value = Operand> {
    (1..10usize, any::<bool>()).prop_map(|(width, signed)| Operand { width, signed })
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
        1 => (1..8usize, 0..200u32).prop_map(|(width, value)| format!("{width}'d{}", value % (1 << width))),
        1 => (0..100u32).prop_map(|value| format!("7'sd{}", value % 64)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "<<", ">>", "<<<", ">>>", "<", "<=", ">", ">=", "==", "!=", "&", "|",
            "^", "~^", "&&", "||",
        ]);
        let unary = prop::sample::select(vec!["-", "~", "!", "&", "|", "^", "~&", "~|", "~^"]);
        prop_oneof![
            6 => (inner.clone(), binary, inner.clone()).prop_map(|(x, op, y)| format!("({x} {op} {y})")),
            2 => (unary, inner.clone()).prop_map(|(op, x)| format!("({op} {x})")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(s, x, y)| format!("({s} ? {x} : {y})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("{{{x}, {y}}}")),
            1 => (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("({x} + {y} + a[0])")),
            1 => inner.clone().prop_map(|x| format!("$signed({x})")),
            1 => inner.clone().prop_map(|x| format!("$unsigned({x})")),
        ]
    })
}

fn module() -> impl Strategy<Value = Module> {
    let output = (1..16usize, any::<bool>(), expression());
    (prop::collection::vec(operand(), 4), prop::collection::vec(output, 24))
        .prop_map(|(operands, outputs)| Module { operands, outputs })
}

/// Expressions that random choice rarely makes: parts of words at a variable index, tables, long
/// chains.
const CHOSEN: &[&str] = &[
    "a[b +: 3]",
    "c[d]",
    "{a, b, c, d} >> c",
    "$signed({a, b}) >>> d",
    "b[c -: 2]",
    "(a + b) + c[0]",
    "{1'b0, a} + {1'b0, b} + d[0]",
    "$signed(a) * $signed(b) + c",
    "$signed(a) / $signed(b)",
    "$signed(a) % $signed(b)",
    "a * 8'd13",
    "a / 3'd5 + b % 4'd7",
    "(a < b) ? a : b",
    "{a, b} * {c, d}",
];

#[test]
fn operators_agree_with_yosys() {
    let Some(yosys) = yosys() else { return };
    // A module takes one second, for two runs of Yosys with all passes. So there are few cases.
    let config = Config { failure_persistence: None, ..Config::with_cases(12) };
    let result = TestRunner::new(config).run(&(module(), any::<u64>()), |(mut module, seed)| {
        module.outputs.extend(CHOSEN.iter().map(|text| (9, false, (*text).to_owned())));
        check(&yosys, &module, seed)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Checks a module, except for cases on which Yosys itself crashes: when Yosys 0.23 divides a
/// signed word by a power of two that does not fit the word's width, it reads beyond the end of the
/// word.
fn check(yosys: &str, module: &Module, seed: u64) -> Result<(), TestCaseError> {
    let folder = Folder::new();
    let text = module.verilog();
    let circuit = match folder.read("m.v", &text) {
        Ok(circuit) => circuit,
        Err(error) => {
            let printed = error.to_string();
            let crashed = printed.contains("SIGSEGV") || printed.contains("Assert `");
            assert!(crashed, "{error}\n{text}");
            return Err(TestCaseError::reject(printed));
        }
    };
    let vectors: Vec<Vec<u64>> = (0..24).map(|number| inputs(module, seed, number)).collect();
    let mut script = String::from("read_verilog m.v\nhierarchy -top m\nproc\n");
    for vector in &vectors {
        script.push_str("eval");
        for ((name, operand), value) in NAMES.iter().zip(&module.operands).zip(vector) {
            let _ = write!(script, " -set {name} {}'d{value}", operand.width);
        }
        for number in 0..module.outputs.len() {
            let _ = write!(script, " -show y{number}");
        }
        script.push('\n');
    }
    let printed = folder.run(yosys, &script);
    let results: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Eval result: "))
        .filter_map(|line| line.split_once('\''))
        .map(|(_, bits)| bits.trim_end_matches('.'))
        .collect();
    assert_eq!(results.len(), vectors.len() * module.outputs.len(), "{printed}\n{text}");
    for (vector, expected) in vectors.iter().zip(results.chunks(module.outputs.len())) {
        compare(&circuit, module, vector, expected, &text);
    }
    Ok(())
}

fn compare(circuit: &Circuit, module: &Module, vector: &[u64], expected: &[&str], text: &str) {
    let values = module.operands.iter().zip(vector);
    let inputs: Vec<Bits> =
        values.map(|(operand, &value)| Bits::from_integer(value.into(), operand.width)).collect();
    let outputs = clear::evaluate(circuit, &inputs, 1).unwrap();
    for (number, (bits, expected)) in outputs.iter().zip(expected).enumerate() {
        let (_, _, expression) = &module.outputs[number];
        // Where the result of Verilog is undefined (x, for example after a division by zero), any
        // value is right.
        for (bit, digit) in bits.iter().zip(expected.bytes().rev()) {
            let right = digit == b'x' || bit == (digit == b'1');
            assert!(right, "y{number} = {expression} of {vector:?} is not {expected}\n{text}");
        }
    }
}

/// Returns values for the inputs: small, large and arbitrary numbers.
fn inputs(module: &Module, seed: u64, number: u64) -> Vec<u64> {
    let value = |(place, operand): (usize, &Operand)| {
        let mixed = (seed ^ number << 8 ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20;
        let chosen = match mixed % 7 {
            0 => 0,
            1 => u64::MAX,
            2 => 1,
            3 => 1 << (operand.width - 1),
            _ => mixed >> 3,
        };
        chosen & ((1 << operand.width) - 1)
    };
    module.operands.iter().enumerate().map(value).collect()
}
