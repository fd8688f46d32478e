// SPDX-License-Identifier: MIT OR Apache-2.0

// The label register, and both hashes of an AND. Words of labels are XORed to the register as they
// arrive from the memory, bytes of a table pass through it, and the hashes are XORed to it at the
// end.
//
// For the operands A and B of an AND (including what is XORed to them), the register accumulates
// σ(A) ^ σ(B) ^ lsb(B)·A in half gates, or 2A ^ 4B ^ T in grr3. Labels that are XORed to the result
// are added, too. All of this is linear, so one word at a time suffices. B arrives before A.
//
//   parameter  meaning
//   Round      1: AES computes a round per clock cycle; 0: half a round
//   Lanes      bytes that pass through the label in one clock cycle
//
//   port     bits  meaning
//   clear_i  1     clears all registers
//   set_i    1     an AND begins: loads the keys and T, and sets the label to T (grr3) or 0
//   grr3_i   1     1: the suite is grr3
//   key_i, tweak_i   the first key and T
//   forget_i 1     clears what is left in the hash units
//   add_i    1     word_i is XORed to the label
//   first_i  1     the label restarts from 0 before word_i is XORed to it
//   high_i   1     word_i is bits 64 to 127 of a label
//   role_i   2     use of the word
//   go_i     1     with the last word of an AND: starts the hashes
//   word_i   64
//   fold_i   1     the label rotates by byte_i's width in the next clock cycle
//   turns_o  1     the label rotates in this clock cycle
//   how_i    2     the rotation: unchanged; with byte_i in place of the lowest bytes; or with
//                  byte_i XORed to them, if the colours select this part of the table
//   part_i   2     part of the table, counted from its end: 0 is the last part
//   byte_i   8 x Lanes
//   sum_i    1     the hashes are XORed to the label; not while busy_o
//   busy_o   1     hashes are being computed
//   label_o  128   the label
module mobile_label
  import mobile_types_pkg::*;
#(
    parameter int unsigned Round = 0,
    parameter int unsigned Lanes = 1,
    localparam int unsigned Bits = 8 * Lanes
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,
    input  logic              set_i,
    input  logic              grr3_i,
    input  logic [127:0]      key_i,
    input  logic [127:0]      tweak_i,
    input  logic              forget_i,
    input  logic              add_i,
    input  logic              first_i,
    input  logic              high_i,
    input  role_e             role_i,
    input  logic              go_i,
    input  logic [63:0]       word_i,
    input  logic              fold_i,
    input  fold_e             how_i,
    input  logic [1:0]        part_i,
    input  logic [Bits-1:0]   byte_i,
    input  logic              sum_i,
    output logic              turns_o,
    output logic              busy_o,
    output logic [127:0]      label_o
);
  logic [127:0] label_q;
  // Colour bits of A and B.
  logic a_q, b_q;

  // The hash input of a word. In half gates it is σ: the higher word goes to both halves, and the
  // lower word to the higher half. In grr3 it is two or four times the word, with the carry into
  // the other half.
  logic hashes, plain, doubles;
  logic [63:0] word;
  logic [1:0]  over;
  logic [8:0]  carry_low;
  logic [1:0]  carry_high;
  assign hashes     = role_i != RolePlain;
  assign doubles    = grr3_i && hashes && !set_i;
  assign plain      = !hashes || (role_i == RoleA && b_q);
  assign word       = !doubles ? word_i : role_i == RoleB ? {word_i[61:0], 2'd0} : {word_i[62:0], 1'b0};
  assign over       = !doubles ? '0 : role_i == RoleB ? word_i[63:62] : {1'b0, word_i[63]};
  assign carry_high = high_i ? '0 : over;
  assign carry_low  = high_i ? ({9{over[1]}} & 9'h10e) ^ ({9{over[0]}} & 9'h087) : '0;

  // The halves of the label and of the hash input to which the word is XORed.
  logic [1:0] to_label, to_hash;
  always_comb begin
    if (grr3_i) begin
      to_label = {high_i, !high_i};
      to_hash  = {high_i, !high_i};
    end else begin
      to_label = high_i ? {hashes ^ plain, hashes} : {hashes, plain};
      to_hash  = {1'b1, high_i};
    end
    if (!add_i) to_label = '0;
    if (set_i) to_hash = '0;
  end
  logic [127:0] hashed, carry;
  assign carry  = {62'd0, carry_high, 55'd0, carry_low};
  assign hashed = {word & {64{to_hash[1]}}, word & {64{to_hash[0]}}} ^ carry
      ^ ((key_i ^ tweak_i) & {128{set_i}});

  // The rows of grr3 are for the colours 01, 10 and 11. In half gates the first row is for A's
  // colour, and the second for B's. The masked byte is in a register before the label rotates.
  logic wanted, takes, turns_q, keeps_q;
  logic [Bits-1:0] byte_q;
  logic [127:0] turned;
  always_comb begin
    unique case (part_i)
      2'd2:    wanted = !a_q && b_q;
      2'd1:    wanted = a_q && !(grr3_i && b_q);
      default: wanted = (a_q || !grr3_i) && b_q;
    endcase
  end
  assign takes = how_i == FoldLoad || (how_i == FoldTable && wanted);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turns_q <= 1'b0;
    else turns_q <= fold_i && !clear_i;
  end
  always_ff @(posedge clk_i) begin
    keeps_q <= how_i != FoldLoad;
    byte_q  <= byte_i & {Bits{takes}};
  end
  assign turned  = {(label_q[Bits-1:0] & {Bits{keeps_q}}) ^ byte_q, label_q[127:Bits]};
  assign turns_o = turns_q;

  logic [1:0] to_block;
  logic [1:0][127:0] hash;
  assign to_block = {set_i || (add_i && !grr3_i && role_i == RoleB), set_i || (add_i && (role_i == RoleA || doubles))};
  if (Round != 0) begin : gen_round
    aes_pair_round u_aes (
        .clk_i, .rst_ni, .clear_i, .set_i, .key_i, .forget_i, .add_i(to_block), .sum_i(hashed), .go_i, .busy_o, .block_o(hash));
  end else begin : gen_half_round
    aes_pair u_aes (
        .clk_i, .rst_ni, .clear_i, .set_i, .key_i, .forget_i, .add_i(to_block), .sum_i(hashed), .go_i, .busy_o, .block_o(hash));
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) {label_q, a_q, b_q} <= '0;
    else begin
      // At most one of these is XORed to the label in a clock cycle.
      label_q <= (turns_q ? turned : label_q & {128{!(set_i || (add_i && first_i))}})
          ^ {word & {64{to_label[1]}}, word & {64{to_label[0]}}} ^ (carry & {128{add_i}})
          ^ (tweak_i & {128{set_i}})
          ^ (hash[0] & {128{sum_i}}) ^ (hash[1] & {128{sum_i && !grr3_i}});
      if (set_i) {a_q, b_q} <= '0;
      else if (add_i && !high_i) begin
        a_q <= a_q ^ (word_i[0] && role_i == RoleA);
        b_q <= b_q ^ (word_i[0] && role_i == RoleB);
      end
    end
  end
  assign label_o = label_q;
endmodule
