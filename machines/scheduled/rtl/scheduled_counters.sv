// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts the events of a run.
//
// | port        | width      | meaning                                                   |
// |-------------|------------|-----------------------------------------------------------|
// | start_i     | 1          | all counts are 0 in the next cycle                        |
// | run_i       | 1          | a run is in progress                                      |
// | en_i        | 1          | 0 stalls the machine                                      |
// | took_i      | Slots      | slots that take a gate                                    |
// | ands_i      | Slots      | slots that take an AND                                    |
// | forwarded_i | Operands   | operands that are forwarded in this cycle                 |
// | began_i     | 1          | an input label begins to be made                          |
// | clocks_o    | 64         | cycles of the run without stalls                          |
// | stalls_o    | 64         | stalled cycles of the run                                 |
// | others      | 64         | sums of the inputs                                        |
//
// Latency: 1 cycle. Stalls: en_i.

module scheduled_counters #(
  parameter int unsigned Slots    = 2,
  parameter int unsigned Operands = 2 * Slots
) (
  input  logic               clk_i,
  input  logic               start_i,
  input  logic               run_i,
  input  logic               en_i,
  input  logic [Slots-1:0]   took_i,
  input  logic [Slots-1:0]   ands_i,
  input  logic [Operands-1:0] forwarded_i,
  input  logic               began_i,

  output logic [63:0]        clocks_o,
  output logic [63:0]        stalls_o,
  output logic [63:0]        gates_o,
  output logic [63:0]        ands_o,
  output logic [63:0]        forwarded_o,
  output logic [63:0]        input_labels_o
);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      clocks_o       <= '0;
      stalls_o       <= '0;
      gates_o        <= '0;
      ands_o         <= '0;
      forwarded_o    <= '0;
      input_labels_o <= '0;
    end else if (run_i && en_i) begin
      clocks_o       <= clocks_o + 1'b1;
      gates_o        <= gates_o + 64'($countones(took_i));
      ands_o         <= ands_o + 64'($countones(ands_i));
      forwarded_o    <= forwarded_o + 64'($countones(forwarded_i));
      input_labels_o <= input_labels_o + 64'(began_i);
    end else if (run_i) begin
      stalls_o <= stalls_o + 1'b1;
    end
  end

endmodule
