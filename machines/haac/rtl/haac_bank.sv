// SPDX-License-Identifier: MIT OR Apache-2.0

// One bank of the window: a true dual-port RAM and the control of its two ports. A word is a label,
// the parity of the lap in which it was written, and a valid bit.
//
// | port     | width                | meaning                                                    |
// |----------|----------------------|------------------------------------------------------------|
// | clear_i  | 1                    | cancels the accesses requested in the previous cycle       |
// | run_i    | 1                    | clock enable: the cycle is counted                         |
// | wipe_i   | 1                    | invalidates wipe_row_i and the row above                   |
// | write_i  | Writes               | source s writes in the next cycle; two at most, 0 if wipe_i |
// | wrow_i   | Writes x RowWidth    | each source's row; used if it writes                       |
// | wtag_i   | Writes x 2           | each source's valid bit and parity of the lap              |
// | wlabel_i | Writes x LabelWidth  | each source's label                                        |
// | first_i  | Reads                | request for the first access left by writes; one-hot or 0   |
// | second_i | Reads                | request for the second access; only if nothing is written  |
// | rrow_i   | Reads x RowWidth     | each request's row                                         |
// | first_tag_o, first_label_o | 2, LabelWidth | word read first in the previous cycle           |
// | second_tag_o, second_label_o | 2, LabelWidth | word read second                              |
//
// Latency: requested in c, accessed in c + 1, words in c + 2; a read sees a write of the same
// cycle. Stalls: none. Port a has the first write or the second read, port b the first read or the
// second write. So if a row is read and written in one cycle, b reads and a writes.

module haac_bank #(
  parameter int unsigned Writes     = 16,
  parameter int unsigned Reads      = 16,
  parameter int unsigned Rows       = 2048,
  parameter int unsigned LabelWidth = 128,
  localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  input  logic                              run_i,

  input  logic                              wipe_i,
  input  logic [RowWidth-1:0]               wipe_row_i,

  input  logic [Writes-1:0]                 write_i,
  input  logic [Writes-1:0][RowWidth-1:0]   wrow_i,
  input  logic [Writes-1:0][1:0]            wtag_i,
  input  logic [Writes-1:0][LabelWidth-1:0] wlabel_i,

  input  logic [Reads-1:0]                  first_i,
  input  logic [Reads-1:0]                  second_i,
  input  logic [Reads-1:0][RowWidth-1:0]    rrow_i,
  output logic [1:0]                        first_tag_o,
  output logic [LabelWidth-1:0]             first_label_o,
  output logic [1:0]                        second_tag_o,
  output logic [LabelWidth-1:0]             second_label_o
);

  typedef struct packed {
    logic                en;
    logic                we;
    logic [RowWidth-1:0] row;
  } access_t;

  // Label and tag are separate fields of ports and registers: in simulation a label then fills
  // whole words.
  typedef struct packed {
    logic [1:0]            tag;
    logic [LabelWidth-1:0] label;
  } word_t;

  logic [Writes-1:0] write_a, write_b;
  access_t a_d, a_q, b_d, b_q;
  logic [1:0] a_tag, b_tag;
  logic [LabelWidth-1:0] a_label, b_label;
  word_t a_word_q, b_word_q, a_read, b_read, first;
  logic step, bypass_q;

  assign write_a = write_i & (~write_i + 1'b1);
  assign write_b = write_i & ~write_a;

  // Accesses of the next cycle. In hardware all conditions are gates; a simulator skips idle
  // sources.
  always_comb begin
    a_d = '{en: |write_a || |second_i, we: |write_a, row: '0};
    b_d = '{en: |write_b || |first_i, we: |write_b, row: '0};
    a_tag   = '0;
    a_label = '0;
    b_tag   = '0;
    b_label = '0;
    if (|write_a) begin
      for (int unsigned s = 0; s < Writes; s++) begin
        a_d.row |= wrow_i[s] & {RowWidth{write_a[s]}};
        a_tag   |= wtag_i[s] & {2{write_a[s]}};
        a_label |= wlabel_i[s] & {LabelWidth{write_a[s]}};
      end
    end
    if (|write_b) begin
      for (int unsigned s = 0; s < Writes; s++) begin
        b_d.row |= wrow_i[s] & {RowWidth{write_b[s]}};
        b_tag   |= wtag_i[s] & {2{write_b[s]}};
        b_label |= wlabel_i[s] & {LabelWidth{write_b[s]}};
      end
    end
    if (|first_i) begin
      for (int unsigned r = 0; r < Reads; r++) b_d.row |= rrow_i[r] & {RowWidth{first_i[r]}};
    end
    if (|second_i) begin
      for (int unsigned r = 0; r < Reads; r++) a_d.row |= rrow_i[r] & {RowWidth{second_i[r]}};
    end
    if (wipe_i) begin
      a_d = '{en: 1'b1, we: 1'b1, row: wipe_row_i};
      b_d = '{en: Rows > 1, we: 1'b1, row: wipe_row_i + 1'b1};
    end else if (!run_i) begin
      a_d.en = 1'b0;
      b_d.en = 1'b0;
    end
  end

  // Wiping does not need run_i. The last wiped rows are written in the cycle after wipe_i.
  logic wiped_q;
  assign step = run_i || wipe_i || wiped_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q     <= '0;
      b_q     <= '0;
      wiped_q <= 1'b0;
    end else begin
      wiped_q <= wipe_i;
      if (clear_i && !wipe_i) begin
        a_q.en <= 1'b0;
        b_q.en <= 1'b0;
      end else if (step) begin
        a_q <= a_d;
        b_q <= b_d;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      a_word_q <= '{tag: a_tag, label: a_label};
      b_word_q <= '{tag: b_tag, label: b_label};
      bypass_q <= a_q.en && a_q.we && a_q.row == b_q.row;
    end
  end

  ram_tdp #(.Width(LabelWidth + 2), .Depth(Rows)) u_ram (
    .clk_i,
    .a_en_i(a_q.en && step), .a_we_i(a_q.we), .a_addr_i(a_q.row), .a_wdata_i(a_word_q),
    .a_rdata_o(a_read),
    .b_en_i(b_q.en && step), .b_we_i(b_q.we), .b_addr_i(b_q.row), .b_wdata_i(b_word_q),
    .b_rdata_o(b_read)
  );

  assign first          = bypass_q ? a_read : b_read;
  assign first_tag_o    = first.tag;
  assign first_label_o  = first.label;
  assign second_tag_o   = a_read.tag;
  assign second_label_o = a_read.label;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && wipe_i) assert (write_i == '0) else $error("haac_bank: a write during a wipe");
    if (rst_ni && run_i && !clear_i && !wipe_i) begin
      assert ((write_b & (write_b - 1'b1)) == '0) else $error("haac_bank: a third write");
      assert (!(|write_b && |first_i)) else $error("haac_bank: a read beside two writes");
      assert (!(|write_a && |second_i)) else $error("haac_bank: two reads beside a write");
    end
  end
`endif

endmodule
