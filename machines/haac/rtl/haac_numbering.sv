// SPDX-License-Identifier: MIT OR Apache-2.0

// Numbers the outputs and the ANDs of a row.
//
// | port     | width                | meaning                                                 |
// |----------|----------------------|---------------------------------------------------------|
// | is_nop_i | Engines              | places with a no-op, which has no address               |
// | is_and_i | Engines              | places with an AND                                      |
// | next_…_i | 31, 32               | the next address and number, before the row             |
// | out_o    | Engines x 31         | address of each place's output                          |
// | and_o    | Engines x 32         | number of each place's AND                              |
// | next_…_o | 31, 32               | the next address and number, after the row              |
//
// Latency: none, combinational. Stalls: none. Each output has the address after the previous
// output's; multiples of WindowLabels are skipped. A row skips at most one multiple, as it is
// shorter than a window.

module haac_numbering
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 32768
) (
  input  logic [Engines-1:0]                    is_nop_i,
  input  logic [Engines-1:0]                    is_and_i,
  input  logic [AddressWidth-1:0]               next_out_i,
  input  logic [AndNumberWidth-1:0]             next_and_i,
  output logic [Engines-1:0][AddressWidth-1:0]  out_o,
  output logic [Engines-1:0][AndNumberWidth-1:0] and_o,
  output logic [AddressWidth-1:0]               next_out_o,
  output logic [AndNumberWidth-1:0]             next_and_o
);

  localparam int unsigned SlotWidth  = $clog2(WindowLabels);
  localparam int unsigned CountWidth = $clog2(Engines + 1);

  if (Engines >= WindowLabels) begin : gen_too_many
    $error("haac_numbering: a row must be shorter than the window");
  end

  // The addresses' upper bits in this lap of the window and in the next one.
  logic [1:0][AddressWidth-SlotWidth-1:0] lap;
  assign lap = {next_out_i[AddressWidth-1:SlotWidth] + 1'b1, next_out_i[AddressWidth-1:SlotWidth]};

  // The address of the output that follows `count` others: one more if a multiple of the window
  // lies in between.
  function automatic logic [AddressWidth-1:0] address(input logic [CountWidth-1:0] count);
    logic [SlotWidth:0] slot;
    slot = {1'b0, next_out_i[SlotWidth-1:0]} + (SlotWidth + 1)'(count);
    address = {lap[slot[SlotWidth]], slot[SlotWidth-1:0] + SlotWidth'(slot[SlotWidth])};
  endfunction

  // Number of outputs and ANDs before each place, and in the whole row.
  always_comb begin
    logic [CountWidth-1:0] outs, ands;
    outs = '0;
    ands = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      out_o[e] = address(outs);
      and_o[e] = next_and_i + AndNumberWidth'(ands);
      outs     = outs + CountWidth'(!is_nop_i[e]);
      ands     = ands + CountWidth'(is_and_i[e]);
    end
    next_out_o = address(outs);
    next_and_o = next_and_i + AndNumberWidth'(ands);
  end

endmodule
