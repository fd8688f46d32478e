// SPDX-License-Identifier: MIT OR Apache-2.0

// An AXI4-Lite slave for registers of 32 bits. At most one read and one write are in progress.
//
// | port       | width | meaning                                                          |
// |------------|-------|------------------------------------------------------------------|
// | s_axil_…   |       | the slave                                                        |
// | write_o, waddr_o, wdata_o | 1, 14, 32 | a word is written in this cycle               |
// | wstrb_o    | 4     | the bytes of the word that are written                           |
// | raddr_o    | 14    | address of a read                                                |
// | rdata_i    | 32    | data of the read, in the next cycle                              |
//
// Latency: the response to a write comes two cycles after address and data have arrived, that to a
// read three cycles after its address. Stalls: an access waits until the response to the previous
// access of its kind is taken. All outputs to the bus are registers.

module haac_axil
  import haac_regs_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    s_axil_awvalid_i,
  output logic                    s_axil_awready_o,
  input  logic [RegAddrWidth-1:0] s_axil_awaddr_i,
  input  logic                    s_axil_wvalid_i,
  output logic                    s_axil_wready_o,
  input  logic [31:0]             s_axil_wdata_i,
  input  logic [3:0]              s_axil_wstrb_i,
  output logic                    s_axil_bvalid_o,
  input  logic                    s_axil_bready_i,
  output logic [1:0]              s_axil_bresp_o,
  input  logic                    s_axil_arvalid_i,
  output logic                    s_axil_arready_o,
  input  logic [RegAddrWidth-1:0] s_axil_araddr_i,
  output logic                    s_axil_rvalid_o,
  input  logic                    s_axil_rready_i,
  output logic [31:0]             s_axil_rdata_o,
  output logic [1:0]              s_axil_rresp_o,

  output logic                    write_o,
  output logic [RegAddrWidth-1:0] waddr_o,
  output logic [31:0]             wdata_o,
  output logic [3:0]              wstrb_o,
  output logic [RegAddrWidth-1:0] raddr_o,
  input  logic [31:0]             rdata_i
);

  logic accept_q, fetch_q;

  // Address and data of a write are taken in one cycle.
  assign s_axil_awready_o = accept_q;
  assign s_axil_wready_o  = accept_q;
  assign write_o = accept_q;
  assign waddr_o = {s_axil_awaddr_i[RegAddrWidth-1:2], 2'd0};
  assign wdata_o = s_axil_wdata_i;
  assign wstrb_o = s_axil_wstrb_i;
  assign s_axil_bresp_o = 2'b00;
  assign s_axil_rresp_o = 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accept_q        <= 1'b0;
      s_axil_bvalid_o <= 1'b0;
    end else begin
      accept_q <= s_axil_awvalid_i && s_axil_wvalid_i && !accept_q
                  && (!s_axil_bvalid_o || s_axil_bready_i);
      if (accept_q) begin
        s_axil_bvalid_o <= 1'b1;
      end else if (s_axil_bready_i) begin
        s_axil_bvalid_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axil_arready_o <= 1'b0;
      fetch_q          <= 1'b0;
      s_axil_rvalid_o  <= 1'b0;
      s_axil_rdata_o   <= '0;
      raddr_o          <= '0;
    end else begin
      s_axil_arready_o <= s_axil_arvalid_i && !s_axil_arready_o && !fetch_q
                          && (!s_axil_rvalid_o || s_axil_rready_i);
      if (s_axil_arready_o) raddr_o <= {s_axil_araddr_i[RegAddrWidth-1:2], 2'd0};
      fetch_q <= s_axil_arready_o;
      if (fetch_q) begin
        s_axil_rvalid_o <= 1'b1;
        s_axil_rdata_o  <= rdata_i;
      end else if (s_axil_rready_i) begin
        s_axil_rvalid_o <= 1'b0;
      end
    end
  end

  logic unused;
  assign unused = ^{s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0]};

endmodule
