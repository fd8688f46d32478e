// Units that evaluate ANDs of half gates, each a round of AES a cycle for both hashes.
//
//   parameter  meaning
//   Units      of them
//   Impl       form of the S-box (see `aes_folded_core`)
//
//   port      bits   meaning
//   clear_i   1      nothing is left in the registers after this cycle
//   takes_i   Units  this unit is to have an AND, which comes in the second cycle after this, with its result for out_i
//   out_i     13
//   go_i      1      it comes: unit unit_i has it
//   unit_i    3
//   a_i, b_i  128    its operands
//   sum_i     128    what is added to its result
//   table_i   256
//   key_i     128    the key of its first hash; of its second one it is that with bit 64 inverted
//   busy_o    Units  a unit has an AND, or is to have one
//   outs_o           for which slot
//   valid_o   1      a result is there: of the lowest unit that has one
//   ready_i   1      it is taken
//   slot_o    13     its slot
//   label_o   128
//
// Latency: 11 cycles from go_i. Stalls: none but ready_i.
module mobile_wide_ands
  import mobile_types_pkg::*;
#(
    parameter int unsigned Units = 5,
    parameter int unsigned Impl  = 3
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,
    input  logic [Units-1:0]  takes_i,
    input  slot_t             out_i,
    input  logic              go_i,
    input  logic [2:0]        unit_i,
    input  logic [127:0]      a_i,
    input  logic [127:0]      b_i,
    input  logic [127:0]      sum_i,
    input  logic [255:0]      table_i,
    input  logic [127:0]      key_i,
    output logic [Units-1:0]  busy_o,
    output slot_t [Units-1:0] outs_o,
    output logic              valid_o,
    input  logic              ready_i,
    output slot_t             slot_o,
    output logic [127:0]      label_o
);
  logic [Units-1:0] busy_q, ready, valid, chosen;
  slot_t [Units-1:0] outs_q;
  logic [Units-1:0][127:0] labels;

  for (genvar u = 0; u < int'(Units); u++) begin : gen_unit
    half_gate_evaluator_folded #(.Impl(Impl)) u_and (
        .clk_i, .rst_ni, .clear_i, .valid_i(go_i && unit_i == 3'(u)), .ready_o(ready[u]), .a_i, .b_i, .table_i,
        .key_a_i(key_i), .key_b_i(key_i ^ 128'h1_0000_0000_0000_0000), .sum_i, .valid_o(valid[u]),
        .ready_i(ready_i && chosen[u]), .label_o(labels[u]));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) busy_q[u] <= 1'b0;
      else if (clear_i) busy_q[u] <= 1'b0;
      else busy_q[u] <= takes_i[u] || (busy_q[u] && !(ready_i && chosen[u]));
    end
    always_ff @(posedge clk_i) if (takes_i[u]) outs_q[u] <= out_i;
  end

  assign valid_o = valid != '0;
  assign chosen  = valid & (~valid + 1'b1);
  always_comb begin
    slot_o  = '0;
    label_o = '0;
    for (int u = 0; u < int'(Units); u++) begin
      slot_o  |= outs_q[u] & {SlotWidth{chosen[u]}};
      label_o |= labels[u] & {128{chosen[u]}};
    end
  end
  assign busy_o = busy_q;
  assign outs_o = outs_q;

`ifndef SYNTHESIS
  logic [7:0] readies;
  assign readies = 8'(ready);
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!go_i || readies[unit_i]) else $error("mobile_wide_ands: an AND for a unit that has one");
      assert ((takes_i & busy_q) == '0) else $error("mobile_wide_ands: a unit that has an AND is to have another");
      assert ((valid & ~busy_q) == '0) else $error("mobile_wide_ands: a result of nothing");
    end
  end
`endif
endmodule
