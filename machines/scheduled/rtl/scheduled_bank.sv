// SPDX-License-Identifier: MIT OR Apache-2.0

// A bank of labels with one read and one write per cycle. A write to the word that is being output
// is forwarded to the output.
//
// | port        | width | meaning                                                   |
// |-------------|-------|-----------------------------------------------------------|
// | we_i        | 1     | label_i goes to word waddr_i                              |
// | re_i        | 1     | reads word raddr_i, for use in the next cycle             |
// | label_o     | 128   | label of the word read last, including this cycle's write |
// | forwarded_o | 1     | label_o is being written in this cycle                    |
//
// Latency: 1 cycle from re_i; 0 cycles from we_i, if the written word is the one that is being
// output. Stalls: nothing.

module scheduled_bank #(
  parameter int unsigned Depth = 1024,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                    clk_i,
  input  logic                    we_i,
  input  logic [AddressWidth-1:0] waddr_i,
  input  logic [127:0]            label_i,
  input  logic                    re_i,
  input  logic [AddressWidth-1:0] raddr_i,
  output logic [127:0]            label_o,
  output logic                    forwarded_o
);

  logic [AddressWidth-1:0] raddr_q;
  logic [127:0] read;

  ram_sdp #(.Width(128), .Depth(Depth)) u_labels (
    .clk_i,
    .we_i, .waddr_i, .wdata_i(label_i),
    .re_i, .raddr_i, .rdata_o(read)
  );

  always_ff @(posedge clk_i) begin
    if (re_i) raddr_q <= raddr_i;
  end

  assign forwarded_o = we_i && waddr_i == raddr_q;
  assign label_o     = forwarded_o ? label_i : read;

endmodule
