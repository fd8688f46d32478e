// SPDX-License-Identifier: MIT OR Apache-2.0

// The read channels of an AXI4 port, for many clients that request bursts of 64 bytes or labels.
//
// | port       | width         | meaning                                                          |
// |------------|---------------|------------------------------------------------------------------|
// | flush_i    | 1             | stops sending, and discards responses                            |
// | req_i      | Clients       | a client has a request; held until ack_o                         |
// | label_i    | Clients       | constant: the client requests labels of 16 bytes                 |
// | addr_i     | Clients x AddrWidth | address of the request, aligned to its size                |
// | ack_o      | Clients       | the request is accepted                                          |
// | push_o     | Clients       | the response to this client's oldest request; one at most        |
// | data_o     | 512           | data of the response: a burst, or a label in the low 128 bits    |
// | error_o    | 1             | a beat in this cycle is SLVERR or DECERR, or has a wrong RLAST   |
// | client_o   | ClientWidth   | the client of the current or next response                       |
// | pending_o  | 1             | requests without a response exist                                |
// | moved_o    | 1             | an address was taken or data arrived in this cycle               |
// | ar…, r…    |               | AXI4 with one ID, so responses are in order; rready is always 1  |
//
// Clients request only what they have space for, so R is never stalled. Beats are counted, so a
// wrong RLAST is an error and changes nothing else.
//
// Latency: a request in c is on AR in c + 1; a response whose last beat is in c is pushed in c + 1.
// Stalls: AR waits for arready, and while Outstanding requests have no response.

module haac_axi_read #(
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
  output logic [Clients-1:0]                ack_o,
  output logic [Clients-1:0]                push_o,
  output logic [511:0]                      data_o,
  output logic                              error_o,
  output logic [ClientWidth-1:0]            client_o,
  output logic                              pending_o,
  output logic                              moved_o,

  output logic                              arvalid_o,
  input  logic                              arready_i,
  output logic [AddrWidth-1:0]              araddr_o,
  output logic [7:0]                        arlen_o,
  output logic [2:0]                        arsize_o,
  output logic [1:0]                        arburst_o,
  input  logic                              rvalid_i,
  output logic                              rready_o,
  input  logic [DataWidth-1:0]              rdata_i,
  input  logic [1:0]                        rresp_i,
  input  logic                              rlast_i
);

  localparam int unsigned Beats     = 512 / DataWidth;
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;
  // A label is one beat, or several beats of a narrow port.
  localparam int unsigned Lanes      = DataWidth > 128 ? DataWidth / 128 : 1;
  localparam int unsigned LabelBeats = DataWidth > 128 ? 1 : 128 / DataWidth;

  // What a response needs from its request: the client, whether a label was requested, and the
  // label's position in the beat.
  typedef struct packed {
    logic [ClientWidth-1:0] client;
    logic                   is_label;
    logic [1:0]             lane;
  } expected_t;

  logic take, full, empty, valid_q, error_q, last_q, last, pop;
  logic unused_valid;
  logic [Clients-1:0] turn;
  logic [ClientWidth-1:0] unused_index;
  logic [ClientWidth-1:0] client;
  logic [AddrWidth-1:0] addr;
  expected_t requested, head;
  logic [DataWidth-1:0] data_q;
  logic [BeatWidth-1:0] beat_q;
  logic [$clog2(Outstanding+1)-1:0] level;

  // AR.
  assign take = !flush_i && !full && (!arvalid_o || arready_i);
  rr_arbiter #(.Requests(Clients)) u_turns (
    .clk_i, .rst_ni, .clear_i(1'b0), .req_i, .ready_i(take), .gnt_o(turn),
    .index_o(unused_index), .valid_o(unused_valid)
  );
  assign ack_o = take ? turn : '0;

  always_comb begin
    client = '0;
    addr   = '0;
    for (int unsigned c = 0; c < Clients; c++) begin
      if (ack_o[c]) begin
        client = ClientWidth'(c);
        addr   = addr_i[c];
      end
    end
    requested = '{client: client, is_label: |(ack_o & label_i), lane: addr[5:4]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                       arvalid_o <= 1'b0;
    else if (ack_o != '0)              arvalid_o <= 1'b1;
    else if (arready_i)                arvalid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (ack_o != '0) begin
      araddr_o <= addr;
      arlen_o  <= requested.is_label ? 8'(LabelBeats - 1) : 8'(Beats - 1);
      arsize_o <= requested.is_label ? 3'($clog2(16 / LabelBeats)) : 3'($clog2(DataWidth / 8));
    end
  end
  assign arburst_o = 2'b01;

  // Expected responses, in order.
  fifo #(.Width($bits(expected_t)), .Depth(Outstanding)) u_expected (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(ack_o != '0), .data_i(requested), .pop_i(pop),
    .data_o(head), .level_o(level), .empty_o(empty), .full_o(full)
  );

  // R, behind registers. A response is ignored while no request is outstanding, but one that comes
  // too early for a request on AR is taken for the requested one.
  assign rready_o  = 1'b1;
  assign last      = beat_q == (head.is_label ? BeatWidth'(LabelBeats - 1) : BeatWidth'(Beats - 1));
  assign pop       = valid_q && !empty && last;
  assign error_o   = valid_q && !empty && (error_q || last_q != last) && !flush_i;
  assign client_o  = head.client;
  assign pending_o = !empty;
  assign moved_o   = valid_q || (arvalid_o && arready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      beat_q  <= '0;
    end else begin
      valid_q <= rvalid_i;
      if (pop)                    beat_q <= '0;
      else if (valid_q && !empty) beat_q <= beat_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    data_q  <= rvalid_i ? rdata_i : '0;
    error_q <= rresp_i[1];
    last_q  <= rlast_i;
  end

  logic [511:0] burst;
  if (Beats > 1) begin : gen_beats
    // The beats before the last one.
    logic [511-DataWidth:0] before_q;
    assign burst = {data_q, before_q};
    always_ff @(posedge clk_i) begin
      if (pop)          before_q <= '0;
      else if (valid_q) before_q <= burst[511:DataWidth];
    end
  end else begin : gen_beat
    assign burst = data_q;
  end

  logic [Lanes-1:0][127:0] labels;
  logic [1:0] lane;
  assign labels = burst[511-:128*Lanes];
  assign lane   = head.lane & 2'(Lanes - 1);

  always_comb begin
    push_o = '0;
    if (pop && !flush_i) push_o[head.client] = 1'b1;
    data_o = burst;
    if (head.is_label) data_o = {384'd0, labels[lane[(Lanes > 1 ? $clog2(Lanes) : 1)-1:0]]};
  end

  logic unused;
  assign unused = ^{rresp_i[0], level, lane};

endmodule
