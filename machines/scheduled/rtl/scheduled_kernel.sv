// SPDX-License-Identifier: MIT OR Apache-2.0

// Holds the kernel's words, and fetches them in order, round after round. A round is one repetition
// of the kernel.
//
// | port       | width      | meaning                                            |
// |------------|------------|----------------------------------------------------|
// | we_i       | 1          | data_i goes to word address_i; before start_i only |
// | start_i    | 1          | a run starts in the next cycle                     |
// | clear_i    | 1          | ends the run                                       |
// | en_i       | 1          | 0 stalls the machine                               |
// | interval_i | CountWidth | words of a round, 1 or more                        |
// | words_i    | 64         | words of the run                                   |
// | delay_i    | 32         | cycles before the first fetch                      |
// | valid_o    | 1          | word_o is the next word                            |
// | word_o     | Width      |                                                    |
// | round_o    | 32         | the round of word_o                                |
// | ands_o     | 64         | ANDs of all earlier rounds, ands_i per round       |
// | inputs_o   | 64         | input labels of all earlier rounds, inputs_i per   |
// |            |            | round                                              |
// | left_o     | 1          | there are words left to fetch                      |
//
// Latency: the first word is at the output delay_i + 2 cycles after start_i. Stalls: en_i.

module scheduled_kernel #(
  parameter int unsigned Width = 512,
  parameter int unsigned Depth = 8192,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1,
  localparam int unsigned CountWidth   = $clog2(Depth + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] address_i,
  input  logic [Width-1:0]        data_i,

  input  logic                    start_i,
  input  logic                    clear_i,
  input  logic                    en_i,
  input  logic [CountWidth-1:0]   interval_i,
  input  logic [63:0]             words_i,
  input  logic [31:0]             delay_i,
  input  logic [31:0]             ands_i,
  input  logic [31:0]             inputs_i,

  output logic                    valid_o,
  output logic [Width-1:0]        word_o,
  output logic [31:0]             round_o,
  output logic [63:0]             ands_o,
  output logic [63:0]             inputs_o,
  output logic                    left_o
);

  logic [63:0] left_q, ands_q, inputs_q;
  logic [31:0] wait_q, round_q;
  logic [AddressWidth-1:0] next_q;
  logic fetch, last;

  assign left_o = left_q != '0;
  assign fetch  = en_i && left_o && wait_q == '0;
  assign last   = CountWidth'(next_q) + 1'b1 == interval_i;

  ram_sdp #(.Width(Width), .Depth(Depth)) u_words (
    .clk_i,
    .we_i, .waddr_i(address_i), .wdata_i(data_i),
    .re_i(fetch), .raddr_i(next_q), .rdata_o(word_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q  <= '0;
      valid_o <= 1'b0;
    end else if (start_i || clear_i) begin
      left_q  <= start_i ? words_i : '0;
      valid_o <= 1'b0;
    end else if (en_i) begin
      valid_o <= fetch;
      if (fetch) left_q <= left_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      wait_q   <= delay_i;
      next_q   <= '0;
      round_q  <= '0;
      ands_q   <= '0;
      inputs_q <= '0;
    end else if (en_i && wait_q != '0) begin
      wait_q <= wait_q - 1'b1;
    end else if (fetch) begin
      next_q <= last ? '0 : next_q + 1'b1;
      if (last) begin
        round_q  <= round_q + 1'b1;
        ands_q   <= ands_q + 64'(ands_i);
        inputs_q <= inputs_q + 64'(inputs_i);
      end
    end
    if (fetch) begin
      round_o  <= round_q;
      ands_o   <= ands_q;
      inputs_o <= inputs_q;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) assert (interval_i != '0) else $error("scheduled_kernel: interval_i is 0");
    if (rst_ni && we_i) assert (!left_o) else $error("scheduled_kernel: loaded during a run");
  end
`endif

endmodule
