// SPDX-License-Identifier: MIT OR Apache-2.0

// The label generator makes labels of input bits by AES in counter mode, two per pipeline and
// cycle, in the order in which slots read them. It runs one netlist cycle ahead. It starts on the
// next netlist cycle when all flip-flops of the current one have read their labels.
//
// | port       | width  | meaning                                            |
// |------------|--------|----------------------------------------------------|
// | start_i    | 1      | a run starts in the next cycle                     |
// | clear_i    | 1      | no label is left in the registers after this cycle |
// | seed_i     | 128    | the seed; it and the next three ports are constant |
// |            |        | during a run                                       |
// | first_i    | 16     | input bits of netlist cycle 0                      |
// | each_i     | 16     | input bits of every later netlist cycle            |
// | cycles_i   | 32     | netlist cycles in the run                          |
// | cycle_i    | 32     | the netlist cycle that is being garbled            |
// | passed_i   | 1      | all flip-flops of cycle cycle_i have been read     |
// | we_o       | Labels | writes label_o to word waddr_o of the input memory |
// | round_o    | 32     | the netlist cycle of the last finished label       |
// | count_o    | 16     | finished labels of netlist cycle round_o           |
// | complete_o | 1      | all labels of cycle_i are finished                 |
// | began_o    | Labels | labels that are started in this cycle              |
//
// Addresses: labels of netlist cycle 0 start at word 0. Two areas follow, which later netlist
// cycles use alternately.
// Latency: 10 cycles. Stalls: nothing.

module fase_paper_generator #(
  parameter int unsigned Impl   = 0,
  parameter int unsigned Labels = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    start_i,
  input  logic                    clear_i,
  input  logic [127:0]            seed_i,
  input  logic [15:0]             first_i,
  input  logic [15:0]             each_i,
  input  logic [31:0]             cycles_i,
  input  logic [31:0]             cycle_i,
  input  logic                    passed_i,

  output logic [Labels-1:0]       we_o,
  output logic [15:0]             waddr_o,
  output logic [Labels-1:0][127:0] label_o,
  output logic [31:0]             round_o,
  output logic [15:0]             count_o,
  output logic                    complete_o,
  output logic [Labels-1:0]       began_o
);

  localparam int unsigned Stages = 10;

  // Data that passes through AES beside the blocks.
  typedef struct packed {
    logic first;   // first group of the run
    logic begins;  // first group of a netlist cycle
    logic [Labels-1:0] mask;
    logic [15:0] word;
  } beside_t;

  logic run_q, active, made_valid;
  logic [31:0] round_q;
  logic [15:0] place_q, total, left, now;
  logic [63:0] number_q;
  logic [Labels-1:0][127:0] blocks;
  beside_t beside, made;

  assign total  = round_q == '0 ? first_i : each_i;
  assign left   = total - place_q;
  assign active = run_q && !start_i && left != '0;
  assign now    = 32'(left) < Labels ? left : 16'(Labels);

  for (genvar l = 0; l < int'(Labels); l++) begin : gen_label
    assign began_o[l] = active && l < 32'(left);
    assign blocks[l]  = {64'd0, number_q + 64'(l)};
  end

  assign beside.first  = round_q == '0;
  assign beside.begins = place_q == '0;
  assign beside.mask   = began_o;
  assign beside.word   = place_q
                         + (round_q == '0 ? '0 : first_i + (round_q[0] ? '0 : each_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else if (clear_i) run_q <= 1'b0;
    else if (start_i) run_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      round_q  <= '0;
      place_q  <= '0;
      number_q <= '0;
    end else if (active) begin
      place_q  <= place_q + now;
      number_q <= number_q + 64'(now);
    end else if (run_q && passed_i && round_q == cycle_i && round_q + 1'b1 < cycles_i) begin
      round_q <= round_q + 1'b1;
      place_q <= '0;
    end
  end

  // The pipeline includes the key schedule, so that the first label need not wait for it.
  aes_pipe #(.Impl(Impl), .Lanes(Labels), .Stages(Stages)) u_aes (
    .clk_i, .rst_ni, .clear_i, .en_i(1'b1), .valid_i(active), .key_i(seed_i), .block_i(blocks),
    .valid_o(made_valid), .block_o(label_o)
  );
  label_delay #(.Width($bits(beside_t)), .Stages(Stages)) u_beside (
    .clk_i, .rst_ni, .clear_i, .en_i(1'b1), .valid_i(active), .d_i(beside), .q_o(made)
  );

  assign we_o    = made.mask & {Labels{made_valid}};
  assign waddr_o = made.word;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      round_o <= '0;
      count_o <= '0;
    end else if (made_valid) begin
      round_o <= made.first ? '0 : round_o + 32'(made.begins);
      count_o <= (made.begins ? '0 : count_o) + 16'($countones(made.mask));
    end
  end

  logic [15:0] wanted;
  assign wanted     = cycle_i == '0 ? first_i : each_i;
  assign complete_o = wanted == '0 || round_o > cycle_i || (round_o == cycle_i && count_o == wanted);

endmodule
