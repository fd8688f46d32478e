// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's tables. The evaluator's tables come from memory in bursts of two, and its ANDs take
// them one by one. The garbler's tables come from its ANDs and go to memory in bursts.
//
// | port            | width      | meaning                                                     |
// |-----------------|------------|-------------------------------------------------------------|
// | issue_i         | 1          | an AND issues: takes the head (evaluator) or a place (garbler) |
// | done_i, table_i | 1, 256     | garbler: an AND is done, with this table                    |
// | grant_i         | 2          | memory accepts a burst of this many tables                  |
// | push_i, burst_i | 1, 512     | evaluator: a burst arrives, first table lowest              |
// | show_i          | 2          | evaluator: tables that become visible in the next cycle     |
// | head_o          | 512        | first two tables, first lowest; garbler: second 0 if missing |
// | level_o         | LevelWidth | visible tables in the queue                                 |
// | taken_o         | LevelWidth | places taken: tables visible, requested or in the unit       |
// | ready_o         | 1          | an AND may issue                                            |
//
// Latency: a table that arrives or is shown in c can be taken in c + 1. Stalls: none. Only the last
// burst of a stream may have one table.

module haac_table_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned Garbler = 1,
  parameter int unsigned Depth   = 72,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,

  // Each role uses some of these and leaves the others open.
  input  logic                  issue_i,
  input  logic                  done_i,
  input  logic [TableWidth-1:0] table_i,
  input  logic [1:0]            grant_i,
  input  logic                  push_i,
  input  logic [BurstWidth-1:0] burst_i,
  input  logic [1:0]            show_i,

  output logic [BurstWidth-1:0] head_o,
  output logic [LevelWidth-1:0] level_o,
  output logic [LevelWidth-1:0] taken_o,
  output logic                  ready_o
);

  logic [1:0] more, less, request;

  if (Garbler != 0) begin : gen_garbler
    logic [1:0][TableWidth-1:0] tables;
    logic [$clog2(Depth+1)-1:0] unused_level;

    assign more    = 2'(done_i);
    assign less    = grant_i;
    assign request     = 2'(issue_i);
    assign ready_o = taken_o < LevelWidth'(Depth);
    assign head_o  = {level_o > LevelWidth'(1) ? tables[1] : TableWidth'(0), tables[0]};

    fifo_burst #(.Width(TableWidth), .Depth(Depth), .MaxPush(1), .MaxPop(2)) u_tables (
      .clk_i, .rst_ni, .clear_i, .push_i(done_i), .data_i(table_i), .pop_i(grant_i),
      .data_o(tables), .level_o(unused_level)
    );
  end else begin : gen_evaluator
    // The number of bursts is greatest if the first has one table left, the last has one table, and
    // the others are full.
    localparam int unsigned Bursts = 2 + (Depth - 2) / 2;

    logic second_q;
    logic [1:0][TableWidth-1:0] tables;
    logic [$clog2(Bursts+1)-1:0] unused_level;
    logic [1:0] unused_flags;

    assign more    = show_i;
    assign less    = 2'(issue_i);
    assign request     = grant_i;
    assign ready_o = level_o != '0;
    assign head_o  = {tables[1], second_q ? tables[1] : tables[0]};

    fifo #(.Width(BurstWidth), .Depth(Bursts)) u_bursts (
      .clk_i, .rst_ni, .clear_i, .push_i, .data_i(burst_i), .pop_i(issue_i && second_q),
      .data_o(tables), .level_o(unused_level), .empty_o(unused_flags[0]),
      .full_o(unused_flags[1])
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      second_q <= 1'b0;
      else if (clear_i) second_q <= 1'b0;
      else if (issue_i) second_q <= !second_q;
    end
  end

  haac_level #(.Depth(Depth), .StepWidth(2)) u_level (
    .clk_i, .rst_ni, .clear_i, .more_i(more), .less_i(less), .level_o
  );
  haac_level #(.Depth(Depth), .StepWidth(2)) u_taken (
    .clk_i, .rst_ni, .clear_i, .more_i(request), .less_i(less), .level_o(taken_o)
  );

  logic unused;
  assign unused = ^{issue_i, done_i, table_i, grant_i, push_i, burst_i, show_i};

endmodule
