// SPDX-License-Identifier: MIT OR Apache-2.0

// The label memory, with one port and one word per clock cycle. On the UP5K it is four single-port
// memories of 16,384 words of 16 bits.
//
//   port       bits  meaning
//   valid_i    1     request
//   ready_o    1     always
//   write_i    1     data_i is written; otherwise the word is read
//   address_i  Width
//   data_i     64
//   valid_o    1     data_o is the word that was requested in the clock cycle before
//   data_o     64
module mobile_ram #(
    parameter int unsigned Width = 14
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic             write_i,
    input  logic [Width-1:0] address_i,
    input  logic [63:0]      data_i,
    output logic             valid_o,
    output logic [63:0]      data_o
);
  (* ram_style = "huge" *) logic [63:0] words [2**Width];
  logic [63:0] data_q;
  logic valid_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (write_i) words[address_i] <= data_i;
      else data_q <= words[address_i];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i && !write_i;
  end
  assign ready_o = 1'b1;
  assign valid_o = valid_q;
  assign data_o  = data_q;
endmodule
