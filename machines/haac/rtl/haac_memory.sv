// SPDX-License-Identifier: MIT OR Apache-2.0

// The memory side of the machine: translates the core's requests to AXI4, and times the responses.
//
// Engine e uses port e mod NumPorts. Instruction burst k and input burst k use port k mod NumPorts.
// Grants go into queues before the ports. Responses are pushed when they arrive. They are shown
// when they have arrived and, with latency_i above 0, not earlier than that many cycles after the
// grant. As long as no response is late, every cycle equals that with a memory that keeps the
// contract.
//
// | port          | width | meaning                                                           |
// |---------------|-------|-------------------------------------------------------------------|
// | start_i       | 1     | a launch begins; bases, first_loaded_i, latency_i are now stable  |
// | flush_i       | 1     | stops sending, and discards responses, until idle                 |
// | wiping_o      | 1     | labels in queues are being wiped                                  |
// | pending_o     | 1     | responses of memory are missing                                   |
// | latency_i     | 9     | the contract's latency; 0: as soon as possible                    |
// | timeout_i     | 32    | cycles without progress before dead_o; 0: no limit                |
// | error_o, dead_o | 1   | memory sent an error, or timed out; in stream_o, engine_o         |
// | late_o        | 16    | number of clients with a late response or no free space           |
// | desc_…        |       | the launch descriptor, one burst at a time                        |
// | …_base_i      |       | bases of the streams                                              |
// | desc_crc_o, oor_crc_o | 32, Engines x 32 | checksums of the bursts received               |
// | instr_part_o  | NumPorts x 32 | for haac_crc_sum                                          |
// | live_… …      |       | haac_core's memory side, mirrored                                 |
// | m_axi_…       |       | AXI4 masters; ID 0, so that a port's responses are in order       |
//
// Latency: see haac_axi_port. Stalls: …_space_o.

module haac_memory
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned NumPorts     = 1,
  parameter int unsigned DataWidth    = 512,
  parameter int unsigned AddrWidth    = 40,
  parameter int unsigned OorWireDepth = 32,
  parameter int unsigned LiveDepth    = 16,
  parameter int unsigned InstrGrants  = 2,
  parameter int unsigned LoaderBursts = 2,
  parameter bit          Garbler      = 1'b1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               start_i,
  input  logic                               flush_i,
  output logic                               wiping_o,
  output logic                               pending_o,
  input  logic [8:0]                         latency_i,
  input  logic [31:0]                        timeout_i,
  output logic                               error_o,
  output logic                               dead_o,
  output stream_e                            stream_o,
  output logic [7:0]                         engine_o,
  output logic [15:0]                        late_o,

  input  logic                               desc_request_i,
  input  logic [AddrWidth-1:0]               desc_addr_i,
  output logic                               desc_push_o,
  output logic [511:0]                       desc_burst_o,
  input  logic [AddrWidth-1:0]               labels_base_i,
  input  logic [AddrWidth-1:0]               instr_base_i,
  input  logic [30:0]                        first_loaded_i,
  input  logic [Engines-1:0][AddrWidth-1:0]  oor_base_i,
  input  logic [Engines-1:0][AddrWidth-1:0]  tables_base_i,
  output logic [31:0]                        desc_crc_o,
  output logic [NumPorts-1:0][31:0]          instr_part_o,
  output logic [Engines-1:0][31:0]           oor_crc_o,

  output logic [Engines-1:0]                 live_space_o,
  input  logic [Engines-1:0]                 live_gnt_i,
  input  logic [Engines-1:0][30:0]           live_addr_i,
  input  logic [Engines-1:0][127:0]          live_label_i,
  output logic [Engines-1:0]                 live_ack_o,
  output logic [Engines-1:0]                 wire_space_o,
  input  logic [Engines-1:0]                 wire_gnt_i,
  input  logic [Engines-1:0][30:0]           wire_addr_i,
  output logic [Engines-1:0]                 wire_push_o,
  output logic [Engines-1:0][127:0]          wire_label_o,
  output logic [Engines-1:0]                 wire_show_o,
  output logic [Engines-1:0]                 addr_space_o,
  input  logic [Engines-1:0]                 addr_gnt_i,
  output logic [Engines-1:0]                 addr_push_o,
  output logic [Engines-1:0][511:0]          addr_burst_o,
  output logic [Engines-1:0]                 addr_show_o,
  output logic                               instr_space_o,
  input  logic [7:0]                         instr_gnt_i,
  output logic [NumPorts-1:0]                instr_push_o,
  output logic [NumPorts-1:0][511:0]         instr_burst_o,
  output logic [7:0]                         instr_show_o,
  output logic [Engines-1:0]                 table_space_o,
  input  logic [Engines-1:0]                 table_gnt_i,
  input  logic [Engines-1:0][511:0]          table_burst_i,
  output logic [Engines-1:0]                 table_push_o,
  output logic [Engines-1:0][511:0]          table_burst_o,
  output logic [Engines-1:0]                 table_show_o,
  output logic                               input_space_o,
  input  logic [7:0]                         input_gnt_i,
  output logic [NumPorts-1:0]                input_push_o,
  output logic [NumPorts-1:0][511:0]         input_burst_o,
  output logic [7:0]                         input_show_o,

  output logic [NumPorts-1:0]                m_axi_arvalid_o,
  input  logic [NumPorts-1:0]                m_axi_arready_i,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_araddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_arlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_arburst_o,
  input  logic [NumPorts-1:0]                m_axi_rvalid_i,
  output logic [NumPorts-1:0]                m_axi_rready_o,
  input  logic [NumPorts-1:0][DataWidth-1:0] m_axi_rdata_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_rresp_i,
  input  logic [NumPorts-1:0]                m_axi_rlast_i,
  output logic [NumPorts-1:0]                m_axi_awvalid_o,
  input  logic [NumPorts-1:0]                m_axi_awready_i,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_awaddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_awlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_awburst_o,
  output logic [NumPorts-1:0]                m_axi_wvalid_o,
  input  logic [NumPorts-1:0]                m_axi_wready_i,
  output logic [NumPorts-1:0][DataWidth-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][DataWidth/8-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i
);

  // Engines per port. If the division leaves a remainder, the last place of some ports is unused.
  localparam int unsigned Share = (Engines + NumPorts - 1) / NumPorts;
  localparam int unsigned PortWidth = NumPorts > 1 ? $clog2(NumPorts) : 1;
  localparam int unsigned Clients = 4 * Engines + 2;

  logic [NumPorts-1:0] error, pending, moved, wiping, desc_push;
  stream_e [NumPorts-1:0] stream;
  logic [NumPorts-1:0][7:0] engine;
  logic [NumPorts-1:0][31:0] desc_crc;
  logic [NumPorts-1:0][511:0] data;
  logic [NumPorts-1:0][7:0] instr_request, input_request;
  logic [Engines-1:0] live_done, table_done, table_come;
  logic [PortWidth-1:0] instr_port_q, instr_port_d, input_port_q, input_port_d;

  // The port after `port`: the bursts of a cycle go to the ports in turn.
  function automatic logic [PortWidth-1:0] after(input logic [PortWidth-1:0] port);
    after = port == PortWidth'(NumPorts - 1) ? '0 : port + 1'b1;
  endfunction

  always_comb begin
    instr_request    = '0;
    input_request    = '0;
    instr_port_d = instr_port_q;
    input_port_d = input_port_q;
    for (int unsigned n = 0; n < InstrGrants; n++) begin
      if (8'(n) < instr_gnt_i) begin
        instr_request[instr_port_d] = instr_request[instr_port_d] + 1'b1;
        instr_port_d = after(instr_port_d);
      end
    end
    for (int unsigned n = 0; n < LoaderBursts; n++) begin
      if (8'(n) < input_gnt_i) begin
        input_request[input_port_d] = input_request[input_port_d] + 1'b1;
        input_port_d = after(input_port_d);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instr_port_q <= '0;
      input_port_q <= '0;
    end else begin
      instr_port_q <= start_i ? '0 : instr_port_d;
      input_port_q <= start_i ? '0 : input_port_d;
    end
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    // The port's engines; unused places make no requests.
    logic [Share-1:0] live_space, live_gnt, wire_space, wire_gnt, addr_gnt, table_space, table_gnt;
    logic [Share-1:0] wire_push, addr_push, table_push, p_live_done, p_table_done;
    logic [Share-1:0][30:0] live_addr, wire_addr;
    logic [Share-1:0][127:0] live_label;
    logic [Share-1:0][511:0] table_burst;
    logic [Share-1:0][AddrWidth-1:0] oor_base, tables_base;
    logic [Share-1:0][31:0] oor_crc;

    for (genvar i = 0; i < Share; i++) begin : gen_engine
      localparam int unsigned E = i * NumPorts + p;
      if (E < Engines) begin : gen_used
        assign live_gnt[i]     = live_gnt_i[E];
        assign live_addr[i]    = live_addr_i[E];
        assign live_label[i]   = live_label_i[E];
        assign wire_gnt[i]     = wire_gnt_i[E];
        assign wire_addr[i]    = wire_addr_i[E];
        assign addr_gnt[i]     = addr_gnt_i[E];
        assign table_gnt[i]    = table_gnt_i[E];
        assign table_burst[i]  = table_burst_i[E];
        assign oor_base[i]     = oor_base_i[E];
        assign tables_base[i]  = tables_base_i[E];
        assign live_space_o[E]  = live_space[i];
        assign wire_space_o[E]  = wire_space[i];
        assign table_space_o[E] = table_space[i];
        assign wire_push_o[E]  = wire_push[i];
        assign addr_push_o[E]  = addr_push[i];
        assign table_push_o[E] = table_push[i];
        assign live_done[E]    = p_live_done[i];
        assign table_done[E]   = p_table_done[i];
        assign wire_label_o[E] = data[p][127:0];
        assign addr_burst_o[E] = data[p];
        assign table_burst_o[E] = data[p];
        assign oor_crc_o[E]    = oor_crc[i];
      end else begin : gen_unused
        assign {live_gnt[i], wire_gnt[i], addr_gnt[i], table_gnt[i]} = '0;
        assign {live_addr[i], live_label[i], wire_addr[i], table_burst[i]} = '0;
        assign {oor_base[i], tables_base[i]} = '0;
        logic unused;
        assign unused = ^{live_space[i], wire_space[i], table_space[i], wire_push[i], addr_push[i],
                          table_push[i], p_live_done[i], p_table_done[i], oor_crc[i]};
      end
    end

    haac_axi_port #(
      .Engines(Share), .NumPorts(NumPorts), .Port(p), .DataWidth(DataWidth),
      .AddrWidth(AddrWidth), .OorWireDepth(OorWireDepth), .LiveDepth(LiveDepth), .Garbler(Garbler)
    ) u_port (
      .clk_i, .rst_ni, .start_i, .flush_i, .labels_base_i, .instr_base_i,
      .input_base_i(labels_base_i + AddrWidth'({first_loaded_i[30:2], 6'd0})),
      .oor_base_i(oor_base), .tables_base_i(tables_base),
      .desc_request_i(desc_request_i && p == 0), .desc_addr_i, .instr_request_i(instr_request[p]),
      .input_request_i(input_request[p]), .live_space_o(live_space), .live_gnt_i(live_gnt),
      .live_addr_i(live_addr), .live_label_i(live_label), .wire_space_o(wire_space),
      .wire_gnt_i(wire_gnt), .wire_addr_i(wire_addr), .addr_gnt_i(addr_gnt),
      .table_space_o(table_space), .table_gnt_i(table_gnt), .table_burst_i(table_burst),
      .data_o(data[p]), .desc_push_o(desc_push[p]), .instr_push_o(instr_push_o[p]),
      .input_push_o(input_push_o[p]), .wire_push_o(wire_push), .addr_push_o(addr_push),
      .table_push_o(table_push), .live_done_o(p_live_done), .table_done_o(p_table_done),
      .error_o(error[p]), .pending_o(pending[p]), .stream_o(stream[p]), .engine_o(engine[p]),
      .moved_o(moved[p]), .wiping_o(wiping[p]), .desc_crc_o(desc_crc[p]),
      .instr_crc_o(instr_part_o[p]), .oor_crc_o(oor_crc),
      .arvalid_o(m_axi_arvalid_o[p]), .arready_i(m_axi_arready_i[p]),
      .araddr_o(m_axi_araddr_o[p]), .arlen_o(m_axi_arlen_o[p]), .arsize_o(m_axi_arsize_o[p]),
      .arburst_o(m_axi_arburst_o[p]), .rvalid_i(m_axi_rvalid_i[p]), .rready_o(m_axi_rready_o[p]),
      .rdata_i(m_axi_rdata_i[p]), .rresp_i(m_axi_rresp_i[p]), .rlast_i(m_axi_rlast_i[p]),
      .awvalid_o(m_axi_awvalid_o[p]), .awready_i(m_axi_awready_i[p]),
      .awaddr_o(m_axi_awaddr_o[p]), .awlen_o(m_axi_awlen_o[p]), .awsize_o(m_axi_awsize_o[p]),
      .awburst_o(m_axi_awburst_o[p]), .wvalid_o(m_axi_wvalid_o[p]), .wready_i(m_axi_wready_i[p]),
      .wdata_o(m_axi_wdata_o[p]), .wstrb_o(m_axi_wstrb_o[p]), .wlast_o(m_axi_wlast_o[p]),
      .bvalid_i(m_axi_bvalid_i[p]), .bready_o(m_axi_bready_o[p]), .bresp_i(m_axi_bresp_i[p])
    );
    assign instr_burst_o[p] = data[p];
    assign input_burst_o[p] = data[p];
  end

  assign desc_push_o  = desc_push[0];
  assign desc_burst_o = data[0];
  assign desc_crc_o   = desc_crc[0];
  assign wiping_o     = |wiping;
  assign pending_o    = |pending;
  assign addr_space_o  = '1;
  assign instr_space_o = 1'b1;
  assign input_space_o = 1'b1;

  // Timing of the contract.
  logic [Engines-1:0] live_due, wire_due, addr_due, table_due;
  logic [7:0] instr_due, input_due;
  logic [Clients-1:0] late;

  haac_pace #(.Width(4 * Engines + 16)) u_pace (
    .clk_i, .rst_ni, .clear_i(start_i), .latency_i,
    .gnt_i({live_gnt_i, wire_gnt_i, addr_gnt_i, table_gnt_i, instr_gnt_i, input_gnt_i}),
    .due_o({live_due, wire_due, addr_due, table_due, instr_due, input_due})
  );

  assign table_come = Garbler ? table_done : table_push_o;
  for (genvar e = 0; e < Engines; e++) begin : gen_show
    haac_show #(.Most(511)) u_live (
      .clk_i, .rst_ni, .clear_i(start_i), .due_i(live_due[e]), .come_i(live_done[e]),
      .show_o(live_ack_o[e]), .late_o(late[4*e])
    );
    haac_show u_wires (
      .clk_i, .rst_ni, .clear_i(start_i), .due_i(wire_due[e]), .come_i(wire_push_o[e]),
      .show_o(wire_show_o[e]), .late_o(late[4*e+1])
    );
    haac_show u_words (
      .clk_i, .rst_ni, .clear_i(start_i), .due_i(addr_due[e]), .come_i(addr_push_o[e]),
      .show_o(addr_show_o[e]), .late_o(late[4*e+2])
    );
    haac_show #(.Most(511)) u_tables (
      .clk_i, .rst_ni, .clear_i(start_i), .due_i(table_due[e]), .come_i(table_come[e]),
      .show_o(table_show_o[e]), .late_o(late[4*e+3])
    );
  end
  haac_show_striped #(.NumPorts(NumPorts), .MaxShow(InstrGrants)) u_instructions (
    .clk_i, .rst_ni, .clear_i(start_i), .due_i(instr_due), .come_i(instr_push_o),
    .show_o(instr_show_o), .late_o(late[4*Engines])
  );
  haac_show_striped #(.NumPorts(NumPorts), .MaxShow(LoaderBursts)) u_inputs (
    .clk_i, .rst_ni, .clear_i(start_i), .due_i(input_due), .come_i(input_push_o),
    .show_o(input_show_o), .late_o(late[4*Engines+1])
  );

  always_comb begin
    late_o = '0;
    if (latency_i != '0) begin
      for (int unsigned c = 0; c < Clients; c++) late_o = late_o + 16'(late[c]);
      for (int unsigned e = 0; e < Engines; e++) begin
        late_o = late_o + 16'(!live_space_o[e]) + 16'(!wire_space_o[e]) + 16'(!table_space_o[e]);
      end
    end
  end

  // Errors with their stream and engine; ports with lower numbers have priority.
  haac_watchdog u_watchdog (
    .clk_i, .rst_ni, .timeout_i, .pending_i(|pending), .moved_i(|moved), .dead_o
  );
  assign error_o = |error;
  always_comb begin
    stream_o = StreamNone;
    engine_o = '0;
    for (int unsigned n = 0; n < NumPorts; n++) begin
      if (error_o ? error[NumPorts-1-n] : pending[NumPorts-1-n]) begin
        stream_o = stream[NumPorts-1-n];
        engine_o = engine[NumPorts-1-n];
      end
    end
  end

  logic unused_ports;
  assign unused_ports = ^{desc_push, desc_crc, first_loaded_i[1:0], table_done, table_push_o};

endmodule
