//! Tests that repeated modules become functions, calls and maps, which compute what the flattened
//! design computes and take no more ANDs.

use crate::verilog_common::functions::{MIX, ands, bodies, body, checked, map, read};
use crate::verilog_common::{Folder, yosys};
use halfgate_circuit::Bits;
use halfgate_circuit::structured::{Argument, Form, clear};

fn word(value: u64, width: usize) -> Bits {
    Bits::from_integer(u128::from(value), width)
}

fn mix(a: u64, b: u64) -> u64 {
    (a.wrapping_mul(b) ^ (a + b)) & 255
}

#[test]
fn a_generate_loop_is_a_map() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module m #(parameter N = 20) (input [7:0] g_input, input [8*N-1:0] e_input, output [8*N-1:0] o);
  genvar i;
  generate for (i = 0; i < N; i = i + 1) begin : lane
    mix mix (g_input, e_input[8*i+:8], o[8*i+:8]);
  end endgenerate
endmodule"
    );
    let circuit = checked(&text);
    assert_eq!(bodies(&circuit), [body("mix", &[]), body("top", &[map(20)])]);
    let [Argument::Shared(shared), Argument::Sliced { width: 8, run_stride: 8, bit_stride: 1, .. }] =
        &circuit.body.calls[0].arguments[..]
    else {
        panic!("{:?}", circuit.body.calls)
    };
    assert_eq!(shared.len(), 8);
    assert_eq!(circuit.outputs[0].bits.runs().count(), 1, "the map's results, in order");
    let rows: Vec<u64> = (0..20).map(|i| i * 37 % 256).collect();
    let packed: Bits =
        rows.iter().flat_map(|&row| (0..8).map(move |i| row >> i & 1 == 1)).collect();
    let found = clear::evaluate(&circuit, &[word(77, 8), packed], 1).unwrap();
    for (lane, &row) in rows.iter().enumerate() {
        let y: u64 = (0..8).map(|i| u64::from(found[0].get(8 * lane + i)) << i).sum();
        assert_eq!(y, mix(77, row), "lane {lane}");
    }
}

#[test]
fn an_instance_array_is_a_map_and_other_instances_are_calls() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module m (input [31:0] g_input, input [7:0] e_input, output [31:0] o, output [7:0] p, q);
  mix array [3:0] (.a(g_input), .b(e_input), .y(o));
  mix first (o[7:0], o[31:24], p);
  mix second (e_input, p, q);
endmodule"
    );
    let circuit = checked(&text);
    let forms = [map(4), Form::Once, Form::Once];
    assert_eq!(bodies(&circuit), [body("mix", &[]), body("top", &forms)]);
}

#[test]
fn modules_nest_and_small_ones_are_written_out() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module half (input a, b, output s, c); assign s = a ^ b; assign c = a & b; endmodule
module pair (input [15:0] a, b, output [15:0] y);
  wire [15:0] t;
  mix low (a[7:0], b[7:0], t[7:0]);
  mix high (a[15:8], b[15:8], t[15:8]);
  half half (t[0], t[8], y[0], y[8]);
  assign {{y[15:9], y[7:1]}} = {{t[15:9], t[7:1]}};
endmodule
module m (input [47:0] g_input, e_input, output [47:0] o, output [7:0] p);
  genvar i;
  generate for (i = 0; i < 3; i = i + 1) begin : lane
    pair pair (g_input[16*i+:16], e_input[16*i+:16], o[16*i+:16]);
  end endgenerate
  mix last (o[7:0], o[47:40], p);
endmodule"
    );
    let circuit = checked(&text);
    let expected = [
        body("mix", &[]),
        body("pair", &[Form::Once, Form::Once]),
        body("top", &[map(3), Form::Once]),
    ];
    assert_eq!(bodies(&circuit), expected);
}

#[test]
fn constants_at_ports_make_functions_of_their_own() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module twice (input [7:0] a, b, output [7:0] y);
  wire [7:0] t; mix one (a, b, t); mix two (t, b, y);
endmodule
module m (input [31:0] g_input, input [7:0] e_input, output [31:0] o, output [31:0] p, output [23:0] q);
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : lane
    mix mix (g_input[8*i+:8], 8'd3, o[8*i+:8]);
    mix parity (g_input[8*i+:8], i % 2 ? 8'd5 : 8'd9, p[8*i+:8]);
  end endgenerate
  twice with_constant (e_input, 8'd16, q[7:0]);
  twice without (e_input, g_input[7:0], q[15:8]);
  mix constant (8'd7, 8'd9, q[23:16]);
endmodule"
    );
    let circuit = checked(&text);
    let of_top = &bodies(&circuit).pop().unwrap().1;
    let maps = |lanes| of_top.iter().filter(|&&form| form == map(lanes)).count();
    assert_eq!((maps(4), maps(2)), (1, 2), "{of_top:?}");
    let found = clear::evaluate(&circuit, &[word(0, 32), word(0, 8)], 1).unwrap();
    let q: u64 = (16..24).map(|i| u64::from(found[2].get(i)) << (i - 16)).sum();
    assert_eq!(q, mix(7, 9));
}

#[test]
fn small_modules_leave_the_circuit_as_it_was() {
    if yosys().is_none() {
        return;
    }
    let text = "
module full (input a, b, c, output s, d); assign {d, s} = a + b + c; endmodule
module m (input [15:0] g_input, e_input, output [15:0] o);
  wire [16:0] c;
  assign c[0] = 0;
  genvar i;
  generate for (i = 0; i < 16; i = i + 1) begin : bit_
    full full (g_input[i], e_input[i], c[i], o[i], c[i + 1]);
  end endgenerate
endmodule";
    let circuit = checked(text);
    assert!(circuit.functions.is_empty());
    assert_eq!(ands(&circuit), 15);
}

#[test]
fn a_chain_is_single_calls_and_a_tree_is_a_map_for_each_level() {
    if yosys().is_none() {
        return;
    }
    let chain = format!(
        "{MIX}
module m (input [7:0] g_input, input [31:0] e_input, output [7:0] o);
  wire [39:0] t;
  assign t[7:0] = g_input;
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : step
    mix mix (t[8*i+:8], e_input[8*i+:8], t[8*(i+1)+:8]);
  end endgenerate
  assign o = t[39:32];
endmodule"
    );
    let circuit = checked(&chain);
    assert_eq!(bodies(&circuit)[1], body("top", &[Form::Once; 4]));
    let tree = format!(
        "{MIX}
module m (input [63:0] g_input, output [7:0] o);
  wire [127:0] t;
  assign t[127:64] = g_input;
  genvar i;
  generate for (i = 1; i < 8; i = i + 1) begin : node
    mix mix (t[16*i+:8], t[16*i+8+:8], t[8*i+:8]);
  end endgenerate
  assign o = t[15:8];
endmodule"
    );
    let circuit = checked(&tree);
    assert_eq!(bodies(&circuit)[1], body("top", &[map(4), map(2), Form::Once]));
}

#[test]
fn tables_of_constants_are_functions() {
    if yosys().is_none() {
        return;
    }
    let rows: String = (0..256).map(|i| format!("{i}: y = {}; ", i * i * 5 % 251)).collect();
    let text = format!(
        "module square (input [7:0] x, output reg [7:0] y); always @* case (x) {rows} endcase endmodule
module memory (input [7:0] x, output [7:0] y);
  reg [7:0] table_ [0:255];
  integer i;
  initial for (i = 0; i < 256; i = i + 1) table_[i] = i * i * i + 5;
  assign y = table_[x];
endmodule
module m (input [31:0] g_input, output [31:0] o);
  wire [31:0] t;
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : lane
    square square (.x(g_input[8*i+:8]), .y(t[8*i+:8]));
    memory memory (t[8*i+:8], o[8*i+:8]);
  end endgenerate
endmodule"
    );
    let circuit = checked(&text);
    let forms = &bodies(&circuit).pop().unwrap().1;
    assert!(!forms.is_empty() && forms.iter().all(|&form| form == map(4)), "{forms:?}");
    let found =
        clear::evaluate(&circuit, &[word(1 | 2 << 8 | 3 << 16 | 255 << 24, 32)], 1).unwrap();
    for (lane, x) in [1_u64, 2, 3, 255].into_iter().enumerate() {
        let y: u64 = (0..8).map(|i| u64::from(found[0].get(8 * lane + i)) << i).sum();
        assert_eq!(y, ((x * x * 5 % 251).pow(3) + 5) % 256, "lane {lane}");
    }
}

/// If each loop were a map, these two maps would wait for each other.
#[test]
fn loops_that_read_each_other_are_not_one_map_each() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module other (input [7:0] a, c, output [7:0] y); assign y = (a + c) * (c ^ 77); endmodule
module m (input [15:0] g_input, input [7:0] e_input, output [31:0] o);
  mix a [1:0] (.a({{o[23:16], g_input[7:0]}}), .b(g_input[15:8]), .y(o[15:0]));
  other b [1:0] (.a({{g_input[15:8], o[7:0]}}), .c(e_input), .y({{o[23:16], o[31:24]}}));
endmodule"
    );
    let circuit = checked(&text);
    let forms = &bodies(&circuit).pop().unwrap().1;
    assert_eq!(forms.len(), 3, "a map of two lanes and two calls: {forms:?}");
}

#[test]
fn equal_instances_and_outputs_that_nothing_reads_take_nothing() {
    if yosys().is_none() {
        return;
    }
    let text = "
module both (input [7:0] a, b, output [7:0] product, output [15:0] wide, output [7:0] same, zero);
  assign product = a * b;
  assign wide = a * b + 16'd12345;
  assign same = ~b;
  assign zero = 0;
endmodule
module m (input [7:0] g_input, input [31:0] e_input, output [31:0] o, p, output [15:0] q, r, output [7:0] z);
  wire [15:0] unread;
  both lane [3:0] (.a(g_input), .b(e_input), .product(o), .same(p));
  both wide (.a(g_input), .b(~g_input), .wide(q));
  both again (.a(g_input), .b(~g_input), .wide(r), .zero(z));
  both none (.a(e_input[7:0]), .b(e_input[15:8]), .wide(unread));
endmodule";
    let circuit = checked(text);
    assert_eq!(bodies(&circuit).pop().unwrap().1, [map(4), Form::Once]);
    let outputs = |name: usize| circuit.functions[name].outputs.len();
    // Bit 0 of the wide output is a constant.
    assert_eq!((outputs(0), outputs(1)), (8, 15), "not those that are inputs or constants");
}

/// Where both factors are one word, the product takes fewer ANDs.
#[test]
fn equal_inputs_make_functions_of_their_own() {
    if yosys().is_none() {
        return;
    }
    let text = format!(
        "{MIX}
module m (input [31:0] g_input, output [31:0] o, p);
  mix square [3:0] (.a(g_input), .b(g_input), .y(o));
  mix product [3:0] (.a(g_input), .b({{g_input[7:0], g_input[31:8]}}), .y(p));
endmodule"
    );
    let circuit = checked(&text);
    let inputs: Vec<u32> = circuit.functions.iter().map(|function| function.inputs).collect();
    assert_eq!(inputs, [8, 16]);
}

#[test]
fn attributes_write_modules_and_instances_out() {
    if yosys().is_none() {
        return;
    }
    let design = |of_module: &str, of_instance: &str| {
        format!(
            "{of_module} {MIX}
module m (input [15:0] g_input, input [7:0] e_input, output [15:0] o);
  mix a (g_input[7:0], e_input, o[7:0]);
  {of_instance} mix b (g_input[15:8], e_input, o[15:8]);
endmodule"
        )
    };
    assert_eq!(read(&design("", "")).body.calls.len(), 2);
    assert_eq!(read(&design("", "(* flatten = 0 *)")).body.calls.len(), 2);
    for text in [design("(* flatten *)", ""), design("", "(* flatten *)")] {
        let circuit = checked(&text);
        assert!(circuit.functions.is_empty(), "one call is left at most, so it is no function");
    }
    let three = design("", "").replace("endmodule\"", "");
    let three =
        three.replacen("  mix a", "  (* flatten *) mix c (8'd2, e_input, o[7:0] );\n  mix a", 1);
    let three = three.replace("mix c (8'd2, e_input, o[7:0] )", "mix c (e_input, e_input, p)");
    let three = three.replace("output [15:0] o)", "output [15:0] o, output [7:0] p)");
    let circuit = checked(&three);
    assert_eq!(circuit.body.calls.len(), 2);
    assert!(circuit.body.gates.ands() > 0, "the third instance is written out");
}

#[test]
fn parameters_make_modules_of_their_own() {
    if yosys().is_none() {
        return;
    }
    let text = "
module mul #(parameter W = 4, parameter [7:0] K = 1) (input signed [W-1:0] a, b, output signed [2*W-1:0] y);
  assign y = a * b - K;
endmodule
module m (input signed [31:0] g_input, input signed [7:0] e_input, output signed [63:0] o, output signed [15:0] p);
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : lane
    mul #(.W(8)) mul (g_input[8*i+:8], e_input, o[16*i+:16]);
  end endgenerate
  mul #(.W(8), .K(9)) other (e_input, e_input, p);
endmodule";
    let circuit = checked(text);
    let names: Vec<String> = circuit.functions.iter().map(|f| f.name.clone()).collect();
    assert_eq!(names, ["mul"]);
    assert_eq!(bodies(&circuit)[1].1, [map(4)]);
}

#[test]
fn clocks_and_resets_that_no_instance_reads_are_no_inputs() {
    if yosys().is_none() {
        return;
    }
    let text = "
module mix (input clk, rst, input [7:0] a, b, output [7:0] y); assign y = a * b + a; endmodule
module m (input clk, rst, input [7:0] g_input, e_input, output [7:0] o, p);
  mix one (clk, rst, g_input, e_input, o);
  mix two (clk, rst, o, e_input, p);
endmodule";
    let circuit = checked(text);
    let names: Vec<&str> = circuit.inputs.iter().map(|input| &input.name[..]).collect();
    assert_eq!(names, ["g_input", "e_input"]);
    assert_eq!(circuit.body.calls.len(), 2);
}

/// An output of an instance may go back to another input, as in the flattened design.
#[test]
fn an_instance_that_reads_its_own_output_is_written_out() {
    if yosys().is_none() {
        return;
    }
    let text = "
module two (input [7:0] a, b, output [7:0] x, y); assign x = a * a + 3; assign y = b * b + a; endmodule
module m (input [7:0] g_input, e_input, output [7:0] o, p);
  wire [7:0] t, u;
  two one (g_input, t, t, o);
  two two (e_input, u, u, p);
endmodule";
    assert!(checked(text).body.calls.is_empty());
}

#[test]
fn errors_are_those_of_the_flattened_design() {
    if yosys().is_none() {
        return;
    }
    let complaint = |text: &str| {
        let folder = Folder::new();
        let functions = folder.complaint("m.v", text);
        let flat = text.replacen("module m ", "(* flatten *) module m ", 1);
        assert_eq!(functions, folder.complaint("m.v", &flat));
        functions
    };
    let text = format!(
        "{MIX}
module m (input [7:0] g_input, output [7:0] o);
  wire [7:0] t, u;
  mix one (g_input, t, u);
  mix two (u, g_input, t);
  assign o = t;
endmodule"
    );
    let printed = complaint(&text);
    assert!(printed.starts_with("m.v:") && printed.contains("a combinational loop"), "{printed}");
    let text = "
module bad (input [7:0] a, output [7:0] y); wire [7:0] t; assign y = a * a * t; endmodule
module m (input [15:0] g_input, output [15:0] o); bad b [1:0] (.a(g_input), .y(o)); endmodule";
    let printed = complaint(text);
    assert!(printed.contains("b[0].t[7]") && printed.contains("nothing drives it"), "{printed}");
    let text = "
module latch (input e, input [7:0] a, output reg [7:0] y); always @* if (e) y = a * a * a; endmodule
module m (input [15:0] g_input, output [15:0] o); latch b [1:0] (.e(g_input[0]), .a(g_input), .y(o)); endmodule";
    assert!(complaint(text).contains("is a latch"));
}
