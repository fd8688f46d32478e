// SPDX-License-Identifier: MIT OR Apache-2.0

// Units that evaluate ANDs of half gates. Each unit computes one round of AES per clock cycle, for
// both hashes of its AND.
//
//   parameter  meaning
//   Units      number of units
//   Impl       form of the S-box (see `aes_folded_core`)
//
//   port      bits   meaning
//   clear_i   1      aborts all ANDs
//   takes_i   Units  reserves this unit for an AND, whose operands arrive in the second clock cycle
//                    after this; its result goes to slot out_i
//   out_i     11
//   go_i      1      the operands of unit unit_i's AND have arrived
//   unit_i    3
//   a_i, b_i  128    the operands
//   sum_i     128    XORed to the result
//   table_i   256
//   key_i     128    key of the first hash; the second key has bit 64 inverted
//   free_o    Units  the unit can take an AND
//   entry_o   2*Units  the next AND will use this entry of the unit: 2*u or 2*u + 1 of unit u
//   busy_o    2*Units  the entry has an AND whose result is not written yet
//   outs_o           slot of the result of the entry's AND
//   valid_o   1      a result is ready; if several are, that of the lowest unit is offered
//   ready_i   1      the result is taken
//   slot_o    11     slot of the result
//   label_o   128
//
// Latency: 12 clock cycles from go_i. A unit takes an AND every 10 clock cycles: the next AND
// begins in the last round of the current one, whose result waits until it is taken. Stalls: only
// ready_i. All registers are wiped if clear_i lasts three clock cycles.
module mobile_wide_ands
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 4,
    parameter int unsigned Impl  = 3
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,
    input  logic [Units-1:0]  takes_i,
    input  wide_slot_t        out_i,
    input  logic              go_i,
    input  logic [2:0]        unit_i,
    input  logic [127:0]      a_i,
    input  logic [127:0]      b_i,
    input  logic [127:0]      sum_i,
    input  logic [255:0]      table_i,
    input  logic [127:0]      key_i,
    output logic [Units-1:0]  free_o,
    output logic [2*Units-1:0] entry_o,
    output logic [2*Units-1:0] busy_o,
    output wide_slot_t [2*Units-1:0] outs_o,
    output logic              valid_o,
    input  logic              ready_i,
    output wide_slot_t        slot_o,
    output logic [127:0]      label_o
);
  // State of each unit. held_q: it is reserved, and cannot take another AND yet. second_q: which of
  // its two entries is next. older_q: which of its two entries is older.
  logic [Units-1:0] held_q, second_q, older_q;
  logic [Units-1:0][1:0] busy_q;
  wide_slot_t [Units-1:0][1:0] outs_q;
  logic [Units-1:0] valid, chosen, gone;
  logic [Units-1:0][127:0] labels;

  // Blocks, keys, and the linear part of the result are computed once for all units, in a separate
  // clock cycle.
  function automatic logic [127:0] sigma(input logic [127:0] x);
    sigma = {x[127:64] ^ x[63:0], x[127:64]};
  endfunction
  localparam logic [127:0] Other = 128'h1_0000_0000_0000_0000;
  logic [127:0] block_a_q, block_b_q, key_q, linear_q;
  always_ff @(posedge clk_i) begin
    {block_a_q, block_b_q, key_q} <= {sigma(a_i) ^ key_i, sigma(b_i) ^ key_i ^ Other, key_i};
    linear_q <= sigma(a_i ^ b_i) ^ (table_i[127:0] & {128{a_i[0]}}) ^ ((table_i[255:128] ^ a_i) & {128{b_i[0]}}) ^ sum_i;
  end

  for (genvar u = 0; u < int'(Units); u++) begin : gen_unit
    // When an AND arrives, at most the last round of the previous AND is left. A wipe starts an AND
    // of zeros, so the registers need no clear input. Each hash has a separate start register, to
    // limit the fan-out.
    logic ready, goes_q, forgets_q, step, last, late, store;
    (* keep *) logic [1:0] starts_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {goes_q, forgets_q, starts_q} <= '0;
      else begin
        goes_q    <= go_i && unit_i == 3'(u) && !clear_i;
        forgets_q <= clear_i;
        starts_q  <= {2{clear_i || (go_i && unit_i == 3'(u))}};
      end
    end
    logic [127:0] own_q, key_a, key_b, state_a, state_b;
    logic unused_start, unused_last, unused_late;
    folded_control u_control (
        .clk_i, .rst_ni, .clear_i, .valid_i(goes_q), .ready_o(ready), .valid_o(valid[u]),
        .ready_i(gone[u]), .last_i(last), .start_o(unused_start), .step_o(step), .store_o(store));
    aes_folded_core #(.Impl(Impl), .Whitened(1'b1)) u_aes_a (
        .clk_i, .rst_ni, .clear_i(1'b0), .start_i(starts_q[0]), .step_i(step), .key_i(key_q), .block_i(block_a_q),
        .last_o(last), .late_o(late), .key_o(key_a), .state_o(state_a));
    // Runs in the same round as u_aes_a.
    aes_folded_core #(.Impl(Impl), .Whitened(1'b1)) u_aes_b (
        .clk_i, .rst_ni, .clear_i(1'b0), .start_i(starts_q[1]), .step_i(step), .key_i(key_q ^ Other),
        .block_i(block_b_q), .last_o(unused_last), .late_o(unused_late), .key_o(key_b), .state_o(state_b));
    pipe_reg #(.Width(128)) u_linear (
        .clk_i, .clear_i(1'b0), .enable_i(starts_q[0]), .d_i(linear_q), .q_o(own_q));
    pipe_reg #(.Width(128)) u_result (
        .clk_i, .clear_i(1'b0), .enable_i(store || forgets_q), .d_i(state_a ^ key_a ^ state_b ^ key_b ^ own_q), .q_o(labels[u]));
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && !clear_i && goes_q) assert (ready) else $error("mobile_wide_ands: an AND for a unit that has one");
    end
`endif
    // The unit can take another AND when nothing delays the last rounds of this AND: no older
    // result waits.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {held_q[u], second_q[u], older_q[u], busy_q[u]} <= '0;
      else if (clear_i) {held_q[u], second_q[u], older_q[u], busy_q[u]} <= '0;
      else begin
        held_q[u]   <= takes_i[u] || (held_q[u] && !(late && (busy_q[u] != '1 || gone[u])));
        second_q[u] <= second_q[u] ^ takes_i[u];
        older_q[u]  <= older_q[u] ^ gone[u];
        busy_q[u]   <= (busy_q[u] | ({2{takes_i[u]}} & entry_o[2*u+:2])) & ~({2{gone[u]}} & {older_q[u], !older_q[u]});
      end
    end
    always_ff @(posedge clk_i) if (takes_i[u]) outs_q[u][second_q[u]] <= out_i;
    assign entry_o[2*u+:2] = {second_q[u], !second_q[u]};
    assign gone[u] = ready_i && chosen[u];
  end

  assign valid_o = valid != '0;
  assign chosen  = valid & (~valid + 1'b1);
  always_comb begin
    slot_o  = '0;
    label_o = '0;
    for (int u = 0; u < int'(Units); u++) begin
      slot_o  |= outs_q[u][older_q[u]] & {WideSlotWidth{chosen[u]}};
      label_o |= labels[u] & {128{chosen[u]}};
    end
  end
  assign free_o = ~held_q;
  assign busy_o = busy_q;
  assign outs_o = outs_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert ((takes_i & held_q) == '0) else $error("mobile_wide_ands: a reserved unit is reserved again");
      assert (!valid_o || busy_q != '0) else $error("mobile_wide_ands: a result without an AND");
    end
  end
`endif
endmodule
