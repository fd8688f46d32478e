// SPDX-License-Identifier: MIT OR Apache-2.0

// Expands one AES-128 key and keeps its eleven round keys.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//
//   port         bits  meaning
//   clk_i        1     clock
//   rst_ni       1     reset, active low, asynchronous
//   clear_i      1     nothing is left in the registers after this cycle
//   key_valid_i  1     take key_i now and expand it; a running expansion is dropped
//   key_i        128   the key; byte 0 lowest
//   ready_o      1     keys_o are the round keys of the last key that was taken
//   keys_o       1408  round keys 0 to 10, key 0 lowest
//
// Latency: ready_o is 1 from eleven cycles after key_valid_i on. Nothing stalls it.
module aes_key_store #(
    parameter int unsigned Impl = 0
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               key_valid_i,
    input  logic [127:0]       key_i,
    output logic               ready_o,
    output logic [10:0][127:0] keys_o
);
  // Each new round key enters at the top, and the others move down. After ten rounds, index 0 has
  // key 0. `rcon_q` is the constant of the next round, or 0 if no round is left.
  logic [7:0]         rcon_q, rcon_next;
  logic [10:0][127:0] keys_q, keys_d;
  logic [127:0]       next_key;
  logic               ready_q, expand;

  assign rcon_next = {rcon_q[6:4], rcon_q[3] ^ rcon_q[7], rcon_q[2] ^ rcon_q[7], rcon_q[1],
                      rcon_q[0] ^ rcon_q[7], rcon_q[7]};
  assign expand    = rcon_q != 0;

  aes_key_round #(.Impl(Impl)) u_round (
      .key_i(keys_q[10]), .rcon_i(rcon_q), .key_o(next_key));
  assign keys_d = {key_valid_i ? key_i : next_key, keys_q[10:1]};
  pipe_reg #(.Width(11 * 128)) u_keys (
      .clk_i, .clear_i, .enable_i(key_valid_i || expand), .d_i(keys_d), .q_o(keys_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rcon_q  <= '0;
      ready_q <= 1'b0;
    end else if (clear_i) begin
      rcon_q  <= '0;
      ready_q <= 1'b0;
    end else if (key_valid_i) begin
      rcon_q  <= 8'h01;
      ready_q <= 1'b0;
    end else if (expand) begin
      rcon_q  <= (rcon_q == 8'h36) ? '0 : rcon_next;
      ready_q <= rcon_q == 8'h36;
    end
  end

  assign ready_o = ready_q;
  assign keys_o  = keys_q;
endmodule
