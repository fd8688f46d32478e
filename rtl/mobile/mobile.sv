// The mobile coprocessor: evaluates what a phone passes on, with labels in a memory of its own (docs/rtl/mobile.md).
//
//   port          bits  meaning
//   rx_valid_i    1     a byte of the link has come; it cannot be kept waiting
//   rx_byte_i     8
//   tx_valid_o    1     a byte is to be sent
//   tx_ready_i    1     it is
//   tx_byte_o     8
//   mem_valid_o   1     the label memory is asked: 64 bits a word, two words a label
//   mem_ready_i   1     it takes that
//   mem_write_o   1     mem_data_o is written, else the word is read
//   mem_address_o 14
//   mem_data_o    64
//   mem_valid_i   1     a word that was read: in order, one cycle or more later
//   mem_data_i    64
//   taken_o, items_o, execute_o   for tests: a byte is executed, and the states of who does
module mobile
  import mobile_pkg::*;
  import mobile_types_pkg::*;
#(
    parameter int unsigned QueueBytes = 4096
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

  logic wipes;
  // The queue and what goes back are wiped several times.
  // verilator lint_off UNUSEDSIGNAL
  logic [SlotWidth:0] wiped;
  // verilator lint_on UNUSEDSIGNAL

  // ------------------------------------------------------------------------------- what comes
  logic write, keep, drop, full, reset, answers, again, other, acked, repeats;
  logic [7:0] payload;
  logic [15:0] run;
  logic [5:0] next, number;
  logic [2:0] room;
  mobile_frames u_frames (
      .clk_i, .rst_ni, .busy_i(wipes), .valid_i(rx_valid_i), .byte_i(rx_byte_i), .full_i(full),
      .write_o(write), .byte_o(payload), .keep_o(keep), .drop_o(drop), .reset_o(reset), .run_o(run),
      .answers_o(answers), .again_o(again), .next_o(next), .other_o(other), .acked_o(acked),
      .number_o(number), .repeat_o(repeats));
  logic there, taken;
  logic [7:0] data;
  mobile_queue #(.Bytes(QueueBytes)) u_queue (
      .clk_i, .rst_ni, .clear_i(reset), .wipe_i(wipes), .wipe_word_i(wiped[QueueWidth-1:0]),
      .write_i(write), .byte_i(payload), .keep_i(keep), .drop_i(drop), .full_o(full),
      .valid_o(there), .ready_i(taken), .byte_o(data), .room_o(room));

  // ------------------------------------------------------------------------- what is done with it
  logic item_valid, item_ready, follow, follow_ready, last, step, wrong, no_slot, grr3, over;
  item_t item;
  mobile_items u_items (
      .clk_i, .rst_ni, .clear_i(reset), .grr3_i(grr3), .byte_valid_i(there), .byte_ready_o(taken),
      .byte_i(data), .item_valid_o(item_valid), .item_ready_i(item_ready), .item_o(item),
      .follow_o(follow), .follow_ready_i(follow_ready), .last_i(last), .step_o(step),
      .wrong_o(wrong), .slot_o(no_slot), .state_o(items_o));
  logic give_valid, give_ready;
  logic [7:0] give;
  mobile_execute u_execute (
      .clk_i, .rst_ni, .clear_i(reset), .item_valid_i(item_valid), .item_ready_o(item_ready),
      .item_i(item), .byte_valid_i(follow), .byte_ready_o(follow_ready), .last_o(last), .byte_i(data),
      .step_i(step), .give_valid_o(give_valid), .give_ready_i(give_ready), .give_o(give),
      .grr3_o(grr3), .over_o(over), .wipes_o(wipes), .wiped_o(wiped),
      .mem_valid_o, .mem_ready_i, .mem_write_o, .mem_address_o, .mem_data_o, .mem_valid_i, .mem_data_i,
      .state_o(execute_o));
  assign taken_o = there && taken;

  // What was wrong first, if anything.
  logic [2:0] wrong_q, status;
  logic now_q, no_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wrong_q, now_q, no_slot_q} <= {StatusFine, 2'b00};
    else if (reset) {wrong_q, now_q, no_slot_q} <= {StatusFine, 2'b00};
    else begin
      {now_q, no_slot_q} <= {wrong, no_slot};
      if (wrong_q == StatusFine) begin
        if (now_q) wrong_q <= no_slot_q ? StatusNoSlot : StatusNoItem;
        else if (other) wrong_q <= StatusOtherRun;
      end
    end
  end
  assign status = wrong_q == StatusFine && over ? StatusOver : wrong_q;

  // ------------------------------------------------------------------------------ what goes back
  logic label_there, label_next;
  logic [5:0] label_number;
  logic [8:0] label_word;
  logic [7:0] label_byte;
  mobile_labels u_labels (
      .clk_i, .rst_ni, .clear_i(reset), .wipe_i(wipes), .wipe_word_i(wiped[8:0]), .valid_i(give_valid),
      .ready_o(give_ready), .byte_i(give), .acked_i(acked), .number_i(number), .repeat_i(repeats),
      .next_i(label_next), .there_o(label_there), .number_o(label_number), .word_i(label_word),
      .byte_o(label_byte));
  mobile_send u_send (
      .clk_i, .rst_ni, .clear_i(reset), .wait_i(wipes), .run_i(run), .answer_i(answers), .again_i(again),
      .next_i(next), .room_i(room), .status_i(status), .label_there_i(label_there),
      .label_number_i(label_number), .label_byte_i(label_byte), .label_next_o(label_next),
      .label_word_o(label_word), .valid_o(tx_valid_o), .ready_i(tx_ready_i), .byte_o(tx_byte_o));
endmodule
