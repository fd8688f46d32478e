// A bank of labels: one is read and one written in a cycle. What is written while a label of the same word
// is there to be used is the label that is used.
//
// | port        | width        | meaning                                                                |
// |-------------|--------------|------------------------------------------------------------------------|
// | we_i        | 1            | label_i goes to word waddr_i                                           |
// | re_i        | 1            | word raddr_i is to be used in the next cycle                           |
// | label_o     | 128          | the label of the word last asked for, as it is with this cycle's write |
// | forwarded_o | 1            | it is the one that is being written                                    |
//
// Latency: 1 cycle from re_i; 0 from we_i, if the word is the one that is there. Stalls: nothing.

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
