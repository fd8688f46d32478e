// A tap: adds the present sample times a coefficient to a sum, and hands the sample on a cycle
// later.
module fir_tap #(
  parameter WIDTH = 12
) (
  input wire clk,
  input wire resetn,
  input wire signed [WIDTH-1:0] coefficient,
  input wire signed [WIDTH-1:0] in,
  input wire signed [2*WIDTH+1:0] sum_in,
  output reg signed [WIDTH-1:0] out,
  output wire signed [2*WIDTH+1:0] sum_out
);
  assign sum_out = sum_in + coefficient * in;

  always @(posedge clk)
    if (!resetn) out <= {WIDTH{1'b0}};
    else out <= in;
endmodule
