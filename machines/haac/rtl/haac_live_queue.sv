// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's queue of live labels for memory.
//
// | port            | width         | meaning                                                 |
// |-----------------|---------------|---------------------------------------------------------|
// | clear_i         | 1             | empties the queue                                       |
// | wipe_i          | 1             | fills it with zeros: Depth + 1 cycles or more, then clear_i |
// | issue_i         | 1             | a live instruction issues and reserves its place        |
// | res_live_i      | 2             | live results of this cycle: AND's, XOR's                |
// | res_addr_i, res_label_i | 2 x 31, 2 x 128 | their addresses and labels                    |
// | pop_i           | 1             | memory accepts the head                                 |
// | head_addr_o, head_label_o | 31, 128 | the head, if level_o is not 0                       |
// | level_o         | LevelWidth    | labels that wait                                        |
// | taken_o         | LevelWidth    | places taken by waiting labels and by issued instructions |
//
// Latency: a result in c can go to memory in c + 1. Of two results in a cycle the AND's comes
// first. Stalls: none.

module haac_live_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned Depth = 16,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,
  input  logic                         wipe_i,

  input  logic                         issue_i,
  input  logic [1:0]                   res_live_i,
  input  logic [1:0][AddressWidth-1:0] res_addr_i,
  input  logic [1:0][LabelWidth-1:0]   res_label_i,
  input  logic                         pop_i,

  output logic [AddressWidth-1:0]      head_addr_o,
  output logic [LabelWidth-1:0]        head_label_o,
  output logic [LevelWidth-1:0]        level_o,
  output logic [LevelWidth-1:0]        taken_o
);

  localparam int unsigned Width = AddressWidth + LabelWidth;
  // An even number of places, so that wiping reaches all of them.
  localparam int unsigned Places = Depth + Depth % 2;

  logic [$clog2(Places+1)-1:0] places;
  logic [1:0] count;
  logic [1:0][Width-1:0] entries;
  logic full;

  assign count = 2'(res_live_i[0]) + 2'(res_live_i[1]);
  assign full  = places == $bits(places)'(Places);

  always_comb begin
    entries[1] = {res_addr_i[1], res_label_i[1]};
    entries[0] = res_live_i[0] ? {res_addr_i[0], res_label_i[0]} : entries[1];
    if (wipe_i) entries = '0;
  end

  fifo_burst #(.Width(Width), .Depth(Places), .MaxPush(2), .MaxPop(1)) u_labels (
    .clk_i, .rst_ni, .clear_i,
    .push_i(wipe_i ? 2'(!full) : count), .data_i(entries), .pop_i(pop_i),
    .data_o({head_addr_o, head_label_o}), .level_o(places)
  );

  haac_level #(.Depth(Depth), .StepWidth(2)) u_level (
    .clk_i, .rst_ni, .clear_i, .more_i(count), .less_i(2'(pop_i)), .level_o
  );
  haac_level #(.Depth(Depth), .StepWidth(1)) u_taken (
    .clk_i, .rst_ni, .clear_i, .more_i(issue_i), .less_i(pop_i), .level_o(taken_o)
  );

endmodule
