// SPDX-License-Identifier: MIT OR Apache-2.0

// The scheduled FASE machine (machines/fase/spec/machine.md). It garbles a body of gates once for
// each netlist cycle. A kernel made by the compiler determines the time and place of every gate.
// The machine waits only for the host to accept output.
//
// | parameter    | meaning                                                                     |
// |--------------|-----------------------------------------------------------------------------|
// | Pipelines    | pipelines; if Xors is 0, each takes one gate per cycle                      |
// | Xors         | 0: an issue slot takes any gate; n: a pipeline has an issue slot for ANDs   |
// |              | and n issue slots for other gates                                           |
// | Banks        | banks of labels, up to 64                                                   |
// | KernelDepth  | words of the kernel; all depths are powers of two                           |
// | BankDepth    | labels in a bank                                                            |
// | InputDepth   | labels in the input memory                                                  |
// | InitialDepth | labels that can be made at the start                                        |
// | Impl         | AES: 0 TABLE, 1 COMPOSITE, 2 DPI (see `aes_pipe`)                           |
//
// | port               | width     | meaning                                                     |
// |--------------------|-----------|-------------------------------------------------------------|
// | load_word_i        | 1         | load_data_i is word load_address_i of the kernel            |
// | load_initial_i     | 1         | the low bits of load_data_i are entry load_address_i of the |
// |                    |           | list of labels that are made at the start                   |
// | start_i            | 1         | starts a run unless busy_o or wiping_o; the next ports are  |
// |                    |           | read                                                        |
// | delta_i, point_i   | 128       | Delta and S                                                 |
// | seed_i             | 128       | the seed of the input labels                                |
// | constant_i         | 128       | the label of the constant 0                                 |
// | interval_i         |           | words in a round                                            |
// | words_i            | 64        | words in the run                                            |
// | delay_i            | 32        | cycles before the first fetch                               |
// | cycles_i           | 32        | netlist cycles                                              |
// | ands_i, inputs_i   | 32        | ANDs, and bits of per-cycle inputs, per netlist cycle       |
// | initials_i         |           | labels to make at the start                                 |
// | busy_o             | 1         | a run is in progress                                        |
// | wipe_i             | 1         | ends the run and wipes all secrets; wiping_o is 1 until     |
// |                    |           | that is done                                                |
// | ready_i            | 1         | the host accepts output in the next cycle; 0 stalls the     |
// |                    |           | machine                                                     |
// | table_valid_o      | Slots     | a table, with its AND's number in the run                   |
// | label_valid_o      | 2 x Slots | a label for the host, with its tag and netlist cycle        |
// | took_o ... began_o |           | events of this cycle, for comparison with the model         |
// | clocks_o ...       | 64        | counters of the run (see `scheduled_counters`)              |
//
// Latency: a word's gates are taken three cycles after it is fetched. Stalls: ready_i.

module fase
  import fase_pkg::*;
  import fase_types_pkg::*;
#(
  parameter int unsigned Pipelines    = 2,
  parameter int unsigned Xors         = 0,
  parameter int unsigned Banks        = 16,
  parameter int unsigned KernelDepth  = 8192,
  parameter int unsigned BankDepth    = 1024,
  parameter int unsigned InputDepth   = 1024,
  parameter int unsigned InitialDepth = 1024,
  parameter int unsigned Impl         = 0,
  localparam int unsigned Slots     = Pipelines * (Xors + 1),
  localparam int unsigned WordWidth = Slots * $bits(slot_t) + $bits(expand_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  input  logic                            load_word_i,
  input  logic                            load_initial_i,
  // These ports have the widths that the largest machine needs.
  input  logic [15:0]                     load_address_i,
  input  logic [WordWidth-1:0]            load_data_i,

  input  logic                            start_i,
  input  logic [127:0]                    delta_i,
  input  logic [127:0]                    point_i,
  input  logic [127:0]                    seed_i,
  input  logic [127:0]                    constant_i,
  input  logic [16:0]                     interval_i,
  input  logic [63:0]                     words_i,
  input  logic [31:0]                     delay_i,
  input  logic [31:0]                     cycles_i,
  input  logic [31:0]                     ands_i,
  input  logic [31:0]                     inputs_i,
  input  logic [12:0]                     initials_i,
  output logic                            busy_o,

  input  logic                            wipe_i,
  output logic                            wiping_o,

  input  logic                            ready_i,
  output logic [Slots-1:0]                table_valid_o,
  output logic [Slots-1:0][63:0]          table_number_o,
  output logic [Slots-1:0][255:0]         table_o,
  output logic [2*Slots-1:0]              label_valid_o,
  output logic [2*Slots-1:0][11:0]        label_tag_o,
  output logic [2*Slots-1:0][31:0]        label_cycle_o,
  output logic [2*Slots-1:0][127:0]       label_o,

  output logic [Slots-1:0]                took_o,
  output logic [Banks-1:0]                wrote_o,
  output logic [Banks-1:0][11:0]          waddr_o,
  output logic                            began_o,

  output logic [63:0]                     clocks_o,
  output logic [63:0]                     stalls_o,
  output logic [63:0]                     gates_o,
  output logic [63:0]                     ands_o,
  output logic [63:0]                     forwarded_o,
  output logic [63:0]                     input_labels_o
);

  localparam int unsigned WipeDepth = BankDepth > InputDepth ? BankDepth : InputDepth;
  localparam int unsigned AndCycles = 12;

  logic start, en, idle, ready_q, wipe_q, wiping;
  logic [127:0] delta_q, point_q, seed_q, constant_q;
  logic [31:0] cycles_q, ands_q, inputs_q;
  logic [16:0] interval_q;

  assign start = start_i && !busy_o && !wiping_o;
  // Output stays until it is accepted. ready_i passes through a register, to avoid a combinational
  // path from a pin to all enables of the machine.
  assign en = ready_q || !(|table_valid_o || |label_valid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      wipe_q  <= 1'b0;
    end else begin
      ready_q <= ready_i;
      wipe_q  <= wipe_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {delta_q, point_q, seed_q, constant_q} <= '0;
    end else if (wipe_q) begin
      {delta_q, point_q, seed_q, constant_q} <= '0;
    end else if (start) begin
      {delta_q, point_q, seed_q, constant_q} <= {delta_i, point_i, seed_i, constant_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      {cycles_q, ands_q, inputs_q} <= {cycles_i, ands_i, inputs_i};
      interval_q                   <= interval_i;
    end
  end

  // The kernel memory, which emits words.
  logic word_valid, words_left;
  logic [WordWidth-1:0] word;
  logic [31:0] round;
  logic [63:0] ands_before, inputs_before;

  scheduled_kernel #(.Width(WordWidth), .Depth(KernelDepth)) u_kernel (
    .clk_i, .rst_ni,
    .we_i(load_word_i), .address_i(load_address_i[$clog2(KernelDepth)-1:0]), .data_i(load_data_i),
    .start_i(start), .clear_i(wipe_q), .en_i(en),
    .interval_i(start ? interval_i[$clog2(KernelDepth):0] : interval_q[$clog2(KernelDepth):0]),
    .words_i, .delay_i, .ands_i(ands_q), .inputs_i(inputs_q),
    .valid_o(word_valid), .word_o(word), .round_o(round), .ands_o(ands_before),
    .inputs_o(inputs_before), .left_o(words_left)
  );

  // Input labels.
  logic input_we;
  logic [11:0] input_waddr;
  logic [127:0] input_label;

  fase_expander #(.Impl(Impl), .Entries(InitialDepth)) u_expander (
    .clk_i, .rst_ni,
    .we_i(load_initial_i), .address_i(load_address_i[$clog2(InitialDepth)-1:0]),
    .data_i(load_data_i[$bits(initial_t)-1:0]),
    .start_i(start), .clear_i(wipe_q), .en_i(en),
    .entries_i(initials_i[$clog2(InitialDepth):0]), .seed_i(seed_q), .constant_i(constant_q),
    .delta_i(delta_q),
    .valid_i(word_valid), .expand_i(word[WordWidth-1 -: $bits(expand_t)]), .round_i(round),
    .inputs_i(inputs_before), .cycles_i(cycles_q),
    .we_o(input_we), .waddr_o(input_waddr), .label_o(input_label), .began_o
  );

  // Slots. A word is decoded in one cycle. Its operands are read in the next cycle, and its gates
  // are taken in the cycle after that.
  gate_t [Slots-1:0] decoded, gate_q;
  word_t [2*Slots-1:0] reads;
  logic [2*Slots-1:0] reads_bank, reads_inputs;
  logic [2*Slots-1:0][5:0] read_bank;
  logic [2*Slots-1:0][15:0] read_address;
  logic [2*Slots-1:0][127:0] from_bank, from_inputs, operand;
  logic [2*Slots-1:0] forwarded;
  logic [Slots-1:0] and_taken, in_decode;
  logic [4*Slots-1:0] writes;
  logic [4*Slots-1:0][5:0] write_bank;
  logic [4*Slots-1:0][15:0] write_address;
  logic [Banks-1:0][15:0] waddr;
  logic [4*Slots-1:0][127:0] written;
  logic [2*Slots-1:0] done;

  for (genvar s = 0; s < int'(Slots); s++) begin : gen_slot
    localparam bit HasAnd  = Xors == 0 || s % (Xors + 1) == 0;
    localparam bit HasFree = Xors == 0 || !HasAnd;

    result_t [1:0] result;

    fase_decode u_decode (
      .clk_i, .rst_ni, .clear_i(wipe_q), .en_i(en),
      .valid_i(word_valid), .slot_i(word[s*$bits(slot_t) +: $bits(slot_t)]), .round_i(round),
      .ands_i(ands_before), .cycles_i(cycles_q), .gate_o(decoded[s])
    );

    for (genvar i = 0; i < 2; i++) begin : gen_operand
      assign reads[2*s+i]        = decoded[s].operands[i];
      assign reads_bank[2*s+i]   = reads[2*s+i].valid && !reads[2*s+i].inputs;
      assign reads_inputs[2*s+i] = reads[2*s+i].valid && reads[2*s+i].inputs;
      assign read_bank[2*s+i]    = reads[2*s+i].bank;
      assign read_address[2*s+i] = 16'(reads[2*s+i].address);
      assign operand[2*s+i] = gate_q[s].operands[i].inputs ? from_inputs[2*s+i] : from_bank[2*s+i];
    end

    fase_execute #(.Impl(Impl), .HasAnd(HasAnd), .HasFree(HasFree)) u_execute (
      .clk_i, .rst_ni, .clear_i(wipe_q), .en_i(en),
      .gate_i(gate_q[s]), .a_i(operand[2*s]), .b_i(operand[2*s+1]), .delta_i(delta_q),
      .point_i(point_q),
      .free_o(done[2*s]), .free_label_o(label_o[2*s]), .free_result_o(result[0]),
      .and_o(done[2*s+1]), .and_label_o(label_o[2*s+1]), .and_result_o(result[1]),
      .number_o(table_number_o[s]), .table_o(table_o[s])
    );

    assign table_valid_o[s] = done[2*s+1];
    assign took_o[s]        = gate_q[s].valid;
    assign and_taken[s]     = gate_q[s].valid && gate_q[s].is_and;
    assign in_decode[s]     = decoded[s].valid;

    for (genvar u = 0; u < 2; u++) begin : gen_result
      assign label_valid_o[2*s+u] = done[2*s+u] && result[u].keep;
      assign label_tag_o[2*s+u]   = result[u].tag;
      assign label_cycle_o[2*s+u] = result[u].cycle;
      for (genvar i = 0; i < 2; i++) begin : gen_write
        assign writes[4*s+2*u+i]        = done[2*s+u] && result[u].words[i].valid;
        assign write_bank[4*s+2*u+i]    = result[u].words[i].bank;
        assign write_address[4*s+2*u+i] = 16'(result[u].words[i].address);
        assign written[4*s+2*u+i]       = label_o[2*s+u];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gate_q <= '0;
    else if (wipe_q) gate_q <= '0;
    else if (en) gate_q <= decoded;
  end

  // Labels.
  logic [$clog2(WipeDepth)-1:0] wipe_address;

  scheduled_banks #(.Banks(Banks), .Depth(BankDepth), .Reads(2 * Slots), .Writes(4 * Slots)) u_banks (
    .clk_i, .rst_ni, .en_i(en),
    .wipe_i(wiping), .wipe_address_i(wipe_address[$clog2(BankDepth)-1:0]),
    .read_i(reads_bank), .read_bank_i(read_bank), .read_address_i(read_address),
    .label_o(from_bank), .forwarded_o(forwarded),
    .write_i(writes), .write_bank_i(write_bank), .write_address_i(write_address),
    .label_i(written), .wrote_o, .waddr_o(waddr)
  );
  for (genvar b = 0; b < int'(Banks); b++) begin : gen_waddr
    assign waddr_o[b] = waddr[b][11:0];
  end

  scheduled_inputs #(.Depth(InputDepth), .Reads(2 * Slots)) u_inputs (
    .clk_i, .rst_ni, .en_i(en),
    .wipe_i(wiping), .wipe_address_i(wipe_address[$clog2(InputDepth)-1:0]),
    .we_i(input_we), .waddr_i(16'(input_waddr)), .label_i(input_label),
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
    end else if (start) begin
      busy_o           <= 1'b1;
      ands_under_way_q <= '0;
    end else if (en) begin
      ands_under_way_q <= {ands_under_way_q[AndCycles-2:0], |and_taken};
      if (idle) busy_o <= 1'b0;
    end
  end

  scheduled_counters #(.Slots(Slots)) u_counters (
    .clk_i, .start_i(start), .run_i(busy_o && !idle), .en_i(en), .took_i(took_o),
    .ands_i(and_taken), .forwarded_i(forwarded), .began_i(began_o),
    .clocks_o, .stalls_o, .gates_o, .ands_o, .forwarded_o, .input_labels_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start) begin
      assert (delta_i[0]) else $error("fase: bit 0 of delta_i is not set");
      assert (32'(interval_i) <= KernelDepth) else $error("fase: more words than the kernel memory holds");
      assert (!cycles_i[31]) else $error("fase: more than 2^31 - 1 netlist cycles");
    end
  end
`endif

  logic unused;
  assign unused = ^{load_address_i, initials_i, interval_q};

endmodule
