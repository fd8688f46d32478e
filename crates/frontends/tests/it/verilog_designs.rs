//! Tests that designs with ports, registers, memories and tables of every kind become circuits that
//! compute what Verilog defines.

use crate::verilog_common::{Folder, yosys};
use halfgate_circuit::{Bits, Circuit, Init, Party, clear};
use halfgate_frontends::scd::Outputs;
use halfgate_frontends::verilog::Options;
use std::collections::BTreeMap;

fn read(text: &str) -> Circuit {
    Folder::new().read("m.v", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the outputs of a circuit as numbers, for each port a list by cycle. Inputs are in the
/// same form.
fn run(circuit: &Circuit, cycles: u64, inputs: &[&[u128]]) -> Vec<Vec<u128>> {
    let inputs = circuit.inputs.iter().zip(inputs).map(|(input, values)| {
        let width = input.width as usize;
        let mut bits = Bits::new();
        values.iter().for_each(|&value| bits.append(&Bits::from_integer(value, width)));
        bits
    });
    let inputs: Vec<Bits> = inputs.collect();
    let outputs = clear::evaluate(circuit, &inputs, cycles).unwrap();
    let split = outputs.iter().zip(&circuit.outputs).map(|(bits, output)| {
        let width = output.bits.len();
        let parts = (0..bits.len() / width).map(|part| bits.slice(part * width, width));
        parts.map(|part| part.to_integer().unwrap()).collect()
    });
    split.collect()
}

#[test]
fn names_and_attributes_decide_the_ports() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        r#"
(* cycles = 5 *)
module m (
    input clk, rst,
    input [1:0] g_init, e_init, g_input, e_input,
    (* party = "evaluator", per_run *) input [2:0] key,
    (* party = "g" *) input [3:0] x,
    output [3:0] o,
    (* per_run *) output [2:0] last
);
  reg [1:0] a, b;
  always @(posedge clk or posedge rst)
    if (rst) begin a <= g_init; b <= ~e_init; end
    else begin a <= g_input; b <= e_input; end
  assign o = x ^ {a, b};
  assign last = key;
endmodule"#,
    );
    let inputs: Vec<_> = circuit
        .inputs
        .iter()
        .map(|input| (input.name.as_str(), input.party, input.width, input.per_cycle))
        .collect();
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let expected = [
        ("g_init", g, 2, false),
        ("e_init", e, 2, false),
        ("g_input", g, 2, true),
        ("e_input", e, 2, true),
        ("key", e, 3, false),
        ("x", g, 4, true),
    ];
    assert_eq!(inputs, expected);
    assert_eq!(circuit.cycles, 5);
    let per_cycle: Vec<bool> = circuit.outputs.iter().map(|output| output.per_cycle).collect();
    assert_eq!(per_cycle, [true, false]);
    assert!(circuit.flip_flops.iter().all(|found| matches!(found.init, Init::Input(_))));
    // If a register starts from the inverse of an input, the circuit stores the inverse of the
    // register's value.
    let found = run(&circuit, 2, &[&[2], &[1], &[3, 0], &[1, 0], &[5], &[0, 15]]);
    assert_eq!(found, [vec![0b1010, 0b1101 ^ 15], vec![5]]);
}

#[test]
fn without_registers_everything_is_of_one_run() {
    if yosys().is_none() {
        return;
    }
    let text = "module m (input clk, input [3:0] a, g_input, output [3:0] o); assign o = a + g_input; endmodule";
    let options = Options { parties: Some(vec![Party::Evaluator]), ..Options::default() };
    let circuit = Folder::new().read_with("m.v", text, &options).unwrap();
    assert!(circuit.inputs.iter().all(|input| !input.per_cycle));
    assert_eq!(circuit.inputs.len(), 2, "the clock is no input");
    assert_eq!(circuit.inputs[0].party, Party::Evaluator);
    assert!(!circuit.outputs[0].per_cycle);
    assert_eq!(run(&circuit, 1, &[&[9], &[8]]), [[1]]);
}

#[test]
fn registers_start_from_resets_and_initial_values() {
    if yosys().is_none() {
        return;
    }
    // Registers: a has an asynchronous reset, b a synchronous reset, c an initial value, d neither;
    // e has an initial value, and changes only while the reset is inactive.
    let body = |reset: &str, active: &str| {
        format!(
            "module m (input clk, {reset}, input g_input, output [4:0] o);
  reg a, b, c = 1, d, e = 1;
  always @(posedge clk or {} {reset}) if ({active}) a <= 1; else a <= g_input;
  always @(posedge clk) begin
    if ({active}) b <= 1; else if (g_input) b <= ~b;
    c <= 0;
    d <= g_input;
    if (!({active}) && g_input) e <= 0;
  end
  assign o = {{e, d, c, b, a}};
endmodule",
            if active.starts_with('!') { "negedge" } else { "posedge" }
        )
    };
    for (reset, active) in [("rst", "rst"), ("rst_n", "!rst_n"), ("reset", "reset")] {
        let circuit = read(&body(reset, active));
        let found = run(&circuit, 3, &[&[0, 1, 1]]);
        assert_eq!(found, [[0b10111, 0b10010, 0b01001]], "{reset}");
    }
}

#[test]
fn enables_memories_and_tables() {
    if yosys().is_none() {
        return;
    }
    // The design has a memory of four words, which is written and read at once, and a table of all
    // squares modulo 31.
    let circuit = read(
        r#"
module m (
    input clk, rst,
    input [1:0] g_input,
    input [4:0] e_input,
    output [4:0] old,
    output reg [4:0] square,
    output [4:0] part
);
  reg [4:0] memory [0:3];
  integer i;
  initial for (i = 0; i < 4; i = i + 1) memory[i] = i + 7;
  always @(posedge clk) if (e_input[0]) memory[g_input] <= e_input;
  assign old = memory[g_input];
  always @* case (e_input)
    0: square = 0;    1: square = 1;    2: square = 4;    3: square = 9;
    4: square = 16;   5: square = 25;   6: square = 5;    7: square = 18;
    8: square = 2;    9: square = 19;   10: square = 7;   11: square = 28;
    12: square = 20;  13: square = 14;  14: square = 10;  15: square = 8;
    16: square = 8;   17: square = 10;  18: square = 14;  19: square = 20;
    20: square = 28;  21: square = 7;   22: square = 19;  23: square = 2;
    24: square = 18;  25: square = 5;   26: square = 25;  27: square = 16;
    28: square = 9;   29: square = 4;   30: square = 1;   default: square = 0;
  endcase
  wire [19:0] all = {memory[3], memory[2], memory[1], memory[0]};
  assign part = all[g_input * 5 +: 5];
endmodule"#,
    );
    let writes: [(u128, u128); 6] = [(0, 5), (0, 6), (3, 31), (0, 8), (3, 9), (3, 2)];
    let (addresses, values): (Vec<u128>, Vec<u128>) = writes.iter().copied().unzip();
    let found = run(&circuit, 6, &[&addresses, &values]);
    assert_eq!(found[0], [7, 5, 10, 5, 31, 9]);
    assert_eq!(found[1], values.iter().map(|value| value * value % 31).collect::<Vec<_>>());
    assert_eq!(found[2], found[0], "a part of a word at an index");
}

#[test]
fn an_option_reveals_only_the_last_cycles_outputs() {
    if yosys().is_none() {
        return;
    }
    let text =
        "module m (input clk, g_input, output o); reg r; always @(posedge clk) r <= r ^ g_input;
        assign o = r; endmodule";
    let options = Options { outputs: Some(Outputs::Last), ..Options::default() };
    let circuit = Folder::new().read_with("m.v", text, &options).unwrap();
    assert_eq!(run(&circuit, 4, &[&[1, 0, 1, 1]]), [[0]]);
}

#[test]
fn gate_level_netlists() {
    if yosys().is_none() {
        return;
    }
    // Tests TinyGarble's cells, of which the design defines one itself.
    let circuit = read(
        "module m (input clk, rst, input [1:0] g_input, e_input, output [3:0] o);
  wire n0, n1;
  XOR U1 (.A(g_input[0]), .B(e_input[0]), .Z(n0));
  NANDN U2 (.A(g_input[1]), .B(e_input[1]), .Z(n1));
  DFF q (.D(n0), .CLK(clk), .RST(rst), .I(1'b1), .Q(o[0]));
  IV U3 (.A(n1), .Z(o[1]));
  FADDER U4 (.IN0(g_input[0]), .IN1(e_input[0]), .CIN(n1), .COUT(o[2]), .SUM(o[3]));
endmodule
module IV (input A, output Z); assign Z = A; endmodule",
    );
    let found = run(&circuit, 2, &[&[0b01, 0b10], &[0b11, 0b01]]);
    // n0 = 0, 1; n1 = 1, 0; sums 1 + 1 + 1 and 0 + 1 + 0.
    assert_eq!(found, [[0b1111, 0b1000]]);

    // Tests the gates of Verilog and those of Yosys.
    let circuit = read(
        "module m (input g_input, e_input, output [2:0] o);
  nand n (o[0], g_input, e_input);
  xor x (o[1], g_input, e_input, 1'b1);
  \\$_AOI3_ a (.A(g_input), .B(e_input), .C(o[1]), .Y(o[2]));
endmodule",
    );
    for (g, e) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let xor = 1 ^ g ^ e;
        let expected = (1 ^ g & e) | xor << 1 | (1 ^ (g & e | xor)) << 2;
        assert_eq!(run(&circuit, 1, &[&[g], &[e]]), [[expected]]);
    }
}

#[test]
fn logic_goes_through_abc_if_that_takes_fewer_ands() {
    if yosys().is_none() {
        return;
    }
    // As written, a sum of products, the function has six ANDs. As a majority it takes one.
    let circuit = read(
        "module m (input [1:0] g_input, input e_input, output o);
  assign o = (g_input[0] & g_input[1]) | (g_input[0] & e_input) | (g_input[1] & e_input);
endmodule",
    );
    assert_eq!(circuit.gates.ands(), 1);
    for g in 0..4u128 {
        for e in 0..2u128 {
            let ones = g.count_ones() + e.count_ones();
            assert_eq!(run(&circuit, 1, &[&[g], &[e]]), [[u128::from(ones >= 2)]]);
        }
    }
}

#[test]
fn sums_of_three_take_a_carry() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input [8:0] g_input, input [7:0] e_input, output [8:0] o);
  assign o = g_input[7:0] + e_input + g_input[8];
endmodule",
    );
    assert_eq!(circuit.gates.ands(), 8);
    assert_eq!(run(&circuit, 1, &[&[511], &[255]]), [[511]]);
}

#[test]
fn words_may_read_their_own_bits() {
    if yosys().is_none() {
        return;
    }
    // A carry that ripples through one vector is not a loop, because each bit reads the one below.
    let circuit = read(
        "module m (input [7:0] g_input, e_input, output [8:0] o);
  wire [8:0] c;
  assign c = {(g_input & e_input) | ((g_input ^ e_input) & c[7:0]), 1'b0};
  assign o = {1'b0, g_input ^ e_input} ^ c;
endmodule",
    );
    assert_eq!(run(&circuit, 1, &[&[200], &[99]]), [[299]]);
}

#[test]
fn parameters_and_other_files() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let part = "module part #(parameter W = 1) (input [W-1:0] x, output [W-1:0] y); assign y = ~x; endmodule";
    folder.write("part.v", part);
    let options = Options {
        top: Some("m".into()),
        parameters: vec![("W".into(), "6".into()), ("K".into(), "6'h21".into())],
        files: vec![folder.path("part.v")],
        ..Options::default()
    };
    let text = "module m #(parameter W = 2, K = 0) (input [W-1:0] g_input, output [W-1:0] o);
  wire [W-1:0] y; part #(.W(W)) p (g_input, y); assign o = y ^ K; endmodule";
    let circuit = folder.read_with("m.v", text, &options).unwrap();
    assert_eq!(run(&circuit, 1, &[&[0b001100]]), [[0b110011 ^ 0x21]]);
}

#[test]
fn a_design_is_the_same_circuit_each_time() {
    if yosys().is_none() {
        return;
    }
    let text = "module m (input [7:0] g_input, e_input, output [7:0] o);
  assign o = (g_input * e_input) - (e_input * (g_input ^ 8'd77)) + ((g_input + e_input) / (e_input + 8'd3));
endmodule";
    let gates =
        |circuit: &Circuit| circuit.gates.iter().map(|gate| gate.to_bytes()).collect::<Vec<_>>();
    let first = read(text);
    for _ in 0..3 {
        assert_eq!(gates(&read(text)), gates(&first));
    }
}

#[test]
fn parameters_are_signed_as_in_an_instance() {
    if yosys().is_none() {
        return;
    }
    let text = "module m #(parameter N = 1, M = 1) (input signed [3:0] g_input, output [4:0] o);
  wire [3:0] sum = 8 + M;
  assign o = {g_input < N, sum};
endmodule";
    let options = Options {
        top: Some("m".into()),
        parameters: vec![("N".into(), "4".into()), ("M".into(), "-3".into())],
        ..Options::default()
    };
    let circuit = Folder::new().read_with("m.v", text, &options).unwrap();
    for (value, less) in [(15, 1), (3, 1), (4, 0), (7, 0), (8, 1)] {
        assert_eq!(run(&circuit, 1, &[&[value]]), [[less << 4 | 5]], "{value}");
    }
}

#[test]
fn registers_may_keep_their_reset_value() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input clk, rst, input [1:0] g_init, input [1:0] e_input, output [5:0] o);
  reg [1:0] key, five = 3;
  always @(posedge clk or posedge rst) if (rst) key <= g_init; else key <= key;
  always @(posedge clk or posedge rst) if (rst) five <= 2; else five <= five;
  wire kept;
  DFF d (.D(kept), .CLK(clk), .RST(rst), .I(g_init[1]), .Q(kept));
  assign o = {1'b0, kept, five, key ^ e_input};
endmodule",
    );
    assert_eq!(run(&circuit, 3, &[&[3], &[0, 1, 2]]), [[0b011011, 0b011010, 0b011001]]);
}

#[test]
fn a_table_is_read_at_its_own_output() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input [2:0] g_input, output [2:0] o);
  reg [2:0] table_ [0:7];
  integer i;
  initial for (i = 0; i < 8; i = i + 1) table_[i] = 3 * i + 5;
  assign o = table_[table_[g_input]];
endmodule",
    );
    for value in 0..8 {
        let at = |i: u128| (3 * i + 5) % 8;
        assert_eq!(run(&circuit, 1, &[&[value]]), [[at(at(value))]]);
    }
}

#[test]
fn ports_stay_per_cycle_if_registers_do_not_matter() {
    if yosys().is_none() {
        return;
    }
    // Only ABC finds that q cancels out.
    let circuit = read(
        "module m (input ck, input [2:0] g_input, e_input, output [2:0] o);
  reg [2:0] q = 0;
  always @(posedge ck) q <= q + g_input;
  assign o = g_input ^ ((q ^ e_input) & q & e_input);
endmodule",
    );
    assert!(circuit.inputs.iter().all(|input| input.per_cycle));
    assert_eq!(run(&circuit, 2, &[&[5, 3], &[7, 1]]), [[5, 3]]);
}

#[test]
fn flip_flops_of_gate_level_netlists() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input clk, rst, rst_n, input [1:0] g_init, input g_input, output [4:0] o);
  \\$_DFF_P_ a (.C(clk), .D(g_input), .Q(o[0]));
  \\$_DFF_PP1_ b (.C(clk), .R(rst), .D(g_input), .Q(o[1]));
  \\$_DFF_PN1_ c (.C(clk), .R(rst_n), .D(g_input), .Q(o[2]));
  \\$_ALDFF_PN_ d (.C(clk), .L(rst_n), .AD(g_init[1]), .D(g_input), .Q(o[3]));
  \\$_DFFSR_PPN_ e (.C(clk), .S(1'b0), .R(rst_n), .D(~g_input), .Q(o[4]));
endmodule",
    );
    assert_eq!(run(&circuit, 2, &[&[2], &[0, 0]]), [[0b01110, 0b10000]]);
}

#[test]
fn modules_that_are_to_keep_their_hierarchy_lose_it() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module m (input g_input, e_input, output o); part p (g_input, e_input, o); endmodule
(* keep_hierarchy *) module part (input a, b, output y); assign y = a & b; endmodule",
    );
    assert_eq!(run(&circuit, 1, &[&[1], &[1]]), [[1]]);
}

/// Gates that ABC makes get the source line of the signal to which they lead.
#[test]
fn gates_are_of_a_line_of_the_design() {
    if yosys().is_none() {
        return;
    }
    let circuit = read(
        "module top((* party = \"garbler\" *) input [7:0] a, (* party = \"evaluator\" *) input [7:0] b,
                    output [7:0] y);
            wire [7:0] sum = a + b;
            wire same = (a[3:0] == b[3:0]) & (a[5] | b[6]);
            assign y = same ? sum : 8'h2a;
        endmodule",
    );
    let sources = circuit.gates.sources().expect("lines");
    let mut ands = BTreeMap::new();
    for (number, _) in circuit.gates.iter().enumerate().filter(|(_, gate)| gate.is_and()) {
        let line = sources.line(number as u64).expect("a line");
        let (_, line) = line.rsplit_once(':').expect("a file and a line");
        *ands.entry(line.to_owned()).or_insert(0) += 1;
    }
    let expected = [("3", 7), ("4", 5), ("5", 8)].map(|(line, ands)| (line.to_owned(), ands));
    assert_eq!(ands, BTreeMap::from(expected));
}
