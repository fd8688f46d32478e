// CORDIC: turns the garbler's vector (x, y) by the evaluator's angle, a step a cycle, 31 steps.
//
// Signed numbers of 32 bits; the angle in units of 2^-29 radians, between -1.74 and 1.74. The
// vector grows by 1.64676 (the product of sqrt(1 + 4^-step)), for which it needs room.
(* cycles = 31 *)
module cordic (
    input clk,
    input rst,
    (* party = "garbler", per_run *) input signed [31:0] x,
    (* party = "garbler", per_run *) input signed [31:0] y,
    (* party = "evaluator", per_run *) input signed [31:0] angle,
    (* per_run *) output signed [31:0] x_turned,
    (* per_run *) output signed [31:0] y_turned,
    (* per_run *) output signed [31:0] angle_left
);
  reg signed [31:0] x_q, y_q, angle_q;
  reg [4:0] step;

  // The arc tangent of 2^-step.
  reg [31:0] turn;
  always @*
    case (step)
      5'd0: turn = 32'd421657428;  5'd1: turn = 32'd248918915;  5'd2: turn = 32'd131521918;  5'd3: turn = 32'd66762579;
      5'd4: turn = 32'd33510843;   5'd5: turn = 32'd16771758;   5'd6: turn = 32'd8387925;    5'd7: turn = 32'd4194219;
      5'd8: turn = 32'd2097141;    5'd9: turn = 32'd1048575;    5'd10: turn = 32'd524288;    5'd11: turn = 32'd262144;
      5'd12: turn = 32'd131072;    5'd13: turn = 32'd65536;     5'd14: turn = 32'd32768;     5'd15: turn = 32'd16384;
      5'd16: turn = 32'd8192;      5'd17: turn = 32'd4096;      5'd18: turn = 32'd2048;      5'd19: turn = 32'd1024;
      5'd20: turn = 32'd512;       5'd21: turn = 32'd256;       5'd22: turn = 32'd128;       5'd23: turn = 32'd64;
      5'd24: turn = 32'd32;        5'd25: turn = 32'd16;        5'd26: turn = 32'd8;         5'd27: turn = 32'd4;
      5'd28: turn = 32'd2;         5'd29: turn = 32'd1;         5'd30: turn = 32'd0;
      default: turn = 32'd0;
    endcase

  wire back = angle_q[31];
  wire signed [31:0] x_part = x_q >>> step;
  wire signed [31:0] y_part = y_q >>> step;

  // Adds the part, or its complement and one.
  function [31:0] add_or_subtract(input [31:0] to, input [31:0] part, input subtract);
    add_or_subtract = ({to, 1'b1} + {part ^ {32{subtract}}, subtract}) >> 1;
  endfunction

  assign x_turned = add_or_subtract(x_q, y_part, !back);
  assign y_turned = add_or_subtract(y_q, x_part, back);
  assign angle_left = add_or_subtract(angle_q, turn, !back);

  always @(posedge clk or posedge rst)
    if (rst) begin
      x_q <= x;
      y_q <= y;
      angle_q <= angle;
      step <= 0;
    end else begin
      x_q <= x_turned;
      y_q <= y_turned;
      angle_q <= angle_left;
      step <= step + 1;
    end
endmodule
