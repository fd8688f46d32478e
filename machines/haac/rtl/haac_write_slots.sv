// SPDX-License-Identifier: MIT OR Apache-2.0

// Reserves accesses to the window's banks for writes. An issuing instruction takes the access of
// the cycle in which its result will be written, so results never wait.
//
// | port         | width               | meaning                                              |
// |--------------|---------------------|------------------------------------------------------|
// | clear_i      | 1                   | cancels all reservations                             |
// | run_i        | 1                   | clock enable: the cycle is counted                   |
// | all_loaded_i | 1                   | the loader has finished: two accesses per bank, else one |
// | request_i    | Engines             | the engine would issue now                           |
// | is_and_i     | Engines             | it writes in AndLatency + 1 cycles, else XorLatency + 1 |
// | bank_i       | Engines x BankWidth | the bank of its output                               |
// | gnt_o        | Engines             | the engine gets the access; combinational            |
// | next_o       | Banks x 2           | accesses reserved in the next cycle, 0 to 2          |
//
// Latency: none. Stalls: of the engines that request the same bank and cycle, those with lower
// numbers win; the others repeat the request. Reads have no influence on which engine wins.

module haac_write_slots #(
  parameter int unsigned Engines    = 4,
  parameter int unsigned Banks      = 16,
  parameter int unsigned XorLatency = 1,
  parameter int unsigned AndLatency = 21,
  localparam int unsigned BankWidth = $clog2(Banks)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  input  logic                              run_i,
  input  logic                              all_loaded_i,

  input  logic [Engines-1:0]                request_i,
  input  logic [Engines-1:0]                is_and_i,
  input  logic [Engines-1:0][BankWidth-1:0] bank_i,
  output logic [Engines-1:0]                gnt_o,

  output logic [Banks-1:0][1:0]             next_o
);

  localparam int unsigned Ahead = (AndLatency > XorLatency ? AndLatency : XorLatency) + 1;
  localparam int unsigned CountWidth = $clog2(Engines + 3);
  // With equal latencies both kinds request the same accesses.
  localparam bit SameCycle = AndLatency == XorLatency;

  // Entry d: accesses taken d cycles from now.
  logic [Ahead:1][Banks-1:0][1:0] taken_q, taken_d;

  assign next_o = taken_q[1];

  // Each engine requests one access. If an engine finds its bank full, the bank is also full for
  // later engines. So it is enough to count all requests of earlier engines, granted or not.
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic [1:0] taken;
    logic [CountWidth-1:0] used;

    assign taken = is_and_i[e] ? taken_q[AndLatency+1][bank_i[e]] : taken_q[XorLatency+1][bank_i[e]];

    always_comb begin
      used = CountWidth'(taken);
      for (int j = 0; j < e; j++) begin
        if (request_i[j] && bank_i[j] == bank_i[e] && (SameCycle || is_and_i[j] == is_and_i[e])) begin
          used = used + 1'b1;
        end
      end
    end

    assign gnt_o[e] = request_i[e] && used < (all_loaded_i ? CountWidth'(2) : CountWidth'(1));
  end

  always_comb begin
    taken_d = taken_q;
    for (int unsigned e = 0; e < Engines; e++) begin
      if (gnt_o[e]) begin
        if (is_and_i[e]) begin
          taken_d[AndLatency+1][bank_i[e]] = taken_d[AndLatency+1][bank_i[e]] + 1'b1;
        end else begin
          taken_d[XorLatency+1][bank_i[e]] = taken_d[XorLatency+1][bank_i[e]] + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (clear_i) taken_q <= '0;
    else if (run_i) taken_q <= (2 * Banks * Ahead)'(taken_d >> (2 * Banks));
  end

endmodule
