// SPDX-License-Identifier: MIT OR Apache-2.0

// Issues operands, one label per clock cycle, in the order of the items. An operand is not issued
// while its label is still being computed.
//
//   parameter  meaning
//   Units      AND units
//
//   port          bits  meaning
//   wait_i        1     no operand is issued
//   item_valid_i  1     item_i is valid
//   item_ready_o  1     the item is completely decoded, and is taken
//   item_i
//   quiet_i       1     no job, AND or label to the host is in progress
//   free_i        Units the unit can take an AND
//   entry_i     2*Units the unit's next AND will use this entry
//   busy_i      2*Units entries with ANDs whose results are not written yet; outs_i are their slots
//   outs_i
//   job1_i              the job of the previous clock cycle
//   giving_i      1     a label is being sent
//   read_o        11    slot to read, if job_o reads one
//   job_o               use of its label in the next clock cycle
//   ends_o        1     the item `End` was reached
//   takes_o       Units reserves this unit for an AND
//
// An operand is decoded in one clock cycle. This records which pending results go to the operand's
// slot and to the slot of the item's result. The operand is read in the next clock cycle, or as
// soon as these results are written. Operand a of an XOR is not read if it is the result of the
// previous XOR, which is still in its register.
//
// Loads and the beginnings of netlist cycles are jobs that read no label.
//
// Stalls: operands that are not written yet; no free unit; a pending result for the slot of this
// item's result.
module mobile_wide_issue
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 4
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             wait_i,
    input  logic             item_valid_i,
    output logic             item_ready_o,
    input  wide_item_t       item_i,
    input  logic             quiet_i,
    input  logic [Units-1:0] free_i,
    input  logic [2*Units-1:0] entry_i,
    input  logic [2*Units-1:0] busy_i,
    input  wide_slot_t [2*Units-1:0] outs_i,
    // Only the slot of this job's result is used.
    input  wide_job_t        job1_i,
    input  logic             giving_i,
    output wide_slot_t       read_o,
    output wide_job_t        job_o,
    output logic             ends_o,
    output logic [Units-1:0] takes_o
);
  // The decoded operand's job, without its unit and its valid bit.
  wide_job_t next_q;
  wide_slot_t read_q;
  logic there_q;
  // makers_q: ANDs that compute the operand. writers_q: ANDs that write the slot of the result.
  // sum_q: clock cycles until the operand is written, if no AND computes it.
  logic [2*Units-1:0] makers_q, writers_q;
  logic [1:0] sum_q;
  logic goes;

  // ------------------------------------------------------------------------------ decode
  // Operands that are left, in the order b, c, a.
  logic [2:0] left_q, left, rest;
  logic more_q, held_q, is_and, is_xor, is_read, reads, held, last, looks;
  wide_slot_t out_q, slot;
  assign is_and  = item_i.what == WhatAnd;
  assign is_xor  = item_i.what == WhatXor;
  assign is_read = item_i.what == WhatRead;
  assign reads   = is_and || is_xor || is_read;
  assign held    = is_xor && held_q && item_i.a == out_q;
  always_comb begin
    if (more_q) left = left_q;
    else if (is_read) left = 3'b100;
    else left = {!held, item_i.xors != '0, 1'b1};
    rest = left & (left - 3'd1);
  end
  assign last = !reads || rest == '0;
  assign slot = left[0] ? item_i.b : left[1] ? item_i.c : item_i.a;

  logic [2*Units-1:0] makers, writers, takes;
  logic [1:0] until_sum;
  // Jobs that complete an XOR or a load, whose result is not written yet: in this and in the
  // previous clock cycle.
  logic sum_now, sum1;
  assign sum_now = goes && next_q.last && (next_q.what == WhatXor || next_q.what == WhatLoad);
  assign sum1    = job1_i.last && (job1_i.what == WhatXor || job1_i.what == WhatLoad);
  always_comb begin
    for (int e = 0; e < 2 * int'(Units); e++) begin
      takes[e]   = takes_o[e/2] && entry_i[e];
      makers[e]  = (busy_i[e] && outs_i[e] == slot) || (takes[e] && next_q.out == slot);
      writers[e] = (busy_i[e] && outs_i[e] == item_i.out) || (takes[e] && next_q.out == item_i.out);
    end
    until_sum = '0;
    if (sum1 && job1_i.out == slot) until_sum = 2'd1;
    if (sum_now && next_q.out == slot) until_sum = 2'd2;
  end
  assign looks        = item_valid_i && !wait_i && (!there_q || goes);
  assign item_ready_o = looks && last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {more_q, held_q, there_q} <= '0;
    else if (clear_i) {more_q, held_q, there_q} <= '0;
    else begin
      there_q <= looks || (there_q && !goes);
      if (looks) begin
        more_q <= !last;
        if (last) held_q <= is_xor;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (looks) begin
      left_q <= rest;
      if (last) out_q <= item_i.out;
      {makers_q, writers_q, sum_q} <= {makers, writers, until_sum};
      read_q       <= slot;
      next_q.valid <= item_i.what != WhatEnd;
      next_q.last  <= last;
      next_q.first <= !more_q && !held;
      next_q.what  <= item_i.what;
      next_q.to_a  <= is_and && (left[0] ? 1'b0 : left[1] ? item_i.xors[0] : 1'b1);
      next_q.to_b  <= is_and && (left[0] ? 1'b1 : left[1] && item_i.xors[1]);
      next_q.to_x  <= !is_and || (!left[0] && left[1] && item_i.xors[2]);
      next_q.unit  <= '0;
      next_q.out   <= item_i.out;
    end else if (sum_q != '0) sum_q <= sum_q - 1'b1;
  end

  // ------------------------------------------------------------------------------ issue
  logic unmade, taken;
  assign unmade = (makers_q & busy_i) != '0 || sum_q != '0;
  assign taken  = (writers_q & busy_i) != '0;
  always_comb begin
    unique case (next_q.what)
      WhatXor:  goes = !unmade && !(next_q.last && taken);
      WhatAnd:  goes = !unmade && !(next_q.last && (taken || free_i == '0));
      WhatRead: goes = !unmade && !giving_i;
      WhatLoad: goes = !taken;
      default:  goes = quiet_i;
    endcase
    goes = goes && there_q;
  end
  assign read_o   = read_q;
  assign ends_o   = goes && next_q.what == WhatEnd;
  // The lowest free unit.
  assign takes_o  = goes && next_q.what == WhatAnd && next_q.last ? free_i & (~free_i + 1'b1) : '0;
  always_comb begin
    job_o = next_q;
    job_o.valid = goes && next_q.valid;
    job_o.last  = goes && next_q.last;
    for (int u = 0; u < int'(Units); u++) if (takes_o[u]) job_o.unit = 3'(u);
  end

  logic unused;
  assign unused = ^job1_i;
endmodule
