// SPDX-License-Identifier: MIT OR Apache-2.0

// An engine's out-of-range addresses. They come from memory in bursts of 16 words, and the labels
// at them are requested one by one.
//
// | port    | width      | meaning                                                            |
// |---------|------------|--------------------------------------------------------------------|
// | request_i | 5        | words of the burst being requested; reserves their places          |
// | push_i, burst_i | 1, 512 | a burst arrives, word 0 lowest; at the earliest when requested |
// | show_i  | 5          | words that become visible in the next cycle                        |
// | pop_i   | 1          | takes the head                                                     |
// | head_o  | oor_word_t | the first word, if level_o is not 0                                |
// | level_o | LevelWidth | visible words in the queue                                         |
// | taken_o | LevelWidth | places taken by visible words and by requested ones                |
//
// Latency: a word shown in c can be taken in c + 1. Stalls: none. Only the last burst of a stream
// may have fewer than 16 words.

module haac_address_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned Depth = 32,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,

  input  logic [4:0]            request_i,
  input  logic                  push_i,
  input  logic [BurstWidth-1:0] burst_i,
  input  logic [4:0]            show_i,
  input  logic                  pop_i,

  output oor_word_t             head_o,
  output logic [LevelWidth-1:0] level_o,
  output logic [LevelWidth-1:0] taken_o
);

  // The number of bursts is greatest if the first has one word left, the last has one word, and the
  // others are full.
  localparam int unsigned Bursts = 2 + (Depth - 2) / 16;

  logic [15:0][31:0] words;
  logic [3:0] index_q;

  logic [$clog2(Bursts+1)-1:0] unused_level;
  logic [1:0] unused_flags;
  fifo #(.Width(BurstWidth), .Depth(Bursts)) u_bursts (
    .clk_i, .rst_ni, .clear_i, .push_i, .data_i(burst_i), .pop_i(pop_i && index_q == '1),
    .data_o(words), .level_o(unused_level), .empty_o(unused_flags[0]), .full_o(unused_flags[1])
  );

  assign head_o = words[index_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      index_q <= '0;
    else if (clear_i) index_q <= '0;
    else if (pop_i)   index_q <= index_q + 1'b1;
  end

  haac_level #(.Depth(Depth), .StepWidth(5)) u_level (
    .clk_i, .rst_ni, .clear_i, .more_i(show_i), .less_i(5'(pop_i)), .level_o
  );
  haac_level #(.Depth(Depth), .StepWidth(5)) u_taken (
    .clk_i, .rst_ni, .clear_i, .more_i(request_i), .less_i(5'(pop_i)), .level_o(taken_o)
  );

endmodule
