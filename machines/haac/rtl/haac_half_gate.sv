// SPDX-License-Identifier: MIT OR Apache-2.0

// The half gate of an AND unit: garbler or evaluator, pipelined or folded.
//
// | port      | width | meaning                                                           |
// |-----------|-------|-------------------------------------------------------------------|
// | run_i     | 1     | clock enable of the pipelined form                                |
// | issue_i   | 1     | takes operands; folded: at most every AndInterval cycles          |
// | due_i     | 1     | takes the result, AndLatency cycles of run_i after issue_i        |
// | table_i   | 256   | the evaluator's table                                             |
// | label_o, table_o | 128, 256 | label of the result; the garbler's table                |
//
// Latency: AndLatency cycles. Folded: AndLatency is 11 or more, and a result that waits for due_i
// must be taken before the next is done. Stalls: none.

module haac_half_gate
  import haac_isa_pkg::*;
#(
  parameter int unsigned Garbler     = 1,
  parameter int unsigned AndLatency  = 21,
  parameter int unsigned AndInterval = 1,
  parameter int unsigned AesImpl     = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  // Each form leaves some of the signals unused.
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic                  run_i,
  input  logic                  issue_i,
  input  logic                  due_i,
  input  logic [LabelWidth-1:0] a_i,
  input  logic [LabelWidth-1:0] b_i,
  input  logic [TableWidth-1:0] table_i,
  input  logic [LabelWidth-1:0] key_a_i,
  input  logic [LabelWidth-1:0] key_b_i,
  input  logic [LabelWidth-1:0] delta_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [LabelWidth-1:0] label_o,
  output logic [TableWidth-1:0] table_o
);

  // The folded units cannot call a simulation's AES.
  localparam int unsigned FoldedImpl = AesImpl == 2 ? 0 : AesImpl;

  // Read by assertions only.
  /* verilator lint_off UNUSEDSIGNAL */
  logic valid, ready;
  /* verilator lint_on UNUSEDSIGNAL */

  if (AndInterval == 1) begin : gen_pipelined
    assign ready = 1'b1;
    if (Garbler != 0) begin : gen_garbler
      half_gate_garbler #(.Impl(AesImpl), .Latency(AndLatency)) u_half_gate (
        .clk_i, .rst_ni, .clear_i, .en_i(run_i), .valid_i(issue_i), .a_i, .b_i, .delta_i, .key_a_i,
        .key_b_i, .valid_o(valid), .label_o, .table_o
      );
    end else begin : gen_evaluator
      half_gate_evaluator #(.Impl(AesImpl), .Latency(AndLatency)) u_half_gate (
        .clk_i, .rst_ni, .clear_i, .en_i(run_i), .valid_i(issue_i), .a_i, .b_i, .table_i, .key_a_i,
        .key_b_i, .valid_o(valid), .label_o
      );
      assign table_o = '0;
    end
  end else begin : gen_folded
    // The folded form runs on while run_i is 0, and its result waits.
    if (Garbler != 0) begin : gen_garbler
      half_gate_garbler_folded #(.Impl(FoldedImpl)) u_half_gate (
        .clk_i, .rst_ni, .clear_i, .valid_i(issue_i), .ready_o(ready), .a_i, .b_i, .delta_i,
        .key_a_i, .key_b_i, .valid_o(valid), .ready_i(due_i && run_i), .label_o, .table_o
      );
    end else begin : gen_evaluator
      half_gate_evaluator_folded #(.Impl(FoldedImpl)) u_half_gate (
        .clk_i, .rst_ni, .clear_i, .valid_i(issue_i), .ready_o(ready), .a_i, .b_i, .table_i,
        .key_a_i, .key_b_i, .valid_o(valid), .ready_i(due_i && run_i), .label_o
      );
      assign table_o = '0;
    end
  end

  if (AndInterval != 1 && (AndInterval < 10 || AndLatency < 11 || AndLatency > AndInterval + 1))
  begin : gen_impossible
    $error("haac_half_gate: folded, AndInterval is 10 or more, AndLatency 11 to AndInterval + 1");
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (valid || !due_i) else $error("haac_half_gate: no result in its cycle");
      assert (ready || !issue_i) else $error("haac_half_gate: not ready for an AND");
    end
  end
`endif

endmodule
