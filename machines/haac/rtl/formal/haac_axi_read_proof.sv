// SPDX-License-Identifier: MIT OR Apache-2.0

// The rules of AXI4 for haac_axi_read, with any clients and any memory that keep the rules on their
// side; but memory may respond while no request is outstanding. Client 0 requests bursts, all
// others request labels.
//
// One request is watched: any may be chosen when it is accepted.

module haac_axi_read_proof #(
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
  input logic                              arready_i,
  input logic                              rvalid_i,
  input logic [DataWidth-1:0]              rdata_i,
  input logic [1:0]                        rresp_i,
  input logic                              rlast_i,
  input logic                              watch_i
);

  localparam int unsigned Beats = 512 / DataWidth;
  localparam int unsigned LabelBeats = DataWidth > 128 ? 1 : 128 / DataWidth;
  localparam int unsigned Lanes = DataWidth > 128 ? DataWidth / 128 : 1;
  localparam logic [Clients-1:0] Labels = {{(Clients - 1){1'b1}}, 1'b0};

  logic rst_n = 1'b0;
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) {running_q, rst_n} <= {rst_n, 1'b1};

  logic [Clients-1:0] ack, push;
  logic [511:0] data;
  logic error, pending, moved, arvalid, rready;
  logic [ClientWidth-1:0] client;
  logic [AddrWidth-1:0] araddr;
  logic [7:0] arlen;
  logic [2:0] arsize;
  logic [1:0] arburst;
  haac_axi_read #(
    .Clients(Clients), .DataWidth(DataWidth), .AddrWidth(AddrWidth), .Outstanding(Outstanding)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .flush_i, .req_i, .label_i(Labels), .addr_i, .ack_o(ack), .push_o(push),
    .data_o(data), .error_o(error), .client_o(client), .pending_o(pending), .moved_o(moved),
    .arvalid_o(arvalid), .arready_i, .araddr_o(araddr), .arlen_o(arlen), .arsize_o(arsize),
    .arburst_o(arburst), .rvalid_i, .rready_o(rready), .rdata_i, .rresp_i, .rlast_i
  );

  // The previous cycle.
  logic stalled_q, could_q;
  logic [AddrWidth+12:0] payload, payload_q;
  logic [Clients-1:0] waits_q;
  logic [Clients-1:0][AddrWidth-1:0] addr_q;
  assign payload = {araddr, arlen, arsize, arburst};
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_n && arvalid && !arready_i;
    payload_q <= payload;
    // A request can go to AR without waiting for arready_i.
    could_q   <= rst_n && req_i != '0 && !flush_i && 32'(u_dut.level) < Outstanding && !arvalid;
    waits_q   <= rst_n ? req_i & ~ack : '0;
    addr_q    <= addr_i;
  end

  // Beats that memory owes, and requests without a response.
  logic [31:0] owed_q, open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      owed_q <= '0;
      open_q <= '0;
    end else begin
      owed_q <= owed_q + (arvalid && arready_i ? 32'(arlen) + 1 : 0) - 32'(rvalid_i && owed_q != 0);
      open_q <= open_q + 32'(ack != '0) - 32'(u_dut.pop);
    end
  end

  // The watched request: the requests ahead of it, its client, and its place in 64 bytes.
  logic watching_q;
  logic [31:0] ahead_q;
  logic [ClientWidth-1:0] client_q, chosen;
  logic [1:0] lane_q, lane;
  always_comb begin
    chosen = '0;
    lane   = '0;
    for (int unsigned c = 0; c < Clients; c++) begin
      if (ack[c]) {chosen, lane} = {ClientWidth'(c), addr_i[c][5:4]};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) watching_q <= 1'b0;
    else if (watching_q && u_dut.pop) begin
      ahead_q    <= ahead_q - 1;
      watching_q <= ahead_q != 0;
    end else if (!watching_q && watch_i && ack != '0) begin
      watching_q <= 1'b1;
      client_q   <= chosen;
      lane_q     <= lane;
      ahead_q    <= open_q - 32'(u_dut.pop);
    end
  end

  // The last beats that arrived, and the data that a response of the watched request has.
  logic [511:0] beats_q, wanted;
  always_ff @(posedge clk_i) if (rvalid_i) beats_q <= 512'({rdata_i, beats_q} >> DataWidth);
  always_comb begin
    wanted = beats_q;
    if (Labels[client_q]) begin
      wanted = 512'(beats_q[512-128*Lanes+128*(32'(lane_q)%Lanes)+:128]);
    end
  end

  // Of the head of the queue: beats that have arrived, and the last beat's RLAST and RRESP.
  logic [31:0] arrived_q;
  logic rlast_q, bad_q;
  logic is_last;
  always_ff @(posedge clk_i) begin
    {rlast_q, bad_q} <= {rlast_i, rresp_i[1]};
    if (!rst_n || u_dut.pop)                 arrived_q <= '0;
    else if (u_dut.valid_q && open_q != 0)   arrived_q <= arrived_q + 1;
  end
  assign is_last = arrived_q == (Labels[client] ? LabelBeats : Beats) - 1;

  // Whether all beats of the current response, except the one that has just arrived, are kept.
  logic before_kept;
  logic [511:0] arrived;
  always_comb begin
    before_kept = 1'b1;
    arrived     = u_dut.valid_q ? beats_q << DataWidth : beats_q;
    for (int unsigned b = 1; b < Beats; b++) begin
      if (32'(u_dut.beat_q) >= b && 512'(u_dut.gen_beats.before_q) >> (512 - DataWidth - b * DataWidth)
          != arrived >> (512 - b * DataWidth)) begin
        before_kept = 1'b0;
      end
    end
  end

  // The entry of the watched request in the queue of expected responses.
  logic [31:0] place;
  logic [ClientWidth+2:0] entry;
  assign place = (32'(u_dut.u_expected.head_q) + ahead_q) % Outstanding;
  assign entry = u_dut.u_expected.u_entries.gen_shallow.entries[place];

  for (genvar c = 0; c < Clients; c++) begin : gen_client
    always_comb begin
      assume (Labels[c] ? addr_i[c][3:0] == '0 : addr_i[c][5:0] == '0);
      assume (!waits_q[c] || (req_i[c] && addr_i[c] == addr_q[c]));
    end
  end

  always_comb begin
    resets: assert (running_q || !arvalid);
    if (rst_n) begin
      assume (!rvalid_i || owed_q != 0 || (open_q == 0 && ack == '0));

      ar_held: assert (!stalled_q || arvalid);
      ar_stable: assert (!stalled_q || payload == payload_q);
      ar_independent: assert (!could_q || arvalid);
      ar_boundary: assert (!arvalid || 32'(araddr[11:0]) + ((32'(arlen) + 1) << arsize) <= 4096);
      ar_size: assert (!arvalid || (arburst == 2'b01 && (8 << arsize) <= DataWidth
                                    && (((AddrWidth'(1) << arsize) - 1'b1) & araddr) == '0));
      ar_outstanding: assert (open_q <= Outstanding && pending == (open_q != 0));
      r_requested: assert ((push & (push - 1'b1)) == '0 && (push == '0 || open_q != 0) && rready);
      r_order: assert (!(watching_q && ahead_q == 0 && u_dut.pop)
                       || client == client_q && (flush_i || push == Clients'(1) << client_q));
      r_data: assert (!(watching_q && ahead_q == 0 && u_dut.pop) || data == wanted);
      r_last: assert (!watching_q || ahead_q != 0 || client != client_q
                      || error == (u_dut.valid_q && !flush_i && (bad_q || rlast_q != is_last)));
      inv_within: assert (u_dut.beat_q == 0 || (open_q != 0 && (!u_dut.head.is_label || 32'(u_dut.beat_q) < LabelBeats)));
      inv_arrived: assert (32'(u_dut.beat_q) == arrived_q);
      inv_last: assert (u_dut.last_q == rlast_q && u_dut.error_q == bad_q);
      inv_open: assert (32'(u_dut.level) == open_q && 32'(u_dut.u_expected.head_q) < Outstanding);
      inv_tail: assert (32'(u_dut.u_expected.tail_q) == (32'(u_dut.u_expected.head_q) + open_q) % Outstanding);
      inv_ahead: assert (!watching_q || ahead_q < open_q);
      inv_entry: assert (!watching_q || entry == {client_q, Labels[client_q], lane_q});
      inv_client: assert (!watching_q || 32'(client_q) < Clients);
      inv_beat: assert (!u_dut.valid_q || u_dut.data_q == beats_q[511-:DataWidth]);
      inv_before: assert (before_kept);

      full: cover (open_q == Outstanding && arvalid);
      held: cover (stalled_q && arvalid && arready_i);
      ignored: cover (rvalid_i && open_q == 0 && running_q && arready_i);
      wrong_last: cover (watching_q && ahead_q == 0 && error && !bad_q && rlast_q);
      leaves: cover (watching_q && ahead_q == 0 && u_dut.pop && open_q == 2 && !flush_i);
    end
  end

endmodule
