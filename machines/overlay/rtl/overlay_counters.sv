// SPDX-License-Identifier: MIT OR Apache-2.0

// Counters of a run of the overlay. The next run resets them.
//
// | port              | meaning                                                                 |
// |-------------------|-------------------------------------------------------------------------|
// | clocks_o          | clock cycles of the run                                                 |
// | gates_o, ands_o   | finished gates, ANDs among them                                         |
// | batches_o         | finished batches                                                        |
// | reads_o, writes_o | reads and writes of DDR                                                 |
// | starved_o         | clock cycles in which no command was available                          |
// | fenced_o          | clock cycles in which a batch waited until the batch before was written |

module overlay_counters #(
  parameter int unsigned Lanes = 1,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,
  input  logic                  busy_i,
  input  logic                  retires_i,
  input  logic                  ands_i,
  input  logic                  last_i,
  input  logic [CountWidth-1:0] count_i,
  input  logic [1:0]            reads_i,
  input  logic [1:0]            writes_i,
  input  logic                  starved_i,
  input  logic                  fenced_i,

  output logic [63:0]           clocks_o,
  output logic [63:0]           gates_o,
  output logic [63:0]           ands_o,
  output logic [63:0]           batches_o,
  output logic [63:0]           reads_o,
  output logic [63:0]           writes_o,
  output logic [63:0]           starved_o,
  output logic [63:0]           fenced_o
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {clocks_o, gates_o, ands_o, batches_o, reads_o, writes_o, starved_o, fenced_o} <= '0;
    end else if (start_i) begin
      {clocks_o, gates_o, ands_o, batches_o, reads_o, writes_o, starved_o, fenced_o} <= '0;
    end else if (busy_i) begin
      clocks_o  <= clocks_o + 1'b1;
      gates_o   <= gates_o + (retires_i ? 64'(count_i) : '0);
      ands_o    <= ands_o + (retires_i && ands_i ? 64'(count_i) : '0);
      batches_o <= batches_o + 64'(retires_i && last_i);
      reads_o   <= reads_o + 64'(reads_i[0]) + 64'(reads_i[1]);
      writes_o  <= writes_o + 64'(writes_i[0]) + 64'(writes_i[1]);
      starved_o <= starved_o + 64'(starved_i);
      fenced_o  <= fenced_o + 64'(fenced_i);
    end
  end

endmodule
