// SPDX-License-Identifier: MIT OR Apache-2.0

// Loads inputs into the window, in the order of their addresses.
//
// | port             | width          | meaning                                                   |
// |------------------|----------------|-----------------------------------------------------------|
// | run_i, clear_i   | 1              | as in haac_core                                           |
// | wiping_o         | 1              | the buffer is being overwritten                           |
// | first_output_i, first_loaded_i | 31 | constants of the launch; inputs lie in between          |
// | push_i, burst_i, show_i |         | bursts of four labels, as in haac_burst_queue             |
// | ld_valid_o       | Labels         | a label is placed: its bank access is in the next cycle   |
// | ld_slot_o, ld_epoch_o, ld_label_o |  | its slot, epoch and label                              |
// | loaded_o         | 31             | inputs below this address have been placed, as registered |
// | all_loaded_o     | 1              | all inputs have been placed, as registered                |
// | idle_o           | 1              | all inputs have been placed and written into the window   |
// | bursts_o         | 32             | bursts to request, a cycle after a change of constants    |
// | placed_o         | 8              | bursts that leave the buffer in this cycle                |
//
// Labels is 4 LoaderBursts.
//
// Latency: a burst shown in c is placed in c + 1 and written in c + 2. Stalls: none, since engines
// leave the loader one access to each bank until it has finished.

module haac_loader
  import haac_isa_pkg::*;
#(
  parameter int unsigned WindowLabels = 32768,
  parameter int unsigned LoaderBursts = 2,
  parameter int unsigned InputHold    = 64,
  parameter int unsigned NumPorts     = 1,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned Labels      = 4 * LoaderBursts
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,
  output logic wiping_o,

  input  logic [AddressWidth-1:0] first_output_i,
  input  logic [AddressWidth-1:0] first_loaded_i,

  input  logic [NumPorts-1:0] push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] burst_i,
  input  logic [7:0] show_i,

  output logic [Labels-1:0] ld_valid_o,
  output logic [Labels-1:0][SlotWidth-1:0] ld_slot_o,
  output logic [Labels-1:0] ld_epoch_o,
  output logic [Labels-1:0][LabelWidth-1:0] ld_label_o,

  output logic [AddressWidth-1:0] loaded_o,
  output logic all_loaded_o,
  output logic idle_o,
  output logic [31:0] bursts_o,
  output logic [7:0] placed_o
);

  // Burst b has the addresses 4b to 4b + 3.
  localparam int unsigned NumberWidth = AddressWidth - 2;

  logic [AddressWidth-1:0] last_address;
  logic [NumberWidth-1:0] first_burst, end_burst_q, burst_q, burst_d;
  logic [LoaderBursts-1:0][BurstWidth-1:0] heads;
  logic [15:0] level;
  logic any;
  logic [AddressWidth-1:0] loaded_q;
  logic all_loaded_q, placed_q, places_last;

  // The last input; multiples of the window belong to no input.
  always_comb begin
    last_address = first_output_i - 1'b1;
    if (last_address[SlotWidth-1:0] == '0) last_address = last_address - 1'b1;
  end

  assign first_burst = first_loaded_i[AddressWidth-1:2];
  assign any         = first_loaded_i < first_output_i;
  assign bursts_o    = any ? 32'(end_burst_q) - 32'(first_burst) : '0;

  // A constant of the launch: the burst after the last one.
  always_ff @(posedge clk_i) begin
    end_burst_q <= last_address[AddressWidth-1:2] + 1'b1;
  end

  haac_burst_queue #(
    .NumPorts(NumPorts), .Heads(LoaderBursts), .Depth(InputHold), .Wipe(1'b1)
  ) u_queue (
    .clk_i, .rst_ni, .clear_i, .wiping_o, .push_i, .burst_i, .show_i,
    .pop_i(placed_o), .head_o(heads), .level_o(level)
  );

  always_comb begin
    placed_o = '0;
    if (run_i) placed_o = level < 16'(LoaderBursts) ? 8'(level) : 8'(LoaderBursts);
  end

  always_comb begin
    for (int unsigned i = 0; i < Labels; i++) begin
      logic [AddressWidth-1:0] address;
      address       = {burst_q, 2'b00} + AddressWidth'(i);
      ld_valid_o[i] = 8'(i / 4) < placed_o && address >= first_loaded_i
          && address < first_output_i && address[SlotWidth-1:0] != '0;
      ld_slot_o[i]  = address[SlotWidth-1:0];
      ld_epoch_o[i] = address[SlotWidth];
      ld_label_o[i] = heads[i/4][LabelWidth * (i % 4) +: LabelWidth];
    end
  end

  assign burst_d     = burst_q + NumberWidth'(placed_o);
  assign places_last = placed_o != '0 && burst_d == end_burst_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      burst_q      <= '0;
      loaded_q     <= '0;
      all_loaded_q <= 1'b0;
      placed_q     <= 1'b0;
    end else if (clear_i) begin
      burst_q      <= first_burst;
      loaded_q     <= first_loaded_i;
      all_loaded_q <= !any;
      placed_q     <= 1'b0;
    end else if (run_i) begin
      burst_q      <= burst_d;
      if (placed_o != '0) loaded_q <= places_last ? first_output_i : {burst_d, 2'b00};
      if (places_last) all_loaded_q <= 1'b1;
      placed_q     <= ld_valid_o != '0;
    end
  end

  assign loaded_o     = loaded_q;
  assign all_loaded_o = all_loaded_q;
  assign idle_o       = all_loaded_q && !placed_q;

endmodule
