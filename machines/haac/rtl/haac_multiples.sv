// SPDX-License-Identifier: MIT OR Apache-2.0

// Multiples of a constant, each in a register: 0, 1, … Most times one_i.
//
// | port   | width              | meaning                                       |
// |--------|--------------------|-----------------------------------------------|
// | hold_i | 1                  | the multiples keep their values               |
// | one_i  | Width              | the constant                                  |
// | all_o  | Most + 1 x Width   | the multiples                                 |
//
// Latency: a change of one_i is in all multiples after $clog2(Most + 1) - 1 cycles without hold_i.
// Stalls: none.
//
// An even multiple is another one, shifted. An odd one is the sum of an even one and the constant,
// so that no path has more than one sum.

module haac_multiples #(
  parameter int unsigned Width = 40,
  parameter int unsigned Most  = 12
) (
  input  logic                       clk_i,
  input  logic                       hold_i,
  input  logic [Width-1:0]           one_i,
  output logic [Most:0][Width-1:0]   all_o
);

  // How often two divides each number.
  function automatic logic [Most:0][7:0] twos();
    twos = '0;
    for (int unsigned k = 2; k <= Most; k += 2) twos[k] = twos[k/2] + 8'd1;
  endfunction

  localparam logic [Most:0][7:0] Twos = twos();

  // Of odd numbers from 3 on. The others are 0.
  logic [Most:0][Width-1:0] odd_q;

  always_comb begin
    all_o[0] = '0;
    for (int unsigned k = 1; k <= Most; k++) begin
      all_o[k] = (k == 1 << Twos[k] ? one_i : odd_q[k >> Twos[k]]) << Twos[k];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      for (int unsigned k = 0; k <= Most; k++) begin
        odd_q[k] <= k > 1 && k % 2 == 1 ? all_o[k == 0 ? 0 : k - 1] + one_i : '0;
      end
    end
  end

endmodule
