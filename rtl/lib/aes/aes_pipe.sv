// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128, unrolled, with a key for each operation. In every cycle a key and its blocks may enter.
// The key is expanded in step with the rounds of the blocks.
//
//   parameter  meaning
//   Impl       0 TABLE, 1 COMPOSITE (see `sbox`); 2 DPI, in simulation only (see `aes_dpi`)
//   Lanes      blocks at once, all under the same key, which is expanded once
//   Stages     registers from input to output, 1 or more; the last is at the output
//              (`aes_pipe_core` documents where the others are)
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   en_i     1          the registers advance at the end of this cycle, unless clear_i
//   valid_i  1          key_i and block_i are valid
//   key_i    128        the key; byte 0 lowest
//   block_i  128*Lanes  the blocks, lane 0 lowest
//   valid_o  1          valid_i of Stages cycles earlier
//   block_o  128*Lanes  the encrypted blocks, if valid_o
//
// Latency: Stages cycles. Takes one key with its blocks per cycle. It stalls while en_i is 0.
module aes_pipe #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 21
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    valid_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [Lanes-1:0][127:0] block_o
);
  logic                    valid;
  logic [127:0]            key;
  logic [Lanes-1:0][127:0] state, result;

  aes_pipe_any #(.Impl(Impl), .Lanes(Lanes), .Stages(Stages - 1)) u_core (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i, .key_i, .block_i, .valid_o(valid),
        .key_o(key), .state_o(state));
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    assign result[l] = state[l] ^ key;
  end
  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid), .q_o(valid_o));
  pipe_reg #(.Width(128 * Lanes)) u_result (
      .clk_i, .clear_i, .enable_i(en_i && valid), .d_i(result), .q_o(block_o));

  if (Stages == 0) begin : gen_unknown
    $error("aes_pipe: Stages is 1 or more");
  end
endmodule
