// SPDX-License-Identifier: MIT OR Apache-2.0

// For each bit, whether a lower bit is set. Blocks of eight are chains, and so are the blocks, so a
// result waits for eleven ANDs at most.

module mips_any_below #(
  parameter int Width = 32
) (
  input  logic [Width-1:0] bits_i,
  output logic [Width:0]   any_o
);

  localparam int Blocks = (Width + 7) / 8;

  // Within its block, and in all blocks before it. No bit of a chain waits for a later one.
  /* verilator lint_off UNOPTFLAT */
  logic [Width:1]    in_block;
  logic [Blocks-1:0] earlier;
  /* verilator lint_on UNOPTFLAT */
  assign earlier[0] = 1'b0;
  assign any_o[0] = 1'b0;
  for (genvar j = 0; j < Width; j++) begin : gen_bit
    if (j % 8 == 0) begin : gen_first
      assign in_block[j+1] = bits_i[j];
    end else begin : gen_next
      assign in_block[j+1] = in_block[j] | bits_i[j];
    end
    assign any_o[j+1] = in_block[j+1] | earlier[j/8];
  end
  for (genvar k = 1; k < Blocks; k++) begin : gen_block
    assign earlier[k] = earlier[k-1] | in_block[8*k];
  end

endmodule
