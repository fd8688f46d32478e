// SPDX-License-Identifier: MIT OR Apache-2.0

// Writes the results of the oldest group. In a clock cycle, it writes one label to each bank of
// block RAM and one through each port of DDR; the lowest lane goes first. All tables of the group
// leave together.
//
// | parameter | meaning                                                                       |
// |-----------|-------------------------------------------------------------------------------|
// | Serial    | 1: a group is finished when DDR has acknowledged its writes; 0: when accepted |
//
// | port          | width         | meaning                                        |
// |---------------|---------------|------------------------------------------------|
// | clear_i       | 1             | forgets which labels were written              |
// | may_i         | 1             | there is a group, and it may be written        |
// | ands_i        | 1             | the group's gates are ANDs, which have tables  |
// | count_i       |               | number of the group's gates                    |
// | places_i      | Lanes         | places of the group's labels                   |
// | ready_i       | 2             | ports of DDR that accept a write in this cycle |
// | acks_i        | 2             | ports of DDR that acknowledge a write          |
// | table_ready_i | 1             | tables are taken, if table_o                   |
// | wants_o       | 2 x Lanes     | label to write through each port               |
// | ram_o         | Banks x Lanes | label to write to each bank                    |
// | serves_o      | Lanes         | all labels written in this cycle               |
// | table_o       | 1             | tables are offered                             |
// | retires_o     | 1             | the group is finished after this cycle         |
//
// Latency: none; but labels that were written before are remembered. Stalls: ready_i;
// table_ready_i; several labels for one bank or port.

module overlay_write
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes  = 1,
  parameter int unsigned Banks  = 1,
  parameter bit          Serial = 1'b0,
  localparam int unsigned BankWidth  = Banks > 1 ? $clog2(Banks) : 1,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             clear_i,

  input  logic                             may_i,
  input  logic                             ands_i,
  input  logic [CountWidth-1:0]            count_i,
  // Only the banks and ports of the places are used.
  input  overlay_pkg::place_t [Lanes-1:0]  places_i,
  input  logic [1:0]                       acks_i,
  input  logic [1:0]                       ready_i,
  input  logic                             table_ready_i,

  output logic [1:0][Lanes-1:0]            wants_o,
  output logic [Banks-1:0][Lanes-1:0]      ram_o,
  output logic [Lanes-1:0]                 serves_o,
  output logic                             table_o,
  output logic                             retires_o
);

  logic [Lanes-1:0] needed, left, served_q;
  logic [Banks-1:0][Lanes-1:0] of_bank;
  logic [1:0][Lanes-1:0] of_port;
  logic tabled_q, tables_go;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    ddr_t ddr;

    logic unused_row;
    assign unused_row = ^ddr;
    assign ddr       = places_i[l].address;
    assign needed[l] = l < 32'(count_i);
    assign left[l]   = may_i && needed[l] && !served_q[l];
    for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
      assign of_bank[b][l] = left[l] && places_i[l].ram
                             && (Banks == 1 || places_i[l].address[BankWidth-1:0] == BankWidth'(b));
    end
    for (genvar p = 0; p < 2; p++) begin : gen_port
      assign of_port[p][l] = left[l] && !places_i[l].ram && ddr.port == 1'(p);
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
      serves_o  |= wants_o[p] & {Lanes{ready_i[p]}};
    end
  end

  assign table_o   = may_i && ands_i && !tabled_q;
  assign tables_go = table_o && table_ready_i;

  if (Serial) begin : gen_serial
    logic [1:0] waiting_q;  // per port: a write was accepted and is not yet acknowledged

    assign retires_o = may_i && (served_q & needed) == needed && (tabled_q || !ands_i) && waiting_q == '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waiting_q <= '0;
      else if (clear_i) waiting_q <= '0;
      else begin
        for (int unsigned p = 0; p < 2; p++) begin
          waiting_q[p] <= (waiting_q[p] && !acks_i[p]) || (|wants_o[p] && ready_i[p]);
        end
      end
    end
  end else begin : gen_flowing
    assign retires_o = may_i && ((served_q | serves_o) & needed) == needed
                       && (tabled_q || tables_go || !ands_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {served_q, tabled_q} <= '0;
    else if (clear_i || retires_o) {served_q, tabled_q} <= '0;
    else {served_q, tabled_q} <= {served_q | serves_o, tabled_q || tables_go};
  end

  logic unused;
  assign unused = ^{places_i, acks_i};

endmodule
