// SPDX-License-Identifier: MIT OR Apache-2.0

// Extracts a row from the bursts that it spans.
//
// | port     | width       | meaning                                                            |
// |----------|-------------|--------------------------------------------------------------------|
// | bits_i   | InWidth     | bursts, the first lowest                                           |
// | offset_i | OffsetWidth | start of the row, in grains, below 2^Stages                        |
// | row_o    | RowWidth    | the row                                                            |
//
// Latency: none, combinational. Stalls: none.
//
// The stage of the offset's highest bit comes first. Each stage keeps only the bits that a later
// stage can still reach, so all stages together cost little more than the first.

module haac_row #(
  parameter int unsigned InWidth     = 1024,
  parameter int unsigned RowWidth    = 27,
  parameter int unsigned Grain       = 1,
  parameter int unsigned Stages      = 9,
  parameter int unsigned OffsetWidth = 10
) (
  input  logic [InWidth-1:0]     bits_i,
  input  logic [OffsetWidth-1:0] offset_i,
  output logic [RowWidth-1:0]    row_o
);

  // Stage s shifts by Step grains or not at all; later stages shift by up to Step - 1 grains.
  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int unsigned Bit   = Stages - 1 - s;
    localparam int unsigned Step  = Grain * 2**Bit;
    localparam int unsigned Width = RowWidth + Step - Grain;
    logic [Width-1:0] bits;
    if (s == 0) begin : gen_first
      assign bits = offset_i[Bit] ? bits_i[Step +: Width] : bits_i[0 +: Width];
    end else begin : gen_next
      assign bits = offset_i[Bit] ? gen_stage[s-1].bits[Step +: Width]
                                  : gen_stage[s-1].bits[0 +: Width];
    end
  end

  if (Stages == 0) begin : gen_whole
    assign row_o = bits_i[RowWidth-1:0];
  end else begin : gen_row
    assign row_o = gen_stage[Stages-1].bits;
  end

  // Bits behind the last possible end of a row, and bits of the offset beyond a burst.
  logic unused;
  assign unused = ^{bits_i, offset_i};

endmodule
