// ShiftRows, MixColumns and AddRoundKey of AES: what a round does after SubBytes.
//
//   parameter  meaning
//   Last       1: the tenth round, which has no MixColumns
//
//   port     bits  meaning
//   state_i  128   the state after SubBytes; byte 4c + r is row r of column c, byte 0 lowest
//   key_i    128   the round's key, bytes in the same order
//   state_o  128   the state after the round
//
// Latency: none, combinational. Nothing stalls it.
module aes_mix #(
    parameter bit Last = 1'b0
) (
    input  logic [15:0][7:0] state_i,
    input  logic [3:0][31:0] key_i,
    output logic [3:0][31:0] state_o
);
  // Words of 32 bits, a column each, are what a simulator computes with.

  // Each byte times x, modulo x^8 + x^4 + x^3 + x + 1.
  function automatic logic [31:0] times_x(input logic [31:0] w);
    logic [31:0] high;
    high    = w & 32'h8080_8080;
    times_x = ((w ^ high) << 1) ^ (high >> 7) ^ (high >> 6) ^ (high >> 4) ^ (high >> 3);
  endfunction

  for (genvar c = 0; c < 4; c++) begin : gen_column
    // ShiftRows: row r comes from r columns further on.
    logic [31:0] w;
    assign w = {state_i[(4*c+15)%16], state_i[(4*c+10)%16], state_i[(4*c+5)%16], state_i[4*c]};

    if (Last) begin : gen_last
      assign state_o[c] = w ^ key_i[c];
    end else begin : gen_mix
      // Row r of a mixed column is 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3); `up` has a_(r+1).
      logic [31:0] up;
      assign up = {w[7:0], w[31:8]};
      assign state_o[c] = times_x(w ^ up) ^ up ^ {w[15:0], w[31:16]} ^ {w[23:0], w[31:24]}
          ^ key_i[c];
    end
  end
endmodule
