// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_write_slots, with any requests. One engine's grant is watched: any may be
// chosen.

module haac_write_slots_proof #(
  parameter int unsigned Engines    = 3,
  parameter int unsigned Banks      = 2,
  parameter int unsigned XorLatency = 1,
  parameter int unsigned AndLatency = 3,
  localparam int unsigned BankWidth = $clog2(Banks)
) (
  input logic                              clk_i,
  input logic                              clear_i,
  input logic                              run_i,
  input logic                              all_loaded_i,
  input logic [Engines-1:0]                request_i,
  input logic [Engines-1:0]                is_and_i,
  input logic [Engines-1:0][BankWidth-1:0] bank_i,
  input logic [Engines-1:0]                watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Engines-1:0] gnt;
  logic [Banks-1:0][1:0] next;
  haac_write_slots #(
    .Engines(Engines), .Banks(Banks), .XorLatency(XorLatency), .AndLatency(AndLatency)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .run_i, .all_loaded_i, .request_i, .is_and_i, .bank_i,
    .gnt_o(gnt), .next_o(next)
  );

  // Whether the loader had finished in the previous cycle. It stays finished until clear_i.
  logic loaded_q;
  // The watched grant: cycles until its access is in next_o, and its bank.
  logic watching_q;
  logic [31:0] left_q;
  logic [BankWidth-1:0] bank_q;
  always_ff @(posedge clk_i) begin
    loaded_q <= rst_n && !clear_i && all_loaded_i;
    if (!rst_n || clear_i) watching_q <= 1'b0;
    else if (run_i) begin
      left_q <= left_q - 1;
      if (watching_q && left_q == 0) watching_q <= 1'b0;
      for (int unsigned e = 0; e < Engines; e++) begin
        if (!watching_q && gnt[e] && watch_i == Engines'(1) << e) begin
          watching_q <= 1'b1;
          left_q     <= is_and_i[e] ? AndLatency - 1 : XorLatency - 1;
          bank_q     <= bank_i[e];
        end
      end
    end
  end

  // For each engine, the accesses that were taken before, and those that lower engines request now.
  logic [Engines-1:0] refused;
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic [31:0] taken;
    always_comb begin
      taken = 32'(u_dut.taken_q[is_and_i[e] ? AndLatency + 1 : XorLatency + 1][bank_i[e]]);
      for (int l = 0; l < e; l++) taken += 32'(gnt[l] && bank_i[l] == bank_i[e] && is_and_i[l] == is_and_i[e]);
      refused[e] = taken >= (all_loaded_i ? 2 : 1);
    end
  end

  always_comb begin
    if (rst_n) begin
      assume (!loaded_q || all_loaded_i);
      requester: assert ((gnt & ~request_i) == '0);
      lower_first: assert (gnt == (request_i & ~refused));
      reserves: assert (!watching_q || left_q != 0 || next[bank_q] != '0);
      inv_reserves: assert (!watching_q || (left_q < AndLatency && u_dut.taken_q[1+left_q][bank_q] != '0));

      reserved: cover (watching_q && left_q == 0 && next[bank_q] == 2'd2);
      competes: cover (request_i == '1 && bank_i[0] == bank_i[1] && bank_i[1] == bank_i[2] && gnt == 3'b011);
    end
  end
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_comb begin
      if (rst_n) begin
        two_accesses: assert (next[b] <= 2'd2 && (loaded_q || next[b] <= 2'd1));
      end
    end
    for (genvar k = 0; k < 2; k++) begin : gen_kind
      localparam int unsigned Entry = k == 1 ? AndLatency + 1 : XorLatency + 1;
      logic [31:0] taken;
      always_comb begin
        taken = 32'(u_dut.taken_q[Entry][b]);
        for (int e = 0; e < Engines; e++) taken += 32'(gnt[e] && 32'(bank_i[e]) == b && is_and_i[e] == 1'(k));
        if (rst_n) counts: assert (32'(u_dut.taken_d[Entry][b]) == taken);
      end
    end
    for (genvar d = 1; d <= AndLatency + 1; d++) begin : gen_taken
      always_comb if (rst_n) inv_taken: assert (u_dut.taken_q[d][b] <= (loaded_q ? 2'd2 : 2'd1));
    end
  end

endmodule
