// SPDX-License-Identifier: MIT OR Apache-2.0

// The rules of AXI4-Lite for haac_axil, with any master that keeps the rules on its side.

module haac_axil_proof
  import haac_regs_pkg::*;
(
  input logic                    clk_i,
  input logic                    awvalid_i,
  input logic [RegAddrWidth-1:0] awaddr_i,
  input logic                    wvalid_i,
  input logic [31:0]             wdata_i,
  input logic [3:0]              wstrb_i,
  input logic                    bready_i,
  input logic                    arvalid_i,
  input logic [RegAddrWidth-1:0] araddr_i,
  input logic                    rready_i,
  input logic [31:0]             rdata_i
);

  logic rst_n = 1'b0;
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) {running_q, rst_n} <= {rst_n, 1'b1};

  logic awready, wready, bvalid, arready, rvalid, write;
  logic [1:0] bresp, rresp;
  logic [3:0] wstrb;
  logic [31:0] rdata, wdata;
  logic [RegAddrWidth-1:0] waddr, raddr;
  haac_axil u_dut (
    .clk_i, .rst_ni(rst_n), .s_axil_awvalid_i(awvalid_i), .s_axil_awready_o(awready),
    .s_axil_awaddr_i(awaddr_i), .s_axil_wvalid_i(wvalid_i), .s_axil_wready_o(wready),
    .s_axil_wdata_i(wdata_i), .s_axil_wstrb_i(wstrb_i), .s_axil_bvalid_o(bvalid),
    .s_axil_bready_i(bready_i), .s_axil_bresp_o(bresp), .s_axil_arvalid_i(arvalid_i),
    .s_axil_arready_o(arready), .s_axil_araddr_i(araddr_i), .s_axil_rvalid_o(rvalid),
    .s_axil_rready_i(rready_i), .s_axil_rdata_o(rdata), .s_axil_rresp_o(rresp), .write_o(write),
    .waddr_o(waddr), .wdata_o(wdata), .wstrb_o(wstrb), .raddr_o(raddr), .rdata_i
  );

  // The previous cycle.
  logic aw_q, w_q, ar_q, b_stalled_q, r_stalled_q;
  logic [RegAddrWidth-1:0] awaddr_q, araddr_q;
  logic [35:0] payload_q;
  logic [33:0] r_q;
  logic [1:0] bresp_q;
  always_ff @(posedge clk_i) begin
    aw_q        <= rst_n && awvalid_i && !awready;
    w_q         <= rst_n && wvalid_i && !wready;
    ar_q        <= rst_n && arvalid_i && !arready;
    awaddr_q    <= awaddr_i;
    araddr_q    <= araddr_i;
    payload_q   <= {wdata_i, wstrb_i};
    b_stalled_q <= rst_n && bvalid && !bready_i;
    r_stalled_q <= rst_n && rvalid && !rready_i;
    bresp_q     <= bresp;
    r_q         <= {rdata, rresp};
  end

  // Addresses, data and responses taken. How long an access waits for its response.
  logic [31:0] addresses_q, words_q, reads_q, write_wait_q, read_wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      addresses_q  <= '0;
      words_q      <= '0;
      reads_q      <= '0;
      write_wait_q <= '0;
      read_wait_q  <= '0;
    end else begin
      addresses_q <= addresses_q + 32'(awvalid_i && awready) - 32'(bvalid && bready_i);
      words_q     <= words_q + 32'(wvalid_i && wready) - 32'(bvalid && bready_i);
      reads_q     <= reads_q + 32'(arvalid_i && arready) - 32'(rvalid && rready_i);
      // A response that is not taken does not count.
      write_wait_q <= bvalid || !(awvalid_i && wvalid_i || words_q != 0) ? '0 : write_wait_q + 1;
      read_wait_q  <= rvalid || !(arvalid_i || reads_q != 0) ? '0 : read_wait_q + 1;
    end
  end

  always_comb begin
    resets: assert (running_q || (!bvalid && !rvalid));
    if (rst_n) begin
      assume (!aw_q || (awvalid_i && awaddr_i == awaddr_q));
      assume (!w_q || (wvalid_i && {wdata_i, wstrb_i} == payload_q));
      assume (!ar_q || (arvalid_i && araddr_i == araddr_q));

      b_held: assert (!b_stalled_q || (bvalid && bresp == bresp_q));
      r_held: assert (!r_stalled_q || (rvalid && {rdata, rresp} == r_q));
      b_after: assert (!bvalid || (addresses_q != 0 && words_q != 0));
      r_after: assert (!rvalid || reads_q != 0);
      one_each: assert (addresses_q == words_q && addresses_q <= 1 && reads_q <= 1);
      strobes: assert (bresp == 2'b00 && write == (wvalid_i && wready)
                       && (!write || {wdata, wstrb} == {wdata_i, wstrb_i}));
      responds: assert (write_wait_q <= 2 && read_wait_q <= 3);
      inv_write: assert (words_q == 32'(bvalid));
      inv_read: assert (reads_q == 32'(rvalid) + 32'(u_dut.fetch_q));
      inv_accept: assert (!u_dut.accept_q || (awvalid_i && wvalid_i && !bvalid));
      inv_arready: assert (!arready || (arvalid_i && !u_dut.fetch_q && !rvalid));
      inv_write_wait: assert (write_wait_q <= (bvalid ? 2 : u_dut.accept_q ? 1 : 0));
      inv_read_wait: assert (read_wait_q <= (rvalid ? 3 : u_dut.fetch_q ? 2 : arready ? 1 : 0));

      written: cover (bvalid && bready_i && b_stalled_q);
      partial: cover (write && wstrb == 4'b0110);
      read: cover (rvalid && rready_i && r_stalled_q);
    end
  end

endmodule
