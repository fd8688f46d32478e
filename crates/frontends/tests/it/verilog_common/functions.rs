//! Test helpers for designs with functions, and for comparing them with flattened designs.

use super::Folder;
use halfgate_circuit::random;
use halfgate_circuit::structured::{Body, Form, StructuredCircuit, clear, flatten};
use halfgate_frontends::verilog::{self, Options};

/// A module that takes more than 32 ANDs.
pub const MIX: &str = "
module mix (input [7:0] a, b, output [7:0] y);
  assign y = a * b ^ (a + b);
endmodule
";

pub fn read(text: &str) -> StructuredCircuit {
    read_with(text, &Options { top: Some("m".to_owned()), ..Options::default() })
}

pub fn read_with(text: &str, options: &Options) -> StructuredCircuit {
    let folder = Folder::new();
    folder.write("m.v", text);
    verilog::read_structured(&folder.path("m.v"), options).unwrap_or_else(|e| panic!("{e}"))
}

pub fn ands(circuit: &StructuredCircuit) -> u64 {
    circuit.size().ands
}

pub fn bodies(circuit: &StructuredCircuit) -> Vec<(String, Vec<Form>)> {
    let forms = |body: &Body| body.calls.iter().map(|call| call.form).collect();
    let functions = circuit.functions.iter();
    let functions = functions.map(|f| (f.name.clone(), forms(&f.body)));
    functions.chain([("top".to_owned(), forms(&circuit.body))]).collect()
}

pub fn map(lanes: u64) -> Form {
    Form::Map { lanes }
}

pub fn body(name: &str, forms: &[Form]) -> (String, Vec<Form>) {
    (name.to_owned(), forms.to_vec())
}

/// Reads a design whose top module is written `module m`, with functions and flattened. Checks that
/// both compute the same on random inputs, and returns the first and the ANDs of both.
pub fn compared(text: &str) -> (StructuredCircuit, u64, u64) {
    let circuit = read(text);
    let plain = read(&text.replacen("module m ", "(* flatten *) module m ", 1));
    assert!(plain.body.calls.is_empty() && plain.functions.is_empty());
    let ports = |circuit: &StructuredCircuit| {
        let outputs = circuit.outputs.iter();
        let outputs = outputs.map(|o| (o.name.clone(), o.bits.len(), o.per_cycle, o.elements));
        (circuit.inputs.clone(), outputs.collect::<Vec<_>>(), circuit.cycles)
    };
    assert_eq!(ports(&circuit), ports(&plain));
    for seed in 0..20 {
        let flat = flatten(&plain).unwrap();
        let inputs = random::inputs_for(&flat, seed, 1);
        let expected = clear::evaluate(&plain, &inputs, 1).unwrap();
        assert_eq!(clear::evaluate(&circuit, &inputs, 1).unwrap(), expected, "seed {seed}");
    }
    let counts = (ands(&circuit), ands(&plain));
    (circuit, counts.0, counts.1)
}

/// The same, with no more ANDs than the flattened design.
pub fn checked(text: &str) -> StructuredCircuit {
    let (circuit, ands, flat) = compared(text);
    assert!(ands <= flat, "{ands} ANDs, and {flat} flattened");
    circuit
}
