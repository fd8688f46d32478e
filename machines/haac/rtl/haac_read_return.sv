// SPDX-License-Identifier: MIT OR Apache-2.0

// Returns the word of one read of the window from its bank to the engine.
//
// | port    | width             | meaning                                                     |
// |---------|-------------------|-------------------------------------------------------------|
// | clear_i | 1                 | cancels the reads in flight                                 |
// | run_i   | 1                 | clock enable: the cycle is counted                          |
// | gnt_i   | 1                 | the read has won an access                                  |
// | bank_i  | BankWidth         | its bank                                                    |
// | second_i | 1                | the access is the bank's second read                        |
// | epoch_i | 1                 | the parity of the requested lap                             |
// | first_tag_i, second_tag_i | Banks x 2 | first and second reads: valid bit, epoch          |
// | first_label_i, second_label_i | Banks x LabelWidth | first and second reads: label        |
// | hit_o   | 1                 | the slot held the requested label                           |
// | label_o | LabelWidth        | the label, if hit_o                                         |
//
// Latency: granted in c, hit_o and label_o in c + 2. Stalls: none.

module haac_read_return #(
  parameter int unsigned Banks      = 16,
  parameter int unsigned LabelWidth = 128,
  localparam int unsigned BankWidth = $clog2(Banks)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             clear_i,
  input  logic                             run_i,

  input  logic                             gnt_i,
  input  logic [BankWidth-1:0]             bank_i,
  input  logic                             second_i,
  input  logic                             epoch_i,

  input  logic [Banks-1:0][1:0]            first_tag_i,
  input  logic [Banks-1:0][LabelWidth-1:0] first_label_i,
  input  logic [Banks-1:0][1:0]            second_tag_i,
  input  logic [Banks-1:0][LabelWidth-1:0] second_label_i,
  output logic                             hit_o,
  output logic [LabelWidth-1:0]            label_o
);

  typedef struct packed {
    logic                 second;
    logic                 epoch;
    logic [BankWidth-1:0] bank;
  } from_t;

  // Whether the access takes place in this cycle, and whether its word has arrived.
  logic access_q, there_q;
  from_t access_from_q, from_q;
  logic [1:0] tag;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q <= 1'b0;
      there_q  <= 1'b0;
    end else if (clear_i) begin
      access_q <= 1'b0;
      there_q  <= 1'b0;
    end else if (run_i) begin
      access_q <= gnt_i;
      there_q  <= access_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (run_i) begin
      access_from_q <= '{second: second_i, epoch: epoch_i, bank: bank_i};
      from_q        <= access_from_q;
    end
  end

  assign tag     = from_q.second ? second_tag_i[from_q.bank] : first_tag_i[from_q.bank];
  assign hit_o   = there_q && tag[1] && tag[0] == from_q.epoch;
  assign label_o = from_q.second ? second_label_i[from_q.bank] : first_label_i[from_q.bank];

endmodule
