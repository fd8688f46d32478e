// SPDX-License-Identifier: MIT OR Apache-2.0

// ShiftRows, MixColumns and AddRoundKey of AES: the part of a round after SubBytes.
//
//   parameter  meaning
//   Last       1: the tenth round, which has no MixColumns
//
//   port     bits  meaning
//   valid_i  1     state_i is valid; 0: state_o is undefined (see `aes_sub`)
//   state_i  128   the state after SubBytes; byte 4c + r is row r of column c, byte 0 lowest
//   key_i    128   the round's key, bytes in the same order
//   state_o  128   the state after the round
//
// Latency: none, combinational. Nothing stalls it.
module aes_mix #(
    parameter bit Last = 1'b0
) (
    input  logic             valid_i,
    input  logic [15:0][7:0] state_i,
    input  logic [3:0][31:0] key_i,
    output logic [3:0][31:0] state_o
);
  // The logic works on words of 32 bits, one per column, because these are fastest in a simulator.

  // Multiplies each byte by x, modulo x^8 + x^4 + x^3 + x + 1.
  function automatic logic [31:0] times_x(input logic [31:0] w);
    logic [31:0] high;
    high    = w & 32'h8080_8080;
    times_x = ((w ^ high) << 1) ^ (high >> 7) ^ (high >> 6) ^ (high >> 4) ^ (high >> 3);
  endfunction

  // Returns column c after ShiftRows: row r comes from the column r positions to the right.
  function automatic logic [31:0] column(input logic [15:0][7:0] state, input int unsigned c);
    column = {state[(4*c+15)%16], state[(4*c+10)%16], state[(4*c+5)%16], state[4*c]};
  endfunction

  // MixColumns of a column with bytes a_r: row r is 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3). Row r of
  // `up` is a_(r+1).
  function automatic logic [31:0] mixed(input logic [31:0] w);
    logic [31:0] up;
    up    = {w[7:0], w[31:8]};
    mixed = times_x(w ^ up) ^ up ^ {w[15:0], w[31:16]} ^ {w[23:0], w[31:24]};
  endfunction

  always_comb begin
    state_o = 'x;
    if (valid_i) begin
      for (int unsigned c = 0; c < 4; c++) begin
        state_o[c] = (Last ? column(state_i, c) : mixed(column(state_i, c))) ^ key_i[c];
      end
    end
  end
endmodule
