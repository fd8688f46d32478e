// SPDX-License-Identifier: MIT OR Apache-2.0

// Evaluates ANDs, each with XORs of its third operand before and after it:
//
//   label_o = ((a ^ (xor_a ? c : 0)) & (b ^ (xor_b ? c : 0))) ^ (xor_out ? c : 0)
//
// | parameter | meaning                                                                        |
// |-----------|--------------------------------------------------------------------------------|
// | Stages    | 2 or more: cycles of an AND, of which one is taken per cycle; 0: computes a    |
// |           | round of AES per cycle, and takes an AND every ten cycles                      |
// | Fixed     | 1: the suite half-gates-fixed-key, with stages only; 0: half-gates             |
// | Impl      | AES: 0 TABLE, 1 COMPOSITE, 2 DPI (see `aes_pipe`)                              |
//
// | port     | width | meaning                                                |
// |----------|-------|--------------------------------------------------------|
// | clear_i  | 1     | nothing is left in the registers after this cycle      |
// | en_i     | 1     | 0 stalls the machine                                   |
// | valid_i  | 1     | an AND is taken                                        |
// | gate_i   |       | the AND: number (index in the body, if Fixed), flags, destination |
// | a_i ...  | 128   | the operands of the AND                                |
// | table_i  | 256   | the table of the AND                                   |
// | point_i  | 128   | S; unused if Fixed                                     |
// | keys_i   | 1408  | round keys of K, if Fixed                              |
// | valid_o  | 1     | label_o is a result                                    |
// | result_o |       | the destination of label_o                             |
//
// Latency: Stages cycles, or 11 if Stages is 0. Stalls: en_i.

module garbledcpu_and
  import garbledcpu_types_pkg::*;
#(
  parameter int unsigned Stages = 21,
  parameter bit          Fixed  = 1'b0,
  parameter int unsigned Impl   = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         en_i,

  input  logic         valid_i,
  // The operands' addresses are not used here.
  input  gate_t        gate_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  input  logic [127:0] c_i,
  input  logic [255:0] table_i,
  // Only one of point_i and keys_i is used.
  input  logic [127:0] point_i,
  input  logic [10:0][127:0] keys_i,

  output logic         valid_o,
  output logic [127:0] label_o,
  output result_t      result_o
);

  localparam int unsigned Latency = Stages == 0 ? 11 : Stages;

  logic [127:0] a, b, label, third;

  assign a = a_i ^ (c_i & {128{gate_i.xor_a}});
  assign b = b_i ^ (c_i & {128{gate_i.xor_b}});

  if (Fixed) begin : gen_fixed
    // T = cycle * 2^64 + 2 position (spec/suites.md).
    half_gate_evaluator_fixed #(.Impl(Impl), .Latency(Latency)) u_and (
      .clk_i, .rst_ni, .clear_i, .en_i, .keys_i, .valid_i, .a_i(a), .b_i(b), .table_i,
      .tweak_i({32'd0, gate_i.result.cycle, gate_i.number[62:0], 1'b0}), .valid_o, .label_o(label)
    );
  end else if (Stages == 0) begin : gen_folded
    logic [Latency-1:0] under_way_q;
    logic ready, offered;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) under_way_q <= '0;
      else if (clear_i) under_way_q <= '0;
      else if (en_i) under_way_q <= {under_way_q[Latency-2:0], valid_i};
    end
    assign valid_o = under_way_q[Latency-1];

    // The unit continues during a stall of the machine, and keeps its result until the machine
    // takes it.
    half_gate_evaluator_folded #(.Impl(Impl)) u_and (
      .clk_i, .rst_ni, .clear_i, .valid_i(valid_i && en_i), .ready_o(ready), .a_i(a), .b_i(b),
      .table_i, 
      .key_a_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b0}, point_i[63:0]}),
      .key_b_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b1}, point_i[63:0]}),
      .valid_o(offered), .ready_i(valid_o && en_i), .label_o(label)
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && !clear_i && en_i) begin
        assert (!valid_i || ready) else $error("garbledcpu_and: an AND within ten cycles of another");
        assert (!valid_o || offered) else $error("garbledcpu_and: no label when it is due");
      end
    end
`endif
  end else begin : gen_pipelined
    half_gate_evaluator #(.Impl(Impl), .Latency(Latency)) u_and (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .a_i(a), .b_i(b), .table_i,
      .key_a_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b0}, point_i[63:0]}),
      .key_b_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b1}, point_i[63:0]}),
      .valid_o, .label_o(label)
    );
  end

  label_delay #(.Width(128 + $bits(result_t)), .Stages(Latency)) u_beside (
    .clk_i, .rst_ni, .clear_i, .en_i, .valid_i,
    .d_i({c_i & {128{gate_i.xor_out}}, gate_i.result}), .q_o({third, result_o})
  );
  assign label_o = label ^ third;

  logic unused;
  assign unused = ^{gate_i, point_i, keys_i};

endmodule
