// SPDX-License-Identifier: MIT OR Apache-2.0

// Chooses the operands of the current group that are read in this clock cycle: one from each bank
// of block RAM and one through each port of DDR, those with the lowest numbers. Operand a of lane l
// has number 2l, and operand b has 2l + 1. Unless Serial, constants are not read.
//
// | port       | width         | meaning                                                    |
// |------------|---------------|------------------------------------------------------------|
// | clear_i    | 1             | forgets which operands were read                           |
// | may_i      | 1             | there is a group, and it may read                          |
// | whole_i    | 1             | all words of the group are there                           |
// | count_i    |               | number of the group's gates                                |
// | commands_i | Lanes         | the group's commands                                       |
// | ready_i    | 2             | ports of DDR that accept a read in this cycle              |
// | wants_o    | 2 x Reads     | for each port, the operand to read; at most one bit is set |
// | ram_o      | Banks x Reads | for each bank, the operand to read; at most one bit is set |
// | serves_o   | Reads         | all operands that are read in this clock cycle             |
// | sends_o    | 1             | all operands are now requested, and the group is issued    |
//
// Latency: none; but operands that were read before are remembered. Stalls: ready_i; several
// operands in one bank or port.

module overlay_read
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes = 1,
  parameter int unsigned Banks = 1,
  parameter bit          Serial = 1'b0,
  localparam int unsigned Reads = 2 * Lanes,
  localparam int unsigned BankWidth  = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        clear_i,

  input  logic                        may_i,
  input  logic                        whole_i,
  input  logic [CountWidth-1:0]       count_i,
  // Only the commands' operands are used.
  input  command_t [Lanes-1:0]        commands_i,
  input  logic [1:0]                  ready_i,

  output logic [1:0][Reads-1:0]       wants_o,
  output logic [Banks-1:0][Reads-1:0] ram_o,
  output logic [Reads-1:0]            serves_o,
  output logic                        sends_o
);

  logic [Reads-1:0] needed, left, served_q;
  logic [Banks-1:0][Reads-1:0] of_bank;
  logic [1:0][Reads-1:0] of_port;

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    overlay_pkg::place_t place;
    ddr_t ddr;
    logic unused_row;
    assign unused_row = ^{place, ddr};

    assign place     = r % 2 == 0 ? commands_i[r/2].a : commands_i[r/2].b;
    assign ddr       = place.address;
    assign needed[r] = r / 2 < 32'(count_i) && (Serial || !is_constant(place));
    assign left[r]   = may_i && needed[r] && !served_q[r];
    for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
      assign of_bank[b][r] = left[r] && place.ram
                             && (Banks == 1 || place.address[BankWidth-1:0] == BankWidth'(b));
    end
    for (genvar p = 0; p < 2; p++) begin : gen_port
      assign of_port[p][r] = left[r] && !place.ram && ddr.port == 1'(p);
    end
  end

  always_comb begin
    serves_o = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      ram_o[b]  = of_bank[b] & (~of_bank[b] + 1'b1);
      serves_o |= ram_o[b];
    end
    for (int unsigned p = 0; p < 2; p++) begin
      wants_o[p] = of_port[p] & (~of_port[p] + 1'b1);
      serves_o  |= wants_o[p] & {Reads{ready_i[p]}};
    end
  end
  assign sends_o = may_i && whole_i && ((served_q | serves_o) & needed) == needed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) served_q <= '0;
    else if (clear_i || sends_o) served_q <= '0;
    else served_q <= served_q | serves_o;
  end

  logic unused;
  assign unused = ^commands_i;

endmodule
