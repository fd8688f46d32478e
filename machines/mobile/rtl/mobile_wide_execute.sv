// SPDX-License-Identifier: MIT OR Apache-2.0

// Executes items of the wide core: reads one operand per clock cycle from the label memory,
// evaluates ANDs in units, and writes results when they are ready.
//
//   parameter  meaning
//   Units      AND units, at most 8
//   Impl       form of the units' S-box (see `aes_folded_core`)
//
//   port          bits  meaning
//   clear_i       1     aborts all items, and wipes all labels
//   item_valid_i  1     item_i is valid
//   item_ready_o  1     the item is completely decoded
//   item_i
//   data_i        256   bytes that follow an item: those of the oldest unfinished item that has any
//   data_next_o   1     these bytes are no longer needed
//   give_valid_o  1     give_o is a byte of a label that was read, lowest first
//   give_ready_i  1     the byte is taken
//   give_o        8
//   over_o        1     the item `End` was reached
//   wipes_o       1     labels are being wiped
//   wiped_o       12    counts through all values while labels are wiped; each label is wiped twice
//   job_o               for tests: use of the label that is read
//   write_o       1     for tests: a label is written to slot_o
//   slot_o        11
//
// Clock cycles from the read of the last operand to the first possible read of the result: 3 for an
// XOR, 15 for an AND. An operand takes one clock cycle. Operand a of an XOR takes none if it is the
// result of the previous XOR.
module mobile_wide_execute
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 4,
    parameter int unsigned Impl  = 3
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         item_valid_i,
    output logic         item_ready_o,
    input  wide_item_t   item_i,
    input  logic [255:0] data_i,
    output logic         data_next_o,
    output logic         give_valid_o,
    input  logic         give_ready_i,
    output logic [7:0]   give_o,
    output logic         over_o,
    output logic         wipes_o,
    output logic [11:0]  wiped_o,
    output wide_job_t    job_o,
    output logic         write_o,
    output wide_slot_t   slot_o
);
  logic wipe_q, over_q;
  logic [11:0] wiped_q;

  // -------------------------------------------------------------------------------- read
  wide_job_t job, job1_q, job2_q;
  logic unused;
  assign unused = ^{job, job1_q, job2_q};
  wide_slot_t read, made_slot;
  wide_slot_t [2*Units-1:0] outs;
  logic [Units-1:0] free, takes;
  logic [2*Units-1:0] entry, busy;
  logic quiet, giving, ends;
  mobile_wide_issue #(.Units(Units)) u_issue (
      .clk_i, .rst_ni, .clear_i, .wait_i(wipe_q), .item_valid_i, .item_ready_o, .item_i, .quiet_i(quiet), .free_i(free),
      .entry_i(entry), .busy_i(busy), .outs_i(outs), .job1_i(job1_q), .giving_i(giving), .read_o(read), .job_o(job),
      .ends_o(ends), .takes_o(takes));
  assign quiet = busy == '0 && !job1_q.valid && !job2_q.valid && !giving;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {job1_q, job2_q} <= '0;
    else if (clear_i) {job1_q, job2_q} <= '0;
    else {job1_q, job2_q} <= {job, job1_q};
  end

  // The bytes that follow an item are used in the clock cycle after the label of its last operand.
  // While labels are wiped, data_i is zero, so the point and the AND number are wiped, too.
  logic go, begins, keeps;
  logic [127:0] point_q;
  logic [39:0] number_q;
  assign go     = job2_q.last && job2_q.what == WhatAnd;
  assign begins = job2_q.last && job2_q.what == WhatBegin;
  assign keeps  = job2_q.last && job2_q.what == WhatLoad;
  assign data_next_o = go || begins || keeps;
  always_ff @(posedge clk_i) begin
    if (begins || wipe_q) {point_q, number_q} <= {data_i[207:80], data_i[47:8]};
    else if (go) number_q <= number_q + 1'b1;
  end

  // -------------------------------------------------------------------------------- compute
  logic [127:0] word, a_q, b_q, x_q, label;
  logic forgets, made, made_taken;
  assign forgets = wipe_q || job1_q.first;
  always_ff @(posedge clk_i) begin
    if (wipe_q || job1_q.valid) begin
      a_q <= (a_q & {128{!forgets}}) ^ (word & {128{job1_q.to_a}});
      b_q <= (b_q & {128{!forgets}}) ^ (word & {128{job1_q.to_b}});
      x_q <= (x_q & {128{!forgets}}) ^ (word & {128{job1_q.to_x}});
    end
  end
  mobile_wide_ands #(.Units(Units), .Impl(Impl)) u_ands (
      .clk_i, .rst_ni, .clear_i(clear_i || wipe_q), .takes_i(takes), .out_i(job.out), .go_i(go), .unit_i(job2_q.unit), .a_i(a_q),
      .b_i(b_q), .sum_i(x_q), .table_i(data_i), .key_i(point_q ^ {23'd0, number_q, 1'b0, 64'd0}),
      .free_o(free), .entry_o(entry), .busy_o(busy), .outs_o(outs), .valid_o(made), .ready_i(made_taken), .slot_o(made_slot), .label_o(label));

  // -------------------------------------------------------------------------------- write
  logic sums, writes;
  wide_slot_t written;
  logic [127:0] result;
  assign sums       = (job2_q.last && job2_q.what == WhatXor) || keeps;
  assign made_taken = !sums;
  assign writes     = wipe_q || sums || made;
  always_comb begin
    // While labels are wiped, no unit has a result, and `result` is 0.
    written = made_slot;
    result  = label;
    if (sums) {written, result} = {job2_q.out, keeps ? data_i[255:128] : x_q};
    if (wipe_q) written = wiped_q[WideSlotWidth-1:0];
  end
  ram_sdp #(.Width(128), .Depth(WideSlots), .Bypass(1'b0)) u_labels (
      .clk_i, .we_i(writes), .waddr_i(written), .wdata_i(result), .re_i(1'b1), .raddr_i(read), .rdata_o(word));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wipe_q, wiped_q, over_q} <= {1'b1, 12'd0, 1'b0};
    else if (clear_i) {wipe_q, wiped_q, over_q} <= {1'b1, 12'd0, 1'b0};
    else begin
      if (wipe_q) {wipe_q, wiped_q} <= {wiped_q != '1, wiped_q + 1'b1};
      if (ends) over_q <= 1'b1;
    end
  end

  // -------------------------------------------------------------------------------- send
  logic [127:0] give_q;
  logic [3:0] byte_q;
  logic giving_q, give_valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {giving_q, give_valid_q, byte_q} <= '0;
    else if (clear_i) {giving_q, give_valid_q, byte_q} <= '0;
    else begin
      if (job.last && job.what == WhatRead) giving_q <= 1'b1;
      if (job2_q.last && job2_q.what == WhatRead) give_valid_q <= 1'b1;
      if (give_valid_q && give_ready_i) begin
        byte_q <= byte_q + 1'b1;
        if (byte_q == '1) {giving_q, give_valid_q} <= '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (wipe_q || (job2_q.last && job2_q.what == WhatRead)) give_q <= x_q;
    else if (give_ready_i) give_q <= give_q >> 8;
  end
  assign giving       = giving_q;
  assign give_valid_o = give_valid_q;
  assign give_o       = give_q[7:0];
  assign over_o       = over_q;
  assign wipes_o      = wipe_q;
  assign wiped_o      = wiped_q;
  assign job_o        = job;
  assign write_o      = writes;
  assign slot_o       = written;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(job.valid && job.what != WhatLoad && job.what != WhatBegin && writes && written == read))
      else $error("mobile_wide_execute: a label is read while it is written");
      assert (!wipe_q || (!made && result == '0)) else $error("mobile_wide_execute: a wiped label is not zero");
      assert (wiped_q != '1 || !wipe_q || {a_q, b_q, x_q, point_q, number_q, give_q} == '0)
      else $error("mobile_wide_execute: a register is not wiped");
    end
  end
`endif
endmodule
