// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of overlay_write, with any group of results. One lane is watched: any may be chosen.

module overlay_write_proof
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes = 3,
  parameter int unsigned Banks = 2,
  localparam int unsigned BankWidth  = $clog2(Banks),
  localparam int unsigned LaneWidth  = $clog2(Lanes),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input logic                            clk_i,
  input logic                            clear_i,
  input logic                            may_i,
  input logic                            ands_i,
  input logic [CountWidth-1:0]           count_i,
  input overlay_pkg::place_t [Lanes-1:0] places_i,
  input logic [1:0]                      ready_i,
  input logic [1:0]                      acks_i,
  input logic                            table_ready_i,
  input logic [LaneWidth-1:0]            watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0][Lanes-1:0] wants;
  logic [Banks-1:0][Lanes-1:0] ram;
  logic [Lanes-1:0] serves;
  logic tables, retires;
  overlay_write #(.Lanes(Lanes), .Banks(Banks)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .may_i, .ands_i, .count_i, .places_i, .ready_i, .acks_i,
    .table_ready_i, .wants_o(wants), .ram_o(ram), .serves_o(serves), .table_o(tables), .retires_o(retires)
  );

  // A group stays until it is finished.
  logic stays_q, ands_q;
  logic [CountWidth-1:0] count_q;
  overlay_pkg::place_t [Lanes-1:0] places_q;
  always_ff @(posedge clk_i) begin
    stays_q  <= rst_n && !clear_i && may_i && !retires;
    ands_q   <= ands_i;
    count_q  <= count_i;
    places_q <= places_i;
  end

  // The watched lane: where its label goes, whether it was written, and whether it is written now.
  // Whether the group's tables have left.
  logic [LaneWidth-1:0] watched_q;
  logic needed, written_q, writes, left_q, leaves;
  ddr_t ddr;
  logic [31:0] bank;
  assign ddr    = places_i[watched_q].address;
  assign bank   = 32'(places_i[watched_q].address[BankWidth-1:0]);
  assign needed = 32'(watched_q) < 32'(count_i);
  assign writes = places_i[watched_q].ram ? ram[bank][watched_q]
                                          : wants[ddr.port][watched_q] && ready_i[ddr.port];
  assign leaves = tables && table_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || clear_i || retires) {written_q, left_q} <= '0;
    else {written_q, left_q} <= {written_q || writes, left_q || leaves};
  end

  always_comb begin
    assume (32'(watch_i) < Lanes);
    if (rst_n) begin
      assume (32'(count_i) <= Lanes);
      assume (!stays_q || (may_i && ands_i == ands_q && count_i == count_q && places_i == places_q));

      writes_once: assert (!writes || (may_i && needed && !written_q));
      its_place: assert (serves[watched_q] == writes);
      tables_once: assert (!tables || (may_i && ands_i && !left_q));
      finishes: assert (!retires || (may_i && (!needed || written_q || writes)
                       && (!ands_i || left_q || leaves)));
      inv_written: assert (u_dut.served_q[watched_q] == written_q && u_dut.tabled_q == left_q);
      inv_watched: assert (32'(watched_q) < Lanes);

      group: cover (retires && 32'(count_i) == Lanes && written_q && left_q && ands_i);
      last: cover (retires && writes && leaves);
    end
  end
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_comb if (rst_n) one_a_bank: assert ((ram[b] & (ram[b] - 1'b1)) == '0);
  end
  for (genvar p = 0; p < 2; p++) begin : gen_port
    always_comb if (rst_n) one_a_port: assert ((wants[p] & (wants[p] - 1'b1)) == '0);
  end

endmodule
