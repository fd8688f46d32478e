//! Tests that designs that are not circuits, and files that are not designs, give one clear error
//! with file and line.

use crate::verilog_common::{Folder, yosys};
use halfgate_circuit::Party;
use halfgate_frontends::verilog::Options;

/// Returns the error for a module with these ports and this body. The first line of the body is
/// line 2.
fn complaint(ports: &str, body: &str) -> String {
    Folder::new().complaint("m.v", &format!("module m ({ports});\n{body}\nendmodule\n"))
}

#[track_caller]
fn mentions(complaint: &str, parts: &[&str]) {
    for part in parts {
        assert!(complaint.contains(part), "{complaint:?} does not say {part:?}");
    }
    assert!(!complaint.contains('\n'), "{complaint:?} is not one line");
}

#[test]
fn syntax_errors_have_file_and_line() {
    if yosys().is_none() {
        return;
    }
    let complaint = complaint("input g_input, output o", "  assign o = = g_input;");
    mentions(&complaint, &["m.v:2: syntax error"]);
    let folder = Folder::new();
    mentions(&folder.complaint("m.v", ""), &["m.v has no module"]);
    mentions(
        &folder.complaint("m.v", "module m (output o); nothing x (.o(o)); endmodule"),
        &["m.v", "nothing"],
    );
    let options = Options { top: Some("other".into()), ..Options::default() };
    let text = "module m (output o); assign o = 1; endmodule";
    mentions(&folder.complaint_with("m.v", text, &options), &["m.v has no module other"]);
    let options = Options { top: Some("m; shell ls".into()), ..Options::default() };
    mentions(&folder.complaint_with("m.v", text, &options), &["the top module", "\"m; shell ls\""]);
}

#[test]
fn designs_that_are_not_circuits_are_rejected() {
    if yosys().is_none() {
        return;
    }
    let latch = "  reg r; always @* if (g_input) r = e_input;\n  assign o = r;";
    mentions(&complaint("input g_input, e_input, output o", latch), &["m.v:2: r is a latch"]);

    let two = "  reg a, b; always @(posedge clk) a <= g_input;\n  always @(posedge clk2) b <= a;\n  assign o = b;";
    let ports = "input clk, clk2, g_input, output o";
    mentions(
        &complaint(ports, two),
        &["m.v:2: a is clocked", "the rising edge of clk,", "rising edge of clk2"],
    );

    let both = "  reg a, b; always @(posedge clk) a <= g_input;\n  always @(negedge clk) b <= a;\n  assign o = b;";
    mentions(&complaint("input clk, g_input, output o", both), &["falling edge of clk"]);

    let gated =
        "  reg a; wire c = clk & e_input;\n  always @(posedge c) a <= g_input;\n  assign o = a;";
    mentions(
        &complaint("input clk, g_input, e_input, output o", gated),
        &["m.v:3: a is clocked by c", "enable"],
    );

    let value = "  reg a; always @(posedge clk) a <= g_input;\n  assign o = a & clk;";
    mentions(
        &complaint("input clk, g_input, output o", value),
        &["m.v:3: the clock, clk, is read"],
    );

    let set = "  reg a; always @(posedge clk or posedge e_input)\n  if (e_input) a <= 1; else a <= g_input;\n  assign o = a;";
    mentions(
        &complaint("input clk, g_input, e_input, output o", set),
        &["a is set or cleared asynchronously"],
    );

    let start = "  reg [1:0] a; always @(posedge clk or posedge rst)\n  if (rst) a <= g_init + 1; else a <= ~a;\n  assign o = a[1];";
    mentions(
        &complaint("input clk, rst, input [1:0] g_init, output o", start),
        &["bit 1 of a starts from"],
    );

    let start =
        "  reg a; always @(posedge clk) if (rst) a <= g_input; else a <= ~a;\n  assign o = a;";
    mentions(
        &complaint("input clk, rst, g_input, output o", start),
        &["m.v:2: bit 0 of a starts from"],
    );

    let tristate = "  assign o = g_input ? e_input : 1'bz;";
    mentions(&complaint("input g_input, e_input, output o", tristate), &["m.v:2: o is tri-state"]);
    mentions(
        &complaint("input g_input, inout o", "  assign o = g_input;"),
        &["o is an inout port"],
    );

    let undriven = "  wire nobody;\n  assign o = g_input & nobody;";
    mentions(
        &complaint("input g_input, output o", undriven),
        &["m.v:2: nobody is read, and nothing drives it"],
    );
    mentions(
        &complaint("input g_input, output o, p", "  assign p = g_input;"),
        &["m.v:1: o is read, and nothing drives it"],
    );
    let open = "  part p (.x(), .y(o)); endmodule\nmodule part (input x, output y); assign y = ~x;";
    mentions(
        &complaint("input g_input, output o", open),
        &["m.v:2: p.x is read, and nothing drives it"],
    );

    let looped = "  wire a, b;\n  assign a = g_input & b;\n  assign b = ~a;\n  assign o = b;";
    mentions(&complaint("input g_input, output o", looped), &["depends on itself"]);
    let twice = "  assign o = g_input;\n  assign o = e_input & g_input;";
    mentions(&complaint("input g_input, e_input, output o", twice), &["driven twice"]);
    mentions(
        &complaint("input [3:0] g_input, output [9:0] o", "  assign o = 3 ** g_input;"),
        &["m.v:2: $pow"],
    );
}

#[test]
fn inputs_need_owners() {
    if yosys().is_none() {
        return;
    }
    let body = "  assign o = a & b;";
    mentions(
        &complaint("input a, b, output o", body),
        &["m.v:1: inputs a and b are neither party's", "--parties"],
    );
    let ports = "(* party = \"alice\" *) input a, input b, output o";
    mentions(&complaint(ports, body), &["party = \"alice\" of a"]);
    let ports = "input g_input, (* party = \"garbler\" *) output o";
    mentions(&complaint(ports, "  assign o = g_input;"), &["the attribute party of o"]);
    let text = "module m (input a, b, input g_input, output o); assign o = a & b; endmodule";
    let options = Options { parties: Some(vec![Party::Garbler]), ..Options::default() };
    let complaint = Folder::new().complaint_with("m.v", text, &options);
    mentions(
        &complaint,
        &["owners are given for 1 inputs", "2 inputs of the design have no owner"],
    );
}

#[test]
fn ambiguous_or_unsupported_designs_are_rejected() {
    if yosys().is_none() {
        return;
    }
    let two = "module a (input g_input, output o); assign o = g_input; endmodule
module b (input g_input, output o); assign o = ~g_input; endmodule";
    mentions(&Folder::new().complaint("m.v", two), &["m.v: a would be left out", "--top"]);
    let text = "module m (input g_input, output o); assign o = g_input; endmodule";
    mentions(&Folder::new().complaint("m[1].v", text), &["takes no file names with"]);
    let ports = "input [1:0] clk, input g_input, output reg o";
    mentions(
        &complaint(ports, "  always @(posedge clk[1]) o <= g_input;"),
        &["a bit of clk is the clock"],
    );
    let ports = "input [1:0] g_input, output o";
    mentions(
        &complaint(ports, "  assign g_input[1] = 1;\n  assign o = g_input[0];"),
        &["input g_input is driven twice"],
    );
    let ports = "input a, b, c, d, s, t, output o";
    let unknown = "  \\$_MUX4_ m (.A(a), .B(b), .C(c), .D(d), .S(s), .T(t), .Y(o));";
    let options = Options { parties: Some(vec![Party::Garbler; 6]), ..Options::default() };
    let text = format!("module m ({ports});\n{unknown}\nendmodule");
    let complaint = Folder::new().complaint_with("m.v", &text, &options);
    mentions(&complaint, &["m.v:2: $_MUX4_ is no operator"]);
}

#[test]
fn files_that_are_not_there() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let options = Options { files: vec!["/nowhere/more.v".into()], ..Options::default() };
    mentions(&folder.complaint_with("m.v", "", &options), &["/nowhere/more.v: No such file"]);
}
