// The sum of two numbers, a bit a cycle, the lowest first: 1 AND.
module add_serial (
    input clk,
    input rst,
    input g_input,
    input e_input,
    output o
);
  reg carry;
  wire next_carry;

  assign {next_carry, o} = g_input + e_input + carry;

  always @(posedge clk or posedge rst)
    if (rst) carry <= 1'b0;
    else carry <= next_carry;
endmodule
