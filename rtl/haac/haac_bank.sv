// One bank of the window: a true dual-port RAM whose words are a label, the parity of the lap that it
// was written in, and whether it was written at all; and what its two ports do next.
//
// | port     | width                | meaning                                                    |
// |----------|----------------------|------------------------------------------------------------|
// | clear_i  | 1                    | what was asked for in the cycle before does not happen     |
// | run_i    | 1                    | a cycle that counts; otherwise time stands still           |
// | wipe_i   | 1                    | writes "not there" into wipe_row_i and the row above       |
// | write_i  | Writes               | source s writes into this bank in the next cycle; two at most, none while wipe_i |
// | wrow_i   | Writes x RowWidth    | each source's row; looked at if it writes                  |
// | wword_i  | Writes x WordWidth   | and word                                                   |
// | first_i  | Reads                | which request has the first access that writes leave, one bit at most |
// | second_i | Reads                | and which the second: only where nothing is written        |
// | rrow_i   | Reads x RowWidth     | each request's row                                         |
// | first_o  | WordWidth            | what the first read of the cycle before the last found     |
// | second_o | WordWidth            | what the second found                                      |
//
// Latency: asked for in c, accessed in c + 1, words in c + 2; a read sees the write of the same cycle.
// Stalls: nothing. Port a has the first write or the second read, port b the first read or the second
// write, so that a read meets a write to its row only as b's with a's.

module haac_bank #(
  parameter int unsigned Writes    = 16,
  parameter int unsigned Reads     = 16,
  parameter int unsigned Rows      = 2048,
  parameter int unsigned WordWidth = 130,
  localparam int unsigned RowWidth = Rows > 1 ? $clog2(Rows) : 1
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             clear_i,
  input  logic                             run_i,

  input  logic                             wipe_i,
  input  logic [RowWidth-1:0]              wipe_row_i,

  input  logic [Writes-1:0]                write_i,
  input  logic [Writes-1:0][RowWidth-1:0]  wrow_i,
  input  logic [Writes-1:0][WordWidth-1:0] wword_i,

  input  logic [Reads-1:0]                 first_i,
  input  logic [Reads-1:0]                 second_i,
  input  logic [Reads-1:0][RowWidth-1:0]   rrow_i,
  output logic [WordWidth-1:0]             first_o,
  output logic [WordWidth-1:0]             second_o
);

  typedef struct packed {
    logic                en;
    logic                we;
    logic [RowWidth-1:0] row;
  } access_t;

  logic [Writes-1:0] write_a, write_b;
  access_t a_d, a_q, b_d, b_q;
  logic [WordWidth-1:0] a_word_d, a_word_q, b_word_d, b_word_q, a_read, b_read;
  logic step, bypass_q;

  assign write_a = write_i & (~write_i + 1'b1);
  assign write_b = write_i & ~write_a;

  // Ports of the next cycle. The loops are gates; who simulates skips those that have nothing to do.
  always_comb begin
    a_d = '{en: |write_a || |second_i, we: |write_a, row: '0};
    b_d = '{en: |write_b || |first_i, we: |write_b, row: '0};
    a_word_d = '0;
    b_word_d = '0;
    if (|write_a) begin
      for (int unsigned s = 0; s < Writes; s++) begin
        a_d.row  |= wrow_i[s] & {RowWidth{write_a[s]}};
        a_word_d |= wword_i[s] & {WordWidth{write_a[s]}};
      end
    end
    if (|write_b) begin
      for (int unsigned s = 0; s < Writes; s++) begin
        b_d.row  |= wrow_i[s] & {RowWidth{write_b[s]}};
        b_word_d |= wword_i[s] & {WordWidth{write_b[s]}};
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

  // A wipe needs no run; its last write comes in the cycle after wipe_i.
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
      a_word_q <= a_word_d;
      b_word_q <= b_word_d;
      bypass_q <= a_q.en && a_q.we && a_q.row == b_q.row;
    end
  end

  ram_tdp #(.Width(WordWidth), .Depth(Rows)) u_ram (
    .clk_i,
    .a_en_i(a_q.en && step), .a_we_i(a_q.we), .a_addr_i(a_q.row), .a_wdata_i(a_word_q),
    .a_rdata_o(a_read),
    .b_en_i(b_q.en && step), .b_we_i(b_q.we), .b_addr_i(b_q.row), .b_wdata_i(b_word_q),
    .b_rdata_o(b_read)
  );

  assign first_o  = bypass_q ? a_read : b_read;
  assign second_o = a_read;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && wipe_i) assert (write_i == '0) else $error("haac_bank: a write while it is wiped");
    if (rst_ni && run_i && !clear_i && !wipe_i) begin
      assert ((write_b & (write_b - 1'b1)) == '0) else $error("haac_bank: a third write");
      assert (!(|write_b && |first_i)) else $error("haac_bank: a read beside two writes");
      assert (!(|write_a && |second_i)) else $error("haac_bank: two reads beside a write");
    end
  end
`endif

endmodule
