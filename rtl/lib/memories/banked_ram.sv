// SPDX-License-Identifier: MIT OR Apache-2.0

// A RAM with several users, made of single-port banks behind a crossbar. Users that request the
// same bank take turns.
//
// | port    | width                | meaning                                                   |
// |---------|----------------------|-----------------------------------------------------------|
// | req_i   | Users                | requests an access                                        |
// | we_i    | Users                | 1: write, 0: read                                         |
// | addr_i  | Users x AddressWidth | the word; its bank is addr mod Banks                      |
// | wdata_i | Users x Width        |                                                           |
// | gnt_o   | Users                | the access is granted in this cycle; combinational        |
// | valid_o | Users                | rdata_o is the word of the previous cycle's read          |
// | rdata_o | Users x Width        | undefined while valid_o is 0                              |
//
// Latency: a read that is granted in cycle c has its word in c + 1. Stalls: a bank serves one
// access per cycle, so a user that competes with n others waits at most n cycles. Different banks
// never stall each other. The contents have no reset.

module banked_ram #(
  parameter int unsigned Users = 4,
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 1024,
  // A power of two, 2 or more, that divides Depth.
  parameter int unsigned Banks = 4,
  localparam int unsigned AddressWidth = $clog2(Depth)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  input  logic [Users-1:0]                   req_i,
  input  logic [Users-1:0]                   we_i,
  input  logic [Users-1:0][AddressWidth-1:0] addr_i,
  input  logic [Users-1:0][Width-1:0]        wdata_i,
  output logic [Users-1:0]                   gnt_o,
  output logic [Users-1:0]                   valid_o,
  output logic [Users-1:0][Width-1:0]        rdata_o
);

  localparam int unsigned BankWidth = $clog2(Banks);
  localparam int unsigned Rows      = Depth / Banks;
  localparam int unsigned RowWidth  = Rows > 1 ? $clog2(Rows) : 1;
  localparam int unsigned UserWidth = Users > 1 ? $clog2(Users) : 1;

  logic [Banks-1:0][Users-1:0] won;
  logic [Banks-1:0][Width-1:0] found;
  logic [Users-1:0][BankWidth-1:0] bank_q;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [Users-1:0] requests;
    logic [UserWidth-1:0] user;
    logic any;
    logic [Width-1:0] words [Rows];
    logic [RowWidth-1:0] row;

    for (genvar u = 0; u < Users; u++) begin : gen_requests
      assign requests[u] = req_i[u] && addr_i[u][BankWidth-1:0] == BankWidth'(b);
    end

    rr_arbiter #(.Requests(Users)) u_turns (
      .clk_i, .rst_ni, .clear_i(1'b0),
      .req_i(requests), .ready_i(1'b1), .gnt_o(won[b]), .index_o(user), .valid_o(any)
    );

    assign row = RowWidth'(addr_i[user] >> BankWidth);

    always_ff @(posedge clk_i) begin
      if (any) begin
        if (we_i[user]) words[row] <= wdata_i[user];
        else found[b] <= words[row];
      end
    end
  end

  for (genvar u = 0; u < Users; u++) begin : gen_user
    logic [Banks-1:0] from;

    for (genvar b = 0; b < Banks; b++) begin : gen_from
      assign from[b] = won[b][u];
    end
    assign gnt_o[u]   = |from;
    assign rdata_o[u] = found[bank_q[u]];

    always_ff @(posedge clk_i) bank_q[u] <= addr_i[u][BankWidth-1:0];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_o[u] <= 1'b0;
      else valid_o[u] <= gnt_o[u] && !we_i[u];
    end
  end

`ifndef SYNTHESIS
  initial begin
    assert (Banks >= 2 && 2 ** BankWidth == Banks && Depth % Banks == 0)
      else $error("banked_ram: Banks must be a power of two that divides Depth");
  end

  for (genvar u = 0; u < Users; u++) begin : gen_check
    always_ff @(posedge clk_i) begin
      if (rst_ni && req_i[u]) begin
        assert (32'(addr_i[u]) < Depth) else $error("banked_ram: beyond the end");
      end
    end
  end
`endif

endmodule
