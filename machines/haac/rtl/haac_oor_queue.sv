// An engine's out-of-range labels: memory brings them, R1 takes them.
//
// | port          | width      | meaning                                                    |
// |---------------|------------|------------------------------------------------------------|
// | clear_i       | 1          | empties it                                                 |
// | wipe_i        | 1          | fills it with zeros: Depth cycles or more, then clear_i    |
// | request_i         | 1          | a label is asked for: its place is taken                   |
// | push_i, label_i | 1, 128   | a label comes, not before it is asked for                  |
// | show_i        | 1          | from the next cycle on one label more is there             |
// | pop_i         | 1          | the head is taken                                          |
// | head_o        | 128        | the first label, if level_o is not 0                       |
// | level_o       | LevelWidth | labels that are there and shown                            |
// | taken_o       | LevelWidth | places taken by them and by labels asked for               |
//
// Latency: a label that is shown in c can be taken in c + 1. Stalls: nothing.

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
  /* verilator lint_off PINCONNECTEMPTY */
  fifo #(.Width(LabelWidth), .Depth(Depth)) u_labels (
    .clk_i, .rst_ni, .clear_i,
    .push_i(push_i || (wipe_i && !full)), .data_i(wipe_i ? LabelWidth'(0) : label_i),
    .pop_i, .data_o(head_o), .level_o(), .empty_o(), .full_o(full)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  haac_level #(.Depth(Depth)) u_level (
    .clk_i, .rst_ni, .clear_i, .more_i(show_i), .less_i(pop_i), .level_o
  );
  haac_level #(.Depth(Depth)) u_taken (
    .clk_i, .rst_ni, .clear_i, .more_i(request_i), .less_i(pop_i), .level_o(taken_o)
  );

endmodule
