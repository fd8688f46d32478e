// SPDX-License-Identifier: MIT OR Apache-2.0

// Delays data that accompanies a pipeline: a shift register whose stages take only valid input.
//
//   parameter  meaning
//   Width      bits
//   Stages     cycles, 0 or more
//
//   port     bits   meaning
//   clk_i    1      clock
//   rst_ni   1      reset, active low, asynchronous
//   clear_i  1      nothing is left in the registers after this cycle
//   en_i     1      the registers advance at the end of this cycle, unless clear_i
//   valid_i  1      d_i is valid
//   d_i      Width  input
//   q_o      Width  input of Stages cycles earlier, if it was valid
//
// Latency: Stages cycles. It stalls while en_i is 0.
module label_delay #(
    parameter int unsigned Width  = 128,
    parameter int unsigned Stages = 20
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             en_i,
    input  logic             valid_i,
    input  logic [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);
  // The valid bit of the last stage is unused.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Stages:0]            valid;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Stages:0][Width-1:0] data;

  assign valid[0] = valid_i;
  assign data[0]  = d_i;
  for (genvar s = 0; s < int'(Stages); s++) begin : gen_stage
    pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid[s]), .q_o(valid[s+1]));
    pipe_reg #(.Width(Width)) u_data (
        .clk_i, .clear_i, .enable_i(en_i && valid[s]), .d_i(data[s]), .q_o(data[s+1]));
  end
  assign q_o = data[Stages];
endmodule
