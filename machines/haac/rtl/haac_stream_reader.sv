// SPDX-License-Identifier: MIT OR Apache-2.0

// Reads a stream of bursts from start to end. Counts the bursts that were requested and not yet
// sent to memory.
//
// | port    | width     | meaning                                                         |
// |---------|-----------|-----------------------------------------------------------------|
// | start_i | 1         | restarts at base_i                                              |
// | base_i  | AddrWidth | address of the first burst, a multiple of 64                    |
// | request_i | RequestWidth | number of additional bursts requested                      |
// | req_o   | 1         | a burst waits to be sent                                        |
// | addr_o  | AddrWidth | its address                                                     |
// | ack_i   | 1         | the burst is sent                                               |
//
// Latency: a burst requested in c can be sent in c + 1. Stalls: none. The next address is a counter
// with steps of Step bytes: 64 times the number of ports that the stream is striped over.

module haac_stream_reader #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned RequestWidth  = 1,
  parameter int unsigned Step      = 64,
  // Largest number of waiting bursts.
  parameter int unsigned Most      = 255
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic [AddrWidth-1:0] base_i,
  input  logic [RequestWidth-1:0]  request_i,
  output logic                 req_o,
  output logic [AddrWidth-1:0] addr_o,
  input  logic                 ack_i
);

  localparam int unsigned Width = $clog2(Most + 1);

  logic [Width-1:0] waiting_q;
  logic [AddrWidth-1:0] addr_q;

  assign req_o  = waiting_q != '0;
  assign addr_o = addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
    end else if (start_i) begin
      waiting_q <= '0;
    end else begin
      waiting_q <= waiting_q + Width'(request_i) - Width'(ack_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i)    addr_q <= base_i;
    else if (ack_i) addr_q <= addr_q + AddrWidth'(Step);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !start_i) begin
      assert (32'(waiting_q) + 32'(request_i) <= Most)
        else $error("haac_stream_reader: too many requests");
      assert (!(ack_i && !req_o)) else $error("haac_stream_reader: ack_i without a request");
    end
  end
`endif

endmodule
