// SPDX-License-Identifier: MIT OR Apache-2.0

// The free-XOR unit, which also executes UNARY: out = a ^ b, one per cycle.
//
// | port      | width | meaning                                                        |
// |-----------|-------|----------------------------------------------------------------|
// | run_i     | 1     | clock enable: if 0, nothing moves                              |
// | clear_i   | 1     | empties the unit and wipes its labels                          |
// | issue_i   | 1     | computes a_i ^ b_i for address addr_i; live_i: memory gets it  |
// | valid_o   | 1     | a result is on the bus: label_o for addr_o                     |
// | busy_o    | 1     | a result is in the unit or on the bus                          |
//
// Latency: XorLatency cycles. Stalls: none.

module haac_xor_unit
  import haac_isa_pkg::*;
#(
  parameter int unsigned XorLatency = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,
  input  logic                    run_i,

  input  logic                    issue_i,
  input  logic [LabelWidth-1:0]   a_i,
  input  logic [LabelWidth-1:0]   b_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic                    live_i,

  output logic                    valid_o,
  output logic [AddressWidth-1:0] addr_o,
  output logic                    live_o,
  output logic [LabelWidth-1:0]   label_o,
  output logic                    busy_o
);

  logic [XorLatency-1:0]                   valid_q;
  logic [XorLatency-1:0][AddressWidth:0]   where_q;
  logic [XorLatency-1:0][LabelWidth-1:0]   label_q;
  logic [XorLatency:0]                     valid;
  logic [XorLatency:0][AddressWidth:0]     where;
  logic [XorLatency:0][LabelWidth-1:0]     label;

  assign valid = {valid_q, issue_i};
  assign where = {where_q, live_i, addr_i};
  assign label = {label_q, issue_i ? a_i ^ b_i : LabelWidth'(0)};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (run_i)   valid_q <= valid[XorLatency-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)    label_q <= '0;
    else if (run_i) label_q <= label[XorLatency-1:0];
    if (run_i)      where_q <= where[XorLatency-1:0];
  end

  assign valid_o          = valid[XorLatency];
  assign {live_o, addr_o} = where[XorLatency];
  assign label_o          = label[XorLatency];
  assign busy_o           = |valid_q;

endmodule
