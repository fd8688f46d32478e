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
  // With equal latencies both kinds request the same accesses.
  localparam bit SameCycle = AndLatency == XorLatency;

  // Entry d: accesses taken d cycles from now.
  logic [Ahead:1][Banks-1:0][1:0] taken_q, taken_d;
  logic [1:0][Banks-1:0][Engines-1:0] wants;

  assign next_o = taken_q[1];

  // Whether at least one bit is set, and whether at least two are.
  function automatic logic [1:0] counted(input logic [Engines-1:0] bits);
    logic [Engines-1:0] one, two;
    one = bits;
    two = '0;
    for (int unsigned step = 1; step < Engines; step *= 2) begin
      for (int unsigned i = 0; i + step < Engines; i += 2 * step) begin
        two[i] = two[i] | two[i+step] | (one[i] & one[i+step]);
        one[i] = one[i] | one[i+step];
      end
    end
    counted = {two[0], one[0]};
  endfunction

  // Each engine requests one access. If an engine finds its bank full, the bank is also full for
  // later engines. So it is enough to count all requests of earlier engines, granted or not.
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic [1:0] taken;
    logic [Engines-1:0] earlier;
    logic one, two;

    assign taken = is_and_i[e] ? taken_q[AndLatency+1][bank_i[e]] : taken_q[XorLatency+1][bank_i[e]];

    for (genvar j = 0; j < Engines; j++) begin : gen_earlier
      assign earlier[j] = j < e && request_i[j] && bank_i[j] == bank_i[e]
          && (SameCycle || is_and_i[j] == is_and_i[e]);
    end
    assign {two, one} = counted(earlier);

    // An access is free after those of earlier engines.
    assign gnt_o[e] = request_i[e] && ((taken == 2'd0 && !one)
        || (all_loaded_i && ((taken == 2'd0 && !two) || (taken == 2'd1 && !one))));
  end

  // Requests for a bank are granted until its accesses are taken, so grants need not be known.
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    for (genvar e = 0; e < Engines; e++) begin : gen_wants
      logic here;
      assign here           = request_i[e] && bank_i[e] == BankWidth'(b);
      assign wants[0][b][e] = here && (SameCycle || !is_and_i[e]);
      assign wants[1][b][e] = here && (SameCycle || is_and_i[e]);
    end
  end

  function automatic logic [1:0] filled(input logic [1:0] taken, input logic [Engines-1:0] wanted);
    logic one, two;
    {two, one} = counted(wanted);
    filled = taken;
    if (taken == 2'd0) filled = {two && all_loaded_i, one && !(two && all_loaded_i)};
    if (taken == 2'd1 && one && all_loaded_i) filled = 2'd2;
  endfunction

  always_comb begin
    taken_d = taken_q;
    for (int unsigned b = 0; b < Banks; b++) begin
      taken_d[XorLatency+1][b] = filled(taken_q[XorLatency+1][b], wants[0][b]);
      if (!SameCycle) taken_d[AndLatency+1][b] = filled(taken_q[AndLatency+1][b], wants[1][b]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (clear_i) taken_q <= '0;
    else if (run_i) taken_q <= (2 * Banks * Ahead)'(taken_d >> (2 * Banks));
  end

endmodule
