// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's queue of out-of-range labels: memory pushes them, R1 takes them.
//
// | port          | width      | meaning                                                    |
// |---------------|------------|------------------------------------------------------------|
// | clear_i       | 1          | empties the queue                                          |
// | wipe_i        | 1          | fills it with zeros: Depth cycles or more, then clear_i    |
// | request_i     | 1          | requests a label and reserves its place                    |
// | push_i, label_i | 1, 128   | a label arrives; at the earliest when requested            |
// | show_i        | 1          | another label becomes visible in the next cycle            |
// | pop_i         | 1          | takes the head                                             |
// | head_o        | 128        | the first label, if level_o is not 0                       |
// | level_o       | LevelWidth | visible labels in the queue                                |
// | taken_o       | LevelWidth | places taken by visible labels and by requested ones       |
//
// Latency: a label shown in c can be taken in c + 1. Stalls: none.

module haac_oor_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned Depth = 32,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  wipe_i,

  input  logic                  request_i,
  input  logic                  push_i,
  input  logic [LabelWidth-1:0] label_i,
  input  logic                  show_i,
  input  logic                  pop_i,

  output logic [LabelWidth-1:0] head_o,
  output logic [LevelWidth-1:0] level_o,
  output logic [LevelWidth-1:0] taken_o
);

  logic full;
  logic [$clog2(Depth+1)-1:0] unused_level;
  logic unused_empty;
  fifo #(.Width(LabelWidth), .Depth(Depth)) u_labels (
    .clk_i, .rst_ni, .clear_i,
    .push_i(push_i || (wipe_i && !full)), .data_i(wipe_i ? LabelWidth'(0) : label_i),
    .pop_i, .data_o(head_o), .level_o(unused_level), .empty_o(unused_empty),
    .full_o(full)
  );

  haac_level #(.Depth(Depth)) u_level (
    .clk_i, .rst_ni, .clear_i, .more_i(show_i), .less_i(pop_i), .level_o
  );
  haac_level #(.Depth(Depth)) u_taken (
    .clk_i, .rst_ni, .clear_i, .more_i(request_i), .less_i(pop_i), .level_o(taken_o)
  );

endmodule
