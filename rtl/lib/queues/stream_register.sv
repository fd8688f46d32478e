// SPDX-License-Identifier: MIT OR Apache-2.0

// A register in a stream. It cuts all combinational paths between the two sides, and holds two
// entries so that the throughput stays at one entry per cycle.
//
// | port    | width | meaning                                                    |
// |---------|-------|------------------------------------------------------------|
// | clear_i | 1     | empties and wipes the register at the end of the cycle     |
// | valid_i | 1     | data_i is offered                                          |
// | ready_o | 1     | data_i is accepted if offered; from a register             |
// | data_i  | Width |                                                            |
// | valid_o | 1     | data_o is offered; from a register                         |
// | ready_i | 1     | data_o is accepted if offered                              |
// | data_o  | Width | stays until it is accepted                                 |
//
// Latency: 1 cycle. Stalls: accepts nothing while it holds two entries, that is, from the second
// cycle on in which the receiver is not ready.

module stream_register #(
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic first_q, second_q;
  logic [Width-1:0] first_data_q, second_data_q;
  logic push, pop;

  assign ready_o = !second_q;
  assign valid_o = first_q;
  assign data_o  = first_data_q;
  assign push    = valid_i && ready_o;
  assign pop     = valid_o && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= 1'b0;
      second_q <= 1'b0;
    end else if (clear_i) begin
      first_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      first_q  <= push || second_q || (first_q && !pop);
      second_q <= !pop && (second_q || (push && first_q));
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      first_data_q  <= '0;
      second_data_q <= '0;
    end else begin
      if (push && (pop || !first_q)) first_data_q <= data_i;
      else if (pop) first_data_q <= second_data_q;
      if (push) second_data_q <= data_i;
    end
  end

`ifndef SYNTHESIS
  logic stalled_q;
  logic [Width-1:0] before_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stalled_q <= 1'b0;
    else stalled_q <= !clear_i && valid_o && !ready_i;
  end

  always_ff @(posedge clk_i) begin
    before_q <= data_o;
    if (stalled_q) begin
      assert (valid_o && data_o == before_q) else $error("stream_register: an offer was withdrawn");
    end
  end
`endif

endmodule
