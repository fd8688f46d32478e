// SPDX-License-Identifier: MIT OR Apache-2.0

// Counts the events of a run.
//
// | port                          | width         | meaning                                   |
// |-------------------------------|---------------|-------------------------------------------|
// | start_i                       | 1             | all counts are 0 in the next cycle        |
// | run_i                         | 1             | a run is in progress                      |
// | held_i                        | 1             | pipelines hold slots                      |
// | blocked_i                     | 1             | a slot could be taken if the label memory |
// |                               |               | had free space                            |
// | took_i                        | Pipelines     | slots that are taken                      |
// | ands_i                        | Pipelines     | ANDs that are finished                    |
// | began_i                       | 2 x Pipelines | input labels that are started             |
// | clocks_o                      | 64            | cycles of the run                         |
// | port_stalls_o, label_stalls_o | 64            | cycles in which no slot was taken because |
// |                               |               | free space, or labels, were missing       |
// | others                        | 64            | sums of the inputs                        |
//
// Latency: 1 cycle. Stalls: nothing.

module fase_paper_counters #(
  parameter int unsigned Pipelines = 2
) (
  input  logic                   clk_i,
  input  logic                   start_i,
  input  logic                   run_i,
  input  logic                   held_i,
  input  logic                   blocked_i,
  input  logic [Pipelines-1:0]   took_i,
  input  logic [Pipelines-1:0]   ands_i,
  input  logic [2*Pipelines-1:0] began_i,

  output logic [63:0]            clocks_o,
  output logic [63:0]            slots_o,
  output logic [63:0]            ands_o,
  output logic [63:0]            port_stalls_o,
  output logic [63:0]            label_stalls_o,
  output logic [63:0]            input_labels_o
);

  logic waits;
  assign waits = held_i && !(|took_i);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      clocks_o       <= '0;
      slots_o        <= '0;
      ands_o         <= '0;
      port_stalls_o  <= '0;
      label_stalls_o <= '0;
      input_labels_o <= '0;
    end else if (run_i) begin
      clocks_o       <= clocks_o + 1'b1;
      slots_o        <= slots_o + 64'($countones(took_i));
      ands_o         <= ands_o + 64'($countones(ands_i));
      port_stalls_o  <= port_stalls_o + 64'(waits && blocked_i);
      label_stalls_o <= label_stalls_o + 64'(waits && !blocked_i);
      input_labels_o <= input_labels_o + 64'($countones(began_i));
    end
  end

endmodule
