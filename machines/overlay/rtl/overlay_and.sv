// SPDX-License-Identifier: MIT OR Apache-2.0

// A garbled AND cell of the overlay: grr3-sha1 as published, half-gates on a pipeline, or both. A
// run uses one suite.
//
// | parameter | meaning                                           |
// |-----------|---------------------------------------------------|
// | Suite     | 0 grr3-sha1, 1 half-gates, 2 both                 |
// | Latency   | latency of half-gates in clock cycles, 2 or more  |
// | Impl      | AES: 0 TABLE, 1 COMPOSITE, 2 DPI (see `aes_pipe`) |
//
// | port     | width | meaning                                                                  |
// |----------|-------|--------------------------------------------------------------------------|
// | clear_i  | 1     | clears all registers                                                     |
// | half_i   | 1     | 1: half-gates, if Suite is 2; constant in a run like delta_i and point_i |
// | valid_i  | 1     | begins an AND; only if busy_o is 0                                       |
// | a_i, b_i | 128   | false labels of the operands; grr3-sha1 uses 80 bits                     |
// | delta_i  | 128   | D                                                                        |
// | point_i  | 128   | S of half-gates                                                          |
// | number_i | 64    | the AND's number in the run                                              |
// | busy_o   | 1     | the cell cannot take an AND                                              |
// | valid_o  | 1     | label_o and table_o are the results of an AND                            |
// | label_o  | 128   | false label of the output                                                |
// | table_o  | 256   | the AND's table; grr3-sha1 uses 240 bits                                 |
//
// Latency: grr3-sha1 takes 82 clock cycles, one AND at a time; half-gates takes Latency clock
// cycles, one AND per clock cycle. It never stalls.

module overlay_and #(
  parameter int unsigned Suite   = 0,
  parameter int unsigned Latency = 21,
  parameter int unsigned Impl    = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,

  // Each kind of cell uses only some of these inputs.
  input  logic         half_i,
  input  logic         valid_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  input  logic [127:0] delta_i,
  input  logic [127:0] point_i,
  input  logic [63:0]  number_i,
  output logic         busy_o,

  output logic         valid_o,
  output logic [127:0] label_o,
  output logic [255:0] table_o
);

  logic busy, rows_valid, halves_valid;
  logic [79:0] rows_label;
  logic [127:0] halves_label;
  logic [239:0] rows;
  logic [255:0] halves;

  if (Suite == 1) begin : gen_no_rows
    assign {busy, rows_valid, rows_label, rows} = '0;
  end else begin : gen_rows
    overlay_and_sha1 u_rows (
      .clk_i, .rst_ni, .clear_i, .valid_i(valid_i && (Suite == 0 || !half_i)),
      .a_i(a_i[79:0]), .b_i(b_i[79:0]), .delta_i(delta_i[79:0]), .number_i,
      .busy_o(busy), .valid_o(rows_valid), .label_o(rows_label), .table_o(rows)
    );
  end

  if (Suite == 0) begin : gen_no_halves
    assign {halves_valid, halves_label, halves} = '0;
  end else begin : gen_halves
    half_gate_garbler #(.Impl(Impl), .Latency(Latency)) u_halves (
      .clk_i, .rst_ni, .clear_i, .en_i(1'b1), .valid_i(valid_i && (Suite == 1 || half_i)),
      .a_i, .b_i, .delta_i,
      .key_a_i({point_i[127:64] ^ {number_i[62:0], 1'b0}, point_i[63:0]}),
      .key_b_i({point_i[127:64] ^ {number_i[62:0], 1'b1}, point_i[63:0]}),
      .valid_o(halves_valid), .label_o(halves_label), .table_o(halves)
    );
  end

  assign busy_o  = busy;
  assign valid_o = rows_valid || halves_valid;
  assign label_o = halves_valid ? halves_label : 128'(rows_label);
  assign table_o = halves_valid ? halves : 256'(rows);

  logic unused;
  assign unused = ^{half_i, valid_i, a_i, b_i, delta_i, point_i, number_i};

endmodule
