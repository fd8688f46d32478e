// SPDX-License-Identifier: MIT OR Apache-2.0

// Window of bytes that are decoded as items. Up to 16 bytes are added and taken per clock cycle.
// Consecutive bytes are in consecutive lanes of 16 memories. So 16 bytes from any position on are
// one word of each lane, rotated.
//
//   parameter  meaning
//   Rows       capacity in rows of 16 bytes, a power of two; accepts 16 bytes while they fit
//
//   port      bits    meaning
//   clear_i   1       empties the window; wipes it if this lasts for Rows + 1 clock cycles
//   valid_i   1       bytes_i are new bytes
//   ready_o   1       the bytes are taken; from a register
//   count_i   5       number of bytes, 1 to 16; the rest of bytes_i is 0
//   bytes_i   16 x 8  the first byte is in the lowest bits
//   take_i    5       number of bytes to take, at most 16, and at most level_o
//   look_i    6       offset in bytes, from this cycle's row_o, of the next clock cycle's ahead_o
//   level_o   Width   number of bytes in the window
//   row_o     16 x 8  the first bytes; undefined after the last byte in the window
//   ahead_o   11 x 8  from a register
//
// Latency: new bytes are in row_o in the next clock cycle, and can then be fetched for ahead_o.
// Stalls: while 16 bytes do not fit.
module mobile_window #(
    parameter int unsigned Rows = 16,
    localparam int unsigned Width = $clog2(16 * Rows + 1)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [4:0]       count_i,
    input  logic [15:0][7:0] bytes_i,
    input  logic [4:0]       take_i,
    input  logic [5:0]       look_i,
    output logic [Width-1:0] level_o,
    output logic [15:0][7:0] row_o,
    output logic [10:0][7:0] ahead_o
);
  localparam int unsigned RowBits = $clog2(Rows);
  typedef struct packed {
    logic [RowBits-1:0] row;
    logic [3:0]         lane;
  } place_t;

  // Rotates x: byte i of the result is byte i + by.
  function automatic logic [127:0] turn(input logic [127:0] x, input logic [3:0] by);
    turn = x;
    for (int i = 0; i < 4; i++) if (by[i]) turn = (turn >> (8 << i)) | (turn << (128 - (8 << i)));
  endfunction

  // Positions of the next byte to write, of the first byte, and of the next fetch.
  place_t put_q, first_q, look;
  logic [Width-1:0] level_q, level;
  logic ready_q, push;
  logic [15:0][7:0] puts, reads, looks;
  logic [15:0][7:0] turned;
  assign push  = valid_i && ready_q;
  assign puts  = turn(push ? bytes_i : '0, -put_q.lane);
  assign look  = first_q + (RowBits + 4)'(look_i);
  assign level = level_q - Width'(take_i) + (push ? Width'(count_i) : '0);

  // Lanes below the first byte's lane have bytes of the next row.
  for (genvar l = 0; l < 16; l++) begin : gen_lane
    logic [7:0] words[Rows];
    logic [RowBits-1:0] put_row, first_row, look_row;
    assign put_row   = put_q.row + RowBits'({1'b0, put_q.lane} > 5'(l));
    assign first_row = first_q.row + RowBits'({1'b0, first_q.lane} > 5'(l));
    assign look_row  = look.row + RowBits'({1'b0, look.lane} > 5'(l));
    always_ff @(posedge clk_i) if (push || clear_i) words[put_row] <= puts[l];
    assign reads[l] = words[first_row];
    assign looks[l] = words[look_row];
  end
  assign row_o  = turn(reads, first_q.lane);
  logic unused;
  assign unused = ^turned;
  assign turned = turn(looks, look.lane);
  always_ff @(posedge clk_i) ahead_o <= turned[10:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {put_q, first_q, level_q, ready_q} <= '0;
    else if (clear_i) begin
      // Zeros are written to all rows.
      put_q   <= '{row: put_q.row + 1'b1, lane: '0};
      first_q <= '{row: put_q.row + 1'b1, lane: '0};
      level_q <= '0;
      ready_q <= 1'b0;
    end else begin
      if (push) put_q <= put_q + (RowBits + 4)'(count_i);
      first_q <= first_q + (RowBits + 4)'(take_i);
      level_q <= level;
      ready_q <= level <= Width'(16 * (Rows - 1));
    end
  end
  assign ready_o = ready_q;
  assign level_o = level_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (Width'(take_i) <= level_q) else $error("mobile_window: more is taken than there is");
      assert (!valid_i || (count_i != '0 && count_i <= 5'd16)) else $error("mobile_window: a count of 0, or above 16");
      assert (!valid_i || count_i == 5'd16 || bytes_i >> {count_i, 3'd0} == '0) else $error("mobile_window: bytes behind the last");
    end
  end
`endif
endmodule
