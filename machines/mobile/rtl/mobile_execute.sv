// SPDX-License-Identifier: MIT OR Apache-2.0

// Executes items in order: reads operands from the label memory, takes the table's bytes, and
// writes the result.
//
//   parameter  meaning
//   Round      1: AES computes a round per clock cycle; 0: half a round
//   Lanes      bytes that follow an item and are taken in one clock cycle: 1 or 2
//
//   port          bits  meaning
//   clear_i       1     aborts the current item, and wipes all labels
//   item_valid_i  1     item_i is valid
//   item_ready_o  1     the item is taken
//   item_i
//   byte_valid_i  1     byte_i has bytes that follow the item
//   byte_ready_o  1     the bytes are taken
//   last_o        1     the next bytes are the last ones that follow the item
//   byte_i        8 x Lanes
//   step_i        1     byte_i[7:0] is added to the distance of the next AND
//   give_valid_o  1     give_o is a byte of a label that was read, lowest first
//   give_ready_i  1     the byte is taken
//   give_o        8
//   grr3_o        1     1: the run's suite is grr3
//   over_o        1     the item `End` was reached
//   wipes_o       1     labels are being wiped; wiped_o is the address of the word
//   mem_*               label memory: two words per label, the lower one first. A request stays
//                       until it is accepted, even during clear_i. Responses come in order, in any
//                       later clock cycle
//   state_o       9     for tests
//
// Clock cycles, with a memory that responds in the next clock cycle: an XOR of two operands takes
// 6, of three 8, and two fewer if a is the previous result. An AND takes 50, or 30 if Round is 1
// and Lanes is 2, and two more for each operand to which c is added, if tables arrive in time.
module mobile_execute
  import mobile_types_pkg::*;
#(
    parameter int unsigned Round = 0,
    parameter int unsigned Lanes = 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,
    input  logic                 item_valid_i,
    output logic                 item_ready_o,
    input  item_t                item_i,
    input  logic                 byte_valid_i,
    output logic                 byte_ready_o,
    output logic                 last_o,
    input  logic [8*Lanes-1:0]   byte_i,
    input  logic                 step_i,
    output logic                 give_valid_o,
    input  logic                 give_ready_i,
    output logic [7:0]           give_o,
    output logic                 grr3_o,
    output logic                 over_o,
    output logic                 wipes_o,
    output logic [SlotWidth:0]   wiped_o,
    output logic                 mem_valid_o,
    input  logic                 mem_ready_i,
    output logic                 mem_write_o,
    output logic [SlotWidth:0]   mem_address_o,
    output logic [63:0]          mem_data_o,
    input  logic                 mem_valid_i,
    input  logic [63:0]          mem_data_i,
    output steps_t               state_o
);
  // Labels are read in this order: b, c for b, c for a, c for the result (or as an XOR's third
  // operand), a.
  localparam int unsigned Reads = 5;

  steps_t state_q;
  what_e what_q;
  slot_t a_q, b_q, c_q, out_q;
  // request_q: labels that are still to be requested. due_q: labels that have not arrived.
  // *_high_q: the next word is the higher one. *_single_q: one label is left; the signal is used
  // together with the higher word, and is one clock cycle late. due_none_q: no label is left.
  logic [Reads-1:0] request_q, due_q;
  logic request_high_q, request_single_q, requests_b_q, requests_c_q, due_high_q, due_single_q, due_none_q;
  logic first_q, held_q, over_q, set_q;
  // Number of transfers that remain after the next one. A transfer is of bytes that follow the
  // item, or of a byte of a label to the host. more_q: there is a next transfer. last_q: the next
  // transfer is the last.
  logic [5:0] left_q;
  logic more_q, last_q;
  // Address of the word that is wiped. The data is the label register, which is wiped first.
  logic [SlotWidth:0] wipe_q;
  logic clear_q, wiped_q;
  // waits_q holds clear_i until the memory has accepted the pending request. reads_q is the number
  // of words that were requested and have not arrived.
  logic clear, waits_q;
  logic [3:0] reads_q;

  // --------------------------------------------------------------------------- the next item
  logic take, is_and, is_xor, held, stored;
  logic [Reads-1:0] needs;
  assign is_and = item_i.what == WhatAnd;
  assign is_xor = item_i.what == WhatXor;
  // An XOR's operand a is still in the label register if it is the previous result, and nothing
  // else was computed since.
  assign held   = is_xor && (held_q || state_q[StoreHigh]) && item_i.a == out_q;
  always_comb begin
    unique case (item_i.what)
      WhatXor:  needs = {!held, item_i.xors[2], 3'b001};
      WhatAnd:  needs = {1'b1, item_i.xors[2], item_i.xors[0], item_i.xors[1], 1'b1};
      WhatRead: needs = 5'b10000;
      default:  needs = '0;
    endcase
  end
  assign stored       = mem_ready_i && due_none_q;
  assign item_ready_o = state_q[Idle] || (state_q[StoreHigh] && stored);
  assign take         = item_valid_i && item_ready_o;

  // ------------------------------------------------------------------------------- the memory
  function automatic logic [Reads-1:0] without_lowest(input logic [Reads-1:0] set);
    without_lowest[0] = 1'b0;
    for (int i = 1; i < Reads; i++) without_lowest[i] = set[i] && (set & ((1 << i) - 1)) != '0;
  endfunction

  logic add, go, folds, busy, sums, gives, turns;
  logic requested, request_last, due_last;
  slot_t read_slot;
  logic [Reads-1:0] request;
  assign request       = without_lowest(request_q);
  assign requested     = state_q[Read] && mem_ready_i;
  assign request_last  = request_high_q && request_single_q;
  assign due_last  = due_high_q && due_single_q;
  assign read_slot = requests_b_q ? b_q : requests_c_q ? c_q : a_q;

  // After all words are wiped, one word is read. This overwrites the memory's output register. By
  // then all earlier requests have their responses.
  logic flushed;
  assign flushed = wiped_q && wipe_q[0];
  assign clear   = (clear_i || waits_q) && (!mem_valid_o || mem_ready_i);

  // The lower word of a result is ready when only the last word has not arrived, because that word
  // is the higher word of an operand.
  always_comb begin
    mem_address_o = state_q[Read] ? {read_slot, request_high_q} : state_q[Wipe] ? wipe_q : {out_q, state_q[StoreHigh]};
    mem_write_o   = !state_q[Read] && !wiped_q;
    mem_valid_o   = (state_q[Wipe] && clear_q && !flushed) || state_q[Read] || (state_q[Store] && (due_none_q || due_last) && !turns)
        || (state_q[StoreHigh] && due_none_q);
  end

  // ---------------------------------------------------------------------- labels and their bytes
  // Use of the label that arrives next (role_q), and of the label after it.
  role_e role_q, role;
  logic [Reads-1:0] due;
  assign due = without_lowest(due_q);
  always_comb begin
    role = RolePlain;
    if (what_q == WhatAnd) begin
      if (due[1:0] != '0) role = RoleB;
      else if (due[2] || !due[3]) role = RoleA;
    end
  end

  logic [127:0] label;
  logic [127:0] key;
  logic [127:0] tweak;
  assign add          = mem_valid_i && !due_none_q;
  assign go           = add && due_last && what_q == WhatAnd;
  assign give_valid_o = state_q[Give] && due_none_q && !turns;
  assign gives        = give_valid_o && give_ready_i;
  assign byte_ready_o = more_q && ((state_q[Work] && due_none_q) || state_q[Load] || state_q[Config]);
  assign folds        = byte_valid_i && byte_ready_o;
  assign last_o       = last_q;
  assign sums         = state_q[Work] && !more_q && due_none_q && !busy && !turns;
  // With two lanes, a label to the host rotates only after every second byte.
  logic turns_given;
  if (Lanes == 1) begin : gen_give
    assign turns_given = 1'b1;
    assign give_o      = label[7:0];
  end else begin : gen_give_both
    assign turns_given = !left_q[0];
    assign give_o      = left_q[0] ? label[7:0] : label[15:8];
  end
  mobile_key #(.Lanes(Lanes)) u_key (
      .clk_i, .clear_i(state_q[Wipe]), .shift_i(folds && state_q[Config]), .add_i(step_i), .byte_i,
      .next_i(set_q), .grr3_o, .key_o(key), .tweak_o(tweak));
  mobile_label #(.Round(Round), .Lanes(Lanes)) u_label (
      .clk_i, .rst_ni, .clear_i(state_q[Wipe]), .set_i(set_q), .grr3_i(grr3_o), .key_i(key), .tweak_i(tweak), .forget_i(state_q[Store]),
      .add_i(add), .first_i(first_q), .high_i(due_high_q), .role_i(role_q), .go_i(go), .word_i(mem_data_i),
      .fold_i((folds && !state_q[Config]) || (gives && turns_given)),
      .how_i(state_q[Load] ? FoldLoad : state_q[Work] ? FoldTable : FoldTurn),
      .part_i(left_q[6-Lanes-:2]), .byte_i, .sum_i(sums), .turns_o(turns), .busy_o(busy), .label_o(label));
  assign mem_data_o   = state_q[StoreHigh] ? label[127:64] : label[63:0];

  // ------------------------------------------------------------------------------------ states
  function automatic steps_t at(input int unsigned step);
    at = steps_t'(1) << step;
  endfunction

  logic turns_end;
  assign turns_end = (folds || gives) && last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= at(Wipe);
      {held_q, over_q, wipe_q, clear_q, wiped_q, more_q, set_q} <= '0;
      due_none_q <= 1'b1;
    end else if (clear) begin
      state_q <= at(Wipe);
      {held_q, over_q, wipe_q, clear_q, wiped_q, more_q, set_q} <= '0;
      due_none_q <= 1'b1;
    end else begin
      set_q <= take && is_and;
      clear_q <= state_q[Wipe];
      if (state_q[Wipe] && mem_valid_o && mem_ready_i) {wiped_q, wipe_q} <= {wiped_q, wipe_q} + 1'b1;
      if (take) begin
        held_q     <= 1'b0;
        over_q     <= over_q || item_i.what == WhatEnd;
        more_q     <= !is_xor && item_i.what != WhatEnd;
        due_none_q <= needs == '0;
        unique case (item_i.what)
          WhatLoad:  state_q <= at(Load);
          WhatBegin: state_q <= at(Config);
          WhatEnd:   state_q <= at(Idle);
          default:   state_q <= at(Read);
        endcase
      end else begin
        if (state_q[StoreHigh] && stored) held_q <= 1'b1;
        if (turns_end) more_q <= 1'b0;
        if (add && due_last) due_none_q <= 1'b1;
        unique case (1'b1)
          state_q[Wipe]: if (flushed && reads_q == '0) begin
            state_q <= at(Idle);
            {wiped_q, wipe_q} <= '0;
          end
          state_q[Read]: if (requested && request_last) begin
            state_q <= what_q == WhatAnd ? at(Work) : what_q == WhatXor ? at(Store) : at(Give);
          end
          state_q[Work]:      if (sums) state_q <= at(Store);
          state_q[Load]:      if (turns_end) state_q <= at(Store);
          state_q[Store]:     if (mem_valid_o && mem_ready_i) state_q <= at(StoreHigh);
          state_q[StoreHigh]: if (stored) state_q <= at(Idle);
          state_q[Give], state_q[Config]: if (turns_end) state_q <= at(Idle);
          default: ;
        endcase
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waits_q, reads_q} <= '0;
    else begin
      waits_q <= (clear_i || waits_q) && !clear;
      reads_q <= reads_q + 4'(mem_valid_o && mem_ready_i && !mem_write_o) - 4'(mem_valid_i);
    end
  end
  always_ff @(posedge clk_i) begin
    request_single_q <= request == '0;
    due_single_q <= due == '0;
    if (take) begin
      what_q <= item_i.what;
      {a_q, b_q, c_q, out_q} <= {item_i.a, item_i.b, item_i.c, item_i.out};
      {request_q, due_q} <= {needs, needs};
      {request_high_q, due_high_q} <= '0;
      {requests_b_q, requests_c_q} <= {needs[0], needs[3:1] != '0};
      first_q <= !is_and && !held;
      role_q  <= is_and ? RoleB : RolePlain;
      last_q  <= 1'b0;
      unique case (item_i.what)
        WhatBegin: left_q <= 6'(26 / Lanes - 1);
        WhatAnd:   left_q <= grr3_o ? 6'(48 / Lanes - 1) : 6'(32 / Lanes - 1);
        WhatLoad:  left_q <= 6'(16 / Lanes - 1);
        default:   left_q <= 6'd15;
      endcase
    end else begin
      if (requested) begin
        request_high_q <= !request_high_q;
        if (request_high_q) {request_q, requests_b_q, requests_c_q} <= {request, 1'b0, request[3:1] != '0};
      end
      if (add) begin
        due_high_q <= !due_high_q;
        first_q    <= 1'b0;
        if (due_high_q) {due_q, role_q} <= {due, role};
      end
      if (folds || gives) begin
        left_q <= left_q - 6'd1;
        last_q <= left_q == 6'd1;
      end
    end
  end
  assign over_o  = over_q;
  assign wipes_o = state_q[Wipe] || waits_q;
  assign wiped_o = wipe_q;
  assign state_o = state_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert ($onehot(state_q)) else $error("mobile_execute: the state is not one-hot");
      assert (!mem_valid_i || !due_none_q || state_q[Wipe]) else $error("mobile_execute: a word that was not due");
      assert (!mem_valid_i || reads_q != '0) else $error("mobile_execute: a word without a request");
      assert (!flushed || {label, key, tweak} == '0) else $error("mobile_execute: a label or a key is left");
      assert (!(go && busy)) else $error("mobile_execute: a hash before another is done");
    end
  end
`endif
endmodule
