// SPDX-License-Identifier: MIT OR Apache-2.0

// HAAC: a machine that garbles or evaluates a program of half gates in memory.
//
// | port         | width    | meaning                                                            |
// |--------------|----------|--------------------------------------------------------------------|
// | clk_i, rst_ni | 1       | clock; asynchronous reset, whose release is synchronised inside    |
// | irq_o        | 1        | a run is done or has failed, if the host enabled it                |
// | s_axil_…     |          | AXI4-Lite slave: machines/haac/docs/registers.md; PROT is ignored  |
// | m_axi_…      | NumPorts | AXI4 masters: see haac_memory                                      |
//
// All requests of a port have the ID AxiId, and the CACHE, PROT and QOS of the parameters. A
// response with another ID counts as an error of memory.
//
// Latency and stalls: machines/haac/docs/control.md. Parameters as in haac_core and haac_memory;
// Counters = 0 removes the counters. The named configurations haac_1ge, haac_4ge … are in
// generated/. docs/rtl/integrate.md says how to use it in a system.

module haac
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines         = 4,
  parameter int unsigned WindowLabels    = 32768,
  parameter int unsigned Banks           = 16,
  // Whether all stages take results from the bus, or only those after the read: see haac_pipeline.
  parameter bit          ForwardAll      = 1'b1,
  parameter int unsigned XorLatency      = 1,
  parameter int unsigned AndLatency      = 21,
  // Clock cycles between two ANDs of an engine: 1, or at least 10 with the folded half gate.
  parameter int unsigned AndInterval     = 1,
  parameter int unsigned IssueDepth      = 16,
  parameter int unsigned TableDepth      = 72,
  parameter int unsigned OorAddressDepth = 32,
  parameter int unsigned OorWireDepth    = 32,
  parameter int unsigned LiveDepth       = 16,
  parameter int unsigned InstrBursts     = 36,
  parameter int unsigned LoaderBursts    = 2,
  parameter int unsigned InputHold       = 64,
  parameter int unsigned LiveInFlight    = 256,
  parameter int unsigned NumPorts        = 1,
  parameter int unsigned DataWidth       = 512,
  parameter int unsigned AddrWidth       = 40,
  parameter bit          Garbler         = 1'b1,
  parameter int unsigned AesImpl         = 0,
  parameter bit          Counters        = 1'b1,
  parameter int unsigned IdWidth         = 4,
  parameter int unsigned AxiId           = 0,
  // Normal memory, not cacheable, bufferable.
  parameter logic [3:0]  AxiCache        = 4'b0011,
  // Data, not secure, unprivileged.
  parameter logic [2:0]  AxiProt         = 3'b010,
  parameter logic [3:0]  AxiQos          = 4'd0
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  output logic                               irq_o,

  input  logic                               s_axil_awvalid_i,
  output logic                               s_axil_awready_o,
  input  logic [RegAddrWidth-1:0]            s_axil_awaddr_i,
  input  logic [2:0]                         s_axil_awprot_i,
  input  logic                               s_axil_wvalid_i,
  output logic                               s_axil_wready_o,
  input  logic [31:0]                        s_axil_wdata_i,
  input  logic [3:0]                         s_axil_wstrb_i,
  output logic                               s_axil_bvalid_o,
  input  logic                               s_axil_bready_i,
  output logic [1:0]                         s_axil_bresp_o,
  input  logic                               s_axil_arvalid_i,
  output logic                               s_axil_arready_o,
  input  logic [RegAddrWidth-1:0]            s_axil_araddr_i,
  input  logic [2:0]                         s_axil_arprot_i,
  output logic                               s_axil_rvalid_o,
  input  logic                               s_axil_rready_i,
  output logic [31:0]                        s_axil_rdata_o,
  output logic [1:0]                         s_axil_rresp_o,

  output logic [NumPorts-1:0]                m_axi_arvalid_o,
  input  logic [NumPorts-1:0]                m_axi_arready_i,
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_arid_o,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_araddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_arlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_arburst_o,
  output logic [NumPorts-1:0][3:0]           m_axi_arcache_o,
  output logic [NumPorts-1:0][2:0]           m_axi_arprot_o,
  output logic [NumPorts-1:0][3:0]           m_axi_arqos_o,
  input  logic [NumPorts-1:0]                m_axi_rvalid_i,
  output logic [NumPorts-1:0]                m_axi_rready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_rid_i,
  input  logic [NumPorts-1:0][DataWidth-1:0] m_axi_rdata_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_rresp_i,
  input  logic [NumPorts-1:0]                m_axi_rlast_i,
  output logic [NumPorts-1:0]                m_axi_awvalid_o,
  input  logic [NumPorts-1:0]                m_axi_awready_i,
  output logic [NumPorts-1:0][IdWidth-1:0]   m_axi_awid_o,
  output logic [NumPorts-1:0][AddrWidth-1:0] m_axi_awaddr_o,
  output logic [NumPorts-1:0][7:0]           m_axi_awlen_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awsize_o,
  output logic [NumPorts-1:0][1:0]           m_axi_awburst_o,
  output logic [NumPorts-1:0][3:0]           m_axi_awcache_o,
  output logic [NumPorts-1:0][2:0]           m_axi_awprot_o,
  output logic [NumPorts-1:0][3:0]           m_axi_awqos_o,
  output logic [NumPorts-1:0]                m_axi_wvalid_o,
  input  logic [NumPorts-1:0]                m_axi_wready_i,
  output logic [NumPorts-1:0][DataWidth-1:0] m_axi_wdata_o,
  output logic [NumPorts-1:0][DataWidth/8-1:0] m_axi_wstrb_o,
  output logic [NumPorts-1:0]                m_axi_wlast_o,
  input  logic [NumPorts-1:0]                m_axi_bvalid_i,
  output logic [NumPorts-1:0]                m_axi_bready_o,
  input  logic [NumPorts-1:0][IdWidth-1:0]   m_axi_bid_i,
  input  logic [NumPorts-1:0][1:0]           m_axi_bresp_i
);

  localparam logic [IdWidth-1:0] Id = IdWidth'(AxiId);

  logic [NumPorts-1:0][1:0] rresp, bresp;
  logic rst_n, unused_run, unused_prot;
  logic [Engines-1:0][CauseWidth-1:0] unused_cause;
  logic [15:0] unused_level_issue, unused_level_tables, unused_level_addresses;
  logic [15:0] unused_level_wires, unused_level_live, unused_outstanding;

  reset_sync u_reset (.clk_i, .rst_ni, .rst_no(rst_n));

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign m_axi_arid_o[p]    = Id;
    assign m_axi_awid_o[p]    = Id;
    assign m_axi_arcache_o[p] = AxiCache;
    assign m_axi_awcache_o[p] = AxiCache;
    assign m_axi_arprot_o[p]  = AxiProt;
    assign m_axi_awprot_o[p]  = AxiProt;
    assign m_axi_arqos_o[p]   = AxiQos;
    assign m_axi_awqos_o[p]   = AxiQos;
    assign rresp[p] = m_axi_rid_i[p] == Id ? m_axi_rresp_i[p] : 2'b10;
    assign bresp[p] = m_axi_bid_i[p] == Id ? m_axi_bresp_i[p] : 2'b10;
  end

  haac_machine #(
    .Engines(Engines), .WindowLabels(WindowLabels), .Banks(Banks), .ForwardAll(ForwardAll),
    .XorLatency(XorLatency),
    .AndLatency(AndLatency), .AndInterval(AndInterval), .IssueDepth(IssueDepth),
    .TableDepth(TableDepth), .OorAddressDepth(OorAddressDepth), .OorWireDepth(OorWireDepth),
    .LiveDepth(LiveDepth), .InstrBursts(InstrBursts), .LoaderBursts(LoaderBursts),
    .InputHold(InputHold), .LiveInFlight(LiveInFlight), .NumPorts(NumPorts),
    .DataWidth(DataWidth), .AddrWidth(AddrWidth), .Garbler(Garbler), .AesImpl(AesImpl),
    .Counters(Counters)
  ) u_machine (
    .clk_i, .rst_ni(rst_n), .irq_o, .s_axil_awvalid_i, .s_axil_awready_o, .s_axil_awaddr_i,
    .s_axil_wvalid_i, .s_axil_wready_o, .s_axil_wdata_i, .s_axil_wstrb_i, .s_axil_bvalid_o,
    .s_axil_bready_i, .s_axil_bresp_o, .s_axil_arvalid_i, .s_axil_arready_o, .s_axil_araddr_i,
    .s_axil_rvalid_o, .s_axil_rready_i, .s_axil_rdata_o, .s_axil_rresp_o, .m_axi_arvalid_o,
    .m_axi_arready_i, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o,
    .m_axi_rvalid_i, .m_axi_rready_o, .m_axi_rdata_i, .m_axi_rresp_i(rresp), .m_axi_rlast_i,
    .m_axi_awvalid_o, .m_axi_awready_i, .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o,
    .m_axi_awburst_o, .m_axi_wvalid_o, .m_axi_wready_i, .m_axi_wdata_o, .m_axi_wstrb_o,
    .m_axi_wlast_o, .m_axi_bvalid_i, .m_axi_bready_o, .m_axi_bresp_i(bresp),
    .sim_issue_stall_i('0), .sim_run_o(unused_run), .sim_cause_o(unused_cause),
    .sim_level_issue_o(unused_level_issue), .sim_level_tables_o(unused_level_tables),
    .sim_level_addresses_o(unused_level_addresses), .sim_level_wires_o(unused_level_wires),
    .sim_level_live_o(unused_level_live), .sim_outstanding_o(unused_outstanding)
  );

  assign unused_prot = ^{s_axil_awprot_i, s_axil_arprot_i};

endmodule
