// Is a patient's score above a clinic's threshold? The clinic weights values that only the patient
// knows, a pair each cycle.
module score (
    input clk,
    input rst,
    (* party = "garbler", per_run *) input [19:0] threshold,
    (* party = "garbler" *) input [7:0] weight,
    (* party = "evaluator" *) input [7:0] value,
    (* per_run *) output high
);
  reg [19:0] sum;
  wire [19:0] next = sum + weight * value;

  always @(posedge clk or posedge rst)
    if (rst) sum <= 0;
    else sum <= next;

  assign high = next > threshold;
endmodule
