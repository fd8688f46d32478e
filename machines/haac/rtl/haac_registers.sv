// SPDX-License-Identifier: MIT OR Apache-2.0

// The host's registers, except the counters.
//
// | port        | width | meaning                                                            |
// |-------------|-------|--------------------------------------------------------------------|
// | write_i, waddr_i, wdata_i | 1, 14, 32 | writes a word                                    |
// | wstrb_i     | 4     | the bytes of the word that are written; others keep their value    |
// | raddr_i, rdata_o | 14, 32 | reads a word, in the same cycle                              |
// | counter_i   | 32    | the counters' word at raddr_i                                      |
// | busy_i      | 1     | a run: only `control` and `interrupt` can be written               |
// | wipe_i      | 1     | clears delta                                                       |
// | start_o, reset_o, clear_o | 1 | commands, for one cycle                                  |
// | status_i, error_i | 32 | values of these registers                                       |
// | others      |       | values of the written registers                                    |
//
// Latency: a write is visible in the next cycle. Stalls: none.

module haac_registers
  import haac_regs_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 32768,
  parameter int unsigned NumPorts     = 1,
  parameter int unsigned DataWidth    = 512,
  parameter bit          Garbler      = 1'b1,
  parameter bit          Counters     = 1'b1,
  parameter int unsigned AesImpl      = 0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    write_i,
  input  logic [RegAddrWidth-1:0] waddr_i,
  input  logic [31:0]             wdata_i,
  input  logic [3:0]              wstrb_i,
  input  logic [RegAddrWidth-1:0] raddr_i,
  output logic [31:0]             rdata_o,
  input  logic [31:0]             counter_i,
  input  logic                    busy_i,
  input  logic                    wipe_i,
  output logic                    start_o,
  output logic                    reset_o,
  output logic                    clear_o,
  input  logic [31:0]             status_i,
  input  logic [31:0]             error_i,
  output logic                    interrupt_o,
  output logic [63:0]             program_o,
  output logic [63:0]             and_base_o,
  output logic [127:0]            point_o,
  output logic [127:0]            delta_o,
  output logic [8:0]              latency_o,
  output logic [31:0]             credit_step_o,
  output logic [31:0]             credit_byte_o,
  output logic [31:0]             credit_cap_o,
  output logic [31:0]             wire_bytes_o,
  output logic [31:0]             timeout_o
);

  // The written word, with 0 in bytes without a strobe, and the bytes that a register keeps.
  logic [31:0] set, keep;
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign keep[8*b+:8] = {8{!wstrb_i[b]}};
  end
  assign set = wdata_i & ~keep;

  logic control;
  logic [31:0] latency;
  assign control = write_i && waddr_i == RegControl;
  assign start_o = control && set[ControlStartBit];
  assign reset_o = control && set[ControlResetBit];
  assign clear_o = control && set[ControlClearBit];
  assign latency = set | (32'(latency_o) & keep);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      interrupt_o   <= 1'b0;
      program_o     <= '0;
      and_base_o    <= '0;
      point_o       <= '0;
      latency_o     <= '0;
      credit_step_o <= '0;
      credit_byte_o <= '0;
      credit_cap_o  <= '0;
      wire_bytes_o  <= 32'd16;
      timeout_o     <= 32'd65536;
    end else if (write_i && waddr_i == RegInterrupt) begin
      if (wstrb_i[InterruptEnableBit/8]) interrupt_o <= wdata_i[InterruptEnableBit];
    end else if (write_i && !busy_i) begin
      unique case (waddr_i)
        RegProgram0:   program_o[31:0]   <= set | (program_o[31:0] & keep);
        RegProgram1:   program_o[63:32]  <= set | (program_o[63:32] & keep);
        RegAndBase0:   and_base_o[31:0]  <= set | (and_base_o[31:0] & keep);
        RegAndBase1:   and_base_o[63:32] <= set | (and_base_o[63:32] & keep);
        RegPoint0:     point_o[31:0]     <= set | (point_o[31:0] & keep);
        RegPoint1:     point_o[63:32]    <= set | (point_o[63:32] & keep);
        RegPoint2:     point_o[95:64]    <= set | (point_o[95:64] & keep);
        RegPoint3:     point_o[127:96]   <= set | (point_o[127:96] & keep);
        RegLatency:    latency_o         <= |latency[31:8] ? 9'd255 : latency[8:0];
        RegCreditStep: credit_step_o     <= set | (credit_step_o & keep);
        RegCreditByte: credit_byte_o     <= set | (credit_byte_o & keep);
        RegCreditCap:  credit_cap_o      <= set | (credit_cap_o & keep);
        RegWireBytes:  wire_bytes_o      <= set | (wire_bytes_o & keep);
        RegTimeout:    timeout_o         <= set | (timeout_o & keep);
        default: ;
      endcase
    end
  end

  // Delta can be written and never read.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      delta_o <= '0;
    end else if (wipe_i) begin
      delta_o <= '0;
    end else if (write_i && !busy_i && Garbler) begin
      unique case (waddr_i)
        RegDelta0: delta_o[31:0]   <= set | (delta_o[31:0] & keep);
        RegDelta1: delta_o[63:32]  <= set | (delta_o[63:32] & keep);
        RegDelta2: delta_o[95:64]  <= set | (delta_o[95:64] & keep);
        RegDelta3: delta_o[127:96] <= set | (delta_o[127:96] & keep);
        default: ;
      endcase
    end
  end

  always_comb begin
    unique case (raddr_i)
      RegId:         rdata_o = 32'h43414148;
      RegVersion:    rdata_o = {16'(haac_isa_pkg::IsaVersion), 16'(RegsVersion)};
      RegConfig:     rdata_o = {15'd0, !Garbler, 8'($clog2(WindowLabels)), 8'(Engines)};
      RegFeatures:   rdata_o = {10'd0, 2'(AesImpl), 3'd0, Counters, 8'(DataWidth / 8), 8'(NumPorts)};
      RegStatus:     rdata_o = status_i;
      RegError:      rdata_o = error_i;
      RegInterrupt:  rdata_o = 32'(interrupt_o);
      RegProgram0:   rdata_o = program_o[31:0];
      RegProgram1:   rdata_o = program_o[63:32];
      RegAndBase0:   rdata_o = and_base_o[31:0];
      RegAndBase1:   rdata_o = and_base_o[63:32];
      RegPoint0:     rdata_o = point_o[31:0];
      RegPoint1:     rdata_o = point_o[63:32];
      RegPoint2:     rdata_o = point_o[95:64];
      RegPoint3:     rdata_o = point_o[127:96];
      RegLatency:    rdata_o = 32'(latency_o);
      RegCreditStep: rdata_o = credit_step_o;
      RegCreditByte: rdata_o = credit_byte_o;
      RegCreditCap:  rdata_o = credit_cap_o;
      RegWireBytes:  rdata_o = wire_bytes_o;
      RegTimeout:    rdata_o = timeout_o;
      default:       rdata_o = raddr_i >= RegCounters ? counter_i : '0;
    endcase
  end

endmodule
