// SPDX-License-Identifier: MIT OR Apache-2.0

// The label memory of a single pipeline. It has two ports, each of which reads or writes a label
// per cycle. Reads have priority; if both operands of a slot are the same label, it is read once.
// Labels wait for a port in the order of their arrival.
//
// | port    | width            | meaning                                                 |
// |---------|------------------|---------------------------------------------------------|
// | clear_i | 1                | discards all waiting labels                             |
// | wipe_i  | 1                | word wipe_word_i becomes 0                              |
// | read_i  | 2                | reads word_i for the next cycle; only if space_o        |
// | word_i  | 2 x AddressWidth |                                                         |
// | label_o | 2 x 128          | the label; held until the next read                     |
// | give_i  | 2                | writes give_label_i to give_word_i; the lower one first |
// | space_o | 1                | at most two labels wait, so that a slot can be taken    |
// | wrote_o | 2                | a label is written to word wrote_word_o                 |
// | idle_o  | 1                | no label waits to be written                            |
//
// Latency: 1 cycle from read to label; a label is written in the cycle of its arrival or later.
// Stalls: nothing; the reader checks space_o.

module fase_paper_port_labels #(
  parameter int unsigned Depth = 8192,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          clear_i,
  input  logic                          wipe_i,
  input  logic [AddressWidth-1:0]       wipe_word_i,
  input  logic [1:0]                    read_i,
  input  logic [1:0][AddressWidth-1:0]  word_i,
  output logic [1:0][127:0]             label_o,
  input  logic [1:0]                    give_i,
  input  logic [1:0][AddressWidth-1:0]  give_word_i,
  input  logic [1:0][127:0]             give_label_i,
  output logic                          space_o,
  output logic [1:0]                    wrote_o,
  output logic [1:0][AddressWidth-1:0]  wrote_word_o,
  output logic                          idle_o
);

  typedef struct packed {
    logic [AddressWidth-1:0] word;
    logic [127:0] value;
  } given_t;

  // Waiting labels, followed by those that arrive in this cycle. At most two remain waiting,
  // because a slot is taken only if at most two labels wait.
  given_t [3:0] all;
  given_t [1:0] waiting_q;
  logic [1:0] count_q, taken, after;
  logic [2:0] count;

  always_comb begin
    all      = '0;
    all[1:0] = waiting_q;
    count    = 3'(count_q);
    for (int unsigned g = 0; g < 2; g++) begin
      if (give_i[g]) begin
        all[count[1:0]] = '{word: give_word_i[g], value: give_label_i[g]};
        count += 3'd1;
      end
    end
  end

  assign after  = taken + 2'd1;
  assign space_o = count <= 3'd2;
  assign idle_o = count_q == '0;

  // The first port reads the first operand, and the second port reads the second operand, unless
  // both are the same label. A port that does not read writes.
  logic [1:0] reads, en, we;
  logic same, from_q;
  logic [1:0][AddressWidth-1:0] addr;
  logic [1:0][127:0] wdata, rdata;

  assign same  = &read_i && word_i[0] == word_i[1];
  assign reads = {read_i[1] && !same, read_i[0]};

  always_comb begin
    taken        = '0;
    we           = '0;
    addr         = word_i;
    wdata        = '0;
    for (int unsigned p = 0; p < 2; p++) begin
      if (!reads[p] && 3'(taken) < count) begin
        we[p]    = 1'b1;
        addr[p]  = all[taken].word;
        wdata[p] = all[taken].value;
        taken    = taken + 2'd1;
      end
    end
    wrote_o      = we;
    wrote_word_o = addr;
    en           = reads | we;
    if (wipe_i) begin
      en      = '1;
      we      = 2'b01;
      addr[0] = wipe_word_i;
      // The second port reads the word that was wiped before, which clears the port's output. It
      // must not access the word that is being written.
      addr[1] = wipe_word_i - 1'b1;
      wdata   = '0;
    end
  end

  ram_tdp #(.Width(128), .Depth(Depth)) u_labels (
    .clk_i,
    .a_en_i(en[0]), .a_we_i(we[0]), .a_addr_i(addr[0]), .a_wdata_i(wdata[0]), .a_rdata_o(rdata[0]),
    .b_en_i(en[1]), .b_we_i(we[1]), .b_addr_i(addr[1]), .b_wdata_i(wdata[1]), .b_rdata_o(rdata[1])
  );

  // A slot that reads one label twice gets it from the first port.
  always_ff @(posedge clk_i) begin
    if (|read_i) from_q <= !same;
  end
  assign label_o[0] = rdata[0];
  assign label_o[1] = rdata[from_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= '0;
      waiting_q <= '0;
    end else if (clear_i) begin
      count_q   <= '0;
      waiting_q <= '0;
    end else begin
      count_q      <= 2'(count - 3'(taken));
      waiting_q[0] <= all[taken];
      waiting_q[1] <= all[after];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !wipe_i) begin
      assert (count - 3'(taken) <= 3'd2) else $error("fase_paper_port_labels: more than two labels wait");
      assert (!(|read_i) || space_o) else $error("fase_paper_port_labels: read_i without space_o");
      if (&we) begin
        assert (addr[0] != addr[1]) else $error("fase_paper_port_labels: one word is written twice");
      end
    end
  end
`endif

endmodule
