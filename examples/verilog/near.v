// Which of the evaluator's points are near the garbler's point? A point is two bytes, x and y.
module near #(
    parameter POINTS = 8
) (
    (* party = "garbler" *) input [7:0] x,
    (* party = "garbler" *) input [7:0] y,
    (* party = "garbler" *) input [16:0] radius,
    (* party = "evaluator" *) input [16*POINTS-1:0] points,
    output [POINTS-1:0] near
);
  genvar i;
  generate
    for (i = 0; i < POINTS; i = i + 1) begin : g_point
      within within (x, y, radius, points[16*i+:8], points[16*i+8+:8], near[i]);
    end
  endgenerate
endmodule

// Is the square of the distance between two points at most the radius?
module within (
    input [7:0] x0,
    input [7:0] y0,
    input [16:0] radius,
    input [7:0] x1,
    input [7:0] y1,
    output within
);
  wire signed [8:0] dx = x1 - x0;
  wire signed [8:0] dy = y1 - y0;
  wire [16:0] square = dx * dx + dy * dy;
  assign within = square <= radius;
endmodule
