// SPDX-License-Identifier: MIT OR Apache-2.0

// The tenth round of a pipelined AES-128 without its AddRoundKey, for blocks under one key.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//   Lanes      blocks at once, all under the same key
//   MidReg     1: a register after the S-boxes
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   en_i     1          the registers advance at the end of this cycle, unless clear_i
//   valid_i  1          state_i and key_i are valid
//   key_i    128        the ninth round's key
//   state_i  128*Lanes  the states after the ninth round, lane 0 lowest
//   valid_o  1          state_o and key_o are valid
//   key_o    128        the tenth round's key
//   state_o  128*Lanes  the states before key_o is added
//
// Latency: MidReg cycles. It stalls while en_i is 0.
module aes_pipe_last #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter bit          MidReg = 1'b1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    valid_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] state_i,
    output logic                    valid_o,
    output logic [127:0]            key_o,
    output logic [Lanes-1:0][127:0] state_o
);
  logic [Lanes-1:0][127:0] sub, mid;
  logic [31:0]             key_sub, mid_key_sub;
  logic [127:0]            mid_key;

  aes_sub #(.Impl(Impl), .Bytes(4)) u_key_sub (.valid_i, .x_i(key_i[127:96]), .y_o(key_sub));
  pipe_reg #(.Width(160), .Present(MidReg)) u_mid_key (
      .clk_i, .clear_i, .enable_i(en_i && valid_i), .d_i({key_sub, key_i}),
        .q_o({mid_key_sub, mid_key}));
  aes_key_mix u_key_mix (
      .valid_i(valid_o), .key_i(mid_key), .sub_i(mid_key_sub), .rcon_i(8'h36), .key_o);

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    aes_sub #(.Impl(Impl)) u_sub (.valid_i, .x_i(state_i[l]), .y_o(sub[l]));
    pipe_reg #(.Width(128), .Present(MidReg)) u_mid (
        .clk_i, .clear_i, .enable_i(en_i && valid_i), .d_i(sub[l]), .q_o(mid[l]));
    aes_mix #(.Last(1'b1)) u_shift (
        .valid_i(valid_o), .state_i(mid[l]), .key_i('0), .state_o(state_o[l]));
  end

  pipe_valid #(.Present(MidReg)) u_valid (
      .clk_i, .rst_ni, .clear_i, .en_i, .d_i(valid_i), .q_o(valid_o));
endmodule
