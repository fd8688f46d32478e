// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of haac_window with one engine: a read gives the label written last to its slot. One
// slot and one read are watched: any may be chosen. Three bits of a label stand for all.
//
// Time does not stop (run_i) and nothing is wiped or cancelled. The engine keeps its side: a result
// comes in the cycle for which its write was reserved.

module haac_window_proof
  import haac_isa_pkg::*;
#(
  parameter int unsigned WindowLabels = 8,
  parameter int unsigned Banks        = 4,
  parameter int unsigned AndLatency   = 2,
  localparam int unsigned SlotWidth = $clog2(WindowLabels),
  localparam int unsigned BankWidth = $clog2(Banks),
  localparam int unsigned Reads     = 4,
  localparam int unsigned Results   = 2,
  localparam int unsigned Loads     = 4,
  localparam int unsigned Writes    = Results + Loads
) (
  input logic                                 clk_i,
  input logic                                 all_loaded_i,
  input logic                                 late_i,
  input logic [Reads-1:0]                     rd_req_i,
  input logic [Reads-1:0][SlotWidth-1:0]      rd_slot_i,
  input logic [Reads-1:0]                     rd_epoch_i,
  input logic                                 wr_request_i,
  input logic                                 wr_is_and_i,
  input logic [BankWidth-1:0]                 wr_bank_i,
  input logic [Loads-1:0]                     ld_valid_i,
  input logic [Loads-1:0][SlotWidth-1:0]      ld_slot_i,
  input logic [Loads-1:0]                     ld_epoch_i,
  input logic [Loads-1:0][LabelWidth-1:0]     ld_label_i,
  input logic [Results-1:0]                   bus_valid_i,
  input logic [Results-1:0][AddressWidth-1:0] bus_addr_i,
  input logic [Results-1:0][LabelWidth-1:0]   bus_label_i,
  input logic [SlotWidth-1:0]                 slot_i,
  input logic [1:0]                           read_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic wiping, wr_gnt;
  logic [Reads-1:0] rd_gnt, rd_hit;
  logic [Reads-1:0][LabelWidth-1:0] rd_label;
  haac_window #(
    .Engines(1), .WindowLabels(WindowLabels), .Banks(Banks), .AndLatency(AndLatency), .LoaderBursts(1)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i(1'b0), .run_i(1'b1), .wipe_i(1'b0), .wiping_o(wiping),
    .all_loaded_i, .late_i, .rd_req_i, .rd_slot_i, .rd_epoch_i, .rd_gnt_o(rd_gnt), .rd_hit_o(rd_hit),
    .rd_label_o(rd_label), .wr_request_i, .wr_is_and_i, .wr_bank_i, .wr_gnt_o(wr_gnt), .ld_valid_i,
    .ld_slot_i, .ld_epoch_i, .ld_label_i, .bus_valid_i, .bus_addr_i, .bus_label_i
  );

  function automatic logic [2:0] sample(input logic [LabelWidth-1:0] label);
    sample = {label[LabelWidth-1], label[LabelWidth/2], label[0]};
  endfunction

  // All writes of this cycle: results, then the loader's.
  logic [Writes-1:0] valid;
  logic [Writes-1:0][SlotWidth-1:0] slot;
  logic [Writes-1:0][3:0] word;
  for (genvar w = 0; w < Writes; w++) begin : gen_write
    if (w < Results) begin : gen_result
      assign valid[w] = bus_valid_i[w];
      assign slot[w]  = bus_addr_i[w][SlotWidth-1:0];
      assign word[w]  = {bus_addr_i[w][SlotWidth], sample(bus_label_i[w])};
    end else begin : gen_load
      assign valid[w] = ld_valid_i[w-Results];
      assign slot[w]  = ld_slot_i[w-Results];
      assign word[w]  = {ld_epoch_i[w-Results], sample(ld_label_i[w-Results])};
    end
    for (genvar v = 0; v < w; v++) begin : gen_other
      always_comb assume (!(valid[w] && valid[v] && slot[w] == slot[v]));
    end
  end

  // The watched slot with the writes of this cycle, and the watched read of it, one and two cycles
  // after its grant.
  logic [SlotWidth-1:0] slot_q;
  logic [1:0] read_q;
  logic known, known_q, reads, reads_q, comes_q, loaded_q;
  logic [3:0] written, written_q, wanted_q;
  logic epoch_q, lap_q;
  always_comb begin
    known   = known_q;
    written = written_q;
    for (int unsigned w = 0; w < Writes; w++) begin
      if (valid[w] && slot[w] == slot_q) {known, written} = {1'b1, word[w]};
    end
  end
  assign reads = rd_gnt[read_q] && rd_slot_i[read_q] == slot_q && known;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      slot_q  <= slot_i;
      read_q  <= read_i;
      {known_q, reads_q, comes_q, loaded_q} <= '0;
    end else begin
      {known_q, written_q} <= {known, written};
      {reads_q, epoch_q}   <= {reads, rd_epoch_i[read_q]};
      {comes_q, lap_q}   <= {reads_q, epoch_q};
      wanted_q <= written_q;
      loaded_q <= all_loaded_i;
    end
  end

  always_comb begin
    if (rst_n) begin
      assume (!loaded_q || all_loaded_i);
      assume (!all_loaded_i || ld_valid_i == '0);

      hit: assert (!comes_q || rd_hit[read_q] == (lap_q == wanted_q[3]));
      label: assert (!comes_q || lap_q != wanted_q[3] || sample(rd_label[read_q]) == wanted_q[2:0]);

      misses: cover (comes_q && lap_q != wanted_q[3]);
      overwritten: cover (comes_q && lap_q == wanted_q[3] && wanted_q[2:0] == 3'd5 && written_q[2:0] == 3'd2);
    end
  end
  for (genvar l = 0; l < Loads; l++) begin : gen_load
    always_comb if (rst_n) assume (ld_slot_i[l][1:0] == 2'(l));
  end
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    // Accesses of the next cycle.
    logic [31:0] results, reads_here, writes_here;
    always_comb begin
      results = 0;
      writes_here = 0;
      reads_here  = 0;
      for (int unsigned w = 0; w < Writes; w++) begin
        if (valid[w] && 32'(slot[w]) % Banks == b) begin
          writes_here += 1;
          if (w < Results) results += 1;
        end
      end
      for (int unsigned r = 0; r < Reads; r++) reads_here += 32'(rd_gnt[r] && 32'(rd_slot_i[r]) % Banks == b);
      if (rst_n) begin
        assume (results == 32'(u_dut.reserved[b]));
        two_accesses: assert (reads_here + writes_here <= 2);
      end
    end
  end

endmodule
