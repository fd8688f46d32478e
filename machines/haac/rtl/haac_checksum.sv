// SPDX-License-Identifier: MIT OR Apache-2.0

// CRC-32C of the streams through one port: descriptor, instructions, and the out-of-range words of
// the port's engines.
//
// | port         | width        | meaning                                                        |
// |--------------|--------------|----------------------------------------------------------------|
// | clear_i      | 1            | restarts all streams                                           |
// | push_i       | Engines + 2  | a burst of: 0 descriptor, 1 instructions, 2 + e engine e        |
// | burst_i      | 512          | the burst                                                      |
// | descriptor_o | 32           | the descriptor's CRC so far                                    |
// | part_o       | 32           | the instructions' state; see below                             |
// | oor_o        | Engines x 32 | CRC of each engine's words so far                              |
//
// Latency: a burst that arrives in c is in the outputs in c + 1. Stalls: none.
//
// Instruction bursts are striped over NumPorts ports. The state is linear, so each port takes the
// bursts of the other ports as zeros. The states of all ports, each advanced to the stream's end,
// add up to the state of the stream (in haac_crc_sum). A CRC starts with a state of all ones. That
// equals inverting the first 32 bits of the stream, which arrive at port 0 (First).

module haac_checksum #(
  parameter int unsigned Engines  = 1,
  parameter int unsigned NumPorts = 1,
  parameter bit          First    = 1'b1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     clear_i,
  input  logic [Engines+1:0]       push_i,
  input  logic [511:0]             burst_i,
  output logic [31:0]              descriptor_o,
  output logic [31:0]              part_o,
  output logic [Engines-1:0][31:0] oor_o
);

  localparam int unsigned Streams = Engines + 2;

  logic [Streams-1:0][31:0] state_q;
  logic header_q, begun_q;
  logic [31:0] state, skipped, next;
  logic [511:0] burst;

  haac_crc32c_skip #(.Bursts(NumPorts - 1)) u_skip (.state_i(state_q[1]), .state_o(skipped));

  always_comb begin
    // Before a port's own first burst the stream has only bursts of other ports, which count as
    // zeros here. They leave the port's state of 0 unchanged. Port 0, whose state is all ones, has
    // the first burst of the stream, so no zeros come before it.
    state = push_i[1] ? (begun_q ? skipped : state_q[1]) : '0;
    for (int unsigned s = 0; s < Streams; s++) begin
      if (push_i[s] && s != 1) state = state_q[s];
    end
    burst = burst_i;
    // The descriptor's own CRC, at the end of its header, counts as 0.
    if (push_i[0] && header_q) burst[511:480] = '0;
  end

  crc32c #(.Bytes(64)) u_step (
    .valid_i(|push_i), .crc_i(state), .data_i(burst), .crc_o(next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= '1;
      header_q <= 1'b1;
      begun_q  <= 1'b0;
    end else if (clear_i) begin
      state_q    <= '1;
      state_q[1] <= First ? '1 : '0;
      header_q   <= 1'b1;
      begun_q    <= 1'b0;
    end else begin
      for (int unsigned s = 0; s < Streams; s++) begin
        if (push_i[s]) state_q[s] <= next;
      end
      if (push_i[0]) header_q <= 1'b0;
      if (push_i[1]) begun_q <= 1'b1;
    end
  end

  assign descriptor_o = ~state_q[0];
  assign part_o       = state_q[1];
  for (genvar e = 0; e < Engines; e++) begin : gen_oor
    assign oor_o[e] = ~state_q[e+2];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert ($onehot0(push_i)) else $error("haac_checksum: two bursts in a cycle");
  end
`endif

endmodule
