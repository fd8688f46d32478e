// SPDX-License-Identifier: MIT OR Apache-2.0

// Decodes bytes of the link into items (machines/mobile/spec/link.md). A byte of kinds has the
// kinds of two items, and a slot has one or two bytes.
//
//   port           bits  meaning
//   clear_i        1     restarts the decoder
//   grr3_i         1     1: the suite is grr3, in which an AND has a distance
//   byte_valid_i   1     byte_i is the next byte
//   all_valid_i    1     all lanes have a byte, for bytes that follow an item
//   byte_ready_o   1     byte_i is taken
//   all_ready_o    1     the bytes of all lanes are taken
//   byte_i         8
//   item_valid_o   1     item_o is valid
//   item_ready_i   1     the item is taken; then the bytes that follow it pass, up to last_i
//   item_o               the item
//   follow_o       1     the next bytes follow the item: a table, a label or a begin's parameters
//   follow_ready_i 1     the bytes that follow the item are taken
//   last_i         1     the next bytes are the last ones that follow the item
//   step_o         1     byte_i is a byte of an AND's distance, and is taken
//   wrong_o        1     bytes were no item (for one clock cycle); no further item is decoded
//   slot_o         1     the cause of wrong_o is an invalid slot
//   state_o        8     for tests
//
// Latency: one clock cycle per byte, and one in which the item is offered. Bytes after an error are
// taken and dropped.
module mobile_items
  import mobile_pkg::*;
  import mobile_types_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       clear_i,
    input  logic       grr3_i,
    input  logic       byte_valid_i,
    input  logic       all_valid_i,
    output logic       byte_ready_o,
    output logic       all_ready_o,
    input  logic [7:0] byte_i,
    output logic       item_valid_o,
    input  logic       item_ready_i,
    output item_t      item_o,
    output logic       follow_o,
    input  logic       follow_ready_i,
    input  logic       last_i,
    output logic       step_o,
    output logic       wrong_o,
    output logic       slot_o,
    output logic [7:0] state_o
);
  // States, one-hot: what the next byte is.
  localparam int unsigned Kind = 0, Slot = 1, Long = 2, How = 3, Step = 4, Offer = 5, Follow = 6, Failed = 7;
  typedef logic [7:0] state_t;
  function automatic state_t at(input int unsigned state);
    at = state_t'(1) << state;
  endfunction

  state_t state_q;
  logic [3:0] kind_q, second_q;
  logic second_valid_q;
  // Which slot is next: a, b, c, or out.
  logic [1:0] index_q;
  logic [3:0][SlotWidth-1:0] slots_q;
  logic [4:0] high_q;
  logic [4:0] how_q;

  // Properties of a kind.
  logic is_and, is_single, has_third, has_out, has_how, follows;
  assign is_and    = kind_q >= KindAnd && kind_q <= KindAnd3;
  assign is_single = kind_q == KindLoad || kind_q == KindRead;
  assign has_third = kind_q == KindXor3 || kind_q == KindXor3ToA || (kind_q >= KindChoice && kind_q <= KindAnd3);
  assign has_out   = kind_q == KindXor || kind_q == KindXor3 || kind_q == KindAnd || kind_q == KindChoice;
  assign has_how   = kind_q == KindAnd3;
  assign follows   = is_and || kind_q == KindLoad || kind_q == KindBegin;

  // A slot of two bytes.
  logic is_long, beyond;
  logic [12:0] long_slot;
  assign is_long   = byte_i[7:5] == '1;
  assign long_slot = {high_q, byte_i} + 13'd224;
  assign beyond    = high_q == '1 && byte_i[7:5] != '0;

  // The state after this slot, and the state after all slots.
  state_t behind, done;
  always_comb begin
    done = is_and && grr3_i ? at(Step) : at(Offer);
    unique case (index_q)
      2'd0:    behind = is_single ? done : at(Slot);
      2'd1:    behind = has_third || has_out ? at(Slot) : done;
      2'd2:    behind = has_how ? at(How) : has_out ? at(Slot) : done;
      default: behind = done;
    endcase
  end
  logic how_wrong;
  assign how_wrong = byte_i[7:5] != '0 || byte_i[2:0] == '0;

  function automatic state_t first(input logic [3:0] kind);
    first = kind == KindEnd || kind == KindBegin ? at(Offer) : kind == KindNone ? at(Failed) : at(Slot);
  endfunction

  logic take, slot_ends, next_item;
  assign byte_ready_o = state_q[Follow] ? follow_ready_i && all_valid_i : !state_q[Offer];
  assign all_ready_o  = state_q[Follow] && follow_ready_i && all_valid_i;
  assign take         = byte_valid_i && byte_ready_o;
  assign slot_ends    = byte_valid_i && ((state_q[Slot] && !is_long) || state_q[Long]);
  assign follow_o     = state_q[Follow] && all_valid_i;
  assign step_o       = state_q[Step] && byte_valid_i;
  assign slot_o       = state_q[Long];
  assign wrong_o      = byte_valid_i && ((state_q[Kind] && byte_i[3:0] == KindNone) ||
                                         (state_q[Long] && beyond) || (state_q[How] && how_wrong));
  assign next_item    = state_q[Offer] ? item_ready_i && !follows : state_q[Follow] && take && last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= at(Kind);
      second_valid_q <= 1'b0;
    end else if (clear_i) begin
      state_q        <= at(Kind);
      second_valid_q <= 1'b0;
    end else if (next_item) begin
      state_q        <= second_valid_q ? first(second_q) : at(Kind);
      second_valid_q <= 1'b0;
    end else if (state_q[Offer]) begin
      if (item_ready_i) state_q <= at(Follow);
    end else if (byte_valid_i) begin
      unique case (1'b1)
        state_q[Kind]: begin
          state_q        <= first(byte_i[3:0]);
          second_valid_q <= byte_i[7:4] != KindNone;
        end
        state_q[Slot]: state_q <= is_long ? at(Long) : behind;
        state_q[Long]: state_q <= beyond ? at(Failed) : behind;
        state_q[How]:  state_q <= how_wrong ? at(Failed) : byte_i[4:3] == 2'd3 ? at(Slot) : done;
        state_q[Step]: state_q <= byte_i == 8'hff ? at(Step) : at(Offer);
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q[Kind] && byte_valid_i) {second_q, kind_q} <= byte_i;
    else if (next_item) kind_q <= second_q;
    if (state_q[Slot]) high_q <= byte_i[4:0];
    if (slot_ends) slots_q[index_q] <= state_q[Long] ? long_slot : SlotWidth'(byte_i);
    if (state_q[How]) how_q <= byte_i[4:0];
    // After the operands, the next slot is the result's, if the kind has one.
    if (state_q[Kind] || state_q[Offer] || state_q[Follow]) index_q <= '0;
    else if (slot_ends) index_q <= index_q == 2'd1 && !has_third ? 2'd3 : index_q + 2'd1;
  end

  assign item_valid_o = state_q[Offer];
  always_comb begin
    unique case (kind_q)
      KindLoad:  item_o.what = WhatLoad;
      KindRead:  item_o.what = WhatRead;
      KindBegin: item_o.what = WhatBegin;
      KindEnd:   item_o.what = WhatEnd;
      default:   item_o.what = is_and ? WhatAnd : WhatXor;
    endcase
    item_o.xors = has_how ? how_q[2:0] : {has_third, is_and && has_third, 1'b0};
    item_o.a    = slots_q[0];
    item_o.b    = slots_q[1];
    item_o.c    = slots_q[2];
    unique case (kind_q)
      KindAndToB, KindChoiceToB:                item_o.out = slots_q[1];
      KindChoiceToC:                            item_o.out = slots_q[2];
      KindXor, KindXor3, KindAnd, KindChoice:   item_o.out = slots_q[3];
      KindAnd3:                                 item_o.out = slots_q[how_q[4:3]];
      default:                                  item_o.out = slots_q[0];
    endcase
  end
  assign state_o = state_q;
endmodule
