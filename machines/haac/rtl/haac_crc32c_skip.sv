// SPDX-License-Identifier: MIT OR Apache-2.0

// Advances a CRC-32C state over zeros: Bursts times 64 bytes.
//
// | port    | width | meaning              |
// |---------|-------|----------------------|
// | state_i | 32    | the state before     |
// | state_o | 32    | the state after the zeros |
//
// Latency: none, combinational.

module haac_crc32c_skip #(
  parameter int unsigned Bursts = 1
) (
  input  logic [31:0] state_i,
  output logic [31:0] state_o
);

  localparam logic [31:0] Polynomial = 32'h82f63b78;

  // Column j of the matrix of one burst: a 1 in bit j, shifted 512 times.
  function automatic logic [31:0][31:0] one_burst();
    logic [31:0] v;
    v = 32'd1;
    one_burst = '0;
    for (int unsigned n = 1; n <= 512; n++) begin
      v = {1'b0, v[31:1]} ^ (v[0] ? Polynomial : 32'd0);
      if (512 - n < 32) one_burst[512-n] = v;
    end
  endfunction

  // Columns of the matrix of all bursts.
  function automatic logic [31:0][31:0] all_bursts(input logic [31:0][31:0] one);
    logic [31:0][31:0] power, next;
    power = '0;
    for (int unsigned j = 0; j < 32; j++) power[j] = 32'd1 << j;
    for (int n = 0; n < int'(Bursts); n++) begin
      next = '0;
      for (int unsigned j = 0; j < 32; j++) begin
        for (int unsigned k = 0; k < 32; k++) begin
          if (power[j][k]) next[j] = next[j] ^ one[k];
        end
      end
      power = next;
    end
    all_bursts = power;
  endfunction

  localparam logic [31:0][31:0] One = one_burst();
  localparam logic [31:0][31:0] All = all_bursts(One);

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    logic [31:0] picked;
    for (genvar j = 0; j < 32; j++) begin : gen_in
      assign picked[j] = state_i[j] & All[j][i];
    end
    assign state_o[i] = ^picked;
  end

endmodule
