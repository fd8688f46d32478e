// SPDX-License-Identifier: MIT OR Apache-2.0

// Grants up to two reads of one bank of the window in the next cycle.
//
// | port     | width  | meaning                                                            |
// |----------|--------|--------------------------------------------------------------------|
// | req_i    | Reads  | requests for this bank; lower indices win                          |
// | late_i   | Reads  | request of a late engine, which wins over all others               |
// | used_i   | 2      | accesses of the next cycle that writes have taken, 0 to 2          |
// | first_o  | Reads  | grant of the first free access; one-hot or 0                       |
// | second_o | Reads  | grant of the second; one-hot or 0                                  |
//
// Latency: none. Stalls: requests without a grant are repeated.

module haac_read_arbiter #(
  parameter int unsigned Reads = 16
) (
  input  logic [Reads-1:0] req_i,
  input  logic [Reads-1:0] late_i,
  input  logic [1:0]       used_i,
  output logic [Reads-1:0] first_o,
  output logic [Reads-1:0] second_o
);

  logic [Reads-1:0] late, late_first, late_more, late_second;
  logic [Reads-1:0] rest, rest_first, rest_more, rest_second;

  // The lowest bit set.
  function automatic logic [Reads-1:0] lowest(input logic [Reads-1:0] from);
    lowest = from & (~from + 1'b1);
  endfunction

  assign late        = req_i & late_i;
  assign late_first  = lowest(late);
  assign late_more   = late & ~late_first;
  assign late_second = lowest(late_more);
  assign rest        = req_i & ~late_i;
  assign rest_first  = lowest(rest);
  assign rest_more   = rest & ~rest_first;
  assign rest_second = lowest(rest_more);

  always_comb begin
    first_o  = |late ? late_first : rest_first;
    second_o = rest_second;
    if (|late) second_o = rest_first;
    if (|late_more) second_o = late_second;
    if (used_i >= 2'd2) first_o = '0;
    if (used_i >= 2'd1) second_o = '0;
  end

endmodule
