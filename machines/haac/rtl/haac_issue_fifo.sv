// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's issue FIFO: instructions that were dispatched and not yet decoded.
//
// | port         | width      | meaning                                                         |
// |--------------|------------|-----------------------------------------------------------------|
// | push_i       | 1          | the dispatcher pushes an instruction; only while level_o < Depth |
// | instr_i, out_i, and_i |   | the instruction, its output address, its AND number             |
// | pop_i        | 1          | D takes the head                                                |
// | there_o      | 1          | there is a head                                                 |
// | instr_o, out_o, and_o |   | the head                                                        |
// | level_o      | LevelWidth | instructions in it, as registered                               |
// | late_o       | 1          | a quarter of it or less is free: the engine's reads have priority |
//
// Latency: an instruction dispatched in c can be taken by D in c + 1 and is in D in c + 2. Stalls:
// none.

module haac_issue_fifo
  import haac_isa_pkg::*;
#(
  parameter int unsigned InstrWidth = 27,
  parameter int unsigned Depth      = 16,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      clear_i,

  input  logic                      push_i,
  input  logic [InstrWidth-1:0]     instr_i,
  input  logic [AddressWidth-1:0]   out_i,
  input  logic [AndNumberWidth-1:0] and_i,

  input  logic                      pop_i,
  output logic                      there_o,
  output logic [InstrWidth-1:0]     instr_o,
  output logic [AddressWidth-1:0]   out_o,
  output logic [AndNumberWidth-1:0] and_o,

  output logic [LevelWidth-1:0]     level_o,
  output logic                      late_o
);

  localparam int unsigned Late = Depth - Depth / 4;

  logic empty;

  logic unused_full;
  fifo #(.Width(InstrWidth + AddressWidth + AndNumberWidth), .Depth(Depth)) u_fifo (
    .clk_i, .rst_ni, .clear_i, .push_i, .data_i({instr_i, out_i, and_i}), .pop_i,
    .data_o({instr_o, out_o, and_o}), .level_o, .empty_o(empty), .full_o(unused_full)
  );

  assign there_o = !empty;
  assign late_o  = level_o >= LevelWidth'(Late);

endmodule
