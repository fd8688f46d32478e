// Items among the bytes that come: two cycles for one without a table, three for an AND, if bytes are there.
//
//   port          bits  meaning
//   level_i       6     bytes in the window
//   bytes_i       216   the first of them
//   take_o        5     so many go
//   item_valid_o  1     item_o is there
//   item_ready_i  1     it is taken
//   item_o
//   data_o        256   what follows it, the first byte lowest; a label is in its higher half
//   wrong_o       1     what came is no item (in this cycle), and nothing more is taken for one
//   slot_o        1     because there is no such slot
//   state_o       5     for tests
//
// An item's beginning is read in one cycle (`mobile_wide_parse`) and gone from the window in the next, if all of it was there.
// That of the one behind an AND is read while the end of its table goes. Bytes behind what is wrong are swallowed.
module mobile_wide_items
  import mobile_pkg::*;
  import mobile_types_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic [5:0]   level_i,
    input  logic [215:0] bytes_i,
    output logic [4:0]   take_o,
    output logic         item_valid_o,
    input  logic         item_ready_i,
    output wide_item_t   item_o,
    output logic [255:0] data_o,
    output logic         wrong_o,
    output logic         slot_o,
    output wide_items_e  state_o
);
  wide_items_e state_q;
  head_t head_q, head;
  // Bytes that were there when the beginning was read.
  logic [5:0] seen_q;
  logic [127:0] row_q;

  // ----------------------------------------------------------------------------- the next item
  logic second_valid_q, early;
  logic [3:0] second_q;
  mobile_wide_parse u_parse (
      .second_i(second_valid_q), .kind_i(second_q),
      .bytes_i(early ? bytes_i[215:128] : bytes_i[87:0]), .head_o(head));

  // ------------------------------------------------------------------------------- this one
  logic is_and, is_begin, is_load, follows, whole;
  assign is_and   = head_q.kind >= KindAnd && head_q.kind <= KindAnd3;
  assign is_begin = head_q.kind == KindBegin;
  assign is_load  = head_q.kind == KindLoad;
  assign follows  = is_and || is_begin || is_load;
  assign whole    = seen_q >= 6'(head_q.bytes);

  logic has_third, has_how;
  assign has_how   = head_q.kind == KindAnd3;
  assign has_third = head_q.kind == KindXor3 || head_q.kind == KindXor3ToA || (head_q.kind >= KindChoice && head_q.kind <= KindAnd3);
  // A slot, with a bit above it that says that it is beyond the last one.
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

  // What is wrong with it, in the order of its bytes.
  logic has_slots, has_second, has_own, no_operand, how_wrong, no_result, wrong;
  assign has_slots  = head_q.kind < KindEnd;
  assign has_second = head_q.kind < KindLoad;
  assign has_own    = head_q.kind == KindXor || head_q.kind == KindXor3 || head_q.kind == KindAnd || head_q.kind == KindChoice
      || (has_how && head_q.how[4:3] == 2'd3);
  assign no_operand = has_slots && (beyond_a || (has_second && beyond_b) || (has_third && beyond_c));
  assign how_wrong  = has_how && (head_q.how[7:5] != '0 || head_q.how[2:0] == '0);
  assign no_result  = has_own && beyond_own;
  assign wrong      = head_q.kind == KindNone || no_operand || how_wrong || no_result;
  // A netlist cycle of grr3, which there is not here.
  logic other_suite;
  assign other_suite = is_begin && row_q[0];
  assign wrong_o     = (state_q == WideTake && whole && wrong) || (state_q == WideRowLast && other_suite);
  assign slot_o      = no_operand || (no_result && !how_wrong);

  // ------------------------------------------------------------------------------------ states
  logic enough, offers, ends, takes;
  assign enough = level_i >= (is_begin && state_q == WideRowLast ? 6'd10 : 6'd16);
  assign offers = (state_q == WideTake && whole && !wrong && !follows) || (state_q == WideRowLast && enough && !other_suite);
  assign ends   = offers && item_ready_i;
  assign takes  = state_q == WideTake && whole && !wrong && (follows || item_ready_i);
  // The next item's first bytes are in view behind a row.
  assign early  = state_q == WideRowLast;
  always_comb begin
    unique case (state_q)
      WideTake:    take_o = takes ? 5'(head_q.bytes) : '0;
      WideRow:     take_o = enough ? 5'd16 : '0;
      WideRowLast: take_o = ends ? (is_begin ? 5'd10 : 5'd16) : '0;
      WideFailed:  take_o = level_i >= 6'd16 ? 5'd16 : level_i[4:0];
      default:     take_o = '0;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= WideParse;
      second_valid_q <= 1'b0;
    end else if (clear_i) begin
      state_q        <= WideParse;
      second_valid_q <= 1'b0;
    end else begin
      unique case (state_q)
        WideParse: if (level_i != '0 || (second_valid_q && second_q >= KindEnd)) state_q <= WideTake;
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
    if (clear_i) {head_q, row_q, seen_q, second_q} <= '0;
    else begin
      if (state_q == WideParse || ends) begin
        head_q <= head;
        seen_q <= early ? level_i - 6'd16 : level_i;
      end
      if (takes) second_q <= head_q.second;
      if (state_q == WideRow) row_q <= bytes_i[127:0];
    end
  end
  assign item_valid_o = offers;
  assign data_o       = {bytes_i[127:0], row_q};
  assign state_o      = state_q;
endmodule
