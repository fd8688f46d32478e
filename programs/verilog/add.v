// The sum of two numbers, modulo 2^WIDTH: WIDTH - 1 ANDs.
module add #(
    parameter WIDTH = 8
) (
    (* party = "garbler" *) input [WIDTH-1:0] a,
    (* party = "evaluator" *) input [WIDTH-1:0] b,
    output [WIDTH-1:0] sum
);
  assign sum = a + b;
endmodule
