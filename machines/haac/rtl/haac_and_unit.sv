// SPDX-License-Identifier: MIT OR Apache-2.0

// The AND unit: the half gate, and the destination of each result alongside.
//
// | port      | width | meaning                                                           |
// |-----------|-------|-------------------------------------------------------------------|
// | run_i     | 1     | clock enable: if 0, nothing moves                                 |
// | clear_i   | 1     | empties the unit and wipes its labels                             |
// | issue_i   | 1     | computes a_i & b_i for address addr_i; live_i: memory gets it too |
// | table_i   | 256   | the evaluator's table                                             |
// | key_…_i   | 128   | keys of the two hashes                                            |
// | valid_o   | 1     | a result is on the bus: label_o for addr_o                        |
// | table_o   | 256   | the garbler's table of that result                                |
// | ready_o   | 1     | a gate may be issued                                              |
// | busy_o    | 1     | a gate is in the unit or its result on the bus                    |
// | working_o | 1     | a gate is issued now, or is in the unit without a result           |
//
// Latency: AndLatency cycles; one AND every AndInterval cycles. AndInterval 1 selects the pipelined
// half gate, 10 or more the folded one. Stalls: none.

module haac_and_unit
  import haac_isa_pkg::*;
#(
  parameter int unsigned Garbler     = 1,
  parameter int unsigned AndLatency  = 21,
  parameter int unsigned AndInterval = 1,
  parameter int unsigned AesImpl     = 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,
  input  logic                    run_i,

  input  logic                    issue_i,
  input  logic [LabelWidth-1:0]   a_i,
  input  logic [LabelWidth-1:0]   b_i,
  input  logic [TableWidth-1:0]   table_i,
  input  logic [LabelWidth-1:0]   key_a_i,
  input  logic [LabelWidth-1:0]   key_b_i,
  input  logic [LabelWidth-1:0]   delta_i,
  input  logic [AddressWidth-1:0] addr_i,
  input  logic                    live_i,

  output logic                    valid_o,
  output logic [AddressWidth-1:0] addr_o,
  output logic                    live_o,
  output logic [LabelWidth-1:0]   label_o,
  output logic [TableWidth-1:0]   table_o,
  output logic                    ready_o,
  output logic                    busy_o,
  output logic                    working_o
);

  // Destinations of the results.
  logic [AndLatency-1:0]                 valid_q;
  logic [AndLatency-1:0][AddressWidth:0] where_q;
  logic [AndLatency:0]                   valid;
  logic [AndLatency:0][AddressWidth:0]   where;

  assign valid = {valid_q, issue_i};
  assign where = {where_q, live_i, addr_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (run_i)   valid_q <= valid[AndLatency-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (run_i) where_q <= where[AndLatency-1:0];
  end

  assign valid_o          = valid[AndLatency];
  assign {live_o, addr_o} = where[AndLatency];
  assign busy_o           = |valid_q;
  assign working_o        = |valid[AndLatency-1:0];

  // A folded half gate is busy with each gate for AndInterval cycles.
  if (AndInterval == 1) begin : gen_always_ready
    assign ready_o = 1'b1;
  end else begin : gen_interval
    localparam int unsigned Width = $clog2(AndInterval);
    logic [Width-1:0] left_q;
    assign ready_o = left_q == '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                left_q <= '0;
      else if (clear_i)           left_q <= '0;
      else if (issue_i)           left_q <= Width'(AndInterval - 1);
      else if (run_i && !ready_o) left_q <= left_q - 1'b1;
    end
  end

  haac_half_gate #(
    .Garbler(Garbler), .AndLatency(AndLatency), .AndInterval(AndInterval), .AesImpl(AesImpl)
  ) u_half_gate (
    .clk_i, .rst_ni, .clear_i, .run_i, .issue_i, .due_i(valid_o), .a_i, .b_i, .table_i, .key_a_i,
    .key_b_i, .delta_i, .label_o, .table_o
  );

endmodule
