// SPDX-License-Identifier: MIT OR Apache-2.0

// Registers, codes and the launch descriptor of a HAAC.
//
// Generated from machines/haac/spec/registers.toml: change that file and run `make spec`.

package haac_regs_pkg;

  // Version of the registers and the launch descriptor; bits of a register's address.
  parameter int unsigned RegsVersion = 1;
  parameter int unsigned RegAddrWidth = 14;

  // Offsets of registers, and the lowest bits of their fields.
  parameter logic [13:0] RegId = 14'h0;
  parameter logic [13:0] RegVersion = 14'h4;
  parameter int unsigned VersionRegistersBit = 0;
  parameter int unsigned VersionIsaBit = 16;
  parameter logic [13:0] RegConfig = 14'h8;
  parameter int unsigned ConfigEnginesBit = 0;
  parameter int unsigned ConfigWindowBitsBit = 8;
  parameter int unsigned ConfigEvaluatorBit = 16;
  parameter logic [13:0] RegFeatures = 14'hc;
  parameter int unsigned FeaturesPortsBit = 0;
  parameter int unsigned FeaturesDataBytesBit = 8;
  parameter int unsigned FeaturesCountersBit = 16;
  parameter int unsigned FeaturesAesBit = 20;
  parameter logic [13:0] RegControl = 14'h10;
  parameter int unsigned ControlStartBit = 0;
  parameter int unsigned ControlResetBit = 1;
  parameter int unsigned ControlClearBit = 2;
  parameter logic [13:0] RegStatus = 14'h14;
  parameter int unsigned StatusStateBit = 0;
  parameter int unsigned StatusDoneBit = 4;
  parameter int unsigned StatusFailedBit = 5;
  parameter int unsigned StatusWasResetBit = 6;
  parameter int unsigned StatusDrainingBit = 7;
  parameter logic [13:0] RegError = 14'h18;
  parameter int unsigned ErrorCodeBit = 0;
  parameter int unsigned ErrorStreamBit = 8;
  parameter int unsigned ErrorEngineBit = 16;
  parameter logic [13:0] RegInterrupt = 14'h1c;
  parameter int unsigned InterruptEnableBit = 0;
  parameter logic [13:0] RegProgram0 = 14'h20;
  parameter logic [13:0] RegProgram1 = 14'h24;
  parameter logic [13:0] RegAndBase0 = 14'h28;
  parameter logic [13:0] RegAndBase1 = 14'h2c;
  parameter logic [13:0] RegPoint0 = 14'h30;
  parameter logic [13:0] RegPoint1 = 14'h34;
  parameter logic [13:0] RegPoint2 = 14'h38;
  parameter logic [13:0] RegPoint3 = 14'h3c;
  parameter logic [13:0] RegDelta0 = 14'h40;
  parameter logic [13:0] RegDelta1 = 14'h44;
  parameter logic [13:0] RegDelta2 = 14'h48;
  parameter logic [13:0] RegDelta3 = 14'h4c;
  parameter logic [13:0] RegLatency = 14'h50;
  parameter logic [13:0] RegCreditStep = 14'h54;
  parameter logic [13:0] RegCreditByte = 14'h58;
  parameter logic [13:0] RegCreditCap = 14'h5c;
  parameter logic [13:0] RegWireBytes = 14'h60;
  parameter logic [13:0] RegTimeout = 14'h64;

  // Counters: implemented bits, offsets, and numbers in order.
  parameter int unsigned CounterWidth = 48;
  parameter int unsigned NumCounters = 18;
  parameter logic [13:0] RegCounters = 14'h100;
  parameter logic [13:0] RegCauses = 14'h1000;
  parameter int unsigned CausesStride = 128;
  parameter int unsigned CounterCycles = 0;
  parameter int unsigned CounterFirstIssue = 1;
  parameter int unsigned CounterLastWriteBack = 2;
  parameter int unsigned CounterMemoryBound = 3;
  parameter int unsigned CounterInstructionBursts = 4;
  parameter int unsigned CounterTableBursts = 5;
  parameter int unsigned CounterOorAddressBursts = 6;
  parameter int unsigned CounterOorWires = 7;
  parameter int unsigned CounterLive = 8;
  parameter int unsigned CounterInputBursts = 9;
  parameter int unsigned CounterAnds = 10;
  parameter int unsigned CounterXors = 11;
  parameter int unsigned CounterHalfGateCycles = 12;
  parameter int unsigned CounterWindowReads = 13;
  parameter int unsigned CounterWindowWrites = 14;
  parameter int unsigned CounterForwarded = 15;
  parameter int unsigned CounterOorPops = 16;
  parameter int unsigned CounterLate = 17;

  // The field `state` of the register `status`.
  typedef enum logic [3:0] {
    StateIdle = 4'd0,
    StateWiping = 4'd1,
    StateFetching = 4'd2,
    StateRunning = 4'd3,
    StateDraining = 4'd4,
    StateDone = 4'd5,
    StateFailed = 4'd6
  } state_e;

  // The field `code` of the register `error`.
  typedef enum logic [7:0] {
    ErrorNone = 8'd0,
    ErrorNotAProgram = 8'd1,
    ErrorOtherVersion = 8'd2,
    ErrorOtherConfiguration = 8'd3,
    ErrorBadDescriptor = 8'd4,
    ErrorCorrupt = 8'd5,
    ErrorShort = 8'd6,
    ErrorIllegalInstruction = 8'd7,
    ErrorMemoryError = 8'd8,
    ErrorMemoryDead = 8'd9,
    ErrorStuck = 8'd10
  } error_e;

  // The field `stream` of the register `error`.
  typedef enum logic [7:0] {
    StreamNone = 8'd0,
    StreamDescriptor = 8'd1,
    StreamInstructions = 8'd2,
    StreamInputs = 8'd3,
    StreamOorAddresses = 8'd4,
    StreamOorWires = 8'd5,
    StreamTables = 8'd6,
    StreamLive = 8'd7
  } stream_e;

  // First word of the launch descriptor.
  parameter logic [31:0] DescriptorMagic = 32'h4c474748;

  // Header of the launch descriptor; the lowest bytes are last.
  typedef struct packed {
    logic [31:0] crc;
    logic [95:0] reserved;
    logic [63:0] labels;
    logic [63:0] instructions;
    logic [31:0] instruction_crc;
    logic [31:0] instruction_bursts;
    logic [31:0] first_loaded;
    logic [31:0] first_output;
    logic [31:0] rows;
    logic [31:0] machine;
    logic [31:0] version;
    logic [31:0] magic;
  } descriptor_header_t;

  // An engine's entry in the launch descriptor; the lowest bytes are last.
  typedef struct packed {
    logic [31:0] reserved;
    logic [31:0] oor_crc;
    logic [31:0] ands;
    logic [31:0] oor_words;
    logic [63:0] tables;
    logic [63:0] oor;
  } descriptor_engine_t;

endpackage : haac_regs_pkg
