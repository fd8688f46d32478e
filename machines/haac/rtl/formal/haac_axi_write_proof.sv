// SPDX-License-Identifier: MIT OR Apache-2.0

// The rules of AXI4 for haac_axi_write, with any clients and any memory that keep the rules on
// their side; but memory may respond while no write is outstanding. Client 0 writes bursts, all
// others write labels.
//
// One request is watched: any may be chosen when it is accepted.

module haac_axi_write_proof #(
  parameter int unsigned Clients     = 2,
  parameter int unsigned DataWidth   = 256,
  parameter int unsigned AddrWidth   = 14,
  parameter int unsigned Outstanding = 4,
  localparam int unsigned ClientWidth = Clients > 1 ? $clog2(Clients) : 1
) (
  input logic                              clk_i,
  input logic                              flush_i,
  input logic [Clients-1:0]                req_i,
  input logic [Clients-1:0][AddrWidth-1:0] addr_i,
  input logic [Clients-1:0][511:0]         data_i,
  input logic                              awready_i,
  input logic                              wready_i,
  input logic                              bvalid_i,
  input logic [1:0]                        bresp_i,
  input logic                              watch_i
);

  localparam logic [Clients-1:0] Labels = {{(Clients - 1){1'b1}}, 1'b0};

  logic rst_n = 1'b0;
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) {running_q, rst_n} <= {rst_n, 1'b1};

  logic [Clients-1:0] ack, done;
  logic error, pending, moved, awvalid, wvalid, wlast, bready;
  logic [ClientWidth-1:0] client;
  logic [AddrWidth-1:0] awaddr;
  logic [7:0] awlen;
  logic [2:0] awsize;
  logic [1:0] awburst;
  logic [DataWidth-1:0] wdata;
  logic [DataWidth/8-1:0] wstrb;
  haac_axi_write #(
    .Clients(Clients), .DataWidth(DataWidth), .AddrWidth(AddrWidth), .Outstanding(Outstanding)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .flush_i, .req_i, .label_i(Labels), .addr_i, .data_i, .ack_o(ack),
    .done_o(done), .error_o(error), .client_o(client), .pending_o(pending), .moved_o(moved),
    .awvalid_o(awvalid), .awready_i, .awaddr_o(awaddr), .awlen_o(awlen), .awsize_o(awsize),
    .awburst_o(awburst), .wvalid_o(wvalid), .wready_i, .wdata_o(wdata), .wstrb_o(wstrb),
    .wlast_o(wlast), .bvalid_i, .bready_o(bready), .bresp_i
  );

  // The previous cycle.
  logic aw_stalled_q, w_stalled_q, could_q, continues_q;
  logic [AddrWidth+12:0] aw, aw_q;
  logic [DataWidth+DataWidth/8:0] w, w_q;
  assign aw = {awaddr, awlen, awsize, awburst};
  assign w  = {wdata, wstrb, wlast};
  always_ff @(posedge clk_i) begin
    aw_stalled_q <= rst_n && awvalid && !awready_i;
    w_stalled_q  <= rst_n && wvalid && !wready_i;
    aw_q         <= aw;
    w_q          <= w;
    // A request can go to AW and W without waiting for awready_i or wready_i.
    could_q      <= rst_n && req_i != '0 && !flush_i && 32'(u_dut.level) < Outstanding
                    && !awvalid && !wvalid;
    continues_q  <= rst_n && wvalid && wready_i && !wlast;
  end

  // The write that is being sent: its client, address and data, and the number of the next beat.
  logic [ClientWidth-1:0] sent_q, chosen;
  logic [AddrWidth-1:0] addr_q, addr;
  logic [511:0] data_q, data;
  logic [31:0] beat_q;
  always_comb begin
    chosen = '0;
    addr   = '0;
    data   = '0;
    for (int unsigned c = 0; c < Clients; c++) begin
      if (ack[c]) {chosen, addr, data} = {ClientWidth'(c), addr_i[c], data_i[c]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) beat_q <= '0;
    else if (ack != '0) begin
      {sent_q, addr_q, data_q} <= {chosen, addr, data};
      beat_q <= '0;
    end else if (wvalid && wready_i) begin
      beat_q <= beat_q + 1;
    end
  end

  // Writes without a response; those whose address is taken, and those whose data is taken.
  logic [31:0] open_q, addresses_q, bursts_q;
  logic responds;
  assign responds = bvalid_i && addresses_q != 0 && bursts_q != 0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      open_q      <= '0;
      addresses_q <= '0;
      bursts_q    <= '0;
    end else begin
      open_q      <= open_q + 32'(ack != '0) - 32'(u_dut.pop);
      addresses_q <= addresses_q + 32'(awvalid && awready_i) - 32'(responds);
      bursts_q    <= bursts_q + 32'(wvalid && wready_i && wlast) - 32'(responds);
    end
  end

  // The watched request: the requests ahead of it, and its client.
  logic watching_q;
  logic [31:0] ahead_q, place;
  logic [ClientWidth-1:0] client_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watching_q <= 1'b0;
    else if (watching_q && u_dut.pop) begin
      ahead_q    <= ahead_q - 1;
      watching_q <= ahead_q != 0;
    end else if (!watching_q && watch_i && ack != '0) begin
      watching_q <= 1'b1;
      client_q   <= chosen;
      ahead_q    <= open_q - 32'(u_dut.pop);
    end
  end
  assign place = (32'(u_dut.u_expected.head_q) + ahead_q) % Outstanding;

  for (genvar c = 0; c < Clients; c++) begin : gen_client
    always_comb assume (Labels[c] ? addr_i[c][3:0] == '0 : addr_i[c][5:0] == '0);
  end

  // The strobes and the data that the current beat must have, and all data from this beat on.
  localparam int unsigned Beats = 512 / DataWidth;
  localparam int unsigned LabelBeats = DataWidth > 128 ? 1 : 128 / DataWidth;
  localparam int unsigned Lanes = DataWidth > 128 ? DataWidth / 128 : 1;
  logic [31:0] lane;
  logic [511:0] rest;
  logic [DataWidth/8-1:0] strobes;
  logic [DataWidth-1:0] mask, wanted;
  always_comb begin
    lane    = 32'(addr_q[5:4]) % Lanes;
    strobes = Labels[sent_q] && Lanes > 1 ? (DataWidth / 8)'(16'hffff) << (16 * lane) : '1;
    rest    = data_q;
    for (int unsigned b = 1; b < Beats; b++) if (beat_q >= b) rest = rest >> DataWidth;
    wanted  = rest[DataWidth-1:0];
    if (Labels[sent_q] && Lanes > 1) wanted = DataWidth'(data_q[127:0]) << (128 * lane);
    for (int unsigned b = 0; b < DataWidth / 8; b++) mask[8*b+:8] = {8{wstrb[b]}};
  end

  always_comb begin
    resets: assert (running_q || (!awvalid && !wvalid));
    if (rst_n) begin
      assume (!bvalid_i || responds || (open_q == 0 && ack == '0));

      aw_held: assert (!aw_stalled_q || awvalid);
      aw_stable: assert (!aw_stalled_q || aw == aw_q);
      w_held: assert (!w_stalled_q || wvalid);
      w_stable: assert (!w_stalled_q || w == w_q);
      independent: assert ((!could_q || (awvalid && wvalid)) && (!continues_q || wvalid));
      aw_boundary: assert (!awvalid || 32'(awaddr[11:0]) + ((32'(awlen) + 1) << awsize) <= 4096);
      aw_size: assert (!awvalid || (awburst == 2'b01 && (8 << awsize) <= DataWidth
                                    && (((AddrWidth'(1) << awsize) - 1'b1) & awaddr) == '0));
      w_last: assert (!wvalid || wlast == (beat_q == 32'(awlen)));
      w_strobes: assert (!wvalid || wstrb == strobes);
      w_data: assert (!wvalid || (wdata & mask) == wanted);
      aw_outstanding: assert (open_q <= Outstanding && pending == (open_q != 0));
      b_order: assert ((done & (done - 1'b1)) == '0 && (done == '0 || open_q != 0)
                       && (!(watching_q && ahead_q == 0 && u_dut.pop)
                           || (client == client_q && done == (flush_i ? '0 : Clients'(1) << client_q))));
      inv_open: assert (32'(u_dut.level) == open_q && 32'(u_dut.u_expected.head_q) < Outstanding);
      inv_tail: assert (32'(u_dut.u_expected.tail_q) == (32'(u_dut.u_expected.head_q) + open_q) % Outstanding);
      inv_ahead: assert (!watching_q || ahead_q < open_q);
      inv_entry: assert (!watching_q || u_dut.u_expected.u_entries.gen_shallow.entries[place] == client_q);
      inv_client: assert ((!watching_q || 32'(client_q) < Clients));
      inv_responses: assert (addresses_q + 32'(awvalid) == open_q - 32'(u_dut.pop)
                             && bursts_q + 32'(wvalid) == open_q - 32'(u_dut.pop)
                             && open_q >= 32'(u_dut.pop)
                             && addresses_q <= Outstanding && bursts_q <= Outstanding);
      inv_sent: assert (!wvalid || (32'(sent_q) < Clients && beat_q <= 32'(awlen)
                        && beat_q + 32'(u_dut.left_q) == 32'(awlen)
                        && 32'(awlen) == (Labels[sent_q] ? LabelBeats : Beats) - 1
                        && u_dut.lanes_q == (Labels[sent_q] ? Lanes'(1) << lane : '1)));
      inv_addr: assert (!awvalid || (awaddr == addr_q && awsize == (Labels[sent_q] && Lanes > 1 ? 3'd4 : 3'($clog2(DataWidth / 8)))
                                     && 32'(awlen) == (Labels[sent_q] ? LabelBeats : Beats) - 1));
      inv_aligned: assert (!(awvalid || wvalid) || (Labels[sent_q] ? addr_q[3:0] == '0 : addr_q[5:0] == '0));
      inv_data: assert (!wvalid || (Labels[sent_q] && Lanes > 1
                        ? wdata == DataWidth'({Lanes{data_q[127:0]}})
                        : u_dut.data_q == rest));

      full: cover (open_q == Outstanding && awvalid);
      waits: cover (aw_stalled_q && w_stalled_q && awready_i && wready_i);
      last: cover (wvalid && wlast && beat_q == 32'(awlen) && awlen != 0);
      label: cover (wvalid && Labels[sent_q] && (Lanes == 1 || lane != 0));
      ignored: cover (bvalid_i && open_q == 0 && running_q && awready_i);
      leaves: cover (watching_q && ahead_q == 0 && u_dut.pop && open_q == 2 && !flush_i);
    end
  end

endmodule
