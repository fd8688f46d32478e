// SPDX-License-Identifier: MIT OR Apache-2.0

// Holds groups while their operands are read. Groups leave in order, each when all its operands
// have arrived. Block RAM and both ports of DDR deliver operands independently, each into separate
// memories.
//
// | parameter | meaning                                                                       |
// |-----------|-------------------------------------------------------------------------------|
// | Slots     | capacity in groups, a power of two                                            |
// | Serial    | 0: labels of constants are not read: for 0 no bit is set, for 1 it is delta_i |
//
// | port     | width       | meaning                                                     |
// |----------|-------------|-------------------------------------------------------------|
// | clear_i  | 1           | removes all groups                                          |
// | wipe_i   | 1           | wipes the labels of slot wipe_slot_i, and does nothing else |
// | delta_i  | 128         | D                                                           |
// | slot_o   |             | slot of the group whose operands are being requested        |
// | full_o   | 1           | there is no free slot                                       |
// | send_i   | 1           | all operands of the group in commands_i, ... are requested  |
// | came_i   | Reads       | an operand of slot came_slot_i arrived from block RAM       |
// | port_*_i | 2           | an operand arrived through a port of DDR                    |
// | valid_o  | 1           | the oldest group has all its operands                       |
// | take_i   | 1           | removes the oldest group                                    |
// | a_o, b_o | Lanes x 128 | operands of the oldest group, not yet inverted              |
// | empty_o  | 1           | there is no group                                           |
//
// Latency: an operand that arrives in clock cycle c is available in c + 1. Stalls: full_o.

module overlay_operands
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes = 1,
  parameter int unsigned Slots = 16,
  parameter bit          Serial = 1'b0,
  localparam int unsigned Reads      = 2 * Lanes,
  localparam int unsigned SlotWidth  = $clog2(Slots),
  localparam int unsigned ReadWidth  = $clog2(Reads),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clear_i,
  input  logic                       wipe_i,
  input  logic [SlotWidth-1:0]       wipe_slot_i,
  input  logic [127:0]               delta_i,

  output logic [SlotWidth-1:0]       slot_o,
  output logic                       full_o,
  input  logic                       send_i,
  input  command_t [Lanes-1:0]       commands_i,
  input  logic [CountWidth-1:0]      count_i,
  input  logic                       ands_i,
  input  logic                       first_i,
  input  logic                       last_i,

  input  logic [Reads-1:0]           came_i,
  input  logic [SlotWidth-1:0]       came_slot_i,
  input  logic [Reads-1:0][127:0]    came_label_i,
  input  logic [1:0]                 port_valid_i,
  input  logic [1:0][SlotWidth-1:0]  port_slot_i,
  input  logic [1:0][ReadWidth-1:0]  port_read_i,
  input  logic [1:0][127:0]          port_label_i,

  output logic                       valid_o,
  input  logic                       take_i,
  output command_t [Lanes-1:0]       commands_o,
  output logic [CountWidth-1:0]      count_o,
  output logic                       ands_o,
  output logic                       first_o,
  output logic                       last_o,
  output logic [Lanes-1:0][127:0]    a_o,
  output logic [Lanes-1:0][127:0]    b_o,
  output logic                       empty_o
);

  typedef struct packed {
    command_t [Lanes-1:0] commands;
    logic [CountWidth-1:0] count;
    logic ands;
    logic first;
    logic last;
  } group_t;

  group_t groups [Slots];
  group_t head;
  logic [Slots-1:0][Reads-1:0] have_q;
  logic [SlotWidth-1:0] head_q, tail_q;
  logic [SlotWidth:0] level_q;
  logic [Reads-1:0] needed;

  assign slot_o  = tail_q;
  assign full_o  = 32'(level_q) == Slots;
  assign empty_o = level_q == '0;
  assign head    = groups[head_q];
  assign {commands_o, count_o, ands_o, first_o, last_o} = head;
  assign valid_o = !empty_o && (have_q[head_q] & needed) == needed;

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    logic [2:0] we;
    logic [2:0][SlotWidth-1:0] slot;
    logic [2:0][127:0] label, found;
    logic [127:0] read, operand;
    overlay_pkg::place_t place;
    ddr_t ddr;

    assign needed[r] = r / 2 < 32'(count_o) && (Serial || !is_constant(place));
    assign we    = {port_valid_i[1] && port_read_i[1] == ReadWidth'(r),
                    port_valid_i[0] && port_read_i[0] == ReadWidth'(r), came_i[r]};
    assign slot  = {port_slot_i, came_slot_i};
    assign label = {port_label_i, came_label_i[r]};
    for (genvar s = 0; s < 3; s++) begin : gen_source
      logic [127:0] labels [Slots];
      assign found[s] = labels[head_q];
      always_ff @(posedge clk_i) begin
        if (wipe_i) labels[wipe_slot_i] <= '0;
        else if (we[s]) labels[slot[s]] <= label[s];
      end
    end
    // Selects the memory that has the operand: block RAM's, or a port's.
    assign place = r % 2 == 0 ? head.commands[r/2].a : head.commands[r/2].b;
    assign ddr   = place.address;
    assign read  = place.ram ? found[0] : ddr.port ? found[2] : found[1];
    if (Serial) begin : gen_read_all
      assign operand = read;
    end else begin : gen_known
      assign operand = !is_constant(place) ? read : place.address[0] ? delta_i : '0;
    end
    if (r % 2 == 0) begin : gen_a
      assign a_o[r/2] = operand;
    end else begin : gen_b
      assign b_o[r/2] = operand;
    end
    logic unused;
    assign unused = ^{place.invert, ddr};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        for (int unsigned i = 0; i < Slots; i++) have_q[i][r] <= 1'b0;
      end else if (clear_i) begin
        for (int unsigned i = 0; i < Slots; i++) have_q[i][r] <= 1'b0;
      end else begin
        for (int unsigned i = 0; i < Slots; i++) begin
          if (take_i && head_q == SlotWidth'(i)) have_q[i][r] <= 1'b0;
          for (int unsigned s = 0; s < 3; s++) begin
            if (we[s] && slot[s] == SlotWidth'(i)) have_q[i][r] <= 1'b1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {head_q, tail_q, level_q} <= '0;
    else if (clear_i) {head_q, tail_q, level_q} <= '0;
    else begin
      if (take_i) head_q <= head_q + 1'b1;
      if (send_i) tail_q <= tail_q + 1'b1;
      level_q <= level_q + (SlotWidth + 1)'(send_i) - (SlotWidth + 1)'(take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (send_i) groups[tail_q] <= {commands_i, count_i, ands_i, first_i, last_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(send_i && full_o)) else $error("overlay_operands: a group enters a full queue");
      assert (!(take_i && !valid_o)) else $error("overlay_operands: a group is taken too early");
    end
  end
`endif

  logic unused;
  assign unused = ^delta_i;

endmodule
