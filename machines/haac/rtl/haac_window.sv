// SPDX-License-Identifier: MIT OR Apache-2.0

// The sliding window: labels in banks of true dual-port RAM, access arbitration, and read results.
//
// | port         | width                   | meaning                                              |
// |--------------|-------------------------|------------------------------------------------------|
// | clear_i      | 1                       | cancels requested and reserved accesses              |
// | run_i        | 1                       | clock enable: the cycle is counted                   |
// | wipe_i       | 1                       | pulse, run_i 0: invalidates all slots, zeros labels  |
// | wiping_o     | 1                       | a wipe is in progress; from the next cycle on        |
// | all_loaded_i | 1                       | the loader has finished: writes may use both ports   |
// | late_i       | Engines                 | reads of this engine have priority                   |
// | rd_req_i     | 4 Engines               | reads, 4e + k: k = 0 R1.a, 1 R1.b, 2 D.a, 3 D.b      |
// | rd_slot_i    | 4 Engines x SlotWidth   | their slots                                          |
// | rd_epoch_i   | 4 Engines               | the parity of the requested lap                      |
// | rd_gnt_o     | 4 Engines               | won an access of the next cycle; combinational       |
// | rd_hit_o     | 4 Engines               | two cycles after the grant: the label was there      |
// | rd_label_o   | 4 Engines x LabelWidth  | the label; undefined if it was not                   |
// | wr_request_i | Engines                 | engine would issue: requests the write of its result |
// | wr_is_and_i  | Engines                 | 1: after the latency of an AND, 0: of an XOR         |
// | wr_bank_i    | Engines x BankWidth     | its bank                                             |
// | wr_gnt_o     | Engines                 | has the access; combinational                        |
// | ld_valid_i   | Loads                   | labels from the loader, written in the next cycle    |
// | ld_slot_i    | Loads x SlotWidth       | slots: different banks; slot mod 4 = i mod 4         |
// | ld_epoch_i   | Loads                   |                                                      |
// | ld_label_i   | Loads x LabelWidth      |                                                      |
// | bus_valid_i  | 2 Engines               | results on the bus, written in the next cycle        |
// | bus_addr_i   | 2 Engines x AddressWidth | their addresses                                     |
// | bus_label_i  | 2 Engines x LabelWidth  |                                                      |
//
// Latency: a read granted in c accesses its bank in c + 1, after the writes of c + 1, and its label
// arrives in c + 2. Stalls: a read waits if writes, the loader, or reads with priority take the
// accesses of its bank (see haac_read_arbiter). An issue waits if earlier engines have taken those
// for its write (see haac_write_slots).

module haac_window
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 32768,
  // A power of two, WindowLabels at most.
  parameter int unsigned Banks        = 16,
  parameter int unsigned XorLatency   = 1,
  parameter int unsigned AndLatency   = 21,
  parameter int unsigned LoaderBursts = 2,
  localparam int unsigned SlotWidth = $clog2(WindowLabels),
  localparam int unsigned BankWidth = $clog2(Banks),
  localparam int unsigned Reads     = 4 * Engines,
  localparam int unsigned Results   = 2 * Engines,
  localparam int unsigned Loads     = 4 * LoaderBursts
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                                 clear_i,
  input  logic                                 run_i,
  input  logic                                 wipe_i,
  output logic                                 wiping_o,
  input  logic                                 all_loaded_i,

  input  logic [Engines-1:0]                   late_i,
  input  logic [Reads-1:0]                     rd_req_i,
  input  logic [Reads-1:0][SlotWidth-1:0]      rd_slot_i,
  input  logic [Reads-1:0]                     rd_epoch_i,
  output logic [Reads-1:0]                     rd_gnt_o,
  output logic [Reads-1:0]                     rd_hit_o,
  output logic [Reads-1:0][LabelWidth-1:0]     rd_label_o,

  input  logic [Engines-1:0]                   wr_request_i,
  input  logic [Engines-1:0]                   wr_is_and_i,
  input  logic [Engines-1:0][BankWidth-1:0]    wr_bank_i,
  output logic [Engines-1:0]                   wr_gnt_o,

  input  logic [Loads-1:0]                     ld_valid_i,
  input  logic [Loads-1:0][SlotWidth-1:0]      ld_slot_i,
  input  logic [Loads-1:0]                     ld_epoch_i,
  input  logic [Loads-1:0][LabelWidth-1:0]     ld_label_i,

  input  logic [Results-1:0]                   bus_valid_i,
  // Only the slot and the lap's parity are taken from an address.
  input  logic [Results-1:0][AddressWidth-1:0] bus_addr_i,
  input  logic [Results-1:0][LabelWidth-1:0]   bus_label_i
);

  localparam int unsigned Rows      = WindowLabels / Banks;
  localparam int unsigned RowWidth  = Rows > 1 ? $clog2(Rows) : 1;
  localparam int unsigned Writes    = Results + Loads;
  localparam int unsigned BankWrites = Results + LoaderBursts;

  // Possible writes, results first. A tag is valid bit and epoch.
  logic [Writes-1:0] w_valid;
  logic [Writes-1:0][SlotWidth-1:0] w_slot;
  logic [Writes-1:0][BankWidth-1:0] w_bank;
  logic [Writes-1:0][RowWidth-1:0] w_row;
  logic [Writes-1:0][1:0] w_tag;
  logic [Writes-1:0][LabelWidth-1:0] w_label;

  for (genvar s = 0; s < Writes; s++) begin : gen_write
    if (s < Results) begin : gen_result
      assign w_valid[s] = bus_valid_i[s];
      assign w_slot[s]  = bus_addr_i[s][SlotWidth-1:0];
      assign w_tag[s]   = {1'b1, bus_addr_i[s][SlotWidth]};
      assign w_label[s] = bus_label_i[s];
    end else begin : gen_load
      assign w_valid[s] = ld_valid_i[s-Results];
      assign w_slot[s]  = ld_slot_i[s-Results];
      assign w_tag[s]   = {1'b1, ld_epoch_i[s-Results]};
      assign w_label[s] = ld_label_i[s-Results];
    end
    assign w_bank[s] = w_slot[s][BankWidth-1:0];
    assign w_row[s]  = RowWidth'(w_slot[s] >> BankWidth);
  end

  logic [Reads-1:0][BankWidth-1:0] r_bank;
  logic [Reads-1:0][RowWidth-1:0] r_row;
  logic [Reads-1:0] r_late;

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    assign r_bank[r] = rd_slot_i[r][BankWidth-1:0];
    assign r_row[r]  = RowWidth'(rd_slot_i[r] >> BankWidth);
    assign r_late[r] = late_i[r/4];
  end

  logic wipe;
  logic [RowWidth-1:0] wipe_row, written_rows;

  always_comb begin
    written_rows = '0;
    for (int unsigned s = 0; s < Writes; s++) written_rows |= w_row[s] & {RowWidth{w_valid[s]}};
  end

  haac_window_wipe #(.Rows(Rows)) u_wipe (
    .clk_i, .rst_ni,
    .start_i(wipe_i), .write_i(run_i && |w_valid), .row_i(written_rows),
    .wipe_o(wipe), .row_o(wipe_row), .wiping_o
  );

  // Accesses of the next cycle that results have reserved. The loader's accesses are added below.
  logic [Banks-1:0][1:0] reserved;

  haac_write_slots #(
    .Engines(Engines), .Banks(Banks), .XorLatency(XorLatency), .AndLatency(AndLatency)
  ) u_slots (
    .clk_i, .rst_ni, .clear_i, .run_i, .all_loaded_i,
    .request_i(wr_request_i), .is_and_i(wr_is_and_i), .bank_i(wr_bank_i), .gnt_o(wr_gnt_o),
    .next_o(reserved)
  );

  logic [Banks-1:0][Reads-1:0] first, second;
  logic [Banks-1:0][1:0] first_tag, second_tag;
  logic [Banks-1:0][LabelWidth-1:0] first_label, second_label;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    // The bank may be written by every result, and by one label of each burst of the loader.
    logic [Reads-1:0] requests;
    logic [BankWrites-1:0] writes;
    logic [BankWrites-1:0][RowWidth-1:0] rows;
    logic [BankWrites-1:0][1:0] tags;
    logic [BankWrites-1:0][LabelWidth-1:0] labels;
    logic [1:0] used;

    for (genvar r = 0; r < Reads; r++) begin : gen_requests
      assign requests[r] = rd_req_i[r] && r_bank[r] == BankWidth'(b);
    end
    for (genvar i = 0; i < BankWrites; i++) begin : gen_writes
      localparam int unsigned Source = i < Results ? i : Results + 4 * (i - Results) + b % 4;
      assign writes[i] = w_valid[Source] && w_bank[Source] == BankWidth'(b) && !wipe;
      assign rows[i]   = w_row[Source];
      assign tags[i]   = w_tag[Source];
      assign labels[i] = w_label[Source];
    end
    assign used = reserved[b] + 2'(|writes[BankWrites-1:Results]);

    haac_read_arbiter #(.Reads(Reads)) u_arbiter (
      .req_i(requests), .late_i(r_late), .used_i(used), .first_o(first[b]), .second_o(second[b])
    );

    haac_bank #(
      .Writes(BankWrites), .Reads(Reads), .Rows(Rows), .LabelWidth(LabelWidth)
    ) u_bank (
      .clk_i, .rst_ni, .clear_i, .run_i,
      .wipe_i(wipe), .wipe_row_i(wipe_row),
      .write_i(writes), .wrow_i(rows), .wtag_i(tags), .wlabel_i(labels),
      .first_i(first[b]), .second_i(second[b]), .rrow_i(r_row),
      .first_tag_o(first_tag[b]), .first_label_o(first_label[b]),
      .second_tag_o(second_tag[b]), .second_label_o(second_label[b])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && run_i && !clear_i) begin
        assert (32'(reserved[b]) == $countones(writes[Results-1:0]))
          else $error("haac_window: results on the bus differ from the reservations");
        assert ($countones(writes[BankWrites-1:Results]) <= 1)
          else $error("haac_window: two labels from the loader for one bank");
        assert (!(reserved[b] == 2'd2 && |writes[BankWrites-1:Results]))
          else $error("haac_window: no access left for the loader");
      end
    end
`endif
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_return
    logic [Banks-1:0] won_first, won_second;

    for (genvar b = 0; b < Banks; b++) begin : gen_won
      assign won_first[b]  = first[b][r];
      assign won_second[b] = second[b][r];
    end
    assign rd_gnt_o[r] = |won_first || |won_second;

    haac_read_return #(.Banks(Banks), .LabelWidth(LabelWidth)) u_return (
      .clk_i, .rst_ni, .clear_i, .run_i,
      .gnt_i(rd_gnt_o[r]), .bank_i(r_bank[r]), .second_i(|won_second), .epoch_i(rd_epoch_i[r]),
      .first_tag_i(first_tag), .first_label_i(first_label),
      .second_tag_i(second_tag), .second_label_i(second_label),
      .hit_o(rd_hit_o[r]), .label_o(rd_label_o[r])
    );
  end

`ifndef SYNTHESIS
  for (genvar i = 0; i < Loads; i++) begin : gen_check
    always_ff @(posedge clk_i) begin
      if (rst_ni && run_i && ld_valid_i[i]) begin
        assert (ld_slot_i[i][1:0] == 2'(i))
          else $error("haac_window: a label in the place of another");
      end
    end
  end

  initial begin
    assert (Banks <= WindowLabels) else $error("haac_window: more banks than labels");
    assert (Loads <= Banks) else $error("haac_window: more labels at once than banks");
  end
`endif

  logic unused;
  assign unused = ^bus_addr_i;

endmodule
