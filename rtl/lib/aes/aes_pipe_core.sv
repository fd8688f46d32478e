// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128 without the last AddRoundKey, unrolled, for `Lanes` blocks under one key. It has its own
// key schedule, so each operation may have a different key.
//
// The last key is not added here, because the half-gate units XOR two hashes under the same key, in
// which the last keys cancel out.
//
//   parameter  meaning
//   Impl       form of the S-box (see `sbox`)
//   Lanes      blocks at once, all under the same key
//   Stages     registers from input to output, 0 or more
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
//   key_o    128        the tenth round's key: key_o XOR state_o is the result
//   state_o  128*Lanes  the states before the key is added
//
// Latency: Stages cycles. Takes one key with its blocks per cycle. It stalls while en_i is 0.
//
// There are twenty places for registers: after the first AddRoundKey (place 0), in the middle of
// each round r (place 2r - 1), and at the end of each round r but the tenth (place 2r). The first
// of up to twenty registers is at place 0, so that a block that comes late does not meet an S-box
// in the same cycle. The others are spread evenly over the other places. Registers beyond twenty
// come before place 0.
module aes_pipe_core #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 20
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    valid_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [127:0]            key_o,
    output logic [Lanes-1:0][127:0] state_o
);
  /* verilator hier_block */
  localparam int unsigned Places = 20;
  localparam int unsigned Spread = (Stages < Places) ? Stages : Places;
  localparam int unsigned Before = Stages - Spread;

  // Registers after place 0, up to this place. They are rounded so that with 17, the evaluator's,
  // the places without one are in the middle of rounds: S-boxes then follow registers, not sums.
  function automatic int unsigned up_to(input int unsigned place);
    up_to = (place * (Spread - 1) + 6) / (Places - 1);
  endfunction

  // Whether a place has a register.
  function automatic bit placed(input int unsigned place);
    if (Spread == 0 || place == 0) placed = Spread != 0;
    else placed = up_to(place) != up_to(place - 1);
  endfunction

  // Registers before the first place.
  logic [Before:0]                          early_valid;
  logic [Before:0][127:0]                   early_key;
  logic [Before:0][Lanes-1:0][127:0]        early_block;

  assign early_valid[0] = valid_i;
  assign early_key[0]   = key_i;
  assign early_block[0] = block_i;
  for (genvar s = 0; s < int'(Before); s++) begin : gen_early
    pipe_valid u_valid (
        .clk_i, .rst_ni, .clear_i, .en_i, .d_i(early_valid[s]), .q_o(early_valid[s+1]));
    pipe_reg #(.Width(128 * (Lanes + 1))) u_data (
        .clk_i, .clear_i, .enable_i(en_i && early_valid[s]), .d_i({early_key[s], early_block[s]}),
        .q_o({early_key[s+1], early_block[s+1]}));
  end

  // Round 0 is only the first AddRoundKey.
  for (genvar r = 0; r < 10; r++) begin : gen_round
    logic                    valid;
    logic [127:0]            key;
    logic [Lanes-1:0][127:0] state;

    if (r == 0) begin : gen_first
      logic [Lanes-1:0][127:0] first;
      for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
        assign first[l] = early_block[Before][l] ^ early_key[Before];
      end
      pipe_valid #(.Present(placed(0))) u_valid (
          .clk_i, .rst_ni, .clear_i, .en_i, .d_i(early_valid[Before]), .q_o(valid));
      pipe_reg #(.Width(128 * (Lanes + 1)), .Present(placed(0))) u_data (
          .clk_i, .clear_i, .enable_i(en_i && early_valid[Before]),
        .d_i({early_key[Before], first}),
          .q_o({key, state}));
    end else begin : gen_later
      aes_pipe_round #(
          .Impl(Impl), .Lanes(Lanes), .Rcon((r < 9) ? 8'(1 << (r - 1)) : 8'h1b),
          .MidReg(placed(2 * r - 1)), .OutReg(placed(2 * r))
      ) u_round (
          .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(gen_round[r-1].valid),
        .key_i(gen_round[r-1].key),
          .state_i(gen_round[r-1].state), .valid_o(valid), .key_o(key), .state_o(state));
    end
  end

  aes_pipe_last #(.Impl(Impl), .Lanes(Lanes), .MidReg(placed(Places - 1))) u_last (
      .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(gen_round[9].valid), .key_i(gen_round[9].key),
      .state_i(gen_round[9].state), .valid_o, .key_o, .state_o);
endmodule
