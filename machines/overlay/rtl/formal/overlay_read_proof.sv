// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of overlay_read, with any group of commands. One operand is watched: any may be
// chosen.

module overlay_read_proof
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes = 2,
  parameter int unsigned Banks = 2,
  localparam int unsigned Reads = 2 * Lanes,
  localparam int unsigned BankWidth  = $clog2(Banks),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input logic                     clk_i,
  input logic                     clear_i,
  input logic                     may_i,
  input logic                     whole_i,
  input logic [CountWidth-1:0]    count_i,
  input command_t [Lanes-1:0]     commands_i,
  input logic [1:0]               ready_i,
  input logic [$clog2(Reads)-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0][Reads-1:0] wants;
  logic [Banks-1:0][Reads-1:0] ram;
  logic [Reads-1:0] serves;
  logic sends;
  overlay_read #(.Lanes(Lanes), .Banks(Banks)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .may_i, .whole_i, .count_i, .commands_i, .ready_i,
    .wants_o(wants), .ram_o(ram), .serves_o(serves), .sends_o(sends)
  );

  // A group stays until it is sent.
  logic stays_q;
  logic [CountWidth-1:0] count_q;
  command_t [Lanes-1:0] commands_q;
  always_ff @(posedge clk_i) begin
    stays_q    <= rst_n && !clear_i && may_i && !sends;
    count_q    <= count_i;
    commands_q <= commands_i;
  end

  // The watched operand: whether the group needs it, where it is, whether it was read for this
  // group, and whether it is read now.
  logic [$clog2(Reads)-1:0] watched_q;
  logic needed, read_q, reads;
  overlay_pkg::place_t place;
  ddr_t ddr;
  logic [31:0] bank;
  assign place  = watched_q[0] ? commands_i[watched_q[$clog2(Reads)-1:1]].b
                               : commands_i[watched_q[$clog2(Reads)-1:1]].a;
  assign ddr    = place.address;
  assign bank   = 32'(place.address[BankWidth-1:0]);
  assign needed = 32'(watched_q) / 2 < 32'(count_i) && !is_constant(place);
  assign reads  = place.ram ? ram[bank][watched_q] : wants[ddr.port][watched_q] && ready_i[ddr.port];
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || clear_i || sends) read_q <= 1'b0;
    else if (reads) read_q <= 1'b1;
  end

  // Whether the bank or port of the watched operand is in use.
  logic busy;
  assign busy = place.ram ? ram[bank] != '0 : wants[ddr.port] != '0;

  always_comb begin
    if (rst_n) begin
      assume (32'(count_i) <= Lanes);
      assume (!stays_q || (count_i == count_q && commands_i == commands_q));

      reads_once: assert (!reads || (may_i && needed && !read_q));
      its_place: assert (serves[watched_q] == reads);
      reads_all: assert (!sends || !needed || read_q || reads);
      no_idle: assert (!may_i || !needed || read_q || busy);
      inv_served: assert (u_dut.served_q[watched_q] == read_q);

      group: cover (sends && 32'(count_i) == Lanes && read_q && needed);
      waits: cover (may_i && needed && !read_q && !reads && place.ram && ram[bank] != '0);
    end
  end
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_comb if (rst_n) one_a_bank: assert ((ram[b] & (ram[b] - 1'b1)) == '0);
  end
  for (genvar p = 0; p < 2; p++) begin : gen_port
    always_comb if (rst_n) one_a_port: assert ((wants[p] & (wants[p] - 1'b1)) == '0);
  end

endmodule
