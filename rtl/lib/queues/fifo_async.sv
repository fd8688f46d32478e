// SPDX-License-Identifier: MIT OR Apache-2.0

// A queue between two clock domains. Each pointer crosses in Gray code through two registers.
//
// | parameter | meaning                                        |
// |-----------|------------------------------------------------|
// | Width     | bits of an entry                               |
// | Depth     | entries, a power of two, 2 or more             |
//
// | port       | width | meaning                                               |
// |------------|-------|-------------------------------------------------------|
// | from_clk_i, to_clk_i | 1 | clocks of the two sides                         |
// | rst_ni     | 1     | resets both sides; released away from both clock edges |
// | valid_i    | 1     | data_i is offered                                     |
// | ready_o    | 1     | data_i is accepted if offered; from registers of from_clk_i |
// | data_i     | Width |                                                       |
// | valid_o    | 1     | data_o is offered; from registers of to_clk_i         |
// | ready_i    | 1     | data_o is accepted if offered                         |
// | data_o     | Width |                                                       |
//
// Latency: an entry is visible after the second edge of to_clk_i after it was accepted. Stalls:
// accepts nothing while it holds Depth entries. The space of a removed entry is free after the
// second edge of from_clk_i. Entries are not wiped, so they must not be secret.

module fifo_async #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 8
) (
  input  logic             from_clk_i,
  input  logic             to_clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  localparam int unsigned PointerWidth = $clog2(Depth) + 1;
  typedef logic [PointerWidth-1:0] pointer_t;

  function automatic pointer_t gray(input pointer_t value);
    gray = value ^ (value >> 1);
  endfunction

  logic [Width-1:0] entries [Depth];
  // Each side has its own pointer, the same pointer in Gray code, and two registers that
  // synchronise the other side's pointer.
  pointer_t tail_q, tail_gray_q, head_seen_q, head_meta_q;
  pointer_t head_q, head_gray_q, tail_seen_q, tail_meta_q;
  logic push, pop;

  // Ready if not full. In Gray code, pointers that differ by Depth differ in exactly their two
  // highest bits.
  assign ready_o = tail_gray_q != (head_seen_q ^ (pointer_t'(3) << (PointerWidth - 2)));
  assign push    = valid_i && ready_o;
  assign valid_o = head_gray_q != tail_seen_q;
  assign pop     = valid_o && ready_i;
  assign data_o  = entries[head_q[PointerWidth-2:0]];

  always_ff @(posedge from_clk_i or negedge rst_ni) begin
    if (!rst_ni) {tail_q, tail_gray_q, head_seen_q, head_meta_q} <= '0;
    else begin
      {head_seen_q, head_meta_q} <= {head_meta_q, head_gray_q};
      if (push) begin
        tail_q      <= tail_q + 1'b1;
        tail_gray_q <= gray(tail_q + 1'b1);
      end
    end
  end
  always_ff @(posedge from_clk_i) begin
    if (push) entries[tail_q[PointerWidth-2:0]] <= data_i;
  end

  always_ff @(posedge to_clk_i or negedge rst_ni) begin
    if (!rst_ni) {head_q, head_gray_q, tail_seen_q, tail_meta_q} <= '0;
    else begin
      {tail_seen_q, tail_meta_q} <= {tail_meta_q, tail_gray_q};
      if (pop) begin
        head_q      <= head_q + 1'b1;
        head_gray_q <= gray(head_q + 1'b1);
      end
    end
  end

endmodule
