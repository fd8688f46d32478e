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

  if (StepWidth <= 2) begin : gen_select
    // All sums are there when steps that come late select one.
    localparam int Most = 2 ** StepWidth - 1;
    always_comb begin
      level_d = '0;
      for (int change = -Most; change <= Most; change++) begin
        if (int'(more_i) - int'(less_i) == change) begin
          level_d = level_d | (level_o + LevelWidth'(change));
        end
      end
    end
  end else begin : gen_sum
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
