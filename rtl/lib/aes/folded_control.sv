// SPDX-License-Identifier: MIT OR Apache-2.0

// The handshakes of a unit around `aes_folded_core`. The unit holds at most two operations: one in
// the rounds, and one whose result waits in the output register.
//
//   port     bits  meaning
//   clk_i    1     clock
//   rst_ni   1     reset, active low, asynchronous
//   clear_i  1     discard both operations
//   valid_i  1     an operation is offered
//   ready_o  1     the offered operation is accepted in this cycle
//   valid_o  1     a result is offered
//   ready_i  1     the offered result is accepted in this cycle
//   last_i   1     the core is in its tenth round
//   start_o  1     the core takes the offered operation
//   step_o   1     the core does a round
//   store_o  1     the output register takes the core's result
//
// Latency: none, except that a result is offered in the cycle after store_o. The tenth round waits
// until the output register is free. ready_o depends on ready_i in the same cycle.
module folded_control (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic clear_i,
    input  logic valid_i,
    output logic ready_o,
    output logic valid_o,
    input  logic ready_i,
    input  logic last_i,
    output logic start_o,
    output logic step_o,
    output logic store_o
);
  logic busy_q, valid_q;

  assign store_o = busy_q && last_i && (!valid_q || ready_i);
  assign ready_o = !busy_q || store_o;
  assign start_o = valid_i && ready_o;
  assign step_o  = busy_q && (!last_i || store_o);
  assign valid_o = valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else if (clear_i) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      busy_q  <= start_o || (busy_q && !store_o);
      valid_q <= store_o || (valid_q && !ready_i);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (busy_q || !last_i) else $error("folded_control: a last round without an operation");
    end
  end
`endif
endmodule
