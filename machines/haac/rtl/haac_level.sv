// SPDX-License-Identifier: MIT OR Apache-2.0

// A counter of a queue's entries or places, visible from the next cycle on.
//
// | port    | width      | meaning                                |
// |---------|------------|----------------------------------------|
// | clear_i | 1          | 0 from the next cycle on               |
// | more_i  | StepWidth  | number added                           |
// | less_i  | StepWidth  | number removed                         |
// | level_o | LevelWidth | as registered                          |
//
// Latency: one cycle. Stalls: none.

module haac_level #(
  parameter int unsigned Depth     = 16,
  parameter int unsigned StepWidth = 1,
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic [StepWidth-1:0]  more_i,
  input  logic [StepWidth-1:0]  less_i,
  output logic [LevelWidth-1:0] level_o
);

  logic [LevelWidth-1:0] level_d;

  if (StepWidth == 1) begin : gen_one
    // Both sums are there when a step that comes late selects one.
    always_comb begin
      level_d = level_o;
      if (more_i[0] && !less_i[0]) level_d = level_o + 1'b1;
      if (less_i[0] && !more_i[0]) level_d = level_o - 1'b1;
    end
  end else begin : gen_more
    assign level_d = level_o + LevelWidth'(more_i) - LevelWidth'(less_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      level_o <= '0;
    else if (clear_i) level_o <= '0;
    else              level_o <= level_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (32'(level_o) + 32'(more_i) <= Depth + 32'(less_i))
        else $error("haac_level: level above the depth of the queue");
      assert (32'(less_i) <= 32'(level_o) + 32'(more_i))
        else $error("haac_level: level below 0");
    end
  end
`endif

endmodule
