// SPDX-License-Identifier: MIT OR Apache-2.0

// One of several words, by its number: a tree of multiplexers, so (present words - 1) * 32 ANDs.
//
// `Present` says which words there are; the number of one that is absent gives some other word.

module mips_select #(
  parameter int Words = 32,
  parameter logic [Words-1:0] Present = {Words{1'b1}}
) (
  input  logic [32*Words-1:0]      words_i,
  input  logic [$clog2(Words)-1:0] index_i,
  output logic [31:0]              word_o
);

  localparam int Levels = $clog2(Words);

  // Nodes of a heap: below k are 2k and 2k + 1; words are from Words on. No bit depends on itself.
  /* verilator lint_off UNOPTFLAT */
  logic [32*2*Words-1:32] nodes;
  /* verilator lint_on UNOPTFLAT */
  assign nodes[32*Words+:32*Words] = words_i;

  for (genvar depth = 0; depth < Levels; depth++) begin : gen_depth
    for (genvar place = 0; place < 2 ** depth; place++) begin : gen_node
      localparam int Node = 2 ** depth + place;
      // Words below each of the two nodes.
      localparam int Below = Words / 2 ** (depth + 1);
      localparam logic Left = |Present[2*place*Below+:Below];
      localparam logic Right = |Present[(2*place+1)*Below+:Below];
      if (Left && Right) begin : gen_both
        assign nodes[32*Node+:32] =
            index_i[Levels-1-depth] ? nodes[32*(2*Node+1)+:32] : nodes[32*2*Node+:32];
      end else if (Right) begin : gen_right
        assign nodes[32*Node+:32] = nodes[32*(2*Node+1)+:32];
      end else begin : gen_left
        assign nodes[32*Node+:32] = nodes[32*2*Node+:32];
      end
    end
  end

  assign word_o = nodes[32+:32];

endmodule
