// SPDX-License-Identifier: MIT OR Apache-2.0

// Block RAM as managed memory (section 3.4.2). Each bank has one read and one write port, and word
// i is in bank i mod Banks.
//
// | port       | width         | meaning                                                    |
// |------------|---------------|------------------------------------------------------------|
// | wipe_i     | 1             | wipes row wipe_row_i of all banks, and does nothing else   |
// | read_i     | Banks x Reads | for each bank, the operand to read; at most one bit is set |
// | address_i  | Reads x 30    | word of each operand                                       |
// | label_o    | Reads x 128   | labels that were read in the clock cycle before            |
// | valid_o    | Reads         | operands that were read in the clock cycle before          |
// | write_i    | Banks x Lanes | for each bank, the lane to write; at most one bit is set   |
// | waddress_i | Lanes x 30    | word of each lane                                          |
// | label_i    | Lanes x 128   | label of each lane                                         |
//
// Latency: 1 clock cycle. It never stalls.

module overlay_ram #(
  parameter int unsigned Lanes = 1,
  parameter int unsigned Banks = 1,
  parameter int unsigned Rows  = 1024,
  localparam int unsigned Reads = 2 * Lanes,
  localparam int unsigned BankWidth = Banks > 1 ? $clog2(Banks) : 0,
  localparam int unsigned RowWidth  = $clog2(Rows)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        wipe_i,
  input  logic [RowWidth-1:0]         wipe_row_i,

  input  logic [Banks-1:0][Reads-1:0] read_i,
  // The host uses no address beyond the last word.
  input  logic [Reads-1:0][29:0]      address_i,
  output logic [Reads-1:0][127:0]     label_o,
  output logic [Reads-1:0]            valid_o,

  input  logic [Banks-1:0][Lanes-1:0] write_i,
  input  logic [Lanes-1:0][29:0]      waddress_i,
  input  logic [Lanes-1:0][127:0]     label_i
);

  logic [Banks-1:0][Reads-1:0] read_q;
  logic [Banks-1:0][127:0] found;

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
    logic [RowWidth-1:0] row, wrow;
    logic [127:0] written;

    always_comb begin
      row = '0;
      for (int unsigned r = 0; r < Reads; r++) begin
        row |= address_i[r][BankWidth +: RowWidth] & {RowWidth{read_i[b][r]}};
      end
      {wrow, written} = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        wrow    |= waddress_i[l][BankWidth +: RowWidth] & {RowWidth{write_i[b][l]}};
        written |= label_i[l] & {128{write_i[b][l]}};
      end
    end

    ram_sdp #(.Width(128), .Depth(Rows)) u_bank (
      .clk_i, .we_i(wipe_i || |write_i[b]), .waddr_i(wipe_i ? wipe_row_i : wrow),
      .wdata_i(wipe_i ? '0 : written),
      .re_i(wipe_i || |read_i[b]), .raddr_i(wipe_i ? wipe_row_i : row), .rdata_o(found[b])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      assert (wipe_i || $onehot0(read_i[b])) else $error("overlay_ram: two reads from a bank");
      assert (wipe_i || $onehot0(write_i[b])) else $error("overlay_ram: two writes to a bank");
    end
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= '0;
    else read_q <= wipe_i ? '0 : read_i;
  end

  always_comb begin
    {label_o, valid_o} = '0;
    for (int unsigned r = 0; r < Reads; r++) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        valid_o[r] = valid_o[r] | read_q[b][r];
        label_o[r] |= found[b] & {128{read_q[b][r]}};
      end
    end
  end

  logic unused;
  assign unused = ^{address_i, waddress_i};

endmodule
