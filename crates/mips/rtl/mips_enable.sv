// SPDX-License-Identifier: MIT OR Apache-2.0

// Which of several words is written: a tree with one AND a node; the other branch is the rest.

module mips_enable #(
  parameter int Words = 32
) (
  input  logic                     enable_i,
  input  logic [$clog2(Words)-1:0] index_i,
  output logic [Words-1:0]         enables_o
);

  localparam int Levels = $clog2(Words);

  // Nodes as in a heap: those below k are 2k and 2k + 1. No bit depends on itself.
  /* verilator lint_off UNOPTFLAT */
  logic [2*Words-1:1] nodes;
  /* verilator lint_on UNOPTFLAT */
  assign nodes[1] = enable_i;

  for (genvar depth = 0; depth < Levels; depth++) begin : gen_depth
    for (genvar place = 0; place < 2 ** depth; place++) begin : gen_node
      localparam int Node = 2 ** depth + place;
      assign nodes[2*Node+1] = nodes[Node] & index_i[Levels-1-depth];
      assign nodes[2*Node] = nodes[Node] ^ nodes[2*Node+1];
    end
  end

  assign enables_o = nodes[2*Words-1:Words];

endmodule
