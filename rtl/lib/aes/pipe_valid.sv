// SPDX-License-Identifier: MIT OR Apache-2.0

// The valid bit beside a `pipe_reg`: a register with reset that a parameter can leave out.
//
//   parameter  meaning
//   Present    1: a register; 0: a wire
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     the register becomes 0 at the end of this cycle
//   en_i     1     the register takes its input at the end of this cycle, unless clear_i
//   d_i      1     input
//   q_o      1     input of the last enabled cycle, 0 after reset; or (Present = 0) the input
//
// Latency: Present cycles. It stalls while en_i is 0.
module pipe_valid #(
    parameter bit Present = 1'b1
) (
    // Unused if Present is 0.
    input  logic clk_i,
    input  logic rst_ni,
    input  logic clear_i,
    input  logic en_i,
    input  logic d_i,
    output logic q_o
);
  if (Present) begin : gen_register
    logic q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) q <= 1'b0;
      else if (clear_i) q <= 1'b0;
      else if (en_i) q <= d_i;
    end
    assign q_o = q;
  end else begin : gen_wire
    assign q_o = d_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni, clear_i, en_i};
  end
endmodule
