// SHA3-256 of a message of 128 bytes, the garbler's 64 and then the evaluator's: a round of Keccak
// a cycle, 1,600 ANDs.
//
// A block has room for 135 bytes beside the padding, so that there is one.
(* cycles = 24 *)
module sha3_256 (
    input clk,
    input rst,
    input [511:0] g_init,
    input [511:0] e_init,
    (* per_run *) output [255:0] o
);
  // Lane (x, y) is bits 64 (x + 5 y) and up.
  reg [1599:0] state;
  // The shift register that round constants come of: x^8 + x^6 + x^5 + x^4 + 1.
  reg [7:0] lfsr;

  function [7:0] step(input [7:0] r);
    step = {r[6:0], 1'b0} ^ (r[7] ? 8'h71 : 8'h00);
  endfunction

  wire [63:0] constant;
  wire [7:0] r[0:7];
  assign r[0] = lfsr;

  // Bits 0, 1, 3, 7, …, 63 of the first lane change.
  genvar i, x, y;
  generate
    for (i = 0; i < 7; i = i + 1) begin : g_constant
      assign constant[(1<<i)-1] = r[i][0];
      assign r[i+1] = step(r[i]);
    end
    for (i = 0; i < 64; i = i + 1) begin : g_no_constant
      if (i != 0 && i != 1 && i != 3 && i != 7 && i != 15 && i != 31 && i != 63) begin : g_zero
        assign constant[i] = 1'b0;
      end
    end
  endgenerate

  // How far lane (x, y) is turned.
  function integer turn(input integer lane);
    case (lane)
      0: turn = 0;   1: turn = 1;   2: turn = 62;  3: turn = 28;  4: turn = 27;
      5: turn = 36;  6: turn = 44;  7: turn = 6;   8: turn = 55;  9: turn = 20;
      10: turn = 3;  11: turn = 10; 12: turn = 43; 13: turn = 25; 14: turn = 39;
      15: turn = 41; 16: turn = 45; 17: turn = 15; 18: turn = 21; 19: turn = 8;
      20: turn = 18; 21: turn = 2;  22: turn = 61; 23: turn = 56; default: turn = 14;
    endcase
  endfunction

  wire [319:0] parity;
  wire [1599:0] turned, next;
  generate
    for (x = 0; x < 5; x = x + 1) begin : g_parity
      assign parity[64*x+:64] = state[64*x+:64] ^ state[64*(x+5)+:64] ^ state[64*(x+10)+:64]
          ^ state[64*(x+15)+:64] ^ state[64*(x+20)+:64];
    end
    for (y = 0; y < 5; y = y + 1) begin : g_row
      for (x = 0; x < 5; x = x + 1) begin : g_lane
        localparam TURN = turn(x + 5 * y);
        wire [63:0] after = parity[64*((x+1)%5)+:64];
        wire [63:0] theta = state[64*(x+5*y)+:64] ^ parity[64*((x+4)%5)+:64] ^ {after[62:0], after[63]};
        // Rho turns the lane, pi puts it at (y, 2 x + 3 y).
        assign turned[64*(y+5*((2*x+3*y)%5))+:64] = (theta << TURN) | (theta >> (64 - TURN));
        wire [63:0] chi = turned[64*(x+5*y)+:64]
            ^ (~turned[64*((x+1)%5+5*y)+:64] & turned[64*((x+2)%5+5*y)+:64]);
        assign next[64*(x+5*y)+:64] = (x + y == 0) ? chi ^ constant : chi;
      end
    end
  endgenerate

  assign o = next[255:0];

  always @(posedge clk or posedge rst)
    if (rst) begin
      // The message, 01 for SHA3, and padding to the 136 bytes of a block; then the capacity.
      state <= {512'd0, 8'h80, 48'd0, 8'h06, e_init, g_init};
      lfsr <= 8'h01;
    end else begin
      state <= next;
      lfsr <= r[7];
    end
endmodule
