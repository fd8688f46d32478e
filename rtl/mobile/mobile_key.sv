// What hashes are tweaked with: the beginning of a netlist cycle, as it came, and the number of the next AND.
//
//   port      bits     meaning
//   clear_i   1        all of it is 0
//   shift_i   1        byte_i is the next one of 26: suite, number (5 bytes), cycle (4), point (16), each lowest byte first
//   byte_i    8
//   add_i     1        the next AND is byte_i gates further on (grr3)
//   next_i    1        an AND takes the number (half-gates: it grows by one). Both are heeded from the second cycle after this on
//   grr3_o    1        the suite
//   key_o     128      the key of an AND's first hash; of its second one, in half gates, it is that with bit 64 inverted
//   tweak_o   128      what is added to what is hashed: T in grr3, else 0
module mobile_key (
    input  logic              clk_i,
    input  logic              clear_i,
    input  logic              shift_i,
    input  logic              add_i,
    input  logic [7:0]        byte_i,
    input  logic              next_i,
    output logic              grr3_o,
    output logic [127:0]      key_o,
    output logic [127:0]      tweak_o
);
  logic [127:0] point_q;
  logic [31:0]  cycle_q;
  logic [39:0]  number_q;
  logic         grr3_q;

  // What is added comes late in a cycle, the sum in the next one.
  logic [7:0] more_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) {point_q, cycle_q, number_q, grr3_q, more_q} <= '0;
    else if (shift_i) begin
      // The other bits of the suite's byte say nothing, and pass by.
      {point_q, cycle_q, number_q} <= {byte_i, point_q, cycle_q, number_q[39:8]};
      grr3_q <= number_q[0];
    end else begin
      number_q <= number_q + 40'(more_q);
      more_q   <= add_i ? byte_i : {7'd0, next_i && !grr3_q};
    end
  end
  assign grr3_o = grr3_q;

  assign key_o   = point_q ^ (grr3_q ? '0 : {23'd0, number_q, 1'b0, 64'd0});
  assign tweak_o  = grr3_q ? {32'd0, cycle_q, 23'd0, number_q, 1'b0} : '0;
endmodule
