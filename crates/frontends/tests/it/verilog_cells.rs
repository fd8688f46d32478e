//! Compares circuits from gate-level netlists of TinyGarble's cells with the definition of the
//! cells.

use crate::verilog_common::{Folder, yosys};
use halfgate_circuit::{Bits, Circuit, clear};

fn read(text: &str) -> Circuit {
    Folder::new().read("m.v", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the single output of a combinational circuit. `inputs` has a value for each input.
fn run(circuit: &Circuit, inputs: &[u128]) -> u128 {
    let ports = circuit.inputs.iter().zip(inputs);
    let inputs: Vec<Bits> =
        ports.map(|(port, &value)| Bits::from_integer(value, port.width as usize)).collect();
    let outputs = clear::evaluate(circuit, &inputs, 1).expect("the inputs fit");
    outputs[0].to_integer().expect("a narrow output")
}

/// Older netlists use other pin names, and one design may mix both kinds of cells.
#[test]
fn cells_of_older_gate_level_netlists() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input g_input, input [1:0] e_input, output [1:0] o);
  MUX U1 (.IN0(e_input[0]), .IN1(e_input[1]), .SEL(g_input), .F(o[0]));
  MUX U2 (.A(e_input[0]), .B(e_input[1]), .S(g_input), .Z(o[1]));
endmodule",
    );
    assert_eq!(circuit.gates.ands(), 1, "both are the same multiplexer");
    for (g, e) in (0..8).map(|lane| (lane & 1, lane >> 1)) {
        let selected = e >> g & 1;
        assert_eq!(run(&circuit, &[g, e]), selected | selected << 1);
    }

    let two = ["AND", "ANDN", "NAND", "NANDN", "OR", "ORN", "NOR", "NORN", "XOR", "XNOR"];
    let cell = |(i, name): (usize, &&str)| {
        format!("  {name} U{i} (.A(g_input), .B(e_input), .Y(o[{i}]));\n")
    };
    let cells: String = two.iter().enumerate().map(cell).collect();
    let circuit = read(&format!(
        "module m (input g_input, e_input, output [12:0] o);\n{cells}
  IV V0 (.A(g_input), .Y(o[10]));
  NOT V1 (.A(e_input), .Y(o[11]));
  BUF V2 (.A(e_input), .Y(o[12]));
endmodule"
    ));
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (not_a, not_b): (u128, u128) = (1 ^ a, 1 ^ b);
        let bits = [
            a & b,
            a & not_b,
            1 ^ a & b,
            1 ^ a & not_b,
            a | b,
            a | not_b,
            not_a & not_b,
            not_a & b,
            a ^ b,
            1 ^ a ^ b,
            not_a,
            not_b,
            b,
        ];
        let expected = bits.iter().rev().fold(0, |word, bit| word << 1 | bit);
        assert_eq!(run(&circuit, &[a, b]), expected, "{a}, {b}");
    }
}

/// A cell with pins of both kinds, or with an open pin, is not a multiplexer.
#[test]
fn a_cell_with_an_open_pin_is_refused() {
    if yosys().is_none() {
        return;
    }
    for pins in
        [".A(g_input), .B(e_input), .SEL(e_input), .F(o)", ".IN0(g_input), .SEL(e_input), .F(o)"]
    {
        let text =
            format!("module m (input g_input, e_input, output o);\n  MUX U ({pins});\nendmodule");
        let complaint = Folder::new().complaint("m.v", &text);
        assert_eq!(complaint, "m.v:2: U.IN1 is read, and nothing drives it");
    }
}
