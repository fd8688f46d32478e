// What is ours: whose the ports of the core are. The garbler's coefficients hold for the whole run,
// the evaluator has a sample each cycle.
module filter (
  input clk,
  input rst,
  (* party = "garbler", per_run *) input [47:0] coefficients,
  (* party = "evaluator" *) input signed [11:0] sample,
  output signed [25:0] filtered
);
  fir core (.clk(clk), .resetn(~rst), .coefficients(coefficients), .sample(sample), .filtered(filtered));
endmodule
