// SPDX-License-Identifier: MIT OR Apache-2.0

// Extends a CRC-32C by one byte (Castagnoli's polynomial, reflected: 82f63b78).
//
//   port    bits  meaning
//   crc_i   32    CRC before the byte; start with all ones, and invert the CRC at the end
//   byte_i  8     the byte
//   crc_o   32    CRC after the byte
//
// Latency: none, combinational. After a message and its own CRC, lowest byte first, crc_o is
// 32'hb798_b438.
module crc32c (
    input  logic [31:0] crc_i,
    input  logic [7:0]  byte_i,
    output logic [31:0] crc_o
);
  always_comb begin
    crc_o = crc_i ^ {24'd0, byte_i};
    for (int i = 0; i < 8; i++) crc_o = {1'b0, crc_o[31:1]} ^ (32'h82f6_3b78 & {32{crc_o[0]}});
  end
endmodule
