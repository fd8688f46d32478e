// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts the finished instructions of each half (half a window of consecutive addresses), for
// interlocks (b) and (c).
//
// | port             | width          | meaning                                                   |
// |------------------|----------------|-----------------------------------------------------------|
// | run_i, clear_i   | 1              | as in haac_core                                           |
// | first_output_i   | 31             | the launch's first output; earlier halves are complete    |
// | finish_i         | Events         | an instruction is finished in this cycle                  |
// | odd_i            | Events         | lowest bit of that instruction's half                     |
// | complete_o       | HalfWidth      | the lowest half that is not complete, as registered       |
//
// Latency: the event that completes a half in c is visible in complete_o from c + 1 on; one half
// per cycle. Stalls: none.
//
// Interlock (b): no instruction beyond half complete_o + 1 reads operands before complete_o
// advances. So the output of an instruction that finishes is in half complete_o or in the next one,
// and the lowest bit of the half's number distinguishes them.

module haac_halves
  import haac_isa_pkg::*;
#(
  parameter int unsigned WindowLabels = 32768,
  parameter int unsigned Events       = 12,
  localparam int unsigned HalfBits    = $clog2(WindowLabels) - 1,
  localparam int unsigned HalfWidth   = AddressWidth - HalfBits
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,
  input  logic [AddressWidth-1:0] first_output_i,
  input  logic [Events-1:0] finish_i,
  input  logic [Events-1:0] odd_i,
  output logic [HalfWidth-1:0] complete_o
);

  localparam int unsigned CountWidth = HalfBits + 1;

  // Indexed by the lowest bit of the half.
  logic [1:0][CountWidth-1:0] finished_q, finished_d;
  logic [CountWidth-1:0] all_q;
  logic [HalfWidth-1:0] complete_q;
  logic now, advances;

  always_comb begin
    finished_d = finished_q;
    for (int unsigned i = 0; i < Events; i++) begin
      finished_d[odd_i[i]] = finished_d[odd_i[i]] + CountWidth'(finish_i[i]);
    end
  end

  assign now      = complete_q[0];
  assign advances = finished_d[now] == all_q;

  // Number of instructions in half complete_o. The first half begins with the first output. The
  // first address of an even half is a multiple of the window, which belongs to no wire.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      finished_q <= '0;
      all_q      <= '0;
      complete_q <= '0;
    end else if (clear_i) begin
      finished_q <= '0;
      all_q      <= CountWidth'(WindowLabels / 2) - CountWidth'(first_output_i[HalfBits-1:0]);
      complete_q <= first_output_i[AddressWidth-1:HalfBits];
    end else if (run_i) begin
      finished_q <= finished_d;
      if (advances) begin
        finished_q[now] <= '0;
        all_q           <= CountWidth'(WindowLabels / 2) - CountWidth'(now);
        complete_q      <= complete_q + 1'b1;
      end
    end
  end

  assign complete_o = complete_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i && !clear_i) begin
      assert (finished_d[now] <= all_q)
        else $error("haac_halves: more instructions finished than the half has");
      assert (finished_d[!now] <= CountWidth'(WindowLabels / 2))
        else $error("haac_halves: more instructions finished than the next half has");
    end
  end
`endif

endmodule
