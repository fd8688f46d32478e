// SPDX-License-Identifier: MIT OR Apache-2.0

// Drives the netlist of half_gate_garbler_folded in a simulator with four states. Registers and
// inputs start unknown. From the reset on, the handshake must be known in every cycle, and so must
// be each result that is offered.
//
// The file +vectors has a line for each AND: the labels A0 and B0, both keys, then the expected
// label and table, each from the highest bit down. +delta is the offset. The last line that is
// printed begins with PASS or FAIL.
`timescale 1ns / 1ns
module bench;
  parameter COUNT = 64;
  parameter SEED = 1;

  reg clk, rst_n, clear, valid, ready;
  reg [127:0] a, b, delta, key_a, key_b;
  wire ready_out, valid_out;
  wire [127:0] label;
  wire [255:0] rows;

  half_gate_garbler_folded dut (
      .clk_i(clk), .rst_ni(rst_n), .clear_i(clear), .valid_i(valid), .ready_o(ready_out),
      .a_i(a), .b_i(b), .delta_i(delta), .key_a_i(key_a), .key_b_i(key_b), .valid_o(valid_out),
      .ready_i(ready), .label_o(label), .table_o(rows));

  reg [895:0] vectors[0:COUNT-1];
  reg [8*256:1] file;
  integer sent, received, cycle, seed;
  reg was_reset;

  initial begin
    clk = 1'b0;
    // Longer than the longest path, at a unit of time for each gate.
    forever #500 clk = ~clk;
  end

  task fail(input [8*60:1] what);
    begin
      $display("FAIL in cycle %0d: %0s", cycle, what);
      $finish;
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", file)) fail("no +vectors");
    $readmemh(file, vectors);
    if (!$value$plusargs("delta=%h", delta)) fail("no +delta");
    seed = SEED;
    cycle = 0;
    sent = 0;
    received = 0;
    was_reset = 1'b0;
    // Unknown, even the reset, for three cycles.
    {rst_n, clear, valid, ready} = 4'bx;
    {a, b, key_a, key_b} = 512'bx;
    repeat (3) @(negedge clk);
    if (valid_out !== 1'bx) fail("a result is known before the reset: not four states");
    rst_n = 1'b0;
    {clear, valid, ready} = 3'b0;
    #1 was_reset = 1'b1;
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    while (received < COUNT) begin
      @(negedge clk);
      // What was offered and accepted before stays offered until it is accepted.
      if (!valid) valid = sent < COUNT && $random(seed) % 4 != 0;
      ready = $random(seed) % 4 != 0;
      if (valid) {a, b, key_a, key_b} = vectors[sent][895:384];
      else {a, b, key_a, key_b} = 512'bx;
    end
    // Nothing may be left after a clear, nor be unknown.
    @(negedge clk) {clear, valid} = 2'b10;
    @(negedge clk) clear = 1'b0;
    if (valid_out !== 1'b0 || {label, rows} !== 384'b0) fail("a clear leaves something");
    $display("PASS: %0d results in %0d cycles", received, cycle);
    $finish;
  end

  always @(posedge clk) begin
    cycle = cycle + 1;
    if (was_reset) begin
      if (^{ready_out, valid_out} === 1'bx) fail("the handshake is unknown after the reset");
      if (valid_out && ready) begin
        if (^{label, rows} === 1'bx) fail("an offered result is unknown");
        if ({label, rows} !== vectors[received][383:0]) fail("a result is not the reference's");
        received = received + 1;
      end
      if (valid && ready_out) begin
        sent = sent + 1;
        valid <= 1'b0;
      end
      if (cycle > 40 * COUNT + 100) fail("results are missing");
    end
  end
endmodule
