// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128 with one round of hardware and a key for each operation. A block takes ten cycles.
//
//   parameter  meaning
//   Impl       form of the S-box (see `aes_folded_core`)
//   Lanes      blocks at once, all under the same key; each has a round of hardware
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   valid_i  1          key_i and block_i are offered
//   ready_o  1          key_i and block_i are accepted in this cycle if offered
//   key_i    128        the key; byte 0 lowest
//   block_i  128*Lanes  the blocks, lane 0 lowest
//   valid_o  1          block_o is offered; it stays until it is accepted
//   ready_i  1          block_o is accepted in this cycle if offered
//   block_o  128*Lanes  the encrypted blocks
//
// Latency: blocks that are accepted in cycle x have their results offered from cycle x + 11 on.
// Blocks may be accepted every 10 cycles. A result that is not accepted stalls the tenth round of
// the next blocks.
module aes_folded #(
    parameter int unsigned Impl  = 0,
    parameter int unsigned Lanes = 1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    valid_i,
    output logic                    ready_o,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    input  logic                    ready_i,
    output logic [Lanes-1:0][127:0] block_o
);
  logic                    start, step, last, store;
  logic [127:0]            key;
  logic [Lanes-1:0][127:0] state, result;

  folded_control u_control (
      .clk_i, .rst_ni, .clear_i, .valid_i, .ready_o, .valid_o, .ready_i, .last_i(last),
      .start_o(start), .step_o(step), .store_o(store));
  logic unused_late;
  aes_folded_core #(.Impl(Impl), .Lanes(Lanes)) u_core (
      .clk_i, .rst_ni, .clear_i, .start_i(start), .step_i(step), .key_i, .block_i, .last_o(last),
      .late_o(unused_late), .key_o(key), .state_o(state));
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    assign result[l] = state[l] ^ key;
  end
  pipe_reg #(.Width(128 * Lanes)) u_result (
      .clk_i, .clear_i, .enable_i(store), .d_i(result), .q_o(block_o));
endmodule
