// SPDX-License-Identifier: MIT OR Apache-2.0

// Parameters of the machine haac-1ge. haac_isa_pkg has those that all machines share.
//
// Generated from isa.toml and machines/haac-1ge.toml in machines/haac/spec: change those files and
// run `make spec`.

package haac_1ge_pkg;

  // Gate engines and the window of labels.
  parameter int unsigned Engines = 1;
  parameter int unsigned WindowLabels = 4096;
  parameter int unsigned HalfLabels = 2048;
  parameter int unsigned Banks = 4;
  parameter int unsigned BankLabels = 1024;

  // Widths in bits.
  parameter int unsigned SlotWidth = 12;
  parameter int unsigned InstrWidth = 27;

  // Latencies in cycles.
  parameter int unsigned XorLatency = 1;
  parameter int unsigned AndLatencyGarbler = 21;
  parameter int unsigned AndLatencyEvaluator = 18;
  parameter int unsigned ReadStages = 3;
  parameter int unsigned WriteBackStages = 2;

  // Depths of the shared queues, in bursts and in labels; maximum input bursts per cycle.
  parameter int unsigned InstrQueueBursts = 7;
  parameter int unsigned InputQueueLabels = 8;
  parameter int unsigned LoaderBursts = 1;

  // AXI4 ports.
  parameter int unsigned AxiPorts = 1;
  parameter int unsigned AxiDataWidth = 512;

  // Depths of each engine's queues, in entries.
  parameter int unsigned IssueQueueDepth = 16;
  parameter int unsigned TableQueueDepth = 72;
  parameter int unsigned OorAddressQueueDepth = 32;
  parameter int unsigned OorWireQueueDepth = 32;
  parameter int unsigned LiveQueueDepth = 16;

  // Operand fields with this value refer to the out-of-range queue.
  parameter logic [SlotWidth-1:0] SlotOor = 0;

  // An instruction of the encoding plain; the lowest field is last.
  typedef struct packed {
    logic live;
    logic [11:0] b;
    logic [11:0] a;
    logic [1:0] op;
  } instr_t;

endpackage : haac_1ge_pkg
