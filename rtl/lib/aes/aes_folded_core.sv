// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128 with one round of hardware and its own key schedule, for `Lanes` blocks under one key. It
// does one round per cycle under external control, and leaves out the last AddRoundKey, as
// `aes_pipe_core` does.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`); or 3 ROM: block RAM (`sbox_rom_pair`), whose output
//              registers hold the state after SubBytes
//   Lanes      blocks at once, all under the same key
//   Whitened   1: block_i is already XORed with the key
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   start_i  1          take key_i and block_i; a running operation is dropped
//   step_i   1          do a round, unless start_i
//   key_i    128        the key; byte 0 lowest
//   block_i  128*Lanes  the blocks, lane 0 lowest
//   last_o   1          the tenth round is in this cycle: key_o and state_o are its output
//   late_o   1          one of the last five rounds is in this cycle
//   key_o    128        the tenth round's key, if last_o: key_o XOR state_o is the result
//   state_o  128*Lanes  the states before the key is added, if last_o
//
// Latency: after a start in cycle x, last_o is 1 in x + 10, if step_i is 1 from x + 1 to x + 9.
// Every round, also the tenth, waits while step_i and start_i are 0. The next start may be in the
// cycle of last_o.
module aes_folded_core #(
    parameter int unsigned Impl  = 0,
    parameter int unsigned Lanes = 1,
    parameter bit Whitened = 1'b0
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    start_i,
    input  logic                    step_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    last_o,
    output logic                    late_o,
    output logic [127:0]            key_o,
    output logic [Lanes-1:0][127:0] state_o
);
  // Constant of the round in this cycle. 8'h36 means the tenth round, 0 means no round.
  logic [7:0]              rcon_q, rcon_next;
  logic [127:0]            key_q, key_d;
  logic [Lanes-1:0][127:0] state_d;

  assign rcon_next = {rcon_q[6:4], rcon_q[3] ^ rcon_q[7], rcon_q[2] ^ rcon_q[7], rcon_q[1],
                      rcon_q[0] ^ rcon_q[7], rcon_q[7]};
  assign last_o    = rcon_q == 8'h36;
  // 1 for the constants of rounds 6 to 10: 8'h20, 8'h40, 8'h80 and 8'h36 have a bit above bit 4,
  // and 8'h1b is the only one with both bits 4 and 3.
  assign late_o    = rcon_q[7:5] != '0 || rcon_q[4:3] == '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rcon_q <= '0;
    else if (clear_i) rcon_q <= '0;
    else if (start_i) rcon_q <= 8'h01;
    else if (step_i) rcon_q <= last_o ? '0 : rcon_next;
  end

  assign key_d = start_i ? key_i : key_o;

  // Substituted bytes of the state and of the key's last word.
  logic [Lanes-1:0][127:0] sub;
  logic [31:0]             key_sub;
  aes_key_mix u_key_mix (.valid_i(1'b1), .key_i(key_q), .sub_i(key_sub), .rcon_i(rcon_q), .key_o);
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [127:0] mixed;
    aes_mix u_mix (.valid_i(1'b1), .state_i(sub[l]), .key_i(key_o), .state_o(mixed));
    aes_mix #(.Last(1'b1)) u_shift (
        .valid_i(1'b1), .state_i(sub[l]), .key_i('0), .state_o(state_o[l]));
    assign state_d[l] = start_i ? block_i[l] ^ (Whitened ? '0 : key_i) : mixed;
  end
  if (Impl == 3) begin : gen_rom
    localparam int unsigned Bytes = 16 * Lanes + 4;
    logic [Bytes-1:0][7:0] x, y;
    assign x = clear_i ? '0 : {key_d[127:96], state_d};
    for (genvar b = 0; b < int'(Bytes); b += 2) begin : gen_pair
      sbox_rom_pair u_rom (
          .clk_i, .enable_i(clear_i || start_i || step_i), .x_i(x[b+:2]), .y_o(y[b+:2]));
    end
    assign {key_sub, sub} = y;
    pipe_reg #(.Width(128)) u_key (
        .clk_i, .clear_i, .enable_i(start_i || step_i), .d_i(key_d), .q_o(key_q));
  end else begin : gen_sub
    logic [Lanes-1:0][127:0] state_q;
    pipe_reg #(.Width(128 * (Lanes + 1))) u_state (
        .clk_i, .clear_i, .enable_i(start_i || step_i), .d_i({key_d, state_d}),
        .q_o({key_q, state_q}));
    aes_sub #(.Impl(Impl), .Bytes(4)) u_key_sub (
        .valid_i(1'b1), .x_i(key_q[127:96]), .y_o(key_sub));
    for (genvar l = 0; l < int'(Lanes); l++) begin : gen_state
      aes_sub #(.Impl(Impl)) u_sub (.valid_i(1'b1), .x_i(state_q[l]), .y_o(sub[l]));
    end
  end
endmodule
