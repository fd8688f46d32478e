// SPDX-License-Identifier: MIT OR Apache-2.0

// Shows bursts of a stream that is striped over all ports: burst k comes over port k mod NumPorts.
// Bursts that are due and have arrived are shown in order.
//
// | port    | width    | meaning                                                        |
// |---------|----------|----------------------------------------------------------------|
// | clear_i | 1        | nothing is due and nothing has arrived                         |
// | due_i   | 8        | bursts that become due in this cycle                           |
// | come_i  | NumPorts | a burst arrives over this port                                 |
// | show_o  | 8        | number of bursts shown, up to MaxShow                          |
// | late_o  | 1        | a burst is due in this cycle and has not arrived               |
//
// Latency: none. Stalls: none.

module haac_show_striped #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned MaxShow  = 4,
  // Largest number of bursts in flight.
  parameter int unsigned Most     = 1023
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic [7:0]          due_i,
  input  logic [NumPorts-1:0] come_i,
  output logic [7:0]          show_o,
  output logic                late_o
);

  localparam int unsigned Width     = $clog2(Most + 1);
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1;

  logic [Width-1:0] due_q, due;
  logic [NumPorts-1:0][Width-1:0] come_q, come, come_d;
  logic [PortWidth-1:0] port_q, port_d;
  logic more;

  assign due = due_q + Width'(due_i);

  // Takes bursts in order, up to the first that is not due or has not arrived.
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) come[p] = come_q[p] + Width'(come_i[p]);
    come_d = come;
    port_d = port_q;
    show_o = '0;
    more   = 1'b1;
    for (int unsigned n = 0; n < MaxShow; n++) begin
      more = more && Width'(n) < due && come_d[port_d] != '0;
      if (more) begin
        come_d[port_d] = come_d[port_d] - 1'b1;
        port_d = port_d == PortWidth'(NumPorts - 1) ? '0 : port_d + 1'b1;
        show_o = show_o + 1'b1;
      end
    end
  end

  // A due burst beyond MaxShow is late only if it has not arrived.
  assign late_o = due > Width'(show_o) && come_d[port_d] == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      due_q  <= '0;
      come_q <= '0;
      port_q <= '0;
    end else if (clear_i) begin
      due_q  <= '0;
      come_q <= '0;
      port_q <= '0;
    end else begin
      due_q  <= due - Width'(show_o);
      come_q <= come_d;
      port_q <= port_d;
    end
  end

endmodule
