// SPDX-License-Identifier: MIT OR Apache-2.0

// The published FASE machine (machines/fase/spec/machine.md, `paper`). It garbles a netlist of
// flip-flops and gates once for each netlist cycle, in order. Each pipeline waits for the labels
// of the slot that it holds.
//
// | parameter   | meaning                                                                    |
// |-------------|----------------------------------------------------------------------------|
// | Pipelines   | 1: a label memory of two ports; more: a live-value table                   |
// | SlotDepth   | flip-flops and gates; all depths are powers of two                         |
// | InputDepth  | input labels: those of netlist cycle 0, plus twice those of a later one    |
// | OutputDepth | outputs                                                                    |
// | Sigma       | 0: the suite half-gates-fase, for comparison only; 1: half-gates-fixed-key |
// | Impl        | AES: 0 TABLE, 1 COMPOSITE (see `aes_pipe_keys`)                            |
//
// | port                  | width                   | meaning                                    |
// |-----------------------|-------------------------|--------------------------------------------|
// | load_i                | 1                       | load_data_i is the slot (a flip-flop or a  |
// |                       |                         | gate) of row load_row_i, column            |
// |                       |                         | load_column_i                              |
// | start_i               | 1                       | starts a run unless busy_o or wiping_o;    |
// |                       |                         | the next ports are read                    |
// | delta_i, key_i        | 128                     | Delta and K                                |
// | seed_i                | 128                     | the seed of the input labels               |
// | constant_i            | 128                     | the label of the constant 0                |
// | slots_i               | 16                      | flip-flops and gates                       |
// | flip_flops_i          | 16                      | flip-flops                                 |
// | first_i, each_i       | 16                      | input bits of netlist cycle 0, and of      |
// |                       |                         | every later one                            |
// | cycles_i              | 32                      | netlist cycles                             |
// | busy_o                | 1                       | a run is in progress                       |
// | wipe_i                | 1                       | ends the run and wipes all secrets;        |
// |                       |                         | wiping_o is 1 until that is done           |
// | ready_i               | 1                       | the host accepts the offered output        |
// | table_valid_o         | 1                       | a table, in order                          |
// | label_valid_o         | Pipelines               | labels of outputs, in order, the lowest    |
// |                       |                         | first                                      |
// | took_o, took_slot_o   | Pipelines x (1, 16)     | slots that are taken in this cycle         |
// | wrote_o, wrote_slot_o | 2 x Pipelines x (1, 16) | labels that are written                    |
// | began_o               | 2 x Pipelines           | input labels that are started              |
// | clocks_o ...          | 64                      | counters of the run (see                   |
// |                       |                         | `fase_paper_counters`)                     |
//
// Latency: that of fase_paper_control. Stalls: missing labels and ports (with one pipeline);
// ready_i at the end of a netlist cycle.

module fase_paper
  import fase_pkg::*;
  import fase_paper_pkg::*;
#(
  parameter int unsigned Pipelines   = 2,
  parameter int unsigned SlotDepth   = 8192,
  parameter int unsigned InputDepth  = 1024,
  parameter int unsigned OutputDepth = 256,
  parameter bit          Sigma       = 1'b1,
  parameter int unsigned Impl        = 0
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          load_i,
  // These ports have the widths that the largest machine needs.
  input  logic [15:0]                   load_row_i,
  input  logic [3:0]                    load_column_i,
  input  paper_slot_t                   load_data_i,

  input  logic                          start_i,
  input  logic [127:0]                  delta_i,
  input  logic [127:0]                  key_i,
  input  logic [127:0]                  seed_i,
  input  logic [127:0]                  constant_i,
  input  logic [15:0]                   slots_i,
  input  logic [15:0]                   flip_flops_i,
  input  logic [15:0]                   first_i,
  input  logic [15:0]                   each_i,
  input  logic [31:0]                   cycles_i,
  output logic                          busy_o,

  input  logic                          wipe_i,
  output logic                          wiping_o,

  input  logic                          ready_i,
  output logic                          table_valid_o,
  output logic [255:0]                  table_o,
  output logic [Pipelines-1:0]          label_valid_o,
  output logic [Pipelines-1:0][127:0]   label_o,

  output logic [Pipelines-1:0]          took_o,
  output logic [Pipelines-1:0][15:0]    took_slot_o,
  output logic [2*Pipelines-1:0]        wrote_o,
  output logic [2*Pipelines-1:0][15:0]  wrote_slot_o,
  output logic [2*Pipelines-1:0]        began_o,

  output logic [63:0]                   clocks_o,
  output logic [63:0]                   slots_o,
  output logic [63:0]                   ands_o,
  output logic [63:0]                   port_stalls_o,
  output logic [63:0]                   label_stalls_o,
  output logic [63:0]                   input_labels_o
);

  localparam int unsigned Ports       = 2 * Pipelines;
  localparam int unsigned SlotWidth   = $clog2(SlotDepth);
  localparam int unsigned InputWidth  = $clog2(InputDepth);
  localparam int unsigned OutputWidth = $clog2(OutputDepth);
  localparam int unsigned Rows        = (SlotDepth + Pipelines - 1) / Pipelines;
  localparam int unsigned RowWidth    = Rows > 1 ? $clog2(Rows) : 1;
  localparam int unsigned ColumnWidth = Pipelines > 1 ? $clog2(Pipelines) : 1;
  localparam int unsigned CountWidth  = $clog2(Ports + 1);
  localparam int unsigned WipeDepth   = SlotDepth > InputDepth ? SlotDepth : InputDepth;
  localparam int unsigned WipeWidth   = $clog2(WipeDepth);

  logic start, wipe_q, wiping, clear;
  logic [127:0] delta_q, seed_q, constant_q;
  logic [31:0] cycles_q, cycle;
  logic [15:0] total_q, flip_flops_q, first_q, each_q;

  assign start = start_i && !busy_o && !wiping_o;
  assign clear = wipe_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_q <= 1'b0;
    else wipe_q <= wipe_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {delta_q, seed_q, constant_q} <= '0;
    else if (clear) {delta_q, seed_q, constant_q} <= '0;
    else if (start) {delta_q, seed_q, constant_q} <= {delta_i, seed_i, constant_i};
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      {cycles_q, total_q, flip_flops_q} <= {cycles_i, slots_i, flip_flops_i};
      {first_q, each_q}                 <= {first_i, each_i};
    end
  end

  // States.
  logic garble, restart, load, held, idle, drained, complete;
  logic labels_idle, tables_empty, outputs_empty;
  logic [Pipelines-1:0] executes_idle;

  assign idle    = !held && &executes_idle && labels_idle;
  assign drained = tables_empty && outputs_empty && complete;

  fase_paper_control u_control (
    .clk_i, .rst_ni, .start_i(start), .clear_i(clear), .cycles_i(start ? cycles_i : cycles_q),
    .idle_i(idle), .drained_i(drained), .busy_o, .garble_o(garble), .restart_o(restart),
    .load_o(load), .cycle_o(cycle)
  );

  // Slots.
  paper_slot_t [Pipelines-1:0] slots;
  logic [CountWidth-1:0] pop;
  taken_t [Pipelines-1:0] taken, taken_q;
  logic [Ports-1:0][15:0] requested;
  logic [Ports-1:0] ready;
  logic space, blocked, passed;
  logic [15:0] first_held, count;
  logic [31:0] round;
  logic [1:0][15:0] numbers;

  fase_paper_netlist #(.Pipelines(Pipelines), .Depth(SlotDepth)) u_netlist (
    .clk_i, .rst_ni, .we_i(load_i), .row_i(load_row_i[RowWidth-1:0]),
    .column_i(load_column_i[ColumnWidth-1:0]), .data_i(load_data_i),
    .restart_i(restart), .pop_i(pop), .slots_o(slots)
  );

  fase_paper_issue #(.Pipelines(Pipelines)) u_issue (
    .clk_i, .rst_ni, .load_i(load), .run_i(garble), .clear_i(clear), .total_i(total_q),
    .flip_flops_i(flip_flops_q), .cycle_i(cycle), .first_i(first_q), .each_i(each_q),
    .round_i(round), .count_i(count), .slots_i(slots), .pop_o(pop), .read_o(requested),
    .ready_i(ready), .space_i(space), .taken_o(taken), .blocked_o(blocked), .held_o(held),
    .passed_o(passed), .first_held_o(first_held), .numbers_o(numbers)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (clear) taken_q <= '0;
    else taken_q <= taken;
  end

  // Input labels.
  logic [Ports-1:0] input_we;
  logic [15:0] input_waddr;
  logic [Ports-1:0][127:0] input_label;

  fase_paper_generator #(.Impl(Impl), .Labels(Ports)) u_generator (
    .clk_i, .rst_ni, .start_i(start), .clear_i(clear), .seed_i(seed_q), .first_i(first_q),
    .each_i(each_q), .cycles_i(cycles_q), .cycle_i(cycle), .passed_i(passed),
    .we_o(input_we), .waddr_o(input_waddr), .label_o(input_label), .round_o(round),
    .count_o(count), .complete_o(complete), .began_o
  );

  // Operands.
  logic [Ports-1:0] read_label, read_input;
  logic [Ports-1:0][SlotWidth-1:0] label_word;
  logic [Ports-1:0][InputWidth-1:0] input_word;
  logic [Ports-1:0][127:0] from_labels, from_inputs, operand;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_read
    localparam int unsigned Pipeline = p / 2;
    localparam int unsigned Number   = p % 2;
    logic used;
    // The operand whose word was read in the previous cycle.
    source_t now;
    logic unused_now;
    assign unused_now = ^now;

    assign used = taken[Pipeline].valid && (Number == 0 || !taken[Pipeline].copy);
    assign read_label[p] = used && taken[Pipeline].operands[Number].label;
    assign read_input[p] = used && !taken[Pipeline].operands[Number].label
                           && !taken[Pipeline].operands[Number].constant;
    assign label_word[p] = taken[Pipeline].operands[Number].word[SlotWidth-1:0];
    assign input_word[p] = taken[Pipeline].operands[Number].word[InputWidth-1:0];

    assign now = taken_q[Pipeline].operands[Number];
    assign operand[p] = (now.label ? from_labels[p] : now.constant ? constant_q : from_inputs[p])
                        ^ (delta_q & {128{now.invert}});
  end

  // Execution. Results of ANDs come before other results, because these ANDs were taken earlier.
  logic [10:0][127:0] keys;
  logic keys_ready;
  logic [Ports-1:0] done;
  about_t [Ports-1:0] about;
  logic [Ports-1:0][127:0] result;
  logic [Pipelines-1:0][255:0] table_of;

  aes_key_store #(.Impl(Impl)) u_keys (
    .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(start), .key_i, .ready_o(keys_ready),
    .keys_o(keys)
  );

  for (genvar p = 0; p < int'(Pipelines); p++) begin : gen_pipeline
    fase_paper_execute #(.Impl(Impl), .Sigma(Sigma)) u_execute (
      .clk_i, .rst_ni, .clear_i(clear), .keys_i(keys), .delta_i(delta_q), .cycle_i(cycle),
      .taken_i(taken_q[p]), .a_i(operand[2*p]), .b_i(operand[2*p+1]),
      .free_o(done[Pipelines+p]), .free_label_o(result[Pipelines+p]),
      .free_about_o(about[Pipelines+p]),
      .and_o(done[p]), .and_label_o(result[p]), .and_about_o(about[p]), .table_o(table_of[p]),
      .idle_o(executes_idle[p])
    );
    assign took_o[p]      = taken[p].valid;
    assign took_slot_o[p] = taken[p].about.index;
  end

  // Labels.
  logic [WipeWidth-1:0] wipe_word;
  logic [Ports-1:0][SlotWidth-1:0] result_word, wrote_word;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_word
    assign result_word[p]  = about[p].index[SlotWidth-1:0];
    assign wrote_slot_o[p] = 16'(wrote_word[p]);
  end

  if (Pipelines == 1) begin : gen_ports
    fase_paper_port_labels #(.Depth(SlotDepth)) u_labels (
      .clk_i, .rst_ni, .clear_i(clear), .wipe_i(wiping), .wipe_word_i(wipe_word[SlotWidth-1:0]),
      .read_i(read_label), .word_i(label_word), .label_o(from_labels), .give_i(done),
      .give_word_i(result_word), .give_label_i(result), .space_o(space), .wrote_o,
      .wrote_word_o(wrote_word), .idle_o(labels_idle)
    );
  end else begin : gen_table
    fase_paper_table_labels #(.Depth(SlotDepth), .Ports(Ports)) u_labels (
      .clk_i, .wipe_i(wiping), .wipe_word_i(wipe_word[SlotWidth-1:0]),
      .read_i(read_label), .word_i(label_word), .label_o(from_labels), .give_i(done),
      .give_word_i(result_word), .give_label_i(result), .space_o(space), .wrote_o,
      .wrote_word_o(wrote_word), .idle_o(labels_idle)
    );
  end

  logic [Ports-1:0][SlotWidth-1:0] requested_word;
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_requested
    assign requested_word[p] = requested[p][SlotWidth-1:0];
  end

  fase_paper_ready #(.Depth(SlotDepth), .Reads(Ports), .Writes(Ports)) u_ready (
    .clk_i, .rst_ni, .clear_i(load || clear), .set_i(wrote_o), .word_i(wrote_word),
    .read_i(requested_word), .ready_o(ready)
  );

  fase_paper_inputs #(.Depth(InputDepth), .Ports(Ports)) u_inputs (
    .clk_i, .wipe_i(wiping), .wipe_word_i(wipe_word[InputWidth-1:0]), .we_i(input_we),
    .waddr_i(input_waddr), .label_i(input_label), .read_i(read_input), .word_i(input_word),
    .label_o(from_inputs)
  );

  // Output. All ANDs before the first AND that is still held were taken, so their tables are
  // complete AndCycles later.
  logic [AndCycles-1:0][15:0] first_held_q;
  logic [Pipelines-1:0] table_we;
  logic [Pipelines-1:0][SlotWidth-1:0] table_address;
  logic [Ports-1:0] output_we;
  logic [Ports-1:0][OutputWidth-1:0] output_address;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_held_q <= '0;
    else if (start || load || clear) first_held_q <= '0;
    else first_held_q <= {first_held_q[AndCycles-2:0], first_held};
  end

  for (genvar p = 0; p < int'(Pipelines); p++) begin : gen_table_word
    assign table_we[p]      = done[p];
    assign table_address[p] = about[p].number[SlotWidth-1:0];
  end
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_output_word
    assign output_we[p]      = done[p] && about[p].keep;
    assign output_address[p] = about[p].output_number[OutputWidth-1:0];
  end

  fase_paper_collect #(
    .Width(256), .Depth(SlotDepth), .Writes(Pipelines), .Reads(1), .Flags(1'b0)
  ) u_tables (
    .clk_i, .rst_ni, .begin_i(load), .clear_i(clear), .wipe_i(1'b0), .wipe_word_i('0),
    .we_i(table_we), .address_i(table_address), .data_i(table_of), .total_i(numbers[0]),
    .done_i(first_held_q[AndCycles-1]), .valid_o(table_valid_o), .data_o(table_o), .ready_i,
    .empty_o(tables_empty)
  );

  fase_paper_collect #(
    .Width(128), .Depth(OutputDepth), .Writes(Ports), .Reads(Pipelines), .Flags(1'b1)
  ) u_outputs (
    .clk_i, .rst_ni, .begin_i(load), .clear_i(clear), .wipe_i(wiping),
    .wipe_word_i(wipe_word[OutputWidth-1:0]), .we_i(output_we), .address_i(output_address),
    .data_i(result), .total_i(numbers[1]), .done_i('0), .valid_o(label_valid_o),
    .data_o(label_o), .ready_i, .empty_o(outputs_empty)
  );

  memory_wipe #(.Depth(WipeDepth)) u_wipe (
    .clk_i, .rst_ni, .start_i(wipe_q), .wiping_o(wiping), .address_o(wipe_word)
  );
  assign wiping_o = wiping || wipe_q;

  fase_paper_counters #(.Pipelines(Pipelines)) u_counters (
    .clk_i, .start_i(start), .run_i(busy_o), .held_i(garble && held), .blocked_i(blocked),
    .took_i(took_o), .ands_i(done[Pipelines-1:0]), .began_i(began_o), .clocks_o, .slots_o,
    .ands_o, .port_stalls_o, .label_stalls_o, .input_labels_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start) begin
      assert (delta_i[0]) else $error("fase_paper: bit 0 of delta_i is not set");
      assert (32'(slots_i) <= SlotDepth) else $error("fase_paper: more slots than it holds");
      assert (32'(first_i) + 2 * 32'(each_i) <= InputDepth)
        else $error("fase_paper: more input labels than it holds");
    end
    if (rst_ni && garble) assert (keys_ready) else $error("fase_paper: garbling starts before the key is expanded");
    if (rst_ni && |output_we) begin
      assert (32'(numbers[1]) <= OutputDepth) else $error("fase_paper: more outputs than it holds");
    end
  end
`endif

  logic unused;
  assign unused = ^{load_row_i, load_column_i};

endmodule
