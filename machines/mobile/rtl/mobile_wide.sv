// SPDX-License-Identifier: MIT OR Apache-2.0

// The wide core of the mobile coprocessor (machines/mobile/docs/hardware.md). It takes up to 16
// bytes of items per clock cycle, and evaluates several ANDs of half gates in parallel.
//
//   parameter  meaning
//   Units      AND units, at most 8
//   Impl       form of the units' S-box (see `aes_folded_core`)
//
//   port          bits  meaning
//   clear_i       1     aborts all items, and wipes all labels
//   valid_i       1     bytes_i are bytes of items
//   ready_o       1     the bytes are taken
//   count_i       5     number of bytes, 1 to 16; the rest of bytes_i is 0
//   bytes_i       128   the first byte is in the lowest bits
//   give_valid_o  1     give_o is a byte of a label that was read, lowest first
//   give_ready_i  1     the byte is taken
//   give_o        8
//   wrong_o       1     bytes were no item (for one clock cycle); no further item is decoded
//   slot_o        1     the cause of wrong_o is an invalid slot
//   over_o        1     the item `End` was reached
//   wipes_o       1     labels are being wiped; no item begins
//   wiped_o       12    counts through all values while labels are wiped
//   items_o, job_o, write_o, written_o   for tests: state of the decoder; use of the label that is
//                       read; whether a label is written; its slot
module mobile_wide
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 4,
    parameter int unsigned Impl  = 3
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [4:0]   count_i,
    input  logic [127:0] bytes_i,
    output logic         give_valid_o,
    input  logic         give_ready_i,
    output logic [7:0]   give_o,
    output logic         wrong_o,
    output logic         slot_o,
    output logic         over_o,
    output logic         wipes_o,
    output logic [11:0]  wiped_o,
    output wide_items_e  items_o,
    output wide_job_t    job_o,
    output logic         write_o,
    output wide_slot_t   written_o
);
  logic clear;
  logic [8:0] level;
  logic [15:0][7:0] row;
  logic [10:0][7:0] ahead;
  logic [4:0] take;
  logic [5:0] look;
  assign clear = clear_i || wipes_o;
  mobile_window u_window (
      .clk_i, .rst_ni, .clear_i(clear), .valid_i, .ready_o, .count_i, .bytes_i, .take_i(take), .look_i(look), .level_o(level),
      .row_o(row), .ahead_o(ahead));

  logic found, found_ready, item_valid, item_ready, low, high, next;
  wide_item_t found_item, item;
  logic [255:0] data;
  mobile_wide_items u_items (
      .clk_i, .rst_ni, .clear_i(clear), .level_i(level), .row_i(row), .ahead_i(ahead), .take_o(take), .look_o(look),
      .item_valid_o(found), .item_ready_i(found_ready), .item_o(found_item), .low_o(low), .high_o(high), .wrong_o, .slot_o,
      .state_o(items_o));
  stream_register #(.Width($bits(wide_item_t))) u_between (
      .clk_i, .rst_ni, .clear_i(clear), .valid_i(found), .ready_o(found_ready), .data_i(found_item),
      .valid_o(item_valid), .ready_i(item_ready), .data_o(item));
  mobile_wide_rows u_rows (
      .clk_i, .rst_ni, .clear_i(clear), .low_i(low), .high_i(high), .row_i(row), .next_i(next), .data_o(data));
  mobile_wide_execute #(.Units(Units), .Impl(Impl)) u_execute (
      .clk_i, .rst_ni, .clear_i, .item_valid_i(item_valid), .item_ready_o(item_ready), .item_i(item), .data_i(data),
      .data_next_o(next), .give_valid_o, .give_ready_i, .give_o, .over_o, .wipes_o, .wiped_o, .job_o, .write_o,
      .slot_o(written_o));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && wiped_o == '1 && wipes_o) begin
      assert ({row, ahead, data} == '0) else $error("mobile_wide: bytes are left");
    end
  end
`endif
endmodule
