// SPDX-License-Identifier: MIT OR Apache-2.0

// Adds up the ports' checksums at the end of a run and compares them with the descriptor's.
//
// | port         | width         | meaning                                               |
// |--------------|---------------|-------------------------------------------------------|
// | go_i         | 1             | the run is over; held until done_o                    |
// | bursts_i     | 32            | number of instruction bursts that arrived             |
// | part_i       | NumPorts x 32 | the ports' states (haac_checksum)                     |
// | crc_i        | 32            | the expected CRC of the instructions                  |
// | oor_words_i, oor_i, oor_crc_i | Engines x 32 | number of words, their CRC, expected CRC |
// | done_o       | 1             | the result is valid                                   |
// | bad_o, stream_o, engine_o |  | a CRC is wrong; its stream and engine                 |
//
// Latency: NumPorts + 1 cycles. The state of a port ends with the port's own last burst, which is d
// bursts before the end of the stream, with d from 0 to NumPorts - 1. The states are added in the
// order of falling d, and before each addition the sum is advanced by one burst.

module haac_crc_sum
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines  = 4,
  parameter int unsigned NumPorts = 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      go_i,
  input  logic [31:0]               bursts_i,
  input  logic [NumPorts-1:0][31:0] part_i,
  input  logic [31:0]               crc_i,
  input  logic [Engines-1:0][31:0]  oor_words_i,
  input  logic [Engines-1:0][31:0]  oor_i,
  input  logic [Engines-1:0][31:0]  oor_crc_i,
  output logic                      done_o,
  output logic                      bad_o,
  output stream_e                   stream_o,
  output logic [7:0]                engine_o
);

  localparam int unsigned PortWidth  = NumPorts > 1 ? $clog2(NumPorts) : 1;
  localparam int unsigned CountWidth = $clog2(NumPorts + 1);

  logic [CountWidth-1:0] added_q;
  logic [PortWidth-1:0] port, first_q;
  logic [31:0] sum_q, moved;

  // Adding begins with the port after the one that had the last burst: its own last burst is the
  // furthest from the end of the stream.
  function automatic logic [PortWidth-1:0] after(input logic [PortWidth-1:0] at);
    after = at == PortWidth'(NumPorts - 1) ? '0 : at + 1'b1;
  endfunction

  haac_crc32c_skip #(.Bursts(1)) u_move (.state_i(sum_q), .state_o(moved));

  assign port   = added_q == '0 ? PortWidth'(bursts_i % NumPorts) : first_q;
  assign done_o = go_i && added_q == CountWidth'(NumPorts);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      added_q <= '0;
      sum_q   <= '0;
    end else if (!go_i) begin
      added_q <= '0;
      sum_q   <= '0;
    end else if (!done_o) begin
      added_q <= added_q + 1'b1;
      sum_q   <= moved ^ part_i[port];
    end
  end
  always_ff @(posedge clk_i) first_q <= after(port);

  always_comb begin
    bad_o    = 1'b0;
    stream_o = StreamNone;
    engine_o = '0;
    for (int unsigned n = 0; n < Engines; n++) begin
      if (oor_words_i[Engines-1-n] != '0 && oor_i[Engines-1-n] != oor_crc_i[Engines-1-n]) begin
        bad_o    = 1'b1;
        stream_o = StreamOorAddresses;
        engine_o = 8'(Engines - 1 - n);
      end
    end
    if (bursts_i != '0 && ~sum_q != crc_i) begin
      bad_o    = 1'b1;
      stream_o = StreamInstructions;
      engine_o = '0;
    end
  end

endmodule
