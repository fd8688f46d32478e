// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of stream_register as a valid-ready stage.
//
// A second register gets the same inputs in all cycles but the last. So if outputs of the two
// differ, they depend on inputs of the same cycle.

module stream_register_proof #(
  parameter int unsigned Width = 4
) (
  input logic             clk_i,
  input logic             clear_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             watch_i,
  input logic             other_valid_i,
  input logic [Width-1:0] other_data_i,
  input logic             other_ready_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic ready, valid, other_ready, other_valid;
  logic [Width-1:0] data, other_data;
  stream_register #(.Width(Width)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i,
    .data_o(data)
  );
  stream_register #(.Width(Width)) u_other (
    .clk_i, .rst_ni(rst_n), .clear_i, .valid_i(other_valid_i), .ready_o(other_ready),
    .data_i(other_data_i), .valid_o(other_valid), .ready_i(other_ready_i), .data_o(other_data)
  );

  // Whether all earlier inputs of the two were equal.
  logic equal_q = 1'b1;
  always_ff @(posedge clk_i) begin
    equal_q <= equal_q && {valid_i, data_i, ready_i} == {other_valid_i, other_data_i, other_ready_i};
  end

  // Accepted entries less removed ones. The watched entry, and the number of entries ahead of it.
  logic push, pop, watching_q, stalled_q;
  logic [1:0] count_q, ahead_q;
  logic [Width-1:0] watched_q, before_q;
  assign push = valid_i && ready;
  assign pop  = valid && ready_i;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_n && !clear_i && valid && !ready_i;
    before_q  <= data;
    if (!rst_n || clear_i) begin
      count_q    <= '0;
      watching_q <= 1'b0;
    end else begin
      count_q <= count_q + 2'(push) - 2'(pop);
      if (watching_q && pop) begin
        ahead_q    <= ahead_q - 1'b1;
        watching_q <= ahead_q != '0;
      end
      if (!watching_q && push && watch_i) begin
        watching_q <= 1'b1;
        watched_q  <= data_i;
        ahead_q    <= count_q - 2'(pop);
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      order: assert (valid == (count_q != 0)
                     && (!watching_q || ahead_q != '0 || (valid && data == watched_q)));
      space: assert (ready == (count_q < 2'd2) && count_q <= 2'd2);
      stable: assert (!stalled_q || (valid && data == before_q));
      registered: assert (!equal_q || (valid == other_valid && ready == other_ready
                                       && (!valid || data == other_data)));
      inv_state: assert (u_dut.first_q == (count_q != '0) && u_dut.second_q == (count_q == 2'd2));
      inv_ahead: assert (!watching_q || ahead_q < count_q);
      inv_kept: assert (!watching_q || ahead_q != 2'd1 || u_dut.second_data_q == watched_q);
      inv_other: assert (!equal_q || !u_dut.second_q || u_dut.second_data_q == u_other.second_data_q);

      leaves: cover (watching_q && ahead_q == '0 && pop && push);
      stalls: cover (stalled_q && count_q == 2'd2);
      differs: cover (equal_q && valid && ready_i != other_ready_i && valid_i != other_valid_i);
    end
  end

endmodule
