// A product: the garbler's factor is there at once, the evaluator's comes a bit a cycle, the lowest
// first, and zeros after it; the product goes a bit a cycle. 2 WIDTH ANDs.
module multiply_serial #(
    parameter WIDTH = 256
) (
    input clk,
    input rst,
    (* party = "garbler", per_run *) input [WIDTH-1:0] factor,
    input e_input,
    output o
);
  // What is left of the partial products that have been added.
  reg [WIDTH-1:0] rest;
  wire [WIDTH:0] sum = rest + (factor & {WIDTH{e_input}});

  assign o = sum[0];

  always @(posedge clk or posedge rst)
    if (rst) rest <= 0;
    else rest <= sum[WIDTH:1];
endmodule
