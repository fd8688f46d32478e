// SPDX-License-Identifier: MIT OR Apache-2.0

// Fetch and decode. Each pipeline holds a slot until all labels that it reads are ready. Then the
// pipeline gets the next slot that no pipeline has got yet (section 5.6). ANDs and outputs are
// numbered in the order of slots; tables and labels are sorted by these numbers (sections 5.7 and
// 5.8).
//
// | port                              | width              | meaning                             |
// |-----------------------------------|--------------------|-------------------------------------|
// | load_i                            | 1                  | a netlist cycle starts in the next  |
// |                                   |                    | cycle, with the first slots         |
// | run_i                             | 1                  | a netlist cycle is in progress      |
// | clear_i                           | 1                  | nothing is held after this cycle    |
// | total_i                           | 16                 | slots of the netlist                |
// | flip_flops_i                      | 16                 | flip-flops among them, which come   |
// |                                   |                    | first                               |
// | cycle_i                           | 32                 | the netlist cycle                   |
// | first_i, each_i, round_i, count_i |                    | state of the label generator        |
// | slots_i                           | Pipelines slots    | the next slots of the netlist       |
// | pop_o                             | CountWidth         | number of slots_i that are used     |
// | read_o                            | 2 x Pipelines x 16 | labels whose ready flags are read   |
// | ready_i                           | 2 x Pipelines      | the ready flags                     |
// | space_i                           | 1                  | the label memory can take another   |
// |                                   |                    | slot's reads                        |
// | taken_o                           | Pipelines          | the slots that are taken in this    |
// |                                   |                    | cycle; valid is 0 for all others    |
// | blocked_o                         | 1                  | a slot could be taken if space_i    |
// |                                   |                    | were 1                              |
// | held_o                            | 1                  | slots are held                      |
// | passed_o                          | 1                  | all flip-flops of the netlist cycle |
// |                                   |                    | were taken in earlier cycles        |
// | first_held_o                      | 16                 | all ANDs with a lower number were   |
// |                                   |                    | taken in earlier cycles             |
// | numbers_o                         | 2 x 16             | ANDs (0) and outputs (1) of the     |
// |                                   |                    | slots that were fetched so far      |
//
// Latency: none. Stalls: space_i, and missing labels.

module fase_paper_issue
  import fase_pkg::*;
  import fase_paper_pkg::*;
#(
  parameter int unsigned Pipelines = 2,
  localparam int unsigned CountWidth = $clog2(2 * Pipelines + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          load_i,
  input  logic                          run_i,
  input  logic                          clear_i,
  input  logic [15:0]                   total_i,
  input  logic [15:0]                   flip_flops_i,
  input  logic [31:0]                   cycle_i,
  input  logic [15:0]                   first_i,
  input  logic [15:0]                   each_i,
  input  logic [31:0]                   round_i,
  input  logic [15:0]                   count_i,

  input  paper_slot_t [Pipelines-1:0]   slots_i,
  output logic [CountWidth-1:0]         pop_o,
  output logic [2*Pipelines-1:0][15:0]  read_o,
  input  logic [2*Pipelines-1:0]        ready_i,
  input  logic                          space_i,

  output taken_t [Pipelines-1:0]        taken_o,
  output logic                          blocked_o,
  output logic                          held_o,
  output logic                          passed_o,
  output logic [15:0]                   first_held_o,
  output logic [1:0][15:0]              numbers_o
);

  // A slot in a pipeline.
  typedef struct packed {
    paper_slot_t slot;
    logic [15:0] index;
    logic [15:0] number;
    logic [15:0] output_number;
  } held_t;

  logic  [Pipelines-1:0] valid_q, able, takes, free;
  held_t [Pipelines-1:0] held_q, next;
  logic  [Pipelines-1:0] next_valid;
  logic  [15:0] index_q, index, number, output_number;
  logic  [1:0][15:0] numbers_q;
  logic  [CountWidth-1:0] rank [Pipelines];
  logic  first_cycle;

  assign first_cycle = cycle_i == '0;
  assign held_o      = |valid_q;
  assign numbers_o   = numbers_q;
  assign takes       = able & {Pipelines{run_i && space_i}};
  assign blocked_o   = run_i && |able && !space_i;

  for (genvar p = 0; p < int'(Pipelines); p++) begin : gen_pipeline
    paper_slot_t slot;
    source_t [1:0] operands;
    logic [1:0] there;

    assign slot = held_q[p].slot;

    for (genvar i = 0; i < 2; i++) begin : gen_operand
      fase_paper_operand #(.Second(i == 1)) u_operand (
        .slot_i(slot), .cycle_i, .first_i, .each_i, .round_i, .count_i, .ready_i(ready_i[2*p+i]),
        .source_o(operands[i]), .there_o(there[i])
      );
      assign read_o[2*p+i] = operands[i].word;
    end

    assign able[p] = valid_q[p] && &there;
    assign free[p] = load_i || takes[p] || !valid_q[p];

    assign taken_o[p].valid    = takes[p];
    assign taken_o[p].copy     = slot.copy || slot.flip_flop;
    assign taken_o[p].invert   = slot.invert && !slot.flip_flop;
    assign taken_o[p].operands[0] = slot.flip_flop && first_cycle ? operands[1] : operands[0];
    assign taken_o[p].operands[1] = operands[1];
    assign taken_o[p].about    = '{keep: slot.keep, is_and: slot.is_and, index: held_q[p].index,
                                   position: held_q[p].index - flip_flops_i,
                                   number: held_q[p].number,
                                   output_number: held_q[p].output_number};
  end

  // Gives the next slots to the free pipelines. The pipeline that held the earliest slot gets the
  // first one. (A pipeline is without a slot only when no slots are left.)
  assign index = load_i ? '0 : index_q;

  always_comb begin
    for (int unsigned p = 0; p < Pipelines; p++) begin
      rank[p] = '0;
      for (int unsigned q = 0; q < Pipelines; q++) begin
        if (free[q] && (load_i ? q < p : held_q[q].index < held_q[p].index)) begin
          rank[p] += CountWidth'(1);
        end
      end
    end
  end

  always_comb begin
    number        = load_i ? '0 : numbers_q[0];
    output_number = load_i ? '0 : numbers_q[1];
    pop_o         = '0;
    next          = held_q;
    next_valid    = valid_q & ~free;
    for (int unsigned r = 0; r < Pipelines; r++) begin
      for (int unsigned p = 0; p < Pipelines; p++) begin
        if ((load_i || run_i) && free[p] && 32'(rank[p]) == r && 32'(index) + r < 32'(total_i)) begin
          next_valid[p] = 1'b1;
          next[p]       = '{slot: slots_i[r], index: index + 16'(r), number: number,
                            output_number: output_number};
          pop_o         = CountWidth'(r + 1);
        end
      end
      if (32'(pop_o) == r + 1) begin
        number        += 16'(slots_i[r].is_and);
        output_number += 16'(slots_i[r].keep);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else valid_q <= next_valid;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q   <= '0;
      numbers_q <= '0;
    end else if (clear_i) begin
      index_q   <= '0;
      numbers_q <= '0;
    end else if (load_i || run_i) begin
      index_q   <= index + 16'(pop_o);
      numbers_q <= {output_number, number};
    end
  end

  always_ff @(posedge clk_i) held_q <= next;

  // All slots before the first one that is held or not yet fetched have been taken.
  logic passed;

  always_comb begin
    passed       = index_q >= flip_flops_i;
    first_held_o = numbers_q[0];
    for (int unsigned p = 0; p < Pipelines; p++) begin
      if (valid_q[p] && held_q[p].slot.flip_flop) passed = 1'b0;
      if (valid_q[p] && held_q[p].slot.is_and && held_q[p].number < first_held_o) begin
        first_held_o = held_q[p].number;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) passed_o <= 1'b0;
    else if (load_i || clear_i) passed_o <= 1'b0;
    else if (run_i && passed) passed_o <= 1'b1;
  end

endmodule
