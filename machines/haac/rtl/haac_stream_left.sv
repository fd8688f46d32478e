// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts what is left of a stream in memory, to request and to show. It is read in groups of
// entries.
//
// | port    | width      | meaning                                                              |
// |---------|------------|----------------------------------------------------------------------|
// | clear_i | 1          | restarts: all count_i entries are left                               |
// | count_i | 32         | entries of the stream                                                |
// | request_i | 1        | requests the next group                                              |
// | show_i  | 1          | shows the next group                                                 |
// | request_o | GroupWidth | entries of the next group: Group, fewer in the last; 0: no group   |
// | show_o  | GroupWidth | entries that show_i shows in this cycle                              |
//
// Latency: none. Stalls: none.

module haac_stream_left #(
  parameter int unsigned Group = 16,
  localparam int unsigned GroupWidth = $clog2(Group + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic [31:0] count_i,
  input  logic request_i,
  input  logic show_i,
  output logic [GroupWidth-1:0] request_o,
  output logic [GroupWidth-1:0] show_o
);

  logic [31:0] to_request_q, to_show_q, after_request;
  logic [GroupWidth-1:0] request_q, to_show;

  function automatic logic [GroupWidth-1:0] group(input logic [31:0] left);
    group = left < Group ? GroupWidth'(left) : GroupWidth'(Group);
  endfunction

  // The next group's entries are computed a cycle ahead, as requests depend on them.
  assign after_request = to_request_q - 32'(request_q);
  assign request_o     = request_q;
  assign to_show       = group(to_show_q);
  assign show_o        = show_i ? to_show : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      to_request_q <= '0;
      request_q    <= '0;
      to_show_q    <= '0;
    end else if (clear_i) begin
      to_request_q <= count_i;
      request_q    <= group(count_i);
      to_show_q    <= count_i;
    end else begin
      if (request_i) begin
        to_request_q <= after_request;
        request_q    <= group(after_request);
      end
      if (show_i) to_show_q <= to_show_q - 32'(to_show);
    end
  end

endmodule
