// SPDX-License-Identifier: MIT OR Apache-2.0

// The write channels of an AXI4 port, for many clients that write bursts of 64 bytes or labels.
//
// | port       | width         | meaning                                                          |
// |------------|---------------|------------------------------------------------------------------|
// | flush_i    | 1             | finishes the write that has begun; discards responses            |
// | req_i      | Clients       | a client has a request; held until ack_o                         |
// | label_i    | Clients       | constant: the client writes labels of 16 bytes                   |
// | addr_i     | Clients x AddrWidth | address of the write, aligned to its size                  |
// | data_i     | Clients x 512 | data of the write; a label is in the low 128 bits                |
// | ack_o      | Clients       | the request is accepted                                          |
// | done_o     | Clients       | the client's oldest write is acknowledged; one at most           |
// | error_o    | 1             | a response in this cycle is SLVERR or DECERR                     |
// | client_o   | ClientWidth   | the client of the current or next response                       |
// | pending_o  | 1             | writes without a response exist                                  |
// | moved_o    | 1             | address or data was taken or a response arrived in this cycle    |
// | aw…, w…, b… |              | AXI4 with one ID, so responses are in order; bready is always 1  |
//
// Latency: a request in c is on AW and W in c + 1; a response in c sets done_o in c + 1. Stalls: a
// request waits until address and all beats of the previous one are taken, and while Outstanding
// writes have no response.

module haac_axi_write #(
  parameter int unsigned Clients     = 2,
  parameter int unsigned DataWidth   = 512,
  parameter int unsigned AddrWidth   = 40,
  parameter int unsigned Outstanding = 128,
  localparam int unsigned ClientWidth = Clients > 1 ? $clog2(Clients) : 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              flush_i,

  input  logic [Clients-1:0]                req_i,
  input  logic [Clients-1:0]                label_i,
  input  logic [Clients-1:0][AddrWidth-1:0] addr_i,
  input  logic [Clients-1:0][511:0]         data_i,
  output logic [Clients-1:0]                ack_o,
  output logic [Clients-1:0]                done_o,
  output logic                              error_o,
  output logic [ClientWidth-1:0]            client_o,
  output logic                              pending_o,
  output logic                              moved_o,

  output logic                              awvalid_o,
  input  logic                              awready_i,
  output logic [AddrWidth-1:0]              awaddr_o,
  output logic [7:0]                        awlen_o,
  output logic [2:0]                        awsize_o,
  output logic [1:0]                        awburst_o,
  output logic                              wvalid_o,
  input  logic                              wready_i,
  output logic [DataWidth-1:0]              wdata_o,
  output logic [DataWidth/8-1:0]            wstrb_o,
  output logic                              wlast_o,
  input  logic                              bvalid_i,
  output logic                              bready_o,
  input  logic [1:0]                        bresp_i
);

  localparam int unsigned Beats     = 512 / DataWidth;
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;
  // A label is one beat, or several beats of a narrow port.
  localparam int unsigned Lanes      = DataWidth > 128 ? DataWidth / 128 : 1;
  localparam int unsigned LaneWidth  = Lanes > 1 ? $clog2(Lanes) : 1;
  localparam int unsigned LabelBeats = DataWidth > 128 ? 1 : 128 / DataWidth;

  logic take, full, empty, pop, valid_q, error_q, is_label;
  logic unused_valid;
  logic [Clients-1:0] turn;
  logic [ClientWidth-1:0] unused_index;
  logic [ClientWidth-1:0] client, head;
  logic [AddrWidth-1:0] addr;
  logic [511:0] data, data_q, shifted;
  logic [Lanes-1:0] lanes, lanes_q;
  logic [BeatWidth-1:0] left_q;
  logic [$clog2(Outstanding+1)-1:0] level;

  assign take = !flush_i && !full && (!awvalid_o || awready_i)
                && (!wvalid_o || (wready_i && wlast_o));
  rr_arbiter #(.Requests(Clients)) u_turns (
    .clk_i, .rst_ni, .clear_i(1'b0), .req_i, .ready_i(take), .gnt_o(turn),
    .index_o(unused_index), .valid_o(unused_valid)
  );
  assign ack_o = take ? turn : '0;

  always_comb begin
    client = '0;
    addr   = '0;
    data   = '0;
    for (int unsigned c = 0; c < Clients; c++) begin
      if (ack_o[c]) begin
        client = ClientWidth'(c);
        addr   = addr_i[c];
        data   = data_i[c];
      end
    end
    is_label = |(ack_o & label_i);
    // A label is copied to all lanes, and one lane is written.
    lanes = '1;
    if (is_label) begin
      lanes = '0;
      lanes[addr[4+:LaneWidth] & LaneWidth'(Lanes - 1)] = 1'b1;
      for (int unsigned l = 0; l < Lanes; l++) data[128*l+:128] = data[127:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awvalid_o <= 1'b0;
      wvalid_o  <= 1'b0;
      left_q    <= '0;
      // The register must not keep a label or a table.
      data_q    <= '0;
    end else begin
      if (ack_o != '0)    awvalid_o <= 1'b1;
      else if (awready_i) awvalid_o <= 1'b0;
      if (ack_o != '0) begin
        wvalid_o <= 1'b1;
        left_q   <= is_label ? BeatWidth'(LabelBeats - 1) : BeatWidth'(Beats - 1);
        data_q   <= data;
      end else if (wvalid_o && wready_i) begin
        wvalid_o <= !wlast_o;
        left_q   <= left_q - 1'b1;
        data_q   <= shifted;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (ack_o != '0) begin
      awaddr_o <= addr;
      awlen_o  <= is_label ? 8'(LabelBeats - 1) : 8'(Beats - 1);
      awsize_o <= is_label ? 3'($clog2(16 / LabelBeats)) : 3'($clog2(DataWidth / 8));
      lanes_q  <= lanes;
    end
  end
  if (Beats > 1) begin : gen_beats
    assign shifted = wlast_o ? '0 : data_q >> DataWidth;
  end else begin : gen_beat
    assign shifted = '0;
  end
  assign awburst_o = 2'b01;
  assign wdata_o   = data_q[DataWidth-1:0];
  assign wlast_o   = left_q == '0;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign wstrb_o[DataWidth/8/Lanes*l+:DataWidth/8/Lanes] = {(DataWidth / 8 / Lanes){lanes_q[l]}};
  end

  // Clients of the expected responses, in order.
  fifo #(.Width(ClientWidth), .Depth(Outstanding)) u_expected (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(ack_o != '0), .data_i(client), .pop_i(pop),
    .data_o(head), .level_o(level), .empty_o(empty), .full_o(full)
  );

  assign bready_o  = 1'b1;
  assign pop       = valid_q && !empty;
  assign error_o   = pop && error_q && !flush_i;
  assign client_o  = head;
  assign pending_o = !empty;
  assign moved_o   = valid_q || (awvalid_o && awready_i) || (wvalid_o && wready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= bvalid_i;
  end
  always_ff @(posedge clk_i) error_q <= bresp_i[1];

  always_comb begin
    done_o = '0;
    if (pop && !flush_i) done_o[head] = 1'b1;
  end

  logic unused;
  assign unused = ^{bresp_i[0], level};

endmodule
