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
// | latest_o         | HalfWidth + 1  | complete_o + 1, as registered                             |
// | advances_o       | 1              | it is complete in the next cycle                          |
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
  output logic [HalfWidth-1:0] complete_o,
  output logic [HalfWidth:0] latest_o,
  output logic advances_o
);

  localparam int unsigned CountWidth = HalfBits + 1;
  typedef logic [CountWidth-1:0] count_t;
  typedef logic [$clog2(Events+1)-1:0] few_t;

  // Indexed by the lowest bit of the half: instructions that are not finished, and those that
  // finish in this cycle.
  count_t [1:0] left_q, left_d, finish;
  logic [HalfWidth-1:0] complete_q;
  // A register of its own: R1's longest path begins with it.
  logic [HalfWidth:0] latest_q;
  logic now, advances;

  // The first address of an even half is a multiple of the window, which belongs to no wire.
  function automatic count_t size(input logic odd);
    size = count_t'(WindowLabels / 2) - count_t'(!odd);
  endfunction

  // How many of them are 1. A sum without other uses of its parts becomes a tree.
  function automatic count_t ones(input logic [Events-1:0] bits);
    few_t sum;
    sum = '0;
    for (int unsigned i = 0; i < Events; i++) sum = sum + few_t'(bits[i]);
    ones = count_t'(sum);
  endfunction

  always_comb begin
    finish[0] = ones(finish_i & ~odd_i);
    finish[1] = ones(finish_i & odd_i);
    for (int unsigned h = 0; h < 2; h++) left_d[h] = left_q[h] - finish[h];
  end

  assign now      = complete_q[0];
  // No sum is needed for this comparison.
  assign advances = left_q[now] == finish[now];

  // The first half begins with the first output.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q     <= '0;
      complete_q <= '0;
      latest_q   <= (HalfWidth + 1)'(1);
    end else if (clear_i) begin
      left_q[first_output_i[HalfBits]]  <= count_t'(WindowLabels / 2)
          - count_t'(first_output_i[HalfBits-1:0]);
      left_q[!first_output_i[HalfBits]] <= size(!first_output_i[HalfBits]);
      complete_q <= first_output_i[AddressWidth-1:HalfBits];
      latest_q   <= {1'b0, first_output_i[AddressWidth-1:HalfBits]} + 1'b1;
    end else if (run_i) begin
      left_q <= left_d;
      if (advances) begin
        left_q[now] <= size(now);
        complete_q  <= latest_q[HalfWidth-1:0];
        latest_q    <= latest_q + 1'b1;
      end
    end
  end

  assign complete_o = complete_q;
  assign latest_o   = latest_q;
  assign advances_o = run_i && advances;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i && !clear_i) begin
      assert (finish[now] <= left_q[now])
        else $error("haac_halves: more instructions finished than the half has");
      assert (finish[!now] <= left_q[!now])
        else $error("haac_halves: more instructions finished than the next half has");
    end
  end
`endif

endmodule
