// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128, unrolled, under constant round keys from the input keys_i: one block per lane and cycle.
//
//   parameter  meaning
//   Impl       0 TABLE, 1 COMPOSITE (see `sbox`)
//   Lanes      blocks at once
//   Stages     registers from input to output, 1 to 21. The last one is at the output. The others
//              are spread evenly over 20 places: after the first AddRoundKey, in the middle of
//              each round, and at the end of each round but the tenth.
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   en_i     1          the registers advance at the end of this cycle, unless clear_i
//   keys_i   1408       round keys 0 to 10, key 0 lowest, of all blocks in the pipeline
//   valid_i  1          block_i is valid
//   block_i  128*Lanes  the blocks, lane 0 lowest
//   valid_o  1          valid_i of Stages cycles earlier
//   block_o  128*Lanes  the encrypted blocks, if valid_o
//
// Latency: Stages cycles. Takes Lanes blocks per cycle. It stalls while en_i is 0.
module aes_pipe_keys #(
    parameter int unsigned Impl   = 0,
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 21
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic [10:0][127:0]      keys_i,
    input  logic                    valid_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [Lanes-1:0][127:0] block_o
);
  /* verilator hier_block */
  localparam int unsigned Places = 20;  // without the output register

  // Whether a place has a register.
  function automatic bit placed(input int unsigned place);
    placed = (place + 1) * (Stages - 1) / Places != place * (Stages - 1) / Places;
  endfunction

  // Round 0 is only the first AddRoundKey. The register at the end of round 10 is the output
  // register.
  for (genvar r = 0; r < 11; r++) begin : gen_round
    logic                    before_valid, mid_valid, valid;
    logic [Lanes-1:0][127:0] state;

    if (r == 0) begin : gen_first_valid
      assign before_valid = valid_i;
      assign mid_valid    = before_valid;
    end else begin : gen_later_valid
      assign before_valid = gen_round[r-1].valid;
      pipe_valid #(.Present(placed(2 * r - 1))) u_mid (
          .clk_i, .rst_ni, .clear_i, .en_i, .d_i(before_valid), .q_o(mid_valid));
    end
    pipe_valid #(.Present(r == 10 || placed(2 * r))) u_out (
        .clk_i, .rst_ni, .clear_i, .en_i, .d_i(mid_valid), .q_o(valid));

    for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
      logic [127:0] next;
      if (r == 0) begin : gen_first
        assign next = block_i[l] ^ keys_i[0];
      end else begin : gen_later
        logic [127:0] sub, mid;
        aes_sub #(.Impl(Impl)) u_sub (
            .valid_i(before_valid), .x_i(gen_round[r-1].state[l]), .y_o(sub));
        pipe_reg #(.Width(128), .Present(placed(2 * r - 1))) u_mid (
            .clk_i, .clear_i, .enable_i(en_i && before_valid), .d_i(sub), .q_o(mid));
        aes_mix #(.Last(r == 10)) u_mix (
            .valid_i(mid_valid), .state_i(mid), .key_i(keys_i[r]), .state_o(next));
      end
      pipe_reg #(.Width(128), .Present(r == 10 || placed(2 * r))) u_out (
          .clk_i, .clear_i, .enable_i(en_i && mid_valid), .d_i(next), .q_o(state[l]));
    end
  end

  assign valid_o = gen_round[10].valid;
  assign block_o = gen_round[10].state;

  if (Stages == 0 || Stages > 21) begin : gen_unknown
    $error("aes_pipe_keys: Stages is 1 to 21");
  end
endmodule
