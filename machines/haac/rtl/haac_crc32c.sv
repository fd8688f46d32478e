// SPDX-License-Identifier: MIT OR Apache-2.0

// One step of CRC-32C (Castagnoli, reflected) over a burst of 64 bytes, lowest byte first.
//
// | port    | width | meaning                                     |
// |---------|-------|---------------------------------------------|
// | valid_i | 1     | there is a burst; else state_o is 0         |
// | state_i | 32    | the state so far; all ones before the first |
// | data_i  | 512   | the burst                                   |
// | state_o | 32    | the state after it; its inverse is the CRC  |
//
// Latency: none, combinational. The state is linear in state and data: each bit of state_o is the
// parity of the bits that its row of a constant matrix selects.

module haac_crc32c (
  input  logic         valid_i,
  input  logic [31:0]  state_i,
  input  logic [511:0] data_i,
  output logic [31:0]  state_o
);

  localparam logic [31:0] Polynomial = 32'h82f63b78;

  // The bits of the burst (with the state XORed into its first 32) that reach each bit of the new
  // state: a 1 in bit j is shifted 512 - j times.
  function automatic logic [31:0][511:0] matrix();
    logic [31:0] v;
    v = 32'd1;
    for (int unsigned n = 0; n < 512; n++) begin
      v = {1'b0, v[31:1]} ^ (v[0] ? Polynomial : 32'd0);
      for (int unsigned i = 0; i < 32; i++) matrix[i][511-n] = v[i];
    end
  endfunction

  localparam logic [31:0][511:0] Matrix = matrix();

  logic [511:0] mixed;
  assign mixed = data_i ^ {480'd0, state_i};

  // The condition is not needed in gates; it lets a simulator skip unused steps.
  always_comb begin
    state_o = '0;
    if (valid_i) begin
      for (int unsigned i = 0; i < 32; i++) state_o[i] = ^(mixed & Matrix[i]);
    end
  end

endmodule
