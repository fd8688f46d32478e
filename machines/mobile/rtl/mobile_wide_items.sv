// SPDX-License-Identifier: MIT OR Apache-2.0

// Finds items in the received bytes. If the bytes have arrived, an item without a table takes two
// clock cycles, and an AND takes three.
//
//   port          bits  meaning
//   level_i       9     number of bytes in the window
//   row_i         128   the first 16 bytes in the window
//   ahead_i       88    bytes from offset look_o on, a clock cycle later
//   take_o        5     number of bytes to take
//   look_o        6
//   item_valid_o  1     item_o is valid
//   item_ready_i  1     the item is taken
//   item_o
//   low_o         1     row_i is the lower half of the bytes that follow the item
//   high_o        1     row_i is the higher half of the bytes that follow the item
//   wrong_o       1     bytes were no item (for one clock cycle); no further item is decoded
//   slot_o        1     the cause of wrong_o is an invalid slot
//   state_o       5     for tests
//
// The beginning of an item is fetched in one clock cycle, parsed in the next (`mobile_wide_parse`),
// and taken in the third, if all of it had arrived at the fetch. The beginning of the next item is
// fetched in this third clock cycle. After a table, the beginning of the next item is fetched while
// the table's first row is taken, and parsed while its last row is taken. Bytes after an error are
// taken and dropped.
module mobile_wide_items
  import mobile_pkg::*;
  import mobile_types_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic [8:0]   level_i,
    // Of a row, only the suite in a netlist cycle's parameters is used.
    input  logic [127:0] row_i,
    input  logic [87:0]  ahead_i,
    output logic [4:0]   take_o,
    output logic [5:0]   look_o,
    output logic         item_valid_o,
    input  logic         item_ready_i,
    output wide_item_t   item_o,
    output logic         low_o,
    output logic         high_o,
    output logic         wrong_o,
    output logic         slot_o,
    output wide_items_e  state_o
);
  wide_items_e state_q;
  head_t head_q, head;
  // Number of fetched bytes that had arrived, at most 15; and the same for the parsed beginning.
  logic [3:0] ahead_q, seen_q;
  logic other_q;

  // ----------------------------------------------------------------------------- the next item
  logic second_valid_q;
  logic [3:0] second_q;
  mobile_wide_parse u_parse (.second_i(second_valid_q), .kind_i(second_q), .bytes_i(ahead_i), .head_o(head));

  // ------------------------------------------------------------------------------- this one
  logic is_and, is_begin, is_load, follows, whole;
  assign is_and   = head_q.kind >= KindAnd && head_q.kind <= KindAnd3;
  assign is_begin = head_q.kind == KindBegin;
  assign is_load  = head_q.kind == KindLoad;
  assign follows  = is_and || is_begin || is_load;
  assign whole    = seen_q >= head_q.bytes;

  logic has_third, has_how;
  assign has_how   = head_q.kind == KindAnd3;
  assign has_third = head_q.kind == KindXor3 || head_q.kind == KindXor3ToA || (head_q.kind >= KindChoice && head_q.kind <= KindAnd3);
  // A slot, with one more bit for slots beyond the last one.
  typedef logic [WideSlotWidth:0] place_t;
  function automatic place_t place(input logic [15:0] bytes);
    logic [13:0] long_slot;
    long_slot = {1'b0, bytes[4:0], bytes[15:8]} + 14'd224;
    place = bytes[7:5] == '1 ? {long_slot[13:WideSlotWidth] != '0, long_slot[WideSlotWidth-1:0]} : place_t'(bytes[7:0]);
  endfunction
  wide_slot_t a, b, c, own;
  logic beyond_a, beyond_b, beyond_c, beyond_own;
  assign {beyond_a, a}     = place(head_q.a);
  assign {beyond_b, b}     = place(head_q.b);
  assign {beyond_c, c}     = place(head_q.c);
  assign {beyond_own, own} = place(head_q.out);
  always_comb begin
    unique case (head_q.kind)
      KindLoad:  item_o.what = WhatLoad;
      KindRead:  item_o.what = WhatRead;
      KindBegin: item_o.what = WhatBegin;
      KindEnd:   item_o.what = WhatEnd;
      default:   item_o.what = is_and ? WhatAnd : WhatXor;
    endcase
    item_o.xors = has_how ? head_q.how[2:0] : {has_third, is_and && has_third, 1'b0};
    {item_o.a, item_o.b, item_o.c} = {a, b, c};
    unique case (head_q.kind)
      KindAndToB, KindChoiceToB:              item_o.out = b;
      KindChoiceToC:                          item_o.out = c;
      KindXor, KindXor3, KindAnd, KindChoice: item_o.out = own;
      KindAnd3: item_o.out = head_q.how[4:3] == 2'd0 ? a : head_q.how[4:3] == 2'd1 ? b : head_q.how[4:3] == 2'd2 ? c : own;
      default:                                item_o.out = a;
    endcase
  end

  // The first error of an item, in the order of its bytes.
  logic has_slots, has_second, has_own, no_operand, how_wrong, no_result, wrong;
  assign has_slots  = head_q.kind < KindEnd;
  assign has_second = head_q.kind < KindLoad;
  assign has_own    = head_q.kind == KindXor || head_q.kind == KindXor3 || head_q.kind == KindAnd || head_q.kind == KindChoice
      || (has_how && head_q.how[4:3] == 2'd3);
  assign no_operand = has_slots && (beyond_a || (has_second && beyond_b) || (has_third && beyond_c));
  assign how_wrong  = has_how && (head_q.how[7:5] != '0 || head_q.how[2:0] == '0);
  assign no_result  = has_own && beyond_own;
  assign wrong      = head_q.kind == KindNone || no_operand || how_wrong || no_result;
  // A netlist cycle in the suite grr3, which this core lacks.
  logic other_suite;
  assign other_suite = is_begin && other_q;
  assign wrong_o     = (state_q == WideTake && whole && wrong) || (state_q == WideRowLast && other_suite);
  assign slot_o      = no_operand || (no_result && !how_wrong);

  // ------------------------------------------------------------------------------------ states
  logic enough, offers, ends, takes;
  assign enough = level_i >= (is_begin && state_q == WideRowLast ? 9'd10 : 9'd16);
  assign offers = (state_q == WideTake && whole && !wrong && !follows) || (state_q == WideRowLast && enough && !other_suite);
  assign ends   = state_q == WideRowLast && offers && item_ready_i;
  assign takes  = state_q == WideTake && whole && !wrong && (follows || item_ready_i);
  always_comb begin
    unique case (state_q)
      WideTake:    take_o = takes ? 5'(head_q.bytes) : '0;
      WideRow:     take_o = enough ? 5'd16 : '0;
      WideRowLast: take_o = ends ? (is_begin ? 5'd10 : 5'd16) : '0;
      WideFailed:  take_o = level_i >= 9'd16 ? 5'd16 : level_i[4:0];
      default:     take_o = '0;
    endcase
    // Offset of the next item if this clock cycle is the last of this item. A label has only a last
    // row.
    unique case (state_q)
      WideTake:    look_o = 6'(head_q.bytes) + (is_load ? 6'd16 : 6'd0);
      WideRow:     look_o = 6'd32;
      WideRowLast: look_o = is_begin ? 6'd10 : 6'd16;
      default:     look_o = '0;
    endcase
  end
  logic [9:0] ahead;
  assign ahead = {1'b0, level_i} - 10'(look_o);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= WideParse;
      second_valid_q <= 1'b0;
    end else if (clear_i) begin
      state_q        <= WideParse;
      second_valid_q <= 1'b0;
    end else begin
      unique case (state_q)
        WideParse: if (ahead_q != '0 || (second_valid_q && second_q >= KindEnd)) state_q <= WideTake;
        WideTake: begin
          if (!whole) state_q <= WideParse;
          else if (wrong) state_q <= WideFailed;
          else if (takes) state_q <= !follows ? WideParse : is_load ? WideRowLast : WideRow;
          if (takes) second_valid_q <= head_q.second_valid;
        end
        WideRow: if (enough) state_q <= WideRowLast;
        WideRowLast: begin
          if (other_suite) state_q <= WideFailed;
          else if (ends) state_q <= is_begin ? WideParse : WideTake;
        end
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) {head_q, ahead_q, seen_q, second_q, other_q} <= '0;
    else begin
      // The bytes after an incomplete item were fetched in vain, and must be fetched again.
      if (ahead[9] || (state_q == WideTake && !whole)) ahead_q <= '0;
      else ahead_q <= ahead[8:4] != '0 ? 4'd15 : ahead[3:0];
      if (state_q == WideParse || ends) {head_q, seen_q} <= {head, ahead_q};
      if (takes) second_q <= head_q.second;
      if (state_q == WideRow) other_q <= row_i[0];
    end
  end
  assign item_valid_o = offers;
  assign low_o        = state_q == WideRow && enough;
  assign high_o       = ends;
  assign state_o      = state_q;

  logic unused;
  assign unused = ^row_i;
endmodule
