// SPDX-License-Identifier: MIT OR Apache-2.0

// Ready flags of the labels of a netlist cycle: one for each word of the label memory.
//
// | port     | width                  | meaning                                        |
// |----------|------------------------|------------------------------------------------|
// | clear_i  | 1                      | clears all flags at the end of the cycle       |
// | set_i    | Writes                 | sets the flag of word_i at the end of the cycle |
// | read_i   | Reads x AddressWidth   |                                                |
// | ready_o  | Reads                  | the flag of read_i                             |
//
// Latency: 1 cycle. Stalls: nothing.

module fase_paper_ready #(
  parameter int unsigned Depth  = 8192,
  parameter int unsigned Reads  = 4,
  parameter int unsigned Writes = 4,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                clear_i,
  input  logic [Writes-1:0]                   set_i,
  input  logic [Writes-1:0][AddressWidth-1:0] word_i,
  input  logic [Reads-1:0][AddressWidth-1:0]  read_i,
  output logic [Reads-1:0]                    ready_o
);

  logic [Depth-1:0] ready_q;

  // The replication count, one zero per word, is intended.
  /* verilator lint_off WIDTHCONCAT */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= '0;
    end else if (clear_i) begin
      ready_q <= '0;
    end else begin
      for (int unsigned w = 0; w < Writes; w++) begin
        if (set_i[w]) ready_q[word_i[w]] <= 1'b1;
      end
    end
  end
  /* verilator lint_on WIDTHCONCAT */

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    assign ready_o[r] = ready_q[read_i[r]];
  end

endmodule
