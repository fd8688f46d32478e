// Multiply and accumulate: a product of WIDTH by WIDTH bits is added each cycle. With WIDTH = 8,
// 135 ANDs; 32, 1,671.
module mac #(
    parameter WIDTH = 8
) (
    input clk,
    input rst,
    input [WIDTH-1:0] g_input,
    input [WIDTH-1:0] e_input,
    output [2*WIDTH-1:0] o
);
  reg [2*WIDTH-1:0] accumulator;

  assign o = accumulator + g_input * e_input;

  always @(posedge clk or posedge rst)
    if (rst) accumulator <= 0;
    else accumulator <= o;
endmodule
