// SPDX-License-Identifier: MIT OR Apache-2.0

// Extends a CRC-32C by one or more bytes (Castagnoli's polynomial, reflected: 82f63b78).
//
// | port    | width     | meaning                                                             |
// |---------|-----------|---------------------------------------------------------------------|
// | valid_i | 1         | there is data; else crc_o is 0                                      |
// | crc_i   | 32        | CRC before the data; all ones before the first                      |
// | data_i  | 8 x Bytes | the data, lowest byte first                                         |
// | crc_o   | 32        | CRC after the data; its inverse is the CRC of a message             |
//
// Bytes is 1, or 4 and more. Latency: none, combinational. After a message and its own CRC, lowest
// byte first, crc_o is 32'hb798_b438.

module crc32c #(
  parameter int unsigned Bytes = 1
) (
  input  logic               valid_i,
  input  logic [31:0]        crc_i,
  input  logic [8*Bytes-1:0] data_i,
  output logic [31:0]        crc_o
);

  localparam int unsigned Width = 8 * Bytes;
  localparam logic [31:0] Polynomial = 32'h82f6_3b78;

  // The bits of the data (with the CRC XORed into its first 32) that reach each bit of the new
  // CRC: a 1 in bit j is shifted Width - j times.
  function automatic logic [31:0][Width-1:0] matrix();
    logic [31:0] v;
    v = 32'd1;
    for (int unsigned n = 0; n < Width; n++) begin
      v = {1'b0, v[31:1]} ^ (v[0] ? Polynomial : 32'd0);
      for (int unsigned i = 0; i < 32; i++) matrix[i][Width-1-n] = v[i];
    end
  endfunction

  if (Bytes == 1) begin : gen_byte
    always_comb begin
      crc_o = '0;
      if (valid_i) begin
        crc_o = crc_i ^ {24'd0, data_i};
        for (int i = 0; i < 8; i++) crc_o = {1'b0, crc_o[31:1]} ^ (Polynomial & {32{crc_o[0]}});
      end
    end
  end else begin : gen_bytes
    localparam logic [31:0][Width-1:0] Matrix = matrix();

    logic [Width-1:0] mixed;
    assign mixed = data_i ^ Width'(crc_i);

    // The condition lets a simulator skip unused steps.
    always_comb begin
      crc_o = '0;
      if (valid_i) begin
        for (int unsigned i = 0; i < 32; i++) crc_o[i] = ^(mixed & Matrix[i]);
      end
    end
  end

`ifndef SYNTHESIS
  initial assert (Bytes == 1 || Bytes >= 4) else $error("crc32c: Bytes is 2 or 3");
`endif

endmodule
