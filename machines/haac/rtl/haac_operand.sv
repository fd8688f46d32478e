// SPDX-License-Identifier: MIT OR Apache-2.0

// One operand in one stage, and its state after this cycle. The operand's label comes from the bank
// when the bank's word arrives, from the bus once the bank access has begun, or from the
// out-of-range queue. Without Forward, it is not taken from the bus: a result that comes makes the
// operand one without an access, since the window has the label from the next cycle on.
//
// | port             | width         | meaning                                                |
// |------------------|---------------|--------------------------------------------------------|
// | operand_i        | operand_t     | as registered                                          |
// | label_i          | 128           | its latch                                              |
// | won_i, port_i    | 1, 2          | it wins an access in this cycle, and at which port     |
// | pop_i, head_i    | 1, 128        | it takes the head of the out-of-range queue            |
// | rd_hit_i         | 4             | per read port: the word's slot is valid, its epoch right |
// | rd_label_i       | 4 x 128       |                                                        |
// | bus_valid_i …    | 2 Engines     | results of this cycle: addresses and labels            |
// | operand_o        | operand_t     | at the end of the cycle; X uses it in this cycle       |
// | label_o          | 128           |                                                        |
// | forwarded_o      | 1             | the label came over the bus                            |
// | again_o          | 1             | without Forward: the access counts no more             |
//
// Latency: none, combinational. Stalls: none.

module haac_operand
  import haac_isa_pkg::*;
  import haac_engine_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 4096,
  // Whether the label is taken from the bus.
  parameter bit          Forward      = 1'b1,
  // Read ports that can deliver while an operand is in this stage.
  parameter logic [3:0]  ReadPorts    = 4'b1111,
  // Whether the label is taken from the out-of-range queue in this stage.
  parameter bit          Pops         = 1'b1,
  localparam int unsigned Results     = 2 * Engines,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels)
) (
  input  operand_t                              operand_i,
  input  logic [LabelWidth-1:0]                 label_i,

  input  logic                                  won_i,
  input  logic [1:0]                            port_i,
  input  logic                                  pop_i,
  input  logic [LabelWidth-1:0]                 head_i,

  input  logic [3:0]                            rd_hit_i,
  input  logic [3:0][LabelWidth-1:0]            rd_label_i,

  input  logic [Results-1:0]                    bus_valid_i,
  input  logic [Results-1:0][AddressWidth-1:0]  bus_addr_i,
  input  logic [Results-1:0][LabelWidth-1:0]    bus_label_i,

  output operand_t                              operand_o,
  output logic [LabelWidth-1:0]                 label_o,
  output logic                                  forwarded_o,
  output logic                                  again_o
);

  logic listens, waits;
  logic [3:0] hit;
  logic [Results-1:0] match;
  logic [LabelWidth-1:0] from_bus;
  phase_e phase, next;

  assign listens = operand_i.phase != PhaseNone && !operand_i.there;

  for (genvar p = 0; p < 4; p++) begin : gen_hit
    assign hit[p] = ReadPorts[p] && operand_i.phase == PhaseData && operand_i.port == 2'(p)
        && rd_hit_i[p];
  end

  // The latch of an operand that waits for the queue has the queue's head. It counts from the pop
  // on, which is late.
  assign waits = Pops && operand_i.address[SlotWidth-1:0] == '0 && !operand_i.there;

  // Comparing slot and epoch is enough: interlock (b) keeps other laps of the slot off the bus.
  always_comb begin
    match = '0;
    if (listens) begin
      for (int unsigned i = 0; i < Results; i++) begin
        match[i] = bus_valid_i[i] && bus_addr_i[i][SlotWidth:0] == operand_i.address[SlotWidth:0];
      end
    end
  end

  // A tree of ORs: node n has the nodes 2n and 2n + 1 below it, and the results are its leaves. The
  // condition is not needed in gates; it lets a simulator skip what is unused.
  logic [2*Results-1:1][LabelWidth-1:0] nodes;
  always_comb begin
    nodes = '0;
    if (Forward && |match) begin
      for (int unsigned i = 0; i < Results; i++) begin
        nodes[Results+i] = bus_label_i[i] & {LabelWidth{match[i]}};
      end
      for (int unsigned n = Results - 1; n > 0; n--) nodes[n] = nodes[2*n] | nodes[2*n+1];
    end
  end

  assign from_bus    = nodes[1];
  assign forwarded_o = Forward && |match;
  assign again_o     = !Forward && |match;

  always_comb begin
    label_o = label_i;
    if (forwarded_o) label_o = from_bus;
    for (int unsigned p = 0; p < 4; p++) begin
      if (hit[p]) label_o = rd_label_i[p];
    end
    if (waits) label_o = head_i;
  end

  assign phase = again_o ? PhaseNone : operand_i.phase;

  always_comb begin
    unique case (phase)
      PhaseNone:   next = won_i ? PhaseAccess : PhaseNone;
      PhaseAccess: next = PhaseData;
      default:     next = PhaseDone;
    endcase
  end

  assign operand_o = '{
    address: operand_i.address,
    phase:   next,
    port:    won_i ? port_i : operand_i.port,
    there:   operand_i.there || forwarded_o || |hit || (waits && pop_i)
  };

endmodule
