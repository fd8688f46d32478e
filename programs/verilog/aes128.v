// AES-128, a round a cycle: the garbler's key, the evaluator's block. 640 ANDs.
//
// Bytes are in FIPS 197's order: byte 0 is the lowest.
//
// Round keys are not added to the state but kept beside it, so that the last round, which mixes no
// columns, needs no choice: what it would give is worked out in every cycle, and is the result in
// the last.
`include "sbox.v"

(* cycles = 11 *)
module aes128 (
    input clk,
    input rst,
    input [127:0] g_init,
    input [127:0] e_init,
    (* per_run *) output reg [127:0] o
);
  // The state before the round key is added to it, and that key.
  reg [127:0] state, key;
  reg [7:0] constant;

  wire [127:0] substituted, shifted, mixed, next_key;
  wire [31:0] key_word;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      sbox sbox (
          .x(state[8*i+:8] ^ key[8*i+:8]),
          .s(substituted[8*i+:8])
      );
      // Row r of the columns turns by r.
      assign shifted[8*i+:8] = substituted[8*((i+4*(i%4))%16)+:8];
    end
    for (i = 0; i < 4; i = i + 1) begin : g_column
      mix_column mix_column (
          .x(shifted[32*i+:32]),
          .y(mixed[32*i+:32])
      );
      sbox sbox (
          .x(key[96+8*((i+1)%4)+:8]),
          .s(key_word[8*i+:8])
      );
    end
  endgenerate

  assign next_key[31:0] = key[31:0] ^ key_word ^ {24'd0, constant};
  assign next_key[63:32] = key[63:32] ^ next_key[31:0];
  assign next_key[95:64] = key[95:64] ^ next_key[63:32];
  assign next_key[127:96] = key[127:96] ^ next_key[95:64];

  always @(posedge clk or posedge rst)
    if (rst) begin
      state <= e_init;
      key <= g_init;
      constant <= 8'd1;
      o <= 128'd0;
    end else begin
      state <= mixed;
      key <= next_key;
      constant <= {constant[6:0], 1'b0} ^ (constant[7] ? 8'h1b : 8'h00);
      o <= shifted ^ next_key;
    end
endmodule

// One column times the matrix of MixColumns.
module mix_column (
    input [31:0] x,
    output [31:0] y
);
  function [7:0] double(input [7:0] b);
    double = {b[6:0], 1'b0} ^ {3'b000, b[7], b[7], 1'b0, b[7], b[7]};
  endfunction

  wire [7:0] all = x[7:0] ^ x[15:8] ^ x[23:16] ^ x[31:24];
  assign y[7:0] = x[7:0] ^ all ^ double(x[7:0] ^ x[15:8]);
  assign y[15:8] = x[15:8] ^ all ^ double(x[15:8] ^ x[23:16]);
  assign y[23:16] = x[23:16] ^ all ^ double(x[23:16] ^ x[31:24]);
  assign y[31:24] = x[31:24] ^ all ^ double(x[31:24] ^ x[7:0]);
endmodule
