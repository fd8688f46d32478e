// SPDX-License-Identifier: MIT OR Apache-2.0

// The netlist memory, with prefetch: pipelines never wait for a slot.
//
// | port         | width            | meaning                                                     |
// |--------------|------------------|-------------------------------------------------------------|
// | we_i         | 1                | data_i goes to row row_i, column column_i; not in a run     |
// | restart_i    | 1                | continues with the first slot                               |
// | pop_i        | CountWidth       | number of slots that are used, at most Pipelines            |
// | slots_o      | Pipelines slots  | the next slots                                              |
//
// Slot i is in row i / Pipelines, column i mod Pipelines.
// Latency: slots_o is valid 3 cycles after restart_i, and then in every cycle. Stalls: nothing.

module fase_paper_netlist
  import fase_pkg::*;
#(
  parameter int unsigned Pipelines = 2,
  parameter int unsigned Depth     = 8192,
  localparam int unsigned Rows        = (Depth + Pipelines - 1) / Pipelines,
  localparam int unsigned RowWidth    = Rows > 1 ? $clog2(Rows) : 1,
  localparam int unsigned ColumnWidth = Pipelines > 1 ? $clog2(Pipelines) : 1,
  localparam int unsigned CountWidth  = $clog2(2 * Pipelines + 1)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        we_i,
  input  logic [RowWidth-1:0]         row_i,
  input  logic [ColumnWidth-1:0]      column_i,
  input  paper_slot_t                 data_i,

  input  logic                        restart_i,
  input  logic [CountWidth-1:0]       pop_i,
  output paper_slot_t [Pipelines-1:0] slots_o
);

  localparam int unsigned Width = $bits(paper_slot_t);

  logic [RowWidth:0] next_q;
  logic fetch, row_valid_q, append;
  logic [Pipelines-1:0][Width-1:0] row;
  logic [2*Pipelines-1:0][Width-1:0] window_q, kept, added;
  logic [CountWidth-1:0] count_q, left;

  for (genvar p = 0; p < int'(Pipelines); p++) begin : gen_column
    ram_sdp #(.Width(Width), .Depth(Rows)) u_slots (
      .clk_i,
      .we_i(we_i && 32'(column_i) == p), .waddr_i(row_i), .wdata_i(data_i),
      .re_i(fetch), .raddr_i(next_q[RowWidth-1:0]), .rdata_o(row[p])
    );
    assign slots_o[p] = window_q[p];
  end

  // A row enters the window as soon as there is free space.
  assign left   = count_q - pop_i;
  assign append = row_valid_q && 32'(left) <= Pipelines;
  assign fetch  = !restart_i && 32'(next_q) < Rows && (append || !row_valid_q);
  assign kept   = window_q >> (32'(pop_i) * Width);
  assign added  = (2*Pipelines*Width)'(row) << (32'(left) * Width);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
      count_q     <= '0;
      next_q      <= '0;
    end else if (restart_i) begin
      row_valid_q <= 1'b0;
      count_q     <= '0;
      next_q      <= '0;
    end else begin
      row_valid_q <= fetch || (row_valid_q && !append);
      count_q     <= append ? left + CountWidth'(Pipelines) : left;
      if (fetch) next_q <= next_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (restart_i) window_q <= '0;
    else window_q <= append ? kept | added : kept;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !restart_i) begin
      assert (pop_i <= count_q) else $error("fase_paper_netlist: more slots are used than there are");
    end
  end
`endif

endmodule
