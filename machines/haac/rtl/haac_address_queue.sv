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
// | first_output_i | AddressWidth | addresses below this one are of inputs                    |
// | complete_i, advances_i | HalfWidth, 1 | the lowest half that is not complete; it will be  |
// |         |            | in the next cycle                                                  |
// | in_memory_o | 1      | the label at the head is in memory                                 |
//
// Latency: a word shown in c can be taken in c + 1. Stalls: none. Only the last burst of a stream
// may have fewer than 16 words.
//
// The head is in a register, and what is asked about it as well: both are found for the next head
// while it is not known yet whether this one is taken.

module haac_address_queue
  import haac_isa_pkg::*;
#(
  parameter int unsigned Depth        = 32,
  parameter int unsigned WindowLabels = 32768,
  localparam int unsigned LevelWidth  = $clog2(Depth + 1),
  localparam int unsigned HalfBits    = $clog2(WindowLabels) - 1,
  localparam int unsigned HalfWidth   = AddressWidth - HalfBits
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,

  input  logic [4:0]            request_i,
  input  logic                  push_i,
  input  logic [BurstWidth-1:0] burst_i,
  input  logic [4:0]            show_i,
  input  logic                  pop_i,
  input  logic [AddressWidth-1:0] first_output_i,
  input  logic [HalfWidth-1:0]  complete_i,
  input  logic                  advances_i,

  output oor_word_t             head_o,
  output logic                  in_memory_o,
  output logic [LevelWidth-1:0] level_o,
  output logic [LevelWidth-1:0] taken_o
);

  // The number of bursts is greatest if the first has one word left, the last has one word, and the
  // others are full.
  localparam int unsigned Bursts = 2 + (Depth - 2) / 16;

  logic [15:0][31:0] words;
  logic [3:0] index_q, following;
  logic [$clog2(Bursts+1)-1:0] bursts;
  logic none, only, last_word, leaves;
  logic [1:0] unused_flags;

  assign only      = bursts == $bits(bursts)'(1);
  assign following = index_q + 4'd1;
  assign last_word = index_q == '1;
  assign leaves    = pop_i && last_word;

  fifo #(.Width(BurstWidth), .Depth(Bursts)) u_bursts (
    .clk_i, .rst_ni, .clear_i, .push_i, .data_i(burst_i), .pop_i(leaves), .data_o(words),
    .level_o(bursts), .empty_o(none), .full_o(unused_flags[0])
  );

  // The first words of the bursts that are behind the first burst.
  oor_word_t after;
  logic none_after;
  logic [$clog2(Bursts)-1:0] unused_after;
  fifo #(.Width($bits(oor_word_t)), .Depth(Bursts - 1)) u_firsts (
    .clk_i, .rst_ni, .clear_i, .push_i(push_i && !none && !(only && leaves)),
    .data_i(burst_i[$bits(oor_word_t)-1:0]), .pop_i(leaves && !only), .data_o(after),
    .level_o(unused_after), .empty_o(none_after), .full_o(unused_flags[1])
  );

  // The word that follows the head, or comes if there is none.
  oor_word_t next, head_q;
  logic in_memory_q;
  always_comb begin
    next = words[following];
    if (last_word) next = after;
    if (none || (last_word && none_after)) next = burst_i[$bits(oor_word_t)-1:0];
  end

  // Interlock (c): the label is in memory if it is an input or its half is complete.
  function automatic logic in_memory(input logic [AddressWidth-1:0] address);
    logic [HalfWidth-1:0] half;
    half = address[AddressWidth-1:HalfBits];
    in_memory = address < first_output_i || half < complete_i || (advances_i && half == complete_i);
  endfunction

  always_ff @(posedge clk_i) begin
    if (none || pop_i) head_q <= next;
    in_memory_q <= none || pop_i ? in_memory(next.address) : in_memory(head_q.address);
  end

  assign head_o      = head_q;
  assign in_memory_o = in_memory_q;

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
