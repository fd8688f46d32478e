// SPDX-License-Identifier: MIT OR Apache-2.0

// Splits the host's words into batches, and batches into groups of commands. The commands of a
// group are executed in parallel.
//
// | parameter | meaning                                                                      |
// |-----------|------------------------------------------------------------------------------|
// | Lanes     | gates of a group                                                             |
// | Words     | words of 32 bits that arrive in a clock cycle                                |
// | Depth     | capacity in words; if not Serial, at least two groups of four registers      |
// | Serial    | 1: offers a command as soon as its operands are known, before its output is  |
// | Hold      | 1: after a command's last word, takes none until hold_i has risen and fallen |
//
// | port            | width | meaning                                                            |
// |-----------------|-------|--------------------------------------------------------------------|
// | clear_i         | 1     | empties the queue                                                  |
// | start_i         | 1     | begins a run; reads form_i, and base_i, the run's first AND number |
// | valid_i         | 1     | count_i words of data_i are offered                                |
// | ready_o         | 1     | the offered words are taken                                        |
// | valid_o         | 1     | the operands of the current group are known                        |
// | whole_o         | 1     | all words of the group have arrived                                |
// | ands_o          | 1     | the group's gates are ANDs                                         |
// | first_o, last_o | 1     | the group is the first, or the last, of its batch                  |
// | count_o         |       | number of the group's gates, which are in the lowest lanes         |
// | commands_o      | Lanes | the group's commands                                               |
// | take_i          | 1     | removes the group; only if whole_o                                 |
// | within_o        | 1     | at least one group of the batch is removed, but not all            |
// | ended_o         | 1     | the word that ends the run was read                                |
// | level_o         |       | words in the queue                                                 |
//
// Latency: a word that arrives in clock cycle c is seen in c + 1; the word before a batch takes one
// cycle more. Stalls: ready_o is 0 while the queue has no space for a whole transfer.

module overlay_link
  import overlay_pkg::*;
  import overlay_types_pkg::*;
#(
  parameter int unsigned Lanes  = 1,
  parameter int unsigned Words  = 1,
  parameter int unsigned Depth  = 16,
  parameter bit          Serial = 1'b0,
  parameter bit          Hold   = 1'b0,
  localparam int unsigned WordsWidth = $clog2(Words + 1),
  localparam int unsigned LevelWidth = $clog2(Depth + 1),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  input  logic                   start_i,
  input  form_e                  form_i,
  input  logic [63:0]            base_i,
  input  logic                   hold_i,

  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [WordsWidth-1:0]  count_i,
  input  logic [Words-1:0][31:0] data_i,

  output logic                   valid_o,
  output logic                   whole_o,
  output logic                   ands_o,
  output logic                   first_o,
  output logic                   last_o,
  output logic [CountWidth-1:0]  count_o,
  output command_t [Lanes-1:0]   commands_o,
  input  logic                   take_i,

  output logic                   within_o,
  output logic                   ended_o,
  output logic [LevelWidth-1:0]  level_o
);

  localparam int unsigned Most = 4 * Lanes;
  localparam int unsigned MostWidth = $clog2(Most + 1);

  logic [Most-1:0][31:0] head;
  logic [30:0] left_q;
  logic ands_q, first_q, ended_q, running_q;
  form_e form_q;
  logic [63:0] number_q;
  logic [2:0] registers;
  logic [MostWidth-1:0] needed, pop;
  logic begins;
  batch_t batch;

  assign ready_o = 32'(level_o) + Words <= Depth && !(Hold && (hold_i || whole_o));

  fifo_burst #(.Width(32), .Depth(Depth), .MaxPush(Words), .MaxPop(Most)) u_words (
    .clk_i, .rst_ni, .clear_i,
    .push_i(valid_i && ready_o ? count_i : '0), .data_i, .pop_i(pop), .data_o(head), .level_o
  );

  assign batch  = head[0];
  assign begins = running_q && !ended_q && left_q == '0 && level_o != '0;

  always_comb begin
    registers = 3'd3;
    if (form_q == FormTwo) registers = 3'd2;
    if (form_q == FormInverting && ands_q) registers = 3'd4;
  end
  assign count_o = left_q < 31'(Lanes) ? CountWidth'(left_q) : CountWidth'(Lanes);
  assign needed  = MostWidth'(count_o) * MostWidth'(registers);
  assign whole_o = left_q != '0 && 32'(level_o) >= 32'(needed);
  assign valid_o = left_q != '0 && 32'(level_o) >= (Serial ? 32'd2 : 32'(needed));
  assign pop     = begins ? MostWidth'(1) : take_i ? needed : '0;
  assign ands_o  = ands_q;
  assign first_o = first_q;
  assign last_o  = left_q <= 31'(Lanes);
  assign within_o = left_q != '0 && !first_q;
  assign ended_o = ended_q;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [3:0][31:0] words;  // words of this command, and perhaps of the next
    packed_t all;
    long_t [2:0] long;

    always_comb begin
      for (int unsigned i = 0; i < 4; i++) begin
        words[i] = head[4*l+i];
        if (registers == 3'd2) words[i] = head[(2*l+i) % Most];
        if (registers == 3'd3) words[i] = head[(3*l+i) % Most];
      end
    end
    assign all  = {words[1], words[0]};
    assign long = words[2:0];

    function automatic place_t of_short(input short_t place);
      of_short = '{ram: place.ram, invert: 1'b0, address: 30'(place.address)};
    endfunction
    // No memory uses the highest bit of an address.
    function automatic place_t of_long(input long_t place);
      of_long = '{ram: place.ram, invert: 1'b0, address: 30'(place.address)};
    endfunction

    always_comb begin
      commands_o[l] = '{number: number_q + 64'(l), a: words[0], b: words[1], out: words[2]};
      if (form_q == FormThree) begin
        commands_o[l].a   = of_long(long[0]);
        commands_o[l].b   = of_long(long[1]);
        commands_o[l].out = of_long(long[2]);
      end else if (form_q == FormTwo) begin
        commands_o[l].a   = of_short(all.places[0]);
        commands_o[l].b   = of_short(all.places[1]);
        commands_o[l].out = of_short(all.places[2]);
      end else begin
        // number_q is the base here. The register has the AND's number relative to it.
        commands_o[l].number = number_q + 64'(words[3]);
      end
    end
    logic unused;
    assign unused = all.none;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {left_q, ands_q, first_q, ended_q, running_q} <= '0;
    end else if (clear_i) begin
      {left_q, ands_q, first_q, ended_q, running_q} <= '0;
    end else if (start_i) begin
      {left_q, ands_q, first_q, ended_q, running_q} <= 35'd1;
    end else if (begins) begin
      left_q  <= batch.gates;
      ands_q  <= batch.ands;
      first_q <= 1'b1;
      ended_q <= batch == '0;
      if (batch == '0) running_q <= 1'b0;
    end else if (take_i) begin
      left_q  <= left_q - 31'(count_o);
      first_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      form_q   <= form_i;
      number_q <= base_i;
    end else if (take_i && ands_q && form_q != FormInverting) begin
      number_q <= number_q + 64'(count_o);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!take_i || whole_o) else $error("overlay_link: a missing command is taken");
    end
  end
  if (Serial && Lanes != 1) begin : gen_wrong
    $error("overlay_link: a serial overlay has one lane");
  end
`endif

endmodule
