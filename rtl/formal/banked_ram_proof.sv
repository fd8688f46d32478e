// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of banked_ram, with any accesses. One user, one word and one bank are watched: any may
// be chosen.

module banked_ram_proof #(
  parameter int unsigned Users = 3,
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4,
  parameter int unsigned Banks = 2,
  localparam int unsigned AddressWidth = $clog2(Depth),
  localparam int unsigned BankWidth    = $clog2(Banks),
  localparam int unsigned UserWidth    = $clog2(Users)
) (
  input logic                               clk_i,
  input logic [Users-1:0]                   req_i,
  input logic [Users-1:0]                   we_i,
  input logic [Users-1:0][AddressWidth-1:0] addr_i,
  input logic [Users-1:0][Width-1:0]        wdata_i,
  input logic [UserWidth-1:0]               user_i,
  input logic [AddressWidth-1:0]            word_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Users-1:0] gnt, valid;
  logic [Users-1:0][Width-1:0] rdata;
  banked_ram #(.Users(Users), .Width(Width), .Depth(Depth), .Banks(Banks)) u_dut (
    .clk_i, .rst_ni(rst_n), .req_i, .we_i, .addr_i, .wdata_i, .gnt_o(gnt), .valid_o(valid),
    .rdata_o(rdata)
  );

  logic [UserWidth-1:0] user_q;
  logic [AddressWidth-1:0] word_q;
  logic [BankWidth-1:0] bank;
  assign bank = word_q[BankWidth-1:0];

  // Users that request, and that access, the bank of the watched word.
  logic [Users-1:0] wanting, served;
  for (genvar u = 0; u < Users; u++) begin : gen_user
    assign wanting[u] = req_i[u] && addr_i[u][BankWidth-1:0] == bank;
    assign served[u]  = wanting[u] && gnt[u];
  end

  // What was written to the watched word, whether the watched user has read it in the previous
  // cycle, and for how long this user has waited for the bank.
  logic [Width-1:0] written_q, read_q;
  logic known_q, reads_q;
  logic [31:0] waited_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      user_q   <= user_i;
      word_q   <= word_i;
      known_q  <= 1'b0;
      reads_q  <= 1'b0;
      waited_q <= '0;
    end else begin
      reads_q <= known_q && gnt[user_q] && !we_i[user_q] && addr_i[user_q] == word_q;
      read_q  <= written_q;
      for (int unsigned u = 0; u < Users; u++) begin
        if (served[u] && we_i[u] && addr_i[u] == word_q) begin
          known_q   <= 1'b1;
          written_q <= wdata_i[u];
        end
      end
      waited_q <= wanting[user_q] && !gnt[user_q] ? waited_q + 1 : '0;
    end
  end

  always_comb begin
    assume (32'(user_i) < Users);
    if (rst_n) begin
      one_access: assert ((served & (served - 1'b1)) == '0 && (served != '0) == (wanting != '0));
      granted: assert ((gnt & ~req_i) == '0);
      waits: assert (waited_q < Users - 1 || (waited_q == Users - 1 && (!wanting[user_q] || gnt[user_q])));
      data: assert (!reads_q || (valid[user_q] && rdata[user_q] == read_q));
      inv_user: assert (32'(user_q) < Users);

      conflict: cover (waited_q == Users - 1 && served[user_q]);
      reads: cover (reads_q && read_q == '1);
    end
  end
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [31:0] start, ahead;
    logic [Users-1:0] turn;
    assign turn = u_dut.gen_bank[b].u_turns.turn_q;
    always_comb begin
      start = 0;
      for (int u = Users - 1; u >= 0; u--) if (turn[u]) start = u;
      ahead = (32'(user_q) + Users - start) % Users;
      if (rst_n) begin
        inv_mask: assert ((~turn & (~turn + 1'b1)) == '0);
        if (32'(bank) == b) begin
          inv_ahead: assert (waited_q + ahead <= Users - 1);
          inv_written: assert (!known_q || u_dut.gen_bank[b].words[word_q/Banks] == written_q);
          inv_found: assert (!reads_q || (u_dut.found[b] == read_q && valid[user_q]
                             && 32'(u_dut.bank_q[user_q]) == b));
        end
      end
    end
  end

endmodule
