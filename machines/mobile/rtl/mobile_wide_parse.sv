// SPDX-License-Identifier: MIT OR Apache-2.0

// Parses the beginning of an item. The result depends only on the item's bytes
// (machines/mobile/spec/link.md).
//
//   port      bits    meaning
//   second_i  1       the item is the second of its pair, of kind kind_i
//   kind_i    4
//   bytes_i   11 x 8  the item's first 11 bytes
//   head_o            the parsed fields
//
// Latency: none, combinational.
module mobile_wide_parse
  import mobile_pkg::*;
  import mobile_types_pkg::*;
(
    input  logic             second_i,
    input  logic [3:0]       kind_i,
    input  logic [10:0][7:0] bytes_i,
    output head_t            head_o
);
  logic [3:0] kind;
  logic is_single, has_third, has_how, has_none;
  assign kind      = second_i ? kind_i : bytes_i[0][3:0];
  assign is_single = kind == KindLoad || kind == KindRead;
  assign has_none  = kind == KindEnd || kind == KindBegin || kind == KindNone;
  assign has_third = kind == KindXor3 || kind == KindXor3ToA || (kind >= KindChoice && kind <= KindAnd3);
  assign has_how   = kind == KindAnd3;

  // Slots follow each other, with one or two bytes each. at_c, at_how and at_out are the positions
  // of c, of the byte `how`, and of the result's slot, one-hot.
  logic [9:0][7:0] bytes;
  logic [4:0] long;
  logic [4:2] at_c;
  logic [6:3] behind_c;
  logic [6:2] at_how;
  logic [7:2] at_out;
  logic [7:0] how;
  logic has_own;
  assign bytes = second_i ? bytes_i[9:0] : bytes_i[10:1];
  always_comb begin
    for (int i = 0; i < 5; i++) long[i] = bytes[i][7:5] == '1;
    at_c     = {long[0] && long[2], long[0] ? !long[2] : long[1], !long[0] && !long[1]};
    behind_c = {at_c[4] && long[4], (at_c[4] && !long[4]) || (at_c[3] && long[3]), (at_c[3] && !long[3]) || (at_c[2] && long[2]),
                at_c[2] && !long[2]};
    at_how   = has_third ? {behind_c, 1'b0} : {2'b00, at_c};
    how = '0;
    for (int i = 2; i < 7; i++) how |= bytes[i] & {8{at_how[i]}};
    at_out   = has_how ? {at_how, 1'b0} : {1'b0, at_how};
  end
  assign has_own = kind == KindXor || kind == KindXor3 || kind == KindAnd || kind == KindChoice || (has_how && how[4:3] == 2'd3);

  // Length in bytes: without a slot for the result (less), and with one (more).
  logic [3:0] less, more, ends;
  always_comb begin
    less = '0;
    more = '0;
    for (int i = 2; i < 8; i++) begin
      less |= 4'(i) & {4{at_out[i]}};
      more |= (bytes[i][7:5] == '1 ? 4'(i + 2) : 4'(i + 1)) & {4{at_out[i]}};
    end
    ends = has_none ? 4'd0 : is_single ? (long[0] ? 4'd2 : 4'd1) : has_own ? more : less;
  end
  always_comb begin
    head_o.kind         = kind;
    head_o.second       = bytes_i[0][7:4];
    head_o.second_valid = !second_i && bytes_i[0][7:4] != KindNone;
    head_o.bytes        = ends + 4'(!second_i);
    head_o.a            = bytes[1:0];
    head_o.b            = long[0] ? bytes[3:2] : bytes[2:1];
    head_o.how          = how;
    head_o.c            = '0;
    head_o.out          = '0;
    for (int i = 2; i < 5; i++) head_o.c |= {bytes[i+1], bytes[i]} & {16{at_c[i]}};
    for (int i = 2; i < 8; i++) head_o.out |= {bytes[i+1], bytes[i]} & {16{at_out[i]}};
  end
endmodule
