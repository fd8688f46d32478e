// SPDX-License-Identifier: MIT OR Apache-2.0

// SIFO's overlay (machines/overlay/docs/hardware.md). It garbles any circuit from a host's
// commands, batch by batch.
//
// | parameter     | meaning                                                                      |
// |---------------|------------------------------------------------------------------------------|
// | Lanes         | gates that are executed in parallel                                          |
// | Ands, Xors    | number of AND and XOR cells, multiples of Lanes                              |
// | Suite         | suite of the AND cells: 0 grr3-sha1, 1 half-gates, 2 both                    |
// | Latency, Impl | parameters of half-gates (see `overlay_and`)                                 |
// | Banks, Rows   | banks of block RAM, and labels per bank; powers of two                       |
// | Slots         | maximum number of groups that wait for operands or cells, a power of two     |
// | Entries       | maximum number of groups in cells or with results, a power of two            |
// | Words         | words of 32 bits that the link transfers in a clock cycle                    |
// | Depth         | capacity of the queue of words                                               |
// | LinkClock     | 1: the link has its own clock, link_clk_i; 0: link_* belong to clk_i         |
// | Serial        | 1, as published: a gate's operands are read after those of the gate before;  |
// |               | a batch is written when all of it is in cells; DDR acknowledges each group   |
// | Hold          | 1, as first published: no register is written while a command is in progress |
//
// | port             | width | meaning                                                            |
// |------------------|-------|--------------------------------------------------------------------|
// | start_i          | 1     | begins a run; not while busy_o or wiping_o; reads the next five    |
// | half_i           | 1     | 1: the run's suite is half-gates, if Suite is 2                    |
// | form_i           | 2     | the commands' form (machines/overlay/spec/stream.md)               |
// | base_i           | 64    | AND number of the run's first AND                                  |
// | delta_i, point_i | 128   | D; S of half-gates                                                 |
// | busy_o           | 1     | a run is in progress, up to its end word and its last write to DDR |
// | wipe_i           | 1     | aborts the run and wipes all secrets; wiping_o is 1 until done     |
// | link_*           |       | words from the host; link_count_i is their number                  |
// | ddr_*            | 2     | requests and responses of DDR's ports (see `overlay_port`)         |
// | table_*          | Lanes | tables of ANDs with AND numbers; all are taken if table_ready_i    |
// | serves_o, ...    |       | events of this clock cycle, up to level_o, to compare with a model |
// | clocks_o, ...    | 64    | counters of the run (see `overlay_counters`)                       |
//
// Latency: see machines/overlay/docs/hardware.md. Stalls: no words; DDR; table_ready_i is 0.

module overlay
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes     = 1,
  parameter int unsigned Ands      = 1,
  parameter int unsigned Xors      = 1,
  parameter int unsigned Suite     = 1,
  parameter int unsigned Latency   = 21,
  parameter int unsigned Impl      = 0,
  parameter int unsigned Banks     = 1,
  parameter int unsigned Rows      = 1024,
  parameter int unsigned Slots     = 16,
  parameter int unsigned Entries   = 64,
  parameter int unsigned Words     = 1,
  parameter int unsigned Depth     = 16,
  parameter bit          LinkClock = 1'b0,
  parameter bit          Serial    = 1'b0,
  parameter bit          Hold      = 1'b0,
  localparam int unsigned Reads      = 2 * Lanes,
  localparam int unsigned WordsWidth = $clog2(Words + 1),
  localparam int unsigned LevelWidth = $clog2(Depth + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    link_clk_i,

  input  logic                    start_i,
  input  logic                    half_i,
  input  logic [1:0]              form_i,
  input  logic [63:0]             base_i,
  input  logic [127:0]            delta_i,
  input  logic [127:0]            point_i,
  output logic                    busy_o,
  input  logic                    wipe_i,
  output logic                    wiping_o,

  input  logic                    link_valid_i,
  output logic                    link_ready_o,
  input  logic [WordsWidth-1:0]   link_count_i,
  input  logic [Words-1:0][31:0]  link_data_i,

  output logic [1:0]              ddr_valid_o,
  input  logic [1:0]              ddr_ready_i,
  output logic [1:0]              ddr_write_o,
  output logic [1:0][26:0]        ddr_line_o,
  output logic [1:0][3:0]         ddr_mask_o,
  output logic [1:0][511:0]       ddr_data_o,
  input  logic [1:0]              ddr_valid_i,
  input  logic [1:0][511:0]       ddr_data_i,

  output logic [Lanes-1:0]        table_valid_o,
  input  logic                    table_ready_i,
  output logic [Lanes-1:0][63:0]  table_number_o,
  output logic [Lanes-1:0][255:0] table_o,

  output logic [Reads-1:0]        serves_o,
  output logic                    enters_o,
  output logic [Lanes-1:0]        writes_o,
  output logic                    retires_o,
  output logic [LevelWidth-1:0]   level_o,

  output logic [63:0]             clocks_o,
  output logic [63:0]             gates_o,
  output logic [63:0]             ands_o,
  output logic [63:0]             batches_o,
  output logic [63:0]             ddr_reads_o,
  output logic [63:0]             ddr_writes_o,
  output logic [63:0]             starved_o,
  output logic [63:0]             fenced_o
);

  localparam int unsigned CountWidth = $clog2(Lanes + 1);
  localparam int unsigned SlotWidth  = $clog2(Slots);
  localparam int unsigned ReadWidth  = $clog2(Reads);
  localparam int unsigned RowWidth   = $clog2(Rows);
  localparam int unsigned EntryWidth = $clog2(Entries);
  localparam int unsigned WipeDepth  = Rows > Entries ? (Rows > Slots ? Rows : Slots)
                                                      : (Entries > Slots ? Entries : Slots);

  logic start, clear, wiping, running_q, half_q, ended, idle;
  logic [127:0] delta_q, point_q;
  logic [1:0] dropping, ports_idle;
  // Number of groups that were issued and are not finished.
  logic [15:0] under_way_q;
  logic [$clog2(WipeDepth)-1:0] wipe_address;

  assign start = start_i && !busy_o && !wiping_o;
  assign idle  = under_way_q == '0;
  assign busy_o = running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear <= 1'b0;
    else clear <= wipe_i;
  end
  memory_wipe #(.Depth(WipeDepth)) u_wipe (
    .clk_i, .rst_ni, .start_i(clear), .wiping_o(wiping), .address_o(wipe_address)
  );
  assign wiping_o = wiping || clear || |dropping;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else if (clear) running_q <= 1'b0;
    else if (start) running_q <= 1'b1;
    else if (ended && idle && ports_idle == '1) running_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (clear) {delta_q, point_q, half_q} <= '0;
    else if (start) {delta_q, point_q, half_q} <= {delta_i, point_i, half_i};
  end

  // Words from the host, which may belong to another clock.
  logic words_valid, words_ready;
  logic [WordsWidth-1:0] words_count;
  logic [Words-1:0][31:0] words;

  if (LinkClock) begin : gen_crossing
    fifo_async #(.Width(WordsWidth + 32 * Words), .Depth(8)) u_crossing (
      .from_clk_i(link_clk_i), .to_clk_i(clk_i), .rst_ni,
      .valid_i(link_valid_i), .ready_o(link_ready_o), .data_i({link_count_i, link_data_i}),
      .valid_o(words_valid), .ready_i(words_ready || clear || wiping), .data_o({words_count, words})
    );
  end else begin : gen_direct
    assign {words_valid, words_count, words} = {link_valid_i, link_count_i, link_data_i};
    assign link_ready_o = words_ready;
    logic unused;
    assign unused = link_clk_i;
  end

  // The current group.
  logic valid, whole, ands, first, last, is_within, hold, may_read, sends;
  logic [CountWidth-1:0] count;
  command_t [Lanes-1:0] commands;

  overlay_link #(
    .Lanes(Lanes), .Words(Words), .Depth(Depth), .Serial(Serial), .Hold(Hold)
  ) u_link (
    .clk_i, .rst_ni, .clear_i(clear), .start_i(start), .form_i(form_e'(form_i)), .base_i,
    .hold_i(hold), .valid_i(words_valid), .ready_o(words_ready), .count_i(words_count),
    .data_i(words), .valid_o(valid), .whole_o(whole), .ands_o(ands), .first_o(first),
    .last_o(last), .count_o(count), .commands_o(commands), .take_i(sends), .within_o(is_within),
    .ended_o(ended), .level_o
  );

  // Operands.
  logic [1:0][Reads-1:0] read_wants;
  logic [Banks-1:0][Reads-1:0] ram_reads;
  logic [1:0] read_ready, write_ready, port_came, port_ack;
  logic [SlotWidth-1:0] slot, slot_q;
  logic slots_full, no_operands;
  logic [Reads-1:0] ram_came;
  logic [Reads-1:0][127:0] ram_label;
  logic [Reads-1:0][29:0] read_address;
  logic [1:0][SlotWidth-1:0] port_slot;
  logic [1:0][ReadWidth-1:0] port_read;
  logic [1:0][127:0] port_label;

  // A batch reads operands after the batch before is written. If Serial, a gate reads operands
  // after all operands of the gate before have arrived.
  assign may_read = valid && !slots_full && (first ? idle : !Serial || no_operands);

  overlay_read #(.Lanes(Lanes), .Banks(Banks), .Serial(Serial)) u_read (
    .clk_i, .rst_ni, .clear_i(clear), .may_i(may_read), .whole_i(whole), .count_i(count),
    .commands_i(commands), .ready_i(read_ready), .wants_o(read_wants), .ram_o(ram_reads),
    .serves_o, .sends_o(sends)
  );
  for (genvar r = 0; r < int'(Reads); r++) begin : gen_address
    assign read_address[r] = r % 2 == 0 ? commands[r/2].a.address : commands[r/2].b.address;
  end

  logic op_valid, op_ands, op_first, op_last, enters;
  logic [CountWidth-1:0] op_count;
  command_t [Lanes-1:0] op_commands;
  logic [Lanes-1:0][127:0] op_a, op_b;

  always_ff @(posedge clk_i) slot_q <= slot;

  overlay_operands #(.Lanes(Lanes), .Slots(Slots), .Serial(Serial)) u_operands (
    .clk_i, .rst_ni, .clear_i(clear), .wipe_i(wiping), .wipe_slot_i(wipe_address[SlotWidth-1:0]),
    .delta_i(delta_q), .slot_o(slot), .full_o(slots_full), .send_i(sends), .commands_i(commands), .count_i(count),
    .ands_i(ands), .first_i(first), .last_i(last),
    .came_i(ram_came), .came_slot_i(slot_q), .came_label_i(ram_label),
    .port_valid_i(port_came), .port_slot_i(port_slot), .port_read_i(port_read),
    .port_label_i(port_label),
    .valid_o(op_valid), .take_i(enters), .commands_o(op_commands), .count_o(op_count),
    .ands_o(op_ands), .first_o(op_first), .last_o(op_last), .a_o(op_a), .b_o(op_b),
    .empty_o(no_operands)
  );

  // Cells.
  logic cells_ready, done, results_full;
  logic [Lanes-1:0][127:0] done_label;
  logic [Lanes-1:0][255:0] done_table;

  assign enters = op_valid && cells_ready && !results_full;

  overlay_execute #(
    .Lanes(Lanes), .Ands(Ands), .Xors(Xors), .Suite(Suite), .Latency(Latency), .Impl(Impl)
  ) u_execute (
    .clk_i, .rst_ni, .clear_i(clear), .half_i(half_q), .delta_i(delta_q), .point_i(point_q),
    .valid_i(enters), .ands_i(op_ands), .first_i(op_first), .count_i(op_count),
    .commands_i(op_commands), .a_i(op_a), .b_i(op_b), .ready_o(cells_ready),
    .valid_o(done), .label_o(done_label), .table_o(done_table)
  );

  // Results.
  logic re_valid, re_ands, re_last, may_write, retires, offers;
  logic [CountWidth-1:0] re_count;
  overlay_pkg::place_t [Lanes-1:0] re_places;
  logic [Lanes-1:0][127:0] re_label;
  logic [1:0][Lanes-1:0] write_wants;
  logic [Banks-1:0][Lanes-1:0] ram_writes;
  logic [Lanes-1:0][29:0] write_address;

  overlay_results #(.Lanes(Lanes), .Depth(Entries)) u_results (
    .clk_i, .rst_ni, .clear_i(clear), .wipe_i(wiping),
    .wipe_entry_i(wipe_address[EntryWidth-1:0]), .delta_i(delta_q),
    .full_o(results_full), .enter_i(enters), .ands_i(op_ands), .last_i(op_last),
    .count_i(op_count), .commands_i(op_commands),
    .done_i(done), .label_i(done_label), .table_i(done_table),
    .valid_o(re_valid), .take_i(retires), .ands_o(re_ands), .last_o(re_last), .count_o(re_count),
    .places_o(re_places), .numbers_o(table_number_o), .label_o(re_label), .table_o
  );
  assign may_write = re_valid && (!Serial || (!is_within && no_operands));

  overlay_write #(.Lanes(Lanes), .Banks(Banks), .Serial(Serial)) u_write (
    .clk_i, .rst_ni, .clear_i(clear), .may_i(may_write), .ands_i(re_ands), .count_i(re_count),
    .places_i(re_places), .ready_i(write_ready), .acks_i(port_ack), .table_ready_i,
    .wants_o(write_wants), .ram_o(ram_writes), .serves_o(writes_o), .table_o(offers),
    .retires_o(retires)
  );
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_write
    assign write_address[l] = re_places[l].address;
    assign table_valid_o[l] = offers && l < 32'(re_count);
  end

  // Memories.
  overlay_ram #(.Lanes(Lanes), .Banks(Banks), .Rows(Rows)) u_ram (
    .clk_i, .rst_ni, .wipe_i(wiping), .wipe_row_i(wipe_address[RowWidth-1:0]),
    .read_i(ram_reads), .address_i(read_address), .label_o(ram_label), .valid_o(ram_came),
    .write_i(ram_writes), .waddress_i(write_address), .label_i(re_label)
  );

  for (genvar p = 0; p < 2; p++) begin : gen_port
    ddr_t raddress, waddress;
    logic [ReadWidth-1:0] number;
    logic [127:0] label;
    request_t request;

    always_comb begin
      {raddress, number} = '0;
      for (int unsigned r = 0; r < Reads; r++) begin
        raddress |= read_address[r] & {30{read_wants[p][r]}};
        number   |= ReadWidth'(r) & {ReadWidth{read_wants[p][r]}};
      end
      {waddress, label} = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        waddress |= write_address[l] & {30{write_wants[p][l]}};
        label    |= re_label[l] & {128{write_wants[p][l]}};
      end
    end

    overlay_port #(.Slots(Slots), .Reads(Reads)) u_port (
      .clk_i, .rst_ni, .clear_i(clear), .dropping_o(dropping[p]),
      .read_i(|read_wants[p]), .read_ready_o(read_ready[p]), .read_address_i(raddress),
      .read_slot_i(slot), .read_number_i(number),
      .write_i(|write_wants[p]), .write_ready_o(write_ready[p]), .write_address_i(waddress),
      .write_label_i(label),
      .valid_o(ddr_valid_o[p]), .ready_i(ddr_ready_i[p]), .request_o(request),
      .valid_i(ddr_valid_i[p]), .data_i(ddr_data_i[p]),
      .came_o(port_came[p]), .slot_o(port_slot[p]), .number_o(port_read[p]),
      .label_o(port_label[p]), .ack_o(port_ack[p]),
      .idle_o(ports_idle[p])
    );
    assign {ddr_write_o[p], ddr_line_o[p], ddr_mask_o[p], ddr_data_o[p]} = request;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else if (clear) under_way_q <= '0;
    else under_way_q <= under_way_q + 16'(sends) - 16'(retires);
  end

  // A command holds back registers until its operands have arrived; a batch's last command, until
  // the whole batch is written.
  assign hold = !no_operands || (!is_within && !idle);
  assign {enters_o, retires_o} = {enters, retires};

  overlay_counters #(.Lanes(Lanes)) u_counters (
    .clk_i, .rst_ni, .start_i(start), .busy_i(busy_o), .retires_i(retires), .ands_i(re_ands),
    .last_i(re_last), .count_i(re_count),
    .reads_i(ddr_valid_o & ddr_ready_i & ~ddr_write_o),
    .writes_i(ddr_valid_o & ddr_ready_i & ddr_write_o),
    .starved_i(!valid && !ended), .fenced_i(valid && first && !idle),
    .clocks_o, .gates_o, .ands_o, .batches_o, .reads_o(ddr_reads_o), .writes_o(ddr_writes_o),
    .starved_o, .fenced_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start) begin
      assert (delta_i[0]) else $error("overlay: bit 0 of delta_i is not set");
    end
  end
`endif

  logic unused;
  assign unused = ^wipe_address;

endmodule
