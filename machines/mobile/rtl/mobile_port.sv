// SPDX-License-Identifier: MIT OR Apache-2.0

// The device's side of the link (machines/mobile/spec/link.md). It delivers bytes of items in order
// despite errors on the link, and returns labels.
//
//   port          bits  meaning
//   rx_valid_i    1     a byte was received from the link; there is no backpressure
//   rx_byte_i     8
//   tx_valid_o    1     a byte is offered to the link
//   tx_ready_i    1     the offered byte is taken
//   tx_byte_o     8
//   reset_o       1     a run begins; aborts the current item
//   wipes_i       1     labels are being wiped, and so is word wiped_i of the memories here
//   wiped_i
//   valid_o       Lanes byte_o[0] is the next byte of items, byte_o[1] the byte after it
//                       (`mobile_queue`)
//   ready_i       Lanes the byte is taken
//   byte_o        Lanes x 8
//   wrong_i       1     bytes were no item; slot_i: the cause is an invalid slot
//   over_i        1     the item `End` was reached
//   give_valid_i  1     give_i is a byte of a label that was read, lowest first
//   give_ready_o  1     the byte is taken
//   give_i        8
module mobile_port
  import mobile_pkg::*;
#(
    parameter int unsigned QueueBytes = 4096,
    parameter int unsigned Lanes      = 1,
    // Suites that the chip supports: bit n is set for suite number n.
    parameter logic [1:0]  Suites     = 2'd3,
    // Binary logarithm of the number of label slots.
    parameter int unsigned Slots      = mobile_types_pkg::SlotWidth,
    localparam int unsigned QueueWidth = $clog2(QueueBytes)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  rx_valid_i,
    input  logic [7:0]            rx_byte_i,
    output logic                  tx_valid_o,
    input  logic                  tx_ready_i,
    output logic [7:0]            tx_byte_o,
    output logic                  reset_o,
    input  logic                  wipes_i,
    // The memories for labels to the host are shorter than the queue, so they are wiped several
    // times.
    input  logic [QueueWidth-1:0] wiped_i,
    output logic [Lanes-1:0]      valid_o,
    input  logic [Lanes-1:0]      ready_i,
    output logic [Lanes-1:0][7:0] byte_o,
    input  logic                  wrong_i,
    input  logic                  slot_i,
    input  logic                  over_i,
    input  logic                  give_valid_i,
    output logic                  give_ready_o,
    input  logic [7:0]            give_i
);
  // ------------------------------------------------------------------------------- receive
  logic write, keep, drop, full, reset, responses, again, other, acked, repeats;
  logic [7:0] payload;
  logic [15:0] run;
  logic [5:0] next, number;
  logic [2:0] space;
  mobile_frames u_frames (
      .clk_i, .rst_ni, .busy_i(wipes_i), .valid_i(rx_valid_i), .byte_i(rx_byte_i), .full_i(full),
      .write_o(write), .byte_o(payload), .keep_o(keep), .drop_o(drop), .reset_o(reset), .run_o(run),
      .responses_o(responses), .again_o(again), .next_o(next), .other_o(other), .acked_o(acked),
      .number_o(number), .repeat_o(repeats));
  mobile_queue #(.Bytes(QueueBytes), .Lanes(Lanes)) u_queue (
      .clk_i, .rst_ni, .clear_i(reset), .wipe_i(wipes_i), .wipe_word_i(wiped_i),
      .write_i(write), .byte_i(payload), .keep_i(keep), .drop_i(drop), .full_o(full),
      .valid_o, .ready_i, .byte_o, .space_o(space));

  // First error of the run.
  logic [2:0] wrong_q, status;
  logic now_q, no_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wrong_q, now_q, no_slot_q} <= {StatusFine, 2'b00};
    else if (reset) {wrong_q, now_q, no_slot_q} <= {StatusFine, 2'b00};
    else begin
      {now_q, no_slot_q} <= {wrong_i, slot_i};
      if (wrong_q == StatusFine) begin
        if (now_q) wrong_q <= no_slot_q ? StatusNoSlot : StatusNoItem;
        else if (other) wrong_q <= StatusOtherRun;
      end
    end
  end
  assign status = wrong_q == StatusFine && over_i ? StatusOver : wrong_q;

  // ------------------------------------------------------------------------------- send
  logic label_there, label_next;
  logic [5:0] label_number;
  logic [8:0] label_word;
  logic [7:0] label_byte;
  mobile_labels u_labels (
      .clk_i, .rst_ni, .clear_i(reset), .wipe_i(wipes_i), .wipe_word_i(wiped_i[8:0]), .valid_i(give_valid_i),
      .ready_o(give_ready_o), .byte_i(give_i), .acked_i(acked), .number_i(number), .repeat_i(repeats),
      .next_i(label_next), .there_o(label_there), .number_o(label_number), .word_i(label_word),
      .byte_o(label_byte));
  assign reset_o = reset;
  mobile_send #(.Suites(Suites), .Slots(Slots)) u_send (
      .clk_i, .rst_ni, .clear_i(reset), .wait_i(wipes_i), .wipe_word_i(wiped_i[4:0]), .run_i(run), .response_i(responses), .again_i(again),
      .next_i(next), .space_i(space), .status_i(status), .label_there_i(label_there),
      .label_number_i(label_number), .label_byte_i(label_byte), .label_next_o(label_next),
      .label_word_o(label_word), .valid_o(tx_valid_o), .ready_i(tx_ready_i), .byte_o(tx_byte_o));
endmodule
