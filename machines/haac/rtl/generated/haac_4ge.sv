// SPDX-License-Identifier: MIT OR Apache-2.0

// The machine haac-4ge in either role. haac.sv describes the ports.
//
// Generated from machines/haac/spec/machines/haac-4ge.toml and the ports of haac.sv: change those
// files and run `make spec`.

module haac_4ge
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(
  // 1: garbles, 0: evaluates.
  parameter bit          Garbler  = 1'b1,
  // S-boxes: 0 tables, 1 composite field, 2 AES by DPI (simulation).
  parameter int unsigned AesImpl  = 0,
  parameter bit          Counters = 1'b1,
  // What the AXI4 ports send in these signals with every request.
  parameter int unsigned IdWidth  = 4,
  parameter int unsigned AxiId    = 0,
  parameter logic [3:0]  AxiCache = 4'b0011,
  parameter logic [2:0]  AxiProt  = 3'b010,
  parameter logic [3:0]  AxiQos   = 4'd0,
  localparam int unsigned Engines   = haac_4ge_pkg::Engines,
  localparam int unsigned NumPorts  = haac_4ge_pkg::AxiPorts,
  localparam int unsigned DataWidth = haac_4ge_pkg::AxiDataWidth,
  localparam int unsigned AddrWidth = 40
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

  haac #(
    .WindowLabels(haac_4ge_pkg::WindowLabels),
    .Banks(haac_4ge_pkg::Banks),
    .XorLatency(haac_4ge_pkg::XorLatency),
    .IssueDepth(haac_4ge_pkg::IssueQueueDepth),
    .TableDepth(haac_4ge_pkg::TableQueueDepth),
    .OorAddressDepth(haac_4ge_pkg::OorAddressQueueDepth),
    .OorWireDepth(haac_4ge_pkg::OorWireQueueDepth),
    .LiveDepth(haac_4ge_pkg::LiveQueueDepth),
    .InstrBursts(haac_4ge_pkg::InstrQueueBursts),
    .LoaderBursts(haac_4ge_pkg::LoaderBursts),
    .AndLatency(Garbler ? haac_4ge_pkg::AndLatencyGarbler : haac_4ge_pkg::AndLatencyEvaluator),
    .Engines(Engines), .NumPorts(NumPorts), .DataWidth(DataWidth), .AddrWidth(AddrWidth),
    .Garbler(Garbler), .AesImpl(AesImpl), .Counters(Counters), .IdWidth(IdWidth),
    .AxiId(AxiId), .AxiCache(AxiCache), .AxiProt(AxiProt), .AxiQos(AxiQos)
  ) u_haac (.*);

endmodule
