// SPDX-License-Identifier: MIT OR Apache-2.0

// One AXI4 port with the queues of all its clients: the descriptor (port 0 only), the port's share
// of the instruction and input bursts, and the labels, out-of-range words and tables of the port's
// engines.
//
// Engine i of the port is engine i * NumPorts + Port of the machine.
//
// | port        | width   | meaning                                                            |
// |-------------|---------|--------------------------------------------------------------------|
// | start_i     | 1       | a launch begins: empties queues and restarts streams at their bases |
// | flush_i     | 1       | stops sending, and discards responses                              |
// | …_base_i    | AddrWidth | addresses of the streams, multiples of 64                        |
// | desc_request_i, desc_addr_i | 1, AddrWidth | descriptor burst; held until desc_push_o      |
// | instr_request_i, input_request_i | 8 | number of bursts that are granted at this port      |
// | live_…, wire_…, addr_…, table_… | Engines | granted requests, and free space for them      |
// | …_push_o    |         | a response with data_o; a label is in the low 128 bits             |
// | live_done_o, table_done_o | Engines | the oldest write is acknowledged                     |
// | error_o     | 1       | memory responded with an error in stream_o of engine_o             |
// | pending_o   | 1       | responses are missing; the oldest is of stream_o, engine_o         |
// | moved_o     | 1       | a transfer took place in this cycle                                |
// | wiping_o    | 1       | labels in the queues are being wiped                               |
// | …_crc_o     | 32      | checksums: see haac_checksum                                       |
//
// Latency: a request granted in c is on AXI in c + 2 at the earliest; a response in c is pushed in
// c + 1. Stalls: missing space_o, and those of haac_axi_read and haac_axi_write. Waiting clients
// take turns.

module haac_axi_port
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines      = 1,
  parameter int unsigned NumPorts     = 1,
  parameter int unsigned Port         = 0,
  parameter int unsigned DataWidth    = 512,
  parameter int unsigned AddrWidth    = 40,
  parameter int unsigned OorWireDepth = 32,
  parameter int unsigned LiveDepth    = 16,
  parameter bit          Garbler      = 1'b1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              start_i,
  input  logic                              flush_i,

  input  logic [AddrWidth-1:0]              labels_base_i,
  input  logic [AddrWidth-1:0]              instr_base_i,
  input  logic [AddrWidth-1:0]              input_base_i,
  input  logic [Engines-1:0][AddrWidth-1:0] oor_base_i,
  input  logic [Engines-1:0][AddrWidth-1:0] tables_base_i,

  input  logic                              desc_request_i,
  input  logic [AddrWidth-1:0]              desc_addr_i,
  input  logic [7:0]                        instr_request_i,
  input  logic [7:0]                        input_request_i,
  output logic [Engines-1:0]                live_space_o,
  input  logic [Engines-1:0]                live_gnt_i,
  input  logic [Engines-1:0][30:0]          live_addr_i,
  input  logic [Engines-1:0][127:0]         live_label_i,
  output logic [Engines-1:0]                wire_space_o,
  input  logic [Engines-1:0]                wire_gnt_i,
  input  logic [Engines-1:0][30:0]          wire_addr_i,
  input  logic [Engines-1:0]                addr_gnt_i,
  output logic [Engines-1:0]                table_space_o,
  input  logic [Engines-1:0]                table_gnt_i,
  input  logic [Engines-1:0][511:0]         table_burst_i,

  output logic [511:0]                      data_o,
  output logic                              desc_push_o,
  output logic                              instr_push_o,
  output logic                              input_push_o,
  output logic [Engines-1:0]                wire_push_o,
  output logic [Engines-1:0]                addr_push_o,
  output logic [Engines-1:0]                table_push_o,
  output logic [Engines-1:0]                live_done_o,
  output logic [Engines-1:0]                table_done_o,

  output logic                              error_o,
  output logic                              pending_o,
  output stream_e                           stream_o,
  output logic [7:0]                        engine_o,
  output logic                              moved_o,
  output logic                              wiping_o,
  output logic [31:0]                       desc_crc_o,
  output logic [31:0]                       instr_crc_o,
  output logic [Engines-1:0][31:0]          oor_crc_o,

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
  input  logic                              rlast_i,
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

  // Reading clients: descriptor, instructions, inputs, then labels, words and tables of each
  // engine. Writing clients: labels, then tables of each engine.
  localparam int unsigned Reads  = 3 + 3 * Engines;
  localparam int unsigned Writes = 2 * Engines;
  localparam int unsigned ReadWidth  = $clog2(Reads);
  localparam int unsigned WriteWidth = $clog2(Writes);
  localparam logic [Reads-1:0]  ReadsLabel  = {{(2 * Engines){1'b0}}, {Engines{1'b1}}, 3'b000};
  localparam logic [Writes-1:0] WritesLabel = {{Engines{1'b0}}, {Engines{1'b1}}};

  logic [Reads-1:0] read_req, read_ack, read_push;
  logic [Reads-1:0][AddrWidth-1:0] read_addr;
  logic [Writes-1:0] write_req, write_ack;
  logic [Writes-1:0][AddrWidth-1:0] write_addr;
  logic [Writes-1:0][511:0] write_data;
  logic [ReadWidth-1:0] read_client;
  logic [WriteWidth-1:0] write_client;
  logic read_error, read_pending, read_moved, write_error, write_pending, write_moved;

  // The descriptor: one burst at a time.
  logic desc_sent_q;
  assign read_req[0]  = desc_request_i && !desc_sent_q;
  assign read_addr[0] = desc_addr_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            desc_sent_q <= 1'b0;
    else if (!desc_request_i || desc_push_o) desc_sent_q <= 1'b0;
    else if (read_ack[0])   desc_sent_q <= 1'b1;
  end

  haac_stream_reader #(
    .AddrWidth(AddrWidth), .RequestWidth(8), .Step(64 * NumPorts), .Most(1023)
  ) u_instructions (
    .clk_i, .rst_ni, .start_i, .base_i(instr_base_i + AddrWidth'(64 * Port)), .request_i(instr_request_i),
    .req_o(read_req[1]), .addr_o(read_addr[1]), .ack_i(read_ack[1])
  );
  haac_stream_reader #(
    .AddrWidth(AddrWidth), .RequestWidth(8), .Step(64 * NumPorts), .Most(1023)
  ) u_inputs (
    .clk_i, .rst_ni, .start_i, .base_i(input_base_i + AddrWidth'(64 * Port)), .request_i(input_request_i),
    .req_o(read_req[2]), .addr_o(read_addr[2]), .ack_i(read_ack[2])
  );

  logic [Engines-1:0] wiping, no_wiping;
  logic [Engines-1:0][127:0] no_label, live_label;
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    localparam int unsigned Wire  = 3 + e;
    localparam int unsigned Words = 3 + Engines + e;
    localparam int unsigned Table = 3 + 2 * Engines + e;

    haac_label_queue #(
      .AddrWidth(AddrWidth), .Depth(OorWireDepth), .Writes(1'b0)
    ) u_wires (
      .clk_i, .rst_ni, .clear_i(start_i), .base_i(labels_base_i), .space_o(wire_space_o[e]),
      .push_i(wire_gnt_i[e]), .addr_i(wire_addr_i[e]), .label_i('0), .req_o(read_req[Wire]),
      .addr_o(read_addr[Wire]), .label_o(no_label[e]), .ack_i(read_ack[Wire]),
      .wiping_o(no_wiping[e])
    );
    haac_stream_reader #(.AddrWidth(AddrWidth)) u_words (
      .clk_i, .rst_ni, .start_i, .base_i(oor_base_i[e]), .request_i(addr_gnt_i[e]),
      .req_o(read_req[Words]), .addr_o(read_addr[Words]), .ack_i(read_ack[Words])
    );
    haac_label_queue #(
      .AddrWidth(AddrWidth), .Depth(LiveDepth), .Writes(1'b1)
    ) u_live (
      .clk_i, .rst_ni, .clear_i(start_i), .base_i(labels_base_i), .space_o(live_space_o[e]),
      .push_i(live_gnt_i[e]), .addr_i(live_addr_i[e]), .label_i(live_label_i[e]),
      .req_o(write_req[e]), .addr_o(write_addr[e]), .label_o(live_label[e]),
      .ack_i(write_ack[e]), .wiping_o(wiping[e])
    );
    assign write_data[e] = {384'd0, live_label[e]};

    if (Garbler) begin : gen_garbler
      haac_table_writer #(.AddrWidth(AddrWidth)) u_tables (
        .clk_i, .rst_ni, .start_i, .base_i(tables_base_i[e]), .space_o(table_space_o[e]),
        .push_i(table_gnt_i[e]), .burst_i(table_burst_i[e]), .req_o(write_req[Engines+e]),
        .addr_o(write_addr[Engines+e]), .data_o(write_data[Engines+e]),
        .ack_i(write_ack[Engines+e])
      );
      assign read_req[Table]  = 1'b0;
      assign read_addr[Table] = '0;
      logic unused_tables;
      assign unused_tables = read_ack[Table];
    end else begin : gen_evaluator
      haac_stream_reader #(.AddrWidth(AddrWidth)) u_tables (
        .clk_i, .rst_ni, .start_i, .base_i(tables_base_i[e]), .request_i(table_gnt_i[e]),
        .req_o(read_req[Table]), .addr_o(read_addr[Table]), .ack_i(read_ack[Table])
      );
      assign table_space_o[e] = 1'b1;
      assign write_req[Engines+e]  = 1'b0;
      assign write_addr[Engines+e] = '0;
      assign write_data[Engines+e] = '0;
      logic unused_tables;
      assign unused_tables = ^{table_burst_i[e], write_ack[Engines+e]};
    end
  end
  assign wiping_o = |{wiping, no_wiping};

  haac_axi_read #(
    .Clients(Reads), .DataWidth(DataWidth), .AddrWidth(AddrWidth)
  ) u_read (
    .clk_i, .rst_ni, .flush_i, .req_i(read_req), .label_i(ReadsLabel), .addr_i(read_addr),
    .ack_o(read_ack), .push_o(read_push), .data_o, .error_o(read_error), .client_o(read_client),
    .pending_o(read_pending), .moved_o(read_moved), .arvalid_o, .arready_i, .araddr_o, .arlen_o,
    .arsize_o, .arburst_o, .rvalid_i, .rready_o, .rdata_i, .rresp_i, .rlast_i
  );
  haac_axi_write #(
    .Clients(Writes), .DataWidth(DataWidth), .AddrWidth(AddrWidth)
  ) u_write (
    .clk_i, .rst_ni, .flush_i, .req_i(write_req), .label_i(WritesLabel), .addr_i(write_addr),
    .data_i(write_data), .ack_o(write_ack), .done_o({table_done_o, live_done_o}),
    .error_o(write_error), .client_o(write_client), .pending_o(write_pending),
    .moved_o(write_moved), .awvalid_o, .awready_i, .awaddr_o, .awlen_o, .awsize_o, .awburst_o,
    .wvalid_o, .wready_i, .wdata_o, .wstrb_o, .wlast_o, .bvalid_i, .bready_o, .bresp_i
  );
  assign {table_push_o, addr_push_o, wire_push_o, input_push_o, instr_push_o, desc_push_o} = read_push;

  haac_checksum #(
    .Engines(Engines), .NumPorts(NumPorts), .First(Port == 0)
  ) u_checksum (
    .clk_i, .rst_ni, .clear_i(start_i), .push_i({addr_push_o, instr_push_o, desc_push_o}),
    .burst_i(data_o), .descriptor_o(desc_crc_o), .part_o(instr_crc_o), .oor_o(oor_crc_o)
  );

  // The stream and engine of the response.
  assign error_o   = read_error || write_error;
  assign pending_o = read_pending || write_pending;
  assign moved_o   = read_moved || write_moved;
  always_comb begin
    stream_o = StreamNone;
    engine_o = '0;
    if (read_error || (read_pending && !write_error)) begin
      if (read_client == '0)             stream_o = StreamDescriptor;
      if (read_client == ReadWidth'(1))  stream_o = StreamInstructions;
      if (read_client == ReadWidth'(2))  stream_o = StreamInputs;
    end
    for (int unsigned e = 0; e < Engines; e++) begin
      if (read_error || (read_pending && !write_error)) begin
        if (read_client == ReadWidth'(3 + e))               stream_o = StreamOorWires;
        if (read_client == ReadWidth'(3 + Engines + e))     stream_o = StreamOorAddresses;
        if (read_client == ReadWidth'(3 + 2 * Engines + e)) stream_o = StreamTables;
        for (int unsigned k = 0; k < 3; k++) begin
          if (read_client == ReadWidth'(3 + k * Engines + e)) engine_o = 8'(e * NumPorts + Port);
        end
      end else begin
        if (write_client == WriteWidth'(e))           stream_o = StreamLive;
        if (write_client == WriteWidth'(Engines + e)) stream_o = StreamTables;
        for (int unsigned k = 0; k < 2; k++) begin
          if (write_client == WriteWidth'(k * Engines + e)) engine_o = 8'(e * NumPorts + Port);
        end
      end
    end
  end

  logic unused;
  assign unused = ^no_label;

endmodule
