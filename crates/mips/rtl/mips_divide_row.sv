// SPDX-License-Identifier: MIT OR Apache-2.0

// A bit of a quotient: whether the divisor can be subtracted from the remainder, and what remains.
//
// The subtraction is in blocks of 4, 5, 6, … bits, each with and without a borrow (carry select): a
// block's borrows are ready when the borrow that selects among them is.

module mips_divide_row #(
  parameter int Width = 32
) (
  input  logic [Width-1:0] rest_i,
  input  logic [Width-1:0] divisor_i,
  // The divisor has bits above these.
  input  logic             is_more_i,
  output logic             quotient_o,
  output logic [Width-1:0] rest_o
);

  // Blocks begin at 0, 4, 9, 15, 22, 30.
  localparam int Blocks = Width <= 4 ? 1 : Width <= 9 ? 2 : Width <= 15 ? 3 : Width <= 22 ? 4 : Width <= 30 ? 5 : 6;

  // No bit of a chain waits for a later one.
  /* verilator lint_off UNOPTFLAT */
  logic [Blocks:0]  into;
  logic [Width-1:0] borrow;
  assign into[0] = 1'b0;
  for (genvar k = 0; k < Blocks; k++) begin : gen_block
    localparam int First = k * (k + 7) / 2;
    localparam int End = (k + 1) * (k + 8) / 2;
    localparam int Size = (End < Width ? End : Width) - First;
    logic [Size:0] without, with_one;
    /* verilator lint_on UNOPTFLAT */
    assign without[0] = 1'b0;
    assign with_one[0] = 1'b1;
    for (genvar j = 0; j < Size; j++) begin : gen_bit
      logic r, d;
      assign r = ~rest_i[First+j];
      assign d = divisor_i[First+j];
      assign without[j+1] = ((r ^ without[j]) & (d ^ without[j])) ^ without[j];
      assign with_one[j+1] = ((r ^ with_one[j]) & (d ^ with_one[j])) ^ with_one[j];
      assign borrow[First+j] = into[k] ? with_one[j] : without[j];
    end
    assign into[k+1] = into[k] ? with_one[Size] : without[Size];
  end

  assign quotient_o = ~(into[Blocks] | is_more_i);
  assign rest_o = rest_i ^ ({Width{quotient_o}} & (divisor_i ^ borrow));

endmodule
