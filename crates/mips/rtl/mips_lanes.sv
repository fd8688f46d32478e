// SPDX-License-Identifier: MIT OR Apache-2.0

// Loads and stores of bytes, half words and parts of words.
//
// A load rotates the word to the right by bytes, a store rotates its operand to the left. A mask of
// bytes then selects the part that counts.

module mips_lanes #(
  // Whether anything but whole words is loaded, and stored.
  parameter bit Loads = 1,
  parameter bit Stores = 1
) (
  // The lowest bits of the address.
  input  logic [1:0]  byte_i,
  input  logic        is_half_i,
  input  logic        is_byte_i,
  // The left part of a word that lies across two, and the right one.
  input  logic        is_left_i,
  input  logic        is_right_i,
  input  logic        signed_i,
  input  logic [31:0] memory_i,
  input  logic [31:0] register_i,
  output logic [31:0] load_o,
  output logic [31:0] store_o
);

  // Bytes to rotate by: 3 - byte for bytes and right parts, 2 - byte for half words, 4 - byte else.
  logic [1:0] by;
  assign by[0] = (is_byte_i ^ is_right_i) & ~byte_i[0] ^ is_left_i & byte_i[0];
  assign by[1] = (is_byte_i ^ is_right_i ^ is_half_i) & ~byte_i[1] ^ is_left_i & (byte_i[1] ^ byte_i[0]);

  // For a part: byte i of a word (3 is the highest) belongs to the part at or before `byte_i`.
  logic [3:0] up_to, from;
  assign up_to = {1'b1, byte_i[1] | byte_i[0], byte_i[1], byte_i[1] & byte_i[0]};
  assign from = {~up_to[2:0], 1'b1};

  if (Loads) begin : gen_loads
    logic [31:0] half, turned, other;
    logic [3:0] taken;
    logic sign;
    assign half = by[0] ? {memory_i[7:0], memory_i[31:8]} : memory_i;
    assign turned = by[1] ? {half[15:0], half[31:16]} : half;
    assign sign = signed_i & (is_byte_i ? turned[7] : turned[15]);
    // A byte that is not of the memory's is the register's in parts, else the sign.
    assign other = (is_left_i ^ is_right_i) ? register_i : {32{sign}};
    // A left part fills the register from above, a right one from below.
    assign taken[0] = ~is_left_i | ~(byte_i[1] | byte_i[0]);
    assign taken[1] = ~(is_byte_i ^ is_left_i & byte_i[1] ^ is_right_i & ~(byte_i[1] | byte_i[0]));
    assign taken[2] = ~(is_byte_i ^ is_half_i ^ is_left_i & byte_i[1] & byte_i[0] ^ is_right_i & ~byte_i[1]);
    assign taken[3] = ~(is_byte_i ^ is_half_i ^ is_right_i & ~(byte_i[1] & byte_i[0]));
    for (genvar i = 0; i < 4; i++) begin : gen_byte
      assign load_o[8*i+:8] = taken[i] ? turned[8*i+:8] : other[8*i+:8];
    end
  end else begin : gen_words_loaded
    assign load_o = memory_i;
  end

  if (Stores) begin : gen_stores
    logic [31:0] half, turned;
    logic [3:0] lanes, written;
    assign half = by[0] ? {register_i[23:0], register_i[31:24]} : register_i;
    assign turned = by[1] ? {half[15:0], half[31:16]} : half;
    // Of a byte the lane that it is in; of a half word both.
    assign lanes = up_to & from;
    for (genvar i = 0; i < 4; i++) begin : gen_byte
      localparam bit Low = i < 2;
      logic whole;
      assign whole = ~(is_byte_i ^ is_half_i ^ is_left_i ^ is_right_i);
      assign written[i] = whole ^ is_byte_i & lanes[i] ^ is_half_i & (byte_i[1] ^ !Low)
          ^ is_left_i & from[i] ^ is_right_i & up_to[i];
      assign store_o[8*i+:8] = written[i] ? turned[8*i+:8] : memory_i[8*i+:8];
    end
  end else begin : gen_words_stored
    assign store_o = register_i;
  end

endmodule
