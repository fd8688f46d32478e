// SPDX-License-Identifier: MIT OR Apache-2.0

// Dispatches the rows of the instruction queue: one row per cycle, one instruction to each engine.
//
// | port             | width          | meaning                                                   |
// |------------------|----------------|-----------------------------------------------------------|
// | run_i, clear_i   | 1              | as in haac_core                                           |
// | first_output_i, rows_i, instr_bursts_i |  | the launch's first address, rows, and bursts      |
// | push_i, burst_i, show_i |         | instruction bursts, as in haac_burst_queue                |
// | fifo_full_i      | Engines        | the engine's issue FIFO is full, as registered            |
// | disp_valid_o     | Engines        | the engine gets an instruction in this cycle              |
// | disp_instr_o, disp_out_o, disp_and_o |  | the instruction, its output address, its AND number |
// | disp_cause_o     | Engines x 4    | the dispatcher's action for each engine, as a cause:      |
// |                  |                | issue (dispatched), nop, instructions, behind, finished   |
// | next_valid_o, next_out_o | 1, 31  | rows are left; the next address, for tests; as registered |
// | freed_o          | 8              | bursts used up in this cycle                              |
// | illegal_o, illegal_engine_o | 1   | an illegal instruction, and where; until clear_i          |
// | short_o          | 1              | all bursts have arrived without the last row              |
//
// Latency: a row whose last burst is shown in c is dispatched in c + 1 at the earliest. Stalls:
// until the burst with the row's last bit has arrived (instructions), and while the FIFO of an
// engine with an instruction in the row is registered as full (behind). A row with an illegal
// instruction is never dispatched.
//
// Rows have Engines times InstrWidth bits and follow each other without gaps, across the limits of
// bursts. Positions count in grains, the greatest common divisor of a row and a burst, so that the
// shifter has fewer positions.

module haac_dispatcher
  import haac_isa_pkg::*;
#(
  parameter int unsigned Engines      = 4,
  parameter int unsigned WindowLabels = 32768,
  parameter int unsigned InstrBursts  = 36,
  parameter int unsigned NumPorts     = 1,
  localparam int unsigned SlotWidth   = $clog2(WindowLabels),
  localparam int unsigned InstrWidth  = 2 * SlotWidth + 3,
  localparam int unsigned EngineWidth = Engines > 1 ? $clog2(Engines) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic run_i,

  input  logic [AddressWidth-1:0] first_output_i,
  input  logic [31:0] rows_i,
  input  logic [31:0] instr_bursts_i,

  input  logic [NumPorts-1:0] push_i,
  input  logic [NumPorts-1:0][BurstWidth-1:0] burst_i,
  input  logic [7:0] show_i,

  input  logic [Engines-1:0] fifo_full_i,
  output logic [Engines-1:0] disp_valid_o,
  output logic [Engines-1:0][InstrWidth-1:0] disp_instr_o,
  output logic [Engines-1:0][AddressWidth-1:0] disp_out_o,
  output logic [Engines-1:0][AndNumberWidth-1:0] disp_and_o,
  output logic [Engines-1:0][CauseWidth-1:0] disp_cause_o,

  output logic next_valid_o,
  output logic [AddressWidth-1:0] next_out_o,
  output logic [7:0] freed_o,
  output logic illegal_o,
  output logic [EngineWidth-1:0] illegal_engine_o,
  output logic short_o
);

  function automatic int unsigned gcd(input int unsigned a, input int unsigned b);
    int unsigned x, y, t;
    x = a;
    y = b;
    while (y != 0) begin
      t = x % y;
      x = y;
      y = t;
    end
    return x;
  endfunction

  localparam int unsigned RowWidth    = Engines * InstrWidth;
  localparam int unsigned Grain       = gcd(RowWidth, BurstWidth);
  localparam int unsigned RowGrains   = RowWidth / Grain;
  localparam int unsigned BurstGrains = BurstWidth / Grain;
  // Largest number of bursts that a row spans.
  localparam int unsigned Heads       = (BurstGrains - 1 + RowGrains + BurstGrains - 1) / BurstGrains;
  localparam int unsigned EndWidth    = $clog2(Heads * BurstGrains + 1);

  logic [Heads-1:0][BurstWidth-1:0] heads;
  logic [15:0] level;
  logic [RowWidth-1:0] row;
  logic [Engines-1:0] is_nop, is_and, is_illegal;
  logic [EndWidth-1:0] offset_q, row_end, offset_d;
  logic [7:0] needed, used_up;
  logic [31:0] rows_left_q, shown_q;
  logic [AddressWidth-1:0] next_out_q, next_out_d;
  logic [AndNumberWidth-1:0] next_and_q, next_and_d;
  logic there, has_space, gives, illegal_q, unused_wiping;
  logic [EngineWidth-1:0] illegal_engine, illegal_engine_q;
  cause_e cause;

  haac_burst_queue #(
    .NumPorts(NumPorts), .Heads(Heads), .Depth(InstrBursts)
  ) u_queue (
    .clk_i, .rst_ni, .clear_i, .wiping_o(unused_wiping), .push_i, .burst_i, .show_i,
    .pop_i(freed_o), .head_o(heads), .level_o(level)
  );

  haac_row #(
    .InWidth(Heads * BurstWidth), .RowWidth(RowWidth), .Grain(Grain),
    .Stages($clog2(BurstGrains)), .OffsetWidth(EndWidth)
  ) u_row (
    .bits_i(heads), .offset_i(offset_q), .row_o(row)
  );

  // The end of the row determines which bursts it needs and which it uses up.
  assign row_end = offset_q + EndWidth'(RowGrains);

  always_comb begin
    needed   = 8'd1;
    used_up  = 8'd0;
    offset_d = row_end;
    for (int unsigned b = 1; b <= Heads; b++) begin
      if (32'(row_end) > b * BurstGrains) needed = 8'(b + 1);
      if (32'(row_end) >= b * BurstGrains) begin
        used_up  = 8'(b);
        offset_d = row_end - EndWidth'(b * BurstGrains);
      end
    end
  end

  always_comb begin
    illegal_engine = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      logic [InstrWidth-1:0] instr;
      logic [SlotWidth-1:0] b;
      instr         = row[e * InstrWidth +: InstrWidth];
      b             = instr[2 + SlotWidth +: SlotWidth];
      is_nop[e]     = instr[1:0] == OpNop;
      is_and[e]     = instr[1:0] == OpAnd;
      is_illegal[e] = is_nop[e] ? instr != '0
          : instr[1:0] == OpUnary && b != SlotWidth'(UnaryCopy) && b != SlotWidth'(UnaryInv);
      disp_instr_o[e] = instr;
    end
    for (int unsigned e = Engines; e > 0; e--) begin
      if (is_illegal[e-1]) illegal_engine = EngineWidth'(e - 1);
    end
  end

  haac_numbering #(
    .Engines(Engines), .WindowLabels(WindowLabels)
  ) u_numbering (
    .is_nop_i(is_nop), .is_and_i(is_and), .next_out_i(next_out_q), .next_and_i(next_and_q),
    .out_o(disp_out_o), .and_o(disp_and_o), .next_out_o(next_out_d), .next_and_o(next_and_d)
  );

  assign there    = level >= 16'(needed);
  assign has_space = (fifo_full_i & ~is_nop) == '0;

  always_comb begin
    if (rows_left_q == '0) cause = CauseFinished;
    else if (!there || is_illegal != '0) cause = CauseInstructions;
    else if (!has_space) cause = CauseBehind;
    else cause = CauseIssue;
  end

  assign gives   = run_i && cause == CauseIssue;
  assign freed_o = gives ? used_up : '0;

  always_comb begin
    for (int unsigned e = 0; e < Engines; e++) begin
      disp_valid_o[e] = gives && !is_nop[e];
      disp_cause_o[e] = cause == CauseIssue && is_nop[e] ? CauseNop : cause;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rows_left_q      <= '0;
      shown_q          <= '0;
      offset_q         <= '0;
      next_out_q       <= '0;
      next_and_q       <= '0;
      illegal_q        <= 1'b0;
      illegal_engine_q <= '0;
    end else if (clear_i) begin
      rows_left_q      <= rows_i;
      shown_q          <= '0;
      offset_q         <= '0;
      next_out_q       <= first_output_i;
      next_and_q       <= '0;
      illegal_q        <= 1'b0;
      illegal_engine_q <= '0;
    end else begin
      shown_q <= shown_q + 32'(show_i);
      if (gives) begin
        rows_left_q <= rows_left_q - 1'b1;
        offset_q    <= offset_d;
        next_out_q  <= next_out_d;
        next_and_q  <= next_and_d;
      end
      if (run_i && rows_left_q != '0 && there && is_illegal != '0 && !illegal_q) begin
        illegal_q        <= 1'b1;
        illegal_engine_q <= illegal_engine;
      end
    end
  end

  assign next_valid_o     = rows_left_q != '0;
  assign next_out_o       = next_out_q;
  assign illegal_o        = illegal_q;
  assign illegal_engine_o = illegal_engine_q;
  assign short_o          = next_valid_o && !there && shown_q >= instr_bursts_i;

endmodule
