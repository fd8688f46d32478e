// SPDX-License-Identifier: MIT OR Apache-2.0

// The mobile coprocessor (machines/mobile/docs/hardware.md). It evaluates the items that a phone
// sends. The memory of its labels is outside this module.
//
//   port          bits  meaning
//   rx_valid_i    1     a byte was received from the link; there is no backpressure
//   rx_byte_i     8
//   tx_valid_o    1     a byte is offered to the link
//   tx_ready_i    1     the offered byte is taken
//   tx_byte_o     8
//   mem_valid_o   1     request to the label memory: 64 bits per word, two words per label
//   mem_ready_i   1     the request is accepted
//   mem_write_o   1     mem_data_o is written; otherwise the word is read
//   mem_address_o 14
//   mem_data_o    64
//   mem_valid_i   1     mem_data_i is a word that was read: in order, one clock cycle or more later
//   mem_data_i    64
//   taken_o, items_o, execute_o   for tests: a byte is executed; state of the decoder; state of the
//                       execution
module mobile
  import mobile_types_pkg::*;
#(
    parameter int unsigned QueueBytes = 4096,
    // 1: AES computes a round per clock cycle, and bytes that follow an item are taken two per
    // clock cycle. 0: AES computes half a round, and these bytes are taken one per clock cycle.
    parameter int unsigned Round      = 0
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               rx_valid_i,
    input  logic [7:0]         rx_byte_i,
    output logic               tx_valid_o,
    input  logic               tx_ready_i,
    output logic [7:0]         tx_byte_o,
    output logic               mem_valid_o,
    input  logic               mem_ready_i,
    output logic               mem_write_o,
    output logic [SlotWidth:0] mem_address_o,
    output logic [63:0]        mem_data_o,
    input  logic               mem_valid_i,
    input  logic [63:0]        mem_data_i,
    output logic               taken_o,
    output logic [7:0]         items_o,
    output steps_t             execute_o
);
  localparam int unsigned QueueWidth = $clog2(QueueBytes);
  localparam int unsigned Lanes      = Round != 0 ? 2 : 1;

  logic reset, wipes, wrong, no_slot, over, give_valid, give_ready;
  // The link's memories are shorter than the label memory, so they are wiped several times.
  logic [SlotWidth:0] wiped;
  logic unused;
  assign unused = ^wiped;
  logic [Lanes-1:0] there, taken;
  logic [Lanes-1:0][7:0] data;
  logic [7:0] give;

  logic item_valid, item_ready, follow, follow_ready, last, step, grr3;
  item_t item;
  logic next_taken, all_taken;
  mobile_items u_items (
      .clk_i, .rst_ni, .clear_i(reset), .grr3_i(grr3), .byte_valid_i(there[0]), .all_valid_i(there[Lanes-1]),
      .byte_ready_o(next_taken), .all_ready_o(all_taken), .byte_i(data[0]), .item_valid_o(item_valid), .item_ready_i(item_ready), .item_o(item),
      .follow_o(follow), .follow_ready_i(follow_ready), .last_i(last), .step_o(step),
      .wrong_o(wrong), .slot_o(no_slot), .state_o(items_o));
  mobile_execute #(.Round(Round), .Lanes(Lanes)) u_execute (
      .clk_i, .rst_ni, .clear_i(reset), .item_valid_i(item_valid), .item_ready_o(item_ready),
      .item_i(item), .byte_valid_i(follow), .byte_ready_o(follow_ready), .last_o(last), .byte_i(data),
      .step_i(step), .give_valid_o(give_valid), .give_ready_i(give_ready), .give_o(give),
      .grr3_o(grr3), .over_o(over), .wipes_o(wipes), .wiped_o(wiped),
      .mem_valid_o, .mem_ready_i, .mem_write_o, .mem_address_o, .mem_data_o, .mem_valid_i, .mem_data_i,
      .state_o(execute_o));
  assign taken   = Lanes'({all_taken, next_taken});
  assign taken_o = there[0] && next_taken;
  mobile_port #(.QueueBytes(QueueBytes), .Lanes(Lanes)) u_port (
      .clk_i, .rst_ni, .rx_valid_i, .rx_byte_i, .tx_valid_o, .tx_ready_i, .tx_byte_o, .reset_o(reset),
      .wipes_i(wipes), .wiped_i(wiped[QueueWidth-1:0]), .valid_o(there), .ready_i(taken), .byte_o(data),
      .wrong_i(wrong), .slot_i(no_slot), .over_i(over), .give_valid_i(give_valid), .give_ready_o(give_ready),
      .give_i(give));
endmodule
