// SPDX-License-Identifier: MIT OR Apache-2.0

// Shows the responses of one client that are due and have arrived, one per cycle.
//
// | port    | width | meaning                                                           |
// |---------|-------|-------------------------------------------------------------------|
// | clear_i | 1     | nothing is due and nothing has arrived                            |
// | due_i   | 1     | the next request in order is due from this cycle on               |
// | come_i  | 1     | the next response in order arrives in this cycle                  |
// | show_o  | 1     | shows the next response                                           |
// | late_o  | 1     | a response is due in this cycle and has not arrived               |
//
// Latency: none; a response that arrives when it is due is shown in the same cycle. Stalls: none.

module haac_show #(
  // Largest number of requests in flight.
  parameter int unsigned Most = 255
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic due_i,
  input  logic come_i,
  output logic show_o,
  output logic late_o
);

  localparam int unsigned Width = $clog2(Most + 1);

  logic [Width-1:0] due_q, come_q;
  logic due, come;

  assign due    = due_i || due_q != '0;
  assign come   = come_i || come_q != '0;
  assign show_o = due && come;
  assign late_o = due && !come;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      due_q  <= '0;
      come_q <= '0;
    end else if (clear_i) begin
      due_q  <= '0;
      come_q <= '0;
    end else begin
      due_q  <= due_q + Width'(due_i) - Width'(show_o);
      come_q <= come_q + Width'(come_i) - Width'(show_o);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (32'(come_q) + 32'(come_i) <= Most) else $error("haac_show: too many responses");
      assert (32'(due_q) + 32'(due_i) <= Most) else $error("haac_show: too many requests are due");
    end
  end
`endif

endmodule
