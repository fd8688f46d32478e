// SPDX-License-Identifier: MIT OR Apache-2.0

// Hash keys and tweaks. They are made from the parameters of a netlist cycle, as received, and from
// the number of the next AND.
//
//   port      bits     meaning
//   clear_i   1        clears all registers
//   shift_i   1        byte_i has the next of 26 bytes: suite, number (5 bytes), cycle (4),
//                      point (16); the lowest byte of each is first
//   byte_i    8 x Lanes
//   add_i     1        byte_i[7:0] is added to the number of the next AND (grr3)
//   next_i    1        an AND takes the number (in half-gates the number grows by one). add_i and
//                      next_i take effect from the second clock cycle after this on
//   grr3_o    1        1: the suite is grr3
//   key_o     128      key of an AND's first hash; in half gates the second key has bit 64 inverted
//   tweak_o   128      XORed to the hash input: T in grr3, otherwise 0
module mobile_key #(
    parameter int unsigned Lanes = 1
) (
    input  logic              clk_i,
    input  logic              clear_i,
    input  logic              shift_i,
    input  logic              add_i,
    input  logic [8*Lanes-1:0] byte_i,
    input  logic              next_i,
    output logic              grr3_o,
    output logic [127:0]      key_o,
    output logic [127:0]      tweak_o
);
  logic [127:0] point_q;
  logic [31:0]  cycle_q;
  logic [39:0]  number_q;
  // The suite's byte. Only bit 0 is used.
  logic [7:0]   suite_q;
  logic         unused;
  assign unused = ^suite_q;

  // The increment arrives late in its clock cycle, so it is added in the next one.
  logic [7:0] more_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) {point_q, cycle_q, number_q, suite_q, more_q} <= '0;
    else if (shift_i) begin
      {point_q, cycle_q, number_q, suite_q} <= 208'({byte_i, point_q, cycle_q, number_q, suite_q} >> (8 * Lanes));
    end else begin
      number_q <= number_q + 40'(more_q);
      more_q   <= add_i ? byte_i[7:0] : {7'd0, next_i && !suite_q[0]};
    end
  end
  assign grr3_o = suite_q[0];

  assign key_o   = point_q ^ (suite_q[0] ? '0 : {23'd0, number_q, 1'b0, 64'd0});
  assign tweak_o = suite_q[0] ? {32'd0, cycle_q, 23'd0, number_q, 1'b0} : '0;
endmodule
