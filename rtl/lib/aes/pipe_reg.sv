// SPDX-License-Identifier: MIT OR Apache-2.0

// A pipeline register that a parameter can leave out.
//
//   parameter  meaning
//   Width      bits
//   Present    1: a register; 0: a wire
//
//   port      bits   meaning
//   clk_i     1      clock
//   clear_i   1      the register becomes 0 at the end of this cycle
//   enable_i  1      the register takes its input at the end of this cycle, unless clear_i
//   d_i       Width  input
//   q_o       Width  input of the last enabled cycle, or (Present = 0) the input
//
// Latency: Present cycles. Nothing stalls it. It has no reset, because a valid bit accompanies the
// data.
module pipe_reg #(
    parameter int unsigned Width   = 128,
    parameter bit          Present = 1'b1
) (
    // Unused if Present is 0.
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             enable_i,
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);
  if (Present) begin : gen_register
    logic [Width-1:0] q;
    always_ff @(posedge clk_i) begin
      if (clear_i) q <= '0;
      else if (enable_i) q <= d_i;
    end
    assign q_o = q;
  end else begin : gen_wire
    assign q_o = d_i;
    logic unused;
    assign unused = ^{clk_i, clear_i, enable_i};
  end
endmodule
