// Which operand is read in a cycle: one label a cycle, in the items' order, none that is still to be made.
//
//   parameter  meaning
//   Units      ANDs at once
//
//   port          bits  meaning
//   wait_i        1     nothing is begun
//   item_valid_i  1     item_i is there
//   item_ready_o  1     it is done with
//   item_i
//   quiet_i       1     nothing is under way
//   busy_i        Units ANDs whose results are not written yet, for slots outs_i
//   outs_i
//   job1_i, job2_i      what was begun in the cycle before, and before that
//   giving_i      1     a label is on its way out
//   read_o        11    the slot that is read, if job_o says that one is
//   job_o               what is done with its label in the next cycle
//   loads_o       1     a label is kept
//   begins_o      1     a netlist cycle begins
//   ends_o        1     there is nothing more
//   takes_o       Units an AND has this unit
//
// The result before is not read if it is an XOR's and operand a of an XOR: it is in its register still.
// Stalls: operands that are not there, units that are all busy, a result into the slot of one that is not there.
module mobile_wide_issue
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 5
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             wait_i,
    input  logic             item_valid_i,
    output logic             item_ready_o,
    input  wide_item_t       item_i,
    input  logic             quiet_i,
    input  logic [Units-1:0] busy_i,
    input  wide_slot_t [Units-1:0] outs_i,
    // Of these, where their results go.
    // verilator lint_off UNUSEDSIGNAL
    input  wide_job_t        job1_i,
    input  wide_job_t        job2_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic             giving_i,
    output wide_slot_t       read_o,
    output wide_job_t        job_o,
    output logic             loads_o,
    output logic             begins_o,
    output logic             ends_o,
    output logic [Units-1:0] takes_o
);
  // Operands b, c, a, in this order.
  logic [2:0] left_q, left, rest;
  logic more_q, held_q;
  wide_slot_t out_q;
  logic is_and, is_xor, is_read, held;
  assign is_and  = item_i.what == WhatAnd;
  assign is_xor  = item_i.what == WhatXor;
  assign is_read = item_i.what == WhatRead;
  assign held    = is_xor && held_q && item_i.a == out_q;
  always_comb begin
    if (more_q) left = left_q;
    else if (is_read) left = 3'b100;
    else left = {!held, item_i.xors != '0, 1'b1};
    rest = left & (left - 3'd1);
  end
  assign read_o = left[0] ? item_i.b : left[1] ? item_i.c : item_i.a;

  // ------------------------------------------------------------------------------ what it waits for
  logic [Units-1:0] free;
  logic reads, last, unmade, taken, collides, goes;
  assign reads = is_and || is_xor || is_read;
  assign last  = rest == '0;
  assign free  = ~busy_i;
  always_comb begin
    unmade = (job1_i.last && job1_i.what == WhatXor && job1_i.out == read_o)
        || (job2_i.last && job2_i.what == WhatXor && job2_i.out == read_o);
    taken  = 1'b0;
    for (int u = 0; u < int'(Units); u++) begin
      unmade |= busy_i[u] && outs_i[u] == read_o;
      taken  |= busy_i[u] && outs_i[u] == item_i.out;
    end
    // A label that is kept is written at once, and may not be before an XOR's.
    collides = (job1_i.last && job1_i.what == WhatXor) || (job2_i.last && job2_i.what == WhatXor);
    unique case (item_i.what)
      WhatXor:  goes = !unmade && !(last && taken);
      WhatAnd:  goes = !unmade && !(last && (taken || free == '0));
      WhatRead: goes = !unmade && !giving_i;
      WhatLoad: goes = !taken && !collides;
      default:  goes = quiet_i;
    endcase
    goes = goes && item_valid_i && !wait_i;
  end
  assign item_ready_o = goes && (!reads || last);
  assign loads_o      = goes && item_i.what == WhatLoad;
  assign begins_o     = goes && item_i.what == WhatBegin;
  assign ends_o       = goes && item_i.what == WhatEnd;
  // The lowest one that is free.
  assign takes_o      = goes && is_and && last ? free & (~free + 1'b1) : '0;
  always_comb begin
    job_o.valid = goes && reads;
    job_o.last  = goes && reads && last;
    job_o.first = !more_q && !held;
    job_o.what  = item_i.what;
    job_o.to_a  = is_and && (left[0] ? 1'b0 : left[1] ? item_i.xors[0] : 1'b1);
    job_o.to_b  = is_and && (left[0] ? 1'b1 : left[1] && item_i.xors[1]);
    job_o.to_x  = !is_and || (!left[0] && left[1] && item_i.xors[2]);
    job_o.unit  = '0;
    for (int u = 0; u < int'(Units); u++) if (takes_o[u]) job_o.unit = 3'(u);
    job_o.out   = item_i.out;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {more_q, held_q} <= '0;
    else if (clear_i) {more_q, held_q} <= '0;
    else if (goes) begin
      more_q <= reads && !last;
      if (item_ready_o) held_q <= is_xor;
    end
  end
  always_ff @(posedge clk_i) begin
    if (goes) begin
      left_q <= rest;
      if (item_ready_o) out_q <= item_i.out;
    end
  end
endmodule
