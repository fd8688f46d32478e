// SPDX-License-Identifier: MIT OR Apache-2.0

// GarbledCPU's evaluator (machines/garbledcpu/docs/hardware.md). It evaluates a netlist once for
// each netlist cycle. A gate memory made by the compiler determines the time and place of every
// gate. The machine stalls only while it waits for the host.
//
// | parameter  | meaning                                                                    |
// |------------|----------------------------------------------------------------------------|
// | Pipelines  | pipelines, each with an AND and an XOR per cycle                           |
// | Stages     | stages of an AND; 0: a round of AES per cycle (see `garbledcpu_and`)       |
// | Fixed      | 1: the suite half-gates-fixed-key, with stages only; 0: half-gates         |
// | Banks      | banks of labels, up to 64                                                  |
// | GateDepth  | words of the gate memory; all depths are powers of two                     |
// | BankDepth  | labels in a bank                                                           |
// | InputDepth | labels in the input memory; at most as many are requested at the start     |
// | Impl       | AES: 0 TABLE, 1 COMPOSITE, 2 DPI (see `aes_pipe`)                          |
//
// | port               | width     | meaning                                                     |
// |--------------------|-----------|-------------------------------------------------------------|
// | load_word_i        | 1         | load_data_i is word load_address_i of the gate memory       |
// | load_initial_i     | 1         | the low bits of load_data_i are entry load_address_i of the |
// |                    |           | list of labels that are requested at the start              |
// | start_i            | 1         | starts a run unless busy_o or wiping_o; the next ports are  |
// |                    |           | read, and must be constant during the run                   |
// | point_i            | 128       | S; if Fixed, K, whose expansion takes twelve cycles at the  |
// |                    |           | start                                                       |
// | interval_i         |           | words in a round                                            |
// | words_i            | 64        | words in the run                                            |
// | delay_i            | 32        | cycles before the first fetch                               |
// | cycles_i, ands_i   | 32        | netlist cycles; ANDs per netlist cycle                      |
// | initials_i         |           | number of labels requested at the start                     |
// | busy_o             | 1         | a run is in progress                                        |
// | wipe_i             | 1         | ends the run and wipes all secrets; wiping_o is 1 until     |
// |                    |           | that is done                                                |
// | input_*            | 128       | input labels, in the order of requests                      |
// | table_*            | Pipelines | tables, for each pipeline in the order in which it takes    |
// |                    |           | its ANDs                                                    |
// | ready_i            | 1         | the host accepts output in the next cycle; 0 stalls the     |
// |                    |           | machine                                                     |
// | step_o             | 1         | no stall in this cycle: output is accepted                  |
// | label_valid_o      | Slots     | a label for the host, with its tag and netlist cycle        |
// | took_o ... began_o |           | events of this cycle, for comparison with the model         |
// | clocks_o ...       | 64        | counters of the run (see `scheduled_counters`)              |
//
// Latency: a word's gates are taken three cycles after it is fetched. Stalls: ready_i; a missing
// table or input label.

module garbledcpu
  import garbledcpu_pkg::*;
  import garbledcpu_types_pkg::*;
#(
  parameter int unsigned Pipelines  = 1,
  parameter int unsigned Stages     = 21,
  parameter bit          Fixed      = 1'b0,
  parameter int unsigned Banks      = 16,
  parameter int unsigned GateDepth  = 8192,
  parameter int unsigned BankDepth  = 1024,
  parameter int unsigned InputDepth = 4096,
  parameter int unsigned Impl       = 0,
  localparam int unsigned Slots     = 2 * Pipelines,
  localparam int unsigned Reads     = 5 * Pipelines,
  localparam int unsigned WordWidth = Slots * $bits(entry_t) + $bits(request_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            load_word_i,
  input  logic                            load_initial_i,
  // These ports have the widths that the largest machine needs.
  input  logic [15:0]                     load_address_i,
  input  logic [WordWidth-1:0]            load_data_i,

  input  logic                            start_i,
  input  logic [127:0]                    point_i,
  input  logic [16:0]                     interval_i,
  input  logic [63:0]                     words_i,
  input  logic [31:0]                     delay_i,
  input  logic [31:0]                     cycles_i,
  input  logic [31:0]                     ands_i,
  input  logic [16:0]                     initials_i,
  output logic                            busy_o,

  input  logic                            wipe_i,
  output logic                            wiping_o,

  input  logic                            input_valid_i,
  output logic                            input_ready_o,
  input  logic [127:0]                    input_i,
  input  logic [Pipelines-1:0]            table_valid_i,
  output logic [Pipelines-1:0]            table_ready_o,
  input  logic [Pipelines-1:0][255:0]     table_i,

  input  logic                            ready_i,
  output logic                            step_o,
  output logic [Slots-1:0]                label_valid_o,
  output logic [Slots-1:0][15:0]          label_tag_o,
  output logic [Slots-1:0][31:0]          label_cycle_o,
  output logic [Slots-1:0][127:0]         label_o,

  output logic [Slots-1:0]                took_o,
  output logic [Banks-1:0]                wrote_o,
  output logic [Banks-1:0][15:0]          waddr_o,
  output logic                            began_o,

  output logic [63:0]                     clocks_o,
  output logic [63:0]                     stalls_o,
  output logic [63:0]                     gates_o,
  output logic [63:0]                     ands_o,
  output logic [63:0]                     forwarded_o,
  output logic [63:0]                     input_labels_o
);

  localparam int unsigned WipeDepth = BankDepth > InputDepth ? BankDepth : InputDepth;
  localparam int unsigned AndCycles = Stages == 0 ? 11 : Stages;

  logic accept, start, starting, en, idle, ready_q, wipe_q, wiping, no_input;
  logic [Pipelines-1:0] no_table;
  logic [127:0] point_q;
  logic [31:0] cycles_q, ands_q;
  logic [16:0] interval_q;

  assign accept = start_i && !busy_o && !wiping_o;
  assign en     = (ready_q || !(|label_valid_o)) && !no_input && !(|no_table) && !starting;
  assign step_o = en;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      wipe_q  <= 1'b0;
    end else begin
      ready_q <= ready_i;
      wipe_q  <= wipe_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      point_q            <= point_i;
      {cycles_q, ands_q} <= {cycles_i, ands_i};
      interval_q         <= interval_i;
    end
  end

  // If Fixed, the key is expanded before the run.
  logic [10:0][127:0] keys;
  if (Fixed) begin : gen_keys
    logic starting_q, expanded;

    aes_key_store #(.Impl(Impl)) u_keys (
      .clk_i, .rst_ni, .clear_i(wipe_q), .key_valid_i(accept), .key_i(point_i),
      .ready_o(expanded), .keys_o(keys)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) starting_q <= 1'b0;
      else if (wipe_q) starting_q <= 1'b0;
      else if (accept || start) starting_q <= accept;
    end
    assign starting = starting_q;
    assign start    = starting_q && expanded;
  end else begin : gen_no_keys
    assign keys     = '0;
    assign starting = 1'b0;
    assign start    = accept;
  end

  // The words of the gate memory.
  logic word_valid, words_left;
  logic [WordWidth-1:0] word;
  logic [31:0] round;
  logic [63:0] ands_before;

  // The count of input bits is not used: the host counts them.
  logic [63:0] unused_inputs;
  scheduled_kernel #(.Width(WordWidth), .Depth(GateDepth)) u_gates (
    .clk_i, .rst_ni,
    .we_i(load_word_i), .address_i(load_address_i[$clog2(GateDepth)-1:0]), .data_i(load_data_i),
    .start_i(start), .clear_i(wipe_q), .en_i(en),
    .interval_i(accept ? interval_i[$clog2(GateDepth):0] : interval_q[$clog2(GateDepth):0]),
    .words_i, .delay_i, .ands_i(ands_q), .inputs_i('0),
    .valid_o(word_valid), .word_o(word), .round_o(round), .ands_o(ands_before),
    .inputs_o(unused_inputs), .left_o(words_left)
  );

  // Input labels.
  logic input_we;
  logic [15:0] input_waddr;
  logic [127:0] input_label;

  garbledcpu_inputs #(.Entries(InputDepth)) u_requests (
    .clk_i, .rst_ni,
    .we_i(load_initial_i), .address_i(load_address_i[$clog2(InputDepth)-1:0]),
    .data_i(load_data_i[15:0]),
    .start_i(start), .clear_i(wipe_q), .en_i(en),
    .entries_i(initials_i[$clog2(InputDepth):0]),
    .valid_i(word_valid), .request_i(word[WordWidth-1 -: $bits(request_t)]), .round_i(round),
    .cycles_i(cycles_q),
    .label_valid_i(input_valid_i), .label_ready_o(input_ready_o), .label_i(input_i),
    .missing_o(no_input), .we_o(input_we), .waddr_o(input_waddr), .label_o(input_label), .began_o
  );

  // Slots. An entry is decoded in one cycle. Its operands are read in the next cycle, and its gate
  // is taken in the cycle after that. The first slot of a pipeline is for ANDs and has three
  // operands, the second slot is for XORs and has two.
  gate_t [Slots-1:0] decoded, gate_q;
  word_t [Reads-1:0] reads, reads_q;
  logic [Reads-1:0] reads_bank, reads_inputs, forwarded;
  logic [Reads-1:0][5:0] read_bank;
  logic [Reads-1:0][15:0] read_address;
  logic [Reads-1:0][127:0] from_bank, from_inputs, operand;
  logic [Slots-1:0] and_taken, in_decode, done;
  logic [3*Slots-1:0] writes;
  logic [3*Slots-1:0][5:0] write_bank;
  logic [3*Slots-1:0][15:0] write_address;
  logic [3*Slots-1:0][127:0] written;
  result_t [Slots-1:0] result;

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    assign reads[r]        = decoded[r / 5 * 2 + (r % 5 < 3 ? 0 : 1)].operands[r % 5 < 3 ? r % 5 : r % 5 - 3];
    assign reads_bank[r]   = reads[r].valid && !reads[r].inputs;
    assign reads_inputs[r] = reads[r].valid && reads[r].inputs;
    assign read_bank[r]    = reads[r].bank;
    assign read_address[r] = reads[r].address;
    // An operand that is not read is zero, so that a copy is an XOR.
    assign operand[r] = (reads_q[r].inputs ? from_inputs[r] : from_bank[r]) & {128{reads_q[r].valid}};
  end

  for (genvar s = 0; s < int'(Slots); s++) begin : gen_slot
    localparam int unsigned First = s / 2 * 5 + (s % 2) * 3;

    garbledcpu_decode u_decode (
      .clk_i, .rst_ni, .clear_i(wipe_q), .en_i(en),
      .valid_i(word_valid), .entry_i(word[s*$bits(entry_t) +: $bits(entry_t)]), .round_i(round),
      .ands_i(ands_before), .cycles_i(cycles_q), .gate_o(decoded[s])
    );

    assign took_o[s]    = gate_q[s].valid;
    assign and_taken[s] = gate_q[s].valid && gate_q[s].is_and;
    assign in_decode[s] = decoded[s].valid;

    if (s % 2 == 0) begin : gen_and
      logic no, full;
      logic [2:0] unused_level;
      logic [255:0] rows;

      fifo #(.Width(256), .Depth(4)) u_tables (
        .clk_i, .rst_ni, .clear_i(wipe_q),
        .push_i(table_valid_i[s/2] && !full), .data_i(table_i[s/2]),
        .pop_i(en && and_taken[s]), .data_o(rows),
        .level_o(unused_level), .empty_o(no), .full_o(full)
      );
      assign table_ready_o[s/2] = !full;
      assign no_table[s/2]      = and_taken[s] && no;

      garbledcpu_and #(.Stages(Stages), .Fixed(Fixed), .Impl(Impl)) u_and (
        .clk_i, .rst_ni, .clear_i(wipe_q), .en_i(en), .valid_i(and_taken[s]), .gate_i(gate_q[s]),
        .a_i(operand[First]), .b_i(operand[First+1]), .c_i(operand[First+2]), .table_i(rows),
        .point_i(point_q), .keys_i(keys), .valid_o(done[s]), .label_o(label_o[s]), .result_o(result[s])
      );
    end else begin : gen_xor
      result_t result_q;

      free_xor u_xor (
        .clk_i, .rst_ni, .clear_i(wipe_q), .en_i(en), .valid_i(took_o[s]), .copy_i(1'b0),
        .invert_i(1'b0), .a_i(operand[First]), .b_i(operand[First+1]), .delta_i('0),
        .valid_o(done[s]), .label_o(label_o[s])
      );
      always_ff @(posedge clk_i) begin
        if (en && took_o[s]) result_q <= gate_q[s].result;
      end
      assign result[s] = result_q;
    end

    assign label_valid_o[s] = done[s] && result[s].keep;
    assign label_tag_o[s]   = result[s].tag;
    assign label_cycle_o[s] = result[s].cycle;
    for (genvar i = 0; i < 3; i++) begin : gen_write
      assign writes[3*s+i]        = done[s] && result[s].words[i].valid;
      assign write_bank[3*s+i]    = result[s].words[i].bank;
      assign write_address[3*s+i] = result[s].words[i].address;
      assign written[3*s+i]       = label_o[s];
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && gate_q[s].valid) begin
        assert (gate_q[s].is_and == (s % 2 == 0)) else $error("garbledcpu: no unit for this gate");
      end
    end
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {gate_q, reads_q} <= '0;
    else if (wipe_q) {gate_q, reads_q} <= '0;
    else if (en) {gate_q, reads_q} <= {decoded, reads};
  end

  // Labels.
  logic [$clog2(WipeDepth)-1:0] wipe_address;

  scheduled_banks #(.Banks(Banks), .Depth(BankDepth), .Reads(Reads), .Writes(3 * Slots)) u_banks (
    .clk_i, .rst_ni, .en_i(en),
    .wipe_i(wiping), .wipe_address_i(wipe_address[$clog2(BankDepth)-1:0]),
    .read_i(reads_bank), .read_bank_i(read_bank), .read_address_i(read_address),
    .label_o(from_bank), .forwarded_o(forwarded),
    .write_i(writes), .write_bank_i(write_bank), .write_address_i(write_address),
    .label_i(written), .wrote_o, .waddr_o
  );

  scheduled_inputs #(.Depth(InputDepth), .Reads(Reads)) u_inputs (
    .clk_i, .rst_ni, .en_i(en),
    .wipe_i(wiping), .wipe_address_i(wipe_address[$clog2(InputDepth)-1:0]),
    .we_i(input_we), .waddr_i(input_waddr), .label_i(input_label),
    .read_i(reads_inputs), .read_address_i(read_address), .label_o(from_inputs)
  );

  memory_wipe #(.Depth(WipeDepth)) u_wipe (
    .clk_i, .rst_ni, .start_i(wipe_q), .wiping_o(wiping), .address_o(wipe_address)
  );
  assign wiping_o = wiping || wipe_q;

  // A run is over when no word is left to fetch and no result is under way.
  logic [AndCycles-1:0] ands_under_way_q;

  assign idle = !words_left && !word_valid && !(|in_decode) && !(|took_o)
                && ands_under_way_q == '0 && !(|done);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_o           <= 1'b0;
      ands_under_way_q <= '0;
    end else if (wipe_q) begin
      busy_o           <= 1'b0;
      ands_under_way_q <= '0;
    end else if (accept || start) begin
      busy_o           <= 1'b1;
      ands_under_way_q <= '0;
    end else if (en) begin
      ands_under_way_q <= {ands_under_way_q[AndCycles-2:0], |and_taken};
      if (idle) busy_o <= 1'b0;
    end
  end

  scheduled_counters #(.Slots(Slots), .Operands(Reads)) u_counters (
    .clk_i, .start_i(start), .run_i(busy_o && !idle), .en_i(en), .took_i(took_o),
    .ands_i(and_taken), .forwarded_i(forwarded), .began_i(input_we),
    .clocks_o, .stalls_o, .gates_o, .ands_o, .forwarded_o, .input_labels_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && accept) begin
      assert (32'(interval_i) <= GateDepth) else $error("garbledcpu: more words than the gate memory holds");
      assert (!cycles_i[31]) else $error("garbledcpu: more than 2^31 - 1 netlist cycles");
    end
  end
`endif

  logic unused;
  assign unused = ^{load_address_i, initials_i, interval_q};

endmodule
