// SPDX-License-Identifier: MIT OR Apache-2.0

// All banks of labels, and the crossbar between slots and banks. The schedule ensures that no two
// slots read different words of a bank, and no two results go to one bank.
//
// | port                          | width        | meaning                                     |
// |-------------------------------|--------------|---------------------------------------------|
// | en_i                          | 1            | 0 stalls the machine                        |
// | wipe_i                        | 1            | word wipe_address_i of every bank becomes 0 |
// | read_i                        | Reads        | reads word read_address_i of bank           |
// |                               |              | read_bank_i, for use in the next cycle      |
// | read_bank_i, read_address_i   |              |                                             |
// | label_o                       | Reads x 128  | the labels that were read                   |
// | forwarded_o                   | Reads        | the label is being written in this cycle    |
// | write_i                       | Writes       | label_i is written to word write_address_i  |
// |                               |              | of bank write_bank_i                        |
// | write_bank_i, write_address_i |              |                                             |
// | label_i                       | Writes x 128 | the results                                 |
// | wrote_o                       | Banks        | a label is written, to word waddr_o         |
// | waddr_o                       | Banks x 16   |                                             |
//
// Latency: that of scheduled_bank. Stalls: en_i.

module scheduled_banks #(
  parameter int unsigned Banks  = 16,
  parameter int unsigned Depth  = 1024,
  parameter int unsigned Reads  = 4,
  parameter int unsigned Writes = 8,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         en_i,

  input  logic                         wipe_i,
  input  logic [AddressWidth-1:0]      wipe_address_i,

  input  logic [Reads-1:0]             read_i,
  input  logic [Reads-1:0][5:0]        read_bank_i,
  input  logic [Reads-1:0][15:0]       read_address_i,
  output logic [Reads-1:0][127:0]      label_o,
  output logic [Reads-1:0]             forwarded_o,

  input  logic [Writes-1:0]            write_i,
  input  logic [Writes-1:0][5:0]       write_bank_i,
  input  logic [Writes-1:0][15:0]      write_address_i,
  input  logic [Writes-1:0][127:0]     label_i,
  output logic [Banks-1:0]             wrote_o,
  output logic [Banks-1:0][15:0]       waddr_o
);

  logic [Banks-1:0][127:0] labels;
  logic [Banks-1:0] forwarded;
  logic [Reads-1:0] read_q;
  logic [Reads-1:0][5:0] read_bank_q;

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
    logic [Reads-1:0]  requests;
    logic [Writes-1:0] gives;
    logic [15:0] raddr, waddr;
    logic [127:0] label;

    // All slots that read this bank read the same word, and at most one result is written to it. So
    // an OR of the gated values selects the address and the result.
    always_comb begin
      raddr = '0;
      for (int unsigned r = 0; r < Reads; r++) begin
        requests[r] = read_i[r] && read_bank_i[r] == 6'(b);
        raddr |= read_address_i[r] & {16{requests[r]}};
      end
      waddr = '0;
      label = '0;
      for (int unsigned w = 0; w < Writes; w++) begin
        gives[w] = write_i[w] && write_bank_i[w] == 6'(b);
        waddr |= write_address_i[w] & {16{gives[w]}};
        label |= label_i[w] & {128{gives[w]}};
      end
    end

    assign wrote_o[b] = |gives;
    assign waddr_o[b] = waddr;

    scheduled_bank #(.Depth(Depth)) u_bank (
      .clk_i,
      .we_i(wipe_i || (en_i && |gives)),
      .waddr_i(wipe_i ? wipe_address_i : waddr[AddressWidth-1:0]),
      .label_i(wipe_i ? '0 : label),
      .re_i(wipe_i || (en_i && |requests)),
      .raddr_i(wipe_i ? wipe_address_i : raddr[AddressWidth-1:0]),
      .label_o(labels[b]), .forwarded_o(forwarded[b])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        assert ($onehot0(gives)) else $error("scheduled_banks: two labels for bank %0d", b);
        assert (!(|gives) || 32'(waddr) < Depth) else $error("scheduled_banks: bank %0d has no such word", b);
        for (int unsigned r = 0; r < Reads; r++) begin
          assert (!requests[r] || read_address_i[r] == raddr)
            else $error("scheduled_banks: two words of bank %0d", b);
        end
      end
    end
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {read_q, read_bank_q} <= '0;
    else if (en_i) {read_q, read_bank_q} <= {read_i, read_bank_i};
  end

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    assign label_o[r]     = labels[read_bank_q[r][$clog2(Banks)-1:0]];
    assign forwarded_o[r] = read_q[r] && forwarded[read_bank_q[r][$clog2(Banks)-1:0]];
  end

endmodule
