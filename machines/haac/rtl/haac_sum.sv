// SPDX-License-Identifier: MIT OR Apache-2.0

// Adds numbers, for counters.
//
// | port   | width         | meaning     |
// |--------|---------------|-------------|
// | in_i   | Count x Width | the numbers |
// | sum_o  | 16            | their sum   |
//
// Latency: none. Stalls: none.

module haac_sum #(
  parameter int unsigned Count = 4,
  parameter int unsigned Width = 1
) (
  input  logic [Count-1:0][Width-1:0] in_i,
  output logic [15:0] sum_o
);

  always_comb begin
    sum_o = '0;
    for (int unsigned i = 0; i < Count; i++) sum_o = sum_o + 16'(in_i[i]);
  end

endmodule
