// A filter of four taps: the sum of the last four samples, each times a coefficient.
module fir #(
  parameter WIDTH = 12
) (
  input wire clk,
  input wire resetn,
  input wire [4*WIDTH-1:0] coefficients,
  input wire signed [WIDTH-1:0] sample,
  output wire signed [2*WIDTH+1:0] filtered
);
  wire signed [WIDTH-1:0] chain1, chain2, chain3;
  wire signed [2*WIDTH+1:0] sum0, sum1, sum2;

  fir_tap #(.WIDTH(WIDTH)) tap0 (
    .clk(clk), .resetn(resetn), .coefficient(coefficients[0*WIDTH+:WIDTH]),
    .in(sample), .sum_in({2*WIDTH+2{1'b0}}), .out(chain1), .sum_out(sum0)
  );
  fir_tap #(.WIDTH(WIDTH)) tap1 (
    .clk(clk), .resetn(resetn), .coefficient(coefficients[1*WIDTH+:WIDTH]),
    .in(chain1), .sum_in(sum0), .out(chain2), .sum_out(sum1)
  );
  fir_tap #(.WIDTH(WIDTH)) tap2 (
    .clk(clk), .resetn(resetn), .coefficient(coefficients[2*WIDTH+:WIDTH]),
    .in(chain2), .sum_in(sum1), .out(chain3), .sum_out(sum2)
  );
  fir_tap #(.WIDTH(WIDTH)) tap3 (
    .clk(clk), .resetn(resetn), .coefficient(coefficients[3*WIDTH+:WIDTH]),
    .in(chain3), .sum_in(sum2), .out(), .sum_out(filtered)
  );
endmodule
