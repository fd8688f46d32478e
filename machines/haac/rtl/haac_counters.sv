// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts events in the cycles of a run.
//
// | port       | width            | meaning                                                    |
// |------------|------------------|------------------------------------------------------------|
// | clear_i    | 1                | a launch: clears all counters                              |
// | run_i      | 1                | the cycle is counted                                       |
// | cause_i    | Engines x 4      | the cause of the cycle, for each engine                    |
// | events_i   | NumCounters x 16 | number of events in the cycle, by counter number           |
// | raddr_i, rdata_o | 14, 32     | a word of a counter, in the same cycle                     |
//
// The counters cycles, first_issue and last_write_back are computed here, not from events_i.
//
// Latency: two cycles: events are registered first, since they come late in their cycle. Stalls:
// none. With Counters = 0 there are no counters, and all words read as 0.

module haac_counters
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines  = 4,
  parameter bit          Counters = 1'b1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               clear_i,
  input  logic                               run_i,
  input  logic [Engines-1:0][CauseWidth-1:0] cause_i,
  input  logic [NumCounters-1:0][15:0]       events_i,
  input  logic [RegAddrWidth-1:0]            raddr_i,
  output logic [31:0]                        rdata_o
);

  if (Counters) begin : gen_counters
    typedef logic [CounterWidth-1:0] count_t;
    count_t [NumCounters-1:0] count_q;
    count_t [Engines-1:0][CauseCount-1:0] causes_q;
    logic [NumCounters-1:0][15:0] events_q;
    logic [Engines-1:0][CauseWidth-1:0] cause_q;
    logic run_q, issued_q, issues;

    // The upper bits are incremented in parallel with the sum of the lower ones.
    function automatic count_t plus(input count_t count, input logic [15:0] more);
      logic [16:0] lower;
      logic [CounterWidth-1:16] upper;
      lower = {1'b0, count[15:0]} + {1'b0, more};
      upper = count[CounterWidth-1:16] + 1'b1;
      plus  = {lower[16] ? upper : count[CounterWidth-1:16], lower[15:0]};
    endfunction

    // With 16 engines the counters of causes have 9984 bits together, which is intended.
    /* verilator lint_off WIDTHCONCAT */
    assign issues = (events_q[CounterAnds] | events_q[CounterXors]) != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) run_q <= 1'b0;
      else run_q <= run_i;
    end
    always_ff @(posedge clk_i) begin
      events_q <= events_i;
      cause_q  <= cause_i;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q  <= '0;
        causes_q <= '0;
        issued_q <= 1'b0;
      end else if (clear_i) begin
        count_q  <= '0;
        causes_q <= '0;
        issued_q <= 1'b0;
      end else if (run_q) begin
        for (int unsigned n = 0; n < NumCounters; n++) begin
          count_q[n] <= plus(count_q[n], events_q[n]);
        end
        count_q[CounterCycles] <= plus(count_q[CounterCycles], 16'd1);
        count_q[CounterFirstIssue] <= count_q[CounterFirstIssue];
        if (issues && !issued_q) count_q[CounterFirstIssue] <= count_q[CounterCycles];
        issued_q <= issued_q || issues;
        count_q[CounterLastWriteBack] <= count_q[CounterLastWriteBack];
        if (events_q[CounterWindowWrites] != '0) begin
          count_q[CounterLastWriteBack] <= count_q[CounterCycles];
        end
        for (int unsigned e = 0; e < Engines; e++) begin
          for (int unsigned c = 0; c < CauseCount; c++) begin
            if (cause_q[e] == CauseWidth'(c)) causes_q[e][c] <= plus(causes_q[e][c], 16'd1);
          end
        end
      end
    end

    /* verilator lint_on WIDTHCONCAT */

    // The counter at raddr_i has eight bytes; raddr_i also selects the half that is read.
    localparam int unsigned StrideWidth = $clog2(CausesStride);
    logic [63:0] found;
    logic [RegAddrWidth-1:0] counter, cause;
    assign counter = raddr_i - RegCounters;
    assign cause   = raddr_i - RegCauses;
    always_comb begin
      found = '0;
      if (raddr_i >= RegCauses) begin
        for (int unsigned e = 0; e < Engines; e++) begin
          for (int unsigned c = 0; c < CauseCount; c++) begin
            found |= 64'(causes_q[e][c]) & {64{
              cause[RegAddrWidth-1:3] == {(RegAddrWidth-StrideWidth)'(e), (StrideWidth-3)'(c)}
            }};
          end
        end
      end else begin
        for (int unsigned n = 0; n < NumCounters; n++) begin
          found |= 64'(count_q[n]) & {64{counter[RegAddrWidth-1:3] == (RegAddrWidth-3)'(n)}};
        end
      end
    end
    assign rdata_o = raddr_i[2] ? found[63:32] : found[31:0];

    logic unused;
    assign unused = ^{counter[2:0], cause[2:0], raddr_i[1:0]};
  end else begin : gen_none
    assign rdata_o = '0;
    logic unused;
    assign unused = ^{clk_i, rst_ni, clear_i, run_i, cause_i, events_i, raddr_i};
  end

endmodule
