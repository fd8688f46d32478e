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
    input  logic [15:0][7:0] key_i,
    output logic [15:0][7:0] state_o
);
  logic [15:0][7:0] shifted;

  // x times a byte, modulo x^8 + x^4 + x^3 + x + 1.
  function automatic logic [7:0] times_x(input logic [7:0] a);
    times_x = {a[6:4], a[3] ^ a[7], a[2] ^ a[7], a[1], a[0] ^ a[7], a[7]};
  endfunction

  for (genvar i = 0; i < 16; i++) begin : gen_byte
    // ShiftRows: row r comes from r columns further on.
    assign shifted[i] = state_i[(i+4*(i%4))%16];

    if (Last) begin : gen_last
      assign state_o[i] = shifted[i] ^ key_i[i];
    end else begin : gen_mix
      localparam int C = i / 4 * 4;
      // Row r of a mixed column is 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3).
      assign state_o[i] = times_x(shifted[i] ^ shifted[C+(i+1)%4]) ^ shifted[C+(i+1)%4]
          ^ shifted[C+(i+2)%4] ^ shifted[C+(i+3)%4] ^ key_i[i];
    end
  end
endmodule
