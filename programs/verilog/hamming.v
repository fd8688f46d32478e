// In how many places two words differ: at most BITS - 1 ANDs.
module hamming #(
    parameter BITS = 32
) (
    (* party = "garbler" *) input [BITS-1:0] a,
    (* party = "evaluator" *) input [BITS-1:0] b,
    output [$clog2(BITS+1)-1:0] distance
);
  count_ones #(.BITS(BITS)) count (
      .x(a ^ b),
      .count(distance)
  );
endmodule

// The number of ones: two counts of half of the bits each, and the last bit as their carry.
module count_ones #(
    parameter BITS = 1,
    parameter WIDTH = $clog2(BITS + 1)
) (
    input [BITS-1:0] x,
    output [WIDTH-1:0] count
);
  // Halves that are as large as a count of their width goes, where there are bits enough.
  localparam HALF = (BITS + 1 == 1 << WIDTH) ? BITS / 2 : (1 << (WIDTH - 1)) - 1;
  localparam REST = BITS - 1 - HALF;

  generate
    if (BITS == 1) begin : g_bit
      assign count = x;
    end else begin : g_halves
      wire [WIDTH-1:0] first, second;
      count_ones #(.BITS(HALF)) count_first (
          .x(x[HALF-1:0]),
          .count(first[$clog2(HALF+1)-1:0])
      );
      assign first[WIDTH-1:$clog2(HALF+1)] = 0;
      if (REST == 0) begin : g_no_second
        assign second = 0;
      end else begin : g_second
        count_ones #(.BITS(REST)) count_second (
            .x(x[HALF+:REST]),
            .count(second[$clog2(REST+1)-1:0])
        );
        assign second[WIDTH-1:$clog2(REST+1)] = 0;
      end
      assign count = first + second + x[BITS-1];
    end
  endgenerate
endmodule
