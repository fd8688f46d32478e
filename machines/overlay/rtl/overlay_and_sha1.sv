// SPDX-License-Identifier: MIT OR Apache-2.0

// SIFO's garbled AND cell (section 3.1.1, Figure 3) for the suite `grr3-sha1`. It computes four
// hashes in parallel, for one AND at a time.
//
//   H(i,j) = first 80 bits of SHA-1(A || B || T), where A and B have colour bits i and j
//   C0 = H(0,0) ^ (pa & pb)D        row (i,j) = H(i,j) ^ C0 ^ ((pa ^ i) & (pb ^ j))D
//   pa, pb: bit 0 of A0, B0
//
// | port     | width | meaning                                                                 |
// |----------|-------|-------------------------------------------------------------------------|
// | clear_i  | 1     | clears all registers                                                    |
// | valid_i  | 1     | begins an AND; only if busy_o is 0                                      |
// | a_i, b_i | 80    | A0, B0                                                                  |
// | delta_i  | 80    | D; constant while an AND is in progress                                 |
// | number_i | 64    | T, the AND number                                                       |
// | busy_o   | 1     | an AND is in progress                                                   |
// | valid_o  | 1     | label_o and table_o belong to the AND that began 82 clock cycles before |
// | label_o  | 80    | C0                                                                      |
// | table_o  | 240   | rows (0,1), (1,0), (1,1); the first is in the lowest bits               |
//
// Latency: 82 clock cycles. It never stalls.

module overlay_and_sha1 (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,

  input  logic         valid_i,
  input  logic [79:0]  a_i,
  input  logic [79:0]  b_i,
  input  logic [79:0]  delta_i,
  input  logic [63:0]  number_i,
  output logic         busy_o,

  output logic         valid_o,
  output logic [79:0]  label_o,
  output logic [239:0] table_o
);

  // A label's first byte is its lowest; a block's first byte is its highest.
  function automatic logic [79:0] label_bytes(input logic [79:0] value);
    for (int unsigned i = 0; i < 10; i++) label_bytes[8*i +: 8] = value[8*(9-i) +: 8];
  endfunction
  function automatic logic [63:0] number_bytes(input logic [63:0] value);
    for (int unsigned i = 0; i < 8; i++) number_bytes[8*i +: 8] = value[8*(7-i) +: 8];
  endfunction

  // Padding of the message of 28 bytes.
  localparam logic [287:0] Padding = {8'h80, 216'd0, 64'd224};

  logic [3:0] busy, valid;
  logic [3:0][79:0] hash;  // index: bit 1 selects A0 or A1, bit 0 selects B0 or B1
  logic pa_q, pb_q;

  for (genvar i = 0; i < 4; i++) begin : gen_hash
    logic [79:0] a, b;
    logic [159:0] digest;
    logic unused_bits;
    assign unused_bits = ^digest;

    assign a = a_i ^ (i / 2 == 1 ? delta_i : '0);
    assign b = b_i ^ (i % 2 == 1 ? delta_i : '0);
    sha1_block u_hash (
      .clk_i, .rst_ni, .clear_i, .valid_i,
      .block_i({label_bytes(a), label_bytes(b), number_bytes(number_i), Padding}),
      .busy_o(busy[i]), .valid_o(valid[i]), .digest_o(digest)
    );
    assign hash[i] = label_bytes(digest[159:80]);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) {pa_q, pb_q} <= '0;
    else if (valid_i) {pa_q, pb_q} <= {a_i[0], b_i[0]};
  end

  // The first arbitrator selects the hash for the output's label. The second arranges the other
  // hashes as rows.
  logic [3:0][79:0] row;  // index: the labels' colour bits

  for (genvar i = 0; i < 4; i++) begin : gen_row
    logic a, b;  // values of the labels with these colours

    assign a = pa_q ^ (i / 2 == 1);
    assign b = pb_q ^ (i % 2 == 1);
    assign row[i] = hash[{a, b}] ^ (delta_i & {80{a && b}});
  end
  assign label_o = row[0];
  for (genvar i = 1; i < 4; i++) begin : gen_table
    assign table_o[80*(i-1) +: 80] = row[i] ^ row[0];
  end

  assign busy_o  = |busy;
  assign valid_o = valid[0];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (valid == '0 || valid == '1) else $error("overlay_and_sha1: the hashes do not finish together");
      assert (!valid_i || delta_i[0]) else $error("overlay_and_sha1: bit 0 of delta_i is not set");
    end
  end
`endif

endmodule
