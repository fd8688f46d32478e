// SPDX-License-Identifier: MIT OR Apache-2.0

// The mobile coprocessor with the wide core, and the device's side of the link
// (machines/mobile/docs/hardware.md). It sends and receives bytes of the link, and supports only
// half gates.
//
//   parameter  meaning
//   Units      AND units, at most 8
//   Impl       form of the units' S-box (see `aes_folded_core`)
//
//   port          bits  meaning
//   rx_valid_i    1     a byte was received from the link; there is no backpressure
//   rx_byte_i     8
//   tx_valid_o    1     a byte is offered to the link
//   tx_ready_i    1     the offered byte is taken
//   tx_byte_o     8
//   busy_o        1     labels are read, written or wiped
module mobile_wide_device
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 4,
    parameter int unsigned Impl  = 3
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       rx_valid_i,
    input  logic [7:0] rx_byte_i,
    output logic       tx_valid_o,
    input  logic       tx_ready_i,
    output logic [7:0] tx_byte_o,
    output logic       busy_o
);
  logic reset, wipes, there, taken, wrong, no_slot, over, give_valid, give_ready, writes;
  logic [7:0] data, give;
  logic [11:0] wiped;
  // Outputs for tests.
  wide_slot_t unused_written;
  wide_items_e unused_items;
  wide_job_t job;
  mobile_port #(.Suites(2'd1), .Slots(WideSlotWidth)) u_port (
      .clk_i, .rst_ni, .rx_valid_i, .rx_byte_i, .tx_valid_o, .tx_ready_i, .tx_byte_o, .reset_o(reset),
      .wipes_i(wipes), .wiped_i(wiped), .valid_o(there), .ready_i(taken), .byte_o(data),
      .wrong_i(wrong), .slot_i(no_slot), .over_i(over), .give_valid_i(give_valid), .give_ready_o(give_ready),
      .give_i(give));
  mobile_wide #(.Units(Units), .Impl(Impl)) u_wide (
      .clk_i, .rst_ni, .clear_i(reset), .valid_i(there), .ready_o(taken), .count_i(5'd1), .bytes_i({120'd0, data}),
      .give_valid_o(give_valid), .give_ready_i(give_ready), .give_o(give), .wrong_o(wrong), .slot_o(no_slot),
      .over_o(over), .wipes_o(wipes), .wiped_o(wiped), .items_o(unused_items), .job_o(job), .write_o(writes), .written_o(unused_written));
  logic unused;
  assign unused = ^job;
  assign busy_o = job.valid || writes;
endmodule
