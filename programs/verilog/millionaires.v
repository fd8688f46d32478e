// Who is richer, a bit a cycle, the lowest bit first: 1 AND.
//
// o is 1 if what has come of the garbler's number is less than what has come of the evaluator's.
module millionaires (
    input clk,
    input rst,
    input g_input,
    input e_input,
    output o
);
  reg less;

  // Where two bits differ they decide, however the lower ones compare.
  assign o = (g_input != e_input) ? e_input : less;

  always @(posedge clk or posedge rst)
    if (rst) less <= 1'b0;
    else less <= o;
endmodule
