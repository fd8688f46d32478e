// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128, unrolled, under one key for the whole run: one block per lane and cycle. Its only
// key schedule hardware is one round (`aes_key_store`), which expands the key at the start.
//
//   parameter  meaning
//   Impl       0 TABLE, 1 COMPOSITE (see `sbox`)
//   Lanes      blocks at once
//   Stages     registers from input to output, 1 to 21 (see `aes_pipe_keys`)
//
//   port         bits       meaning
//   clk_i        1          clock
//   rst_ni       1          reset, active low, asynchronous
//   clear_i      1          nothing is left in the registers after this cycle
//   en_i         1          the registers advance at the end of this cycle, unless clear_i
//   key_valid_i  1          take key_i now, for the blocks from key_ready_o on
//   key_i        128        the key; byte 0 lowest
//   key_ready_o  1          the key is expanded: blocks may enter
//   valid_i      1          block_i is valid
//   block_i      128*Lanes  the blocks, lane 0 lowest
//   valid_o      1          valid_i of Stages cycles earlier
//   block_o      128*Lanes  the encrypted blocks, if valid_o
//
// Latency: Stages cycles, and eleven cycles from a key to its first block. Takes Lanes blocks per
// cycle. The pipeline stalls while en_i is 0, but the expansion of the key does not.
module aes_pipe_fixed #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 21
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    key_valid_i,
    input  logic [127:0]            key_i,
    output logic                    key_ready_o,
    input  logic                    valid_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [Lanes-1:0][127:0] block_o
);
  logic [10:0][127:0] keys;

  aes_key_store #(.Impl(Impl)) u_keys (
      .clk_i, .rst_ni, .clear_i, .key_valid_i, .key_i, .ready_o(key_ready_o), .keys_o(keys));
  aes_pipe_keys #(.Impl(Impl), .Lanes(Lanes), .Stages(Stages)) u_rounds (
      .clk_i, .rst_ni, .clear_i, .en_i, .keys_i(keys), .valid_i, .block_i, .valid_o, .block_o);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && en_i && valid_i) begin
      assert (key_ready_o) else $error("aes_pipe_fixed: a block before the key is expanded");
    end
  end
`endif
endmodule
