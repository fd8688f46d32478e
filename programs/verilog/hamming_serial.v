// In how many places two words differ, of which a bit comes each cycle: WIDTH - 1 ANDs, for words
// of less than 2^WIDTH bits.
module hamming_serial #(
    parameter WIDTH = 6
) (
    input clk,
    input rst,
    input g_input,
    input e_input,
    output [WIDTH-1:0] o
);
  reg [WIDTH-1:0] count;

  assign o = count + (g_input ^ e_input);

  always @(posedge clk or posedge rst)
    if (rst) count <= 0;
    else count <= o;
endmodule
