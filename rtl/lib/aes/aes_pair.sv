// SPDX-License-Identifier: MIT OR Apache-2.0

// Encrypts two blocks by AES-128 with ten S-boxes in block RAM. Each cycle does half a round of one
// block; the two blocks alternate. The second block's key is the first key with bit 64 inverted, as
// a half-gate AND needs.
//
//   port      bits     meaning
//   clear_i   1        aborts the pair under way; nothing is left in the registers after three more
//                      cycles
//   set_i     1        takes the keys; not while busy_o
//   key_i     128      the first key; byte 0 lowest
//   forget_i  1        sets both blocks to 0; not while busy_o
//   add_i     2        XORs sum_i into the selected blocks; not while busy_o. The first AddRoundKey
//                      is not done here, so a block must include its key when it starts. With
//                      set_i, bit 64 of the second block is also inverted, as in its key
//   sum_i     128      byte 4c + r is row r of column c, byte 0 lowest
//   go_i      1        starts the pair, including blocks added in this cycle; not while busy_o
//   busy_o    1        a pair is under way
//   block_o   2 x 128  the encrypted blocks, once busy_o is 0
//
// Latency: 43 cycles from go_i to the first cycle in which busy_o is 0 again. Nothing stalls it.
//
// A context is a block with its key. Four phases of one cycle each repeat. In phases 0 and 1 the
// S-boxes take the bytes of the two halves of context 0, in phases 2 and 3 those of context 1. The
// outputs of the S-boxes are mixed and written two cycles later, while the bytes of the other
// context are in the S-boxes. The bytes of the key's last word enter the S-boxes one phase earlier
// than the block's first half. So their substitutes are in a register when this half is written,
// for which the round's key is needed.
module aes_pair (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   clear_i,
    input  logic                   set_i,
    input  logic [127:0]           key_i,
    input  logic                   forget_i,
    input  logic [1:0]             add_i,
    input  logic [127:0]           sum_i,
    input  logic                   go_i,
    output logic                   busy_o,
    output logic [1:0][127:0]      block_o
);
  // The last cycle, in which the second half of context 1 is written.
  localparam logic [5:0] Last = 6'd41;

  logic [5:0] count_q;
  logic busy_q, last_q;
  logic [1:0][15:0][7:0] state_q, key_q;
  logic [7:0] rcon_q;

  // The half and the context whose bytes enter the S-boxes in this cycle; the other context is
  // written. Each word of a block has its own copy of the phase, which keeps the fan-out low.
  logic [3:0][1:0] phase_q;
  logic [3:0] half, reads, writes;
  for (genvar w = 0; w < 4; w++) begin : gen_phase
    assign half[w]   = phase_q[w][0];
    assign reads[w]  = phase_q[w][1];
    assign writes[w] = !phase_q[w][1];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) phase_q[w] <= '0;
      else if (clear_i || go_i) phase_q[w] <= '0;
      else if (busy_q) phase_q[w] <= {phase_q[w][1] ^ phase_q[w][0], !phase_q[w][0]};
    end
  end
  // Context 0 is written from the first loop of phases on, and context 1 one loop later.
  logic writes_any;
  assign writes_any = busy_q && (count_q[1] || count_q[5:2] != 4'd0);

  // Bytes to and from the S-boxes. Bytes of the state are in the order of their columns after
  // ShiftRows. Two bytes of the key's last word enter with them, one phase ahead. While the unit is
  // idle, bytes are selected as if phase 0 were next.
  logic [15:0][7:0] source;
  logic [3:0][7:0]  word;
  logic [9:0][7:0]  to_rom, from_rom;
  logic [1:0] ahead_q;
  for (genvar b = 0; b < 16; b++) begin : gen_source
    assign source[b] = state_q[reads[b/4]][b];
  end
  for (genvar c = 0; c < 2; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign to_rom[4*c+r] = half[r] ? source[(4*(c+2)+5*r)%16] : source[(4*c+5*r)%16];
    end
  end
  assign word = key_q[ahead_q[1]][15:12];
  assign to_rom[9:8] = ahead_q[0] ? word[3:2] : word[1:0];
  for (genvar i = 0; i < 10; i++) begin : gen_rom
    sbox_rom u_rom (.clk_i, .x_i(to_rom[i]), .y_o(from_rom[i]));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ahead_q <= '0;
    else if (clear_i) ahead_q <= '0;
    else if (go_i) ahead_q <= 2'd1;
    else ahead_q <= busy_q ? {ahead_q[1] ^ ahead_q[0], !ahead_q[0]} : 2'd0;
  end

  // The round's key. Its first two words are used in the cycle in which they are computed, the
  // other two words one cycle later from key_q. turned_q already includes the round constant.
  logic [1:0][7:0]  sub_q;
  logic [31:0]      turned_q;
  logic [3:0][31:0] key, next_key;
  logic [1:0][31:0] round_key;
  always_ff @(posedge clk_i) begin
    sub_q <= from_rom[9:8];
    if (clear_i) turned_q <= '0;
    else turned_q <= {from_rom[9:8], sub_q} ^ {16'd0, rcon_q, 8'd0};
  end
  for (genvar w = 0; w < 4; w++) begin : gen_key
    assign key[w] = key_q[writes[w]][4*w +: 4];
  end
  aes_key_mix u_key (.valid_i(1'b1), .key_i(key), .sub_i(turned_q), .rcon_i('0), .key_o(next_key));
  for (genvar c = 0; c < 2; c++) begin : gen_round_key
    assign round_key[c] = half[2+c] ? key[2+c] : next_key[c];
  end

  function automatic logic [31:0] times_x(input logic [31:0] w);
    logic [31:0] high;
    high    = w & 32'h8080_8080;
    times_x = ((w ^ high) << 1) ^ (high >> 7) ^ (high >> 6) ^ (high >> 4) ^ (high >> 3);
  endfunction

  // Two columns of the new state, before the key is added.
  logic [1:0][31:0] mixed, mixed_q;
  for (genvar c = 0; c < 2; c++) begin : gen_mix
    logic [31:0] w, up;
    assign w  = from_rom[4*c+:4];
    assign up = {w[7:0], w[31:8]};
    assign mixed[c] = last_q ? w : times_x(w ^ up) ^ up ^ {w[15:0], w[31:16]} ^ {w[23:0], w[31:24]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, count_q, last_q} <= '0;
    else if (clear_i) {busy_q, count_q, last_q} <= '0;
    else begin
      // Columns that are written from cycle 38 on belong to the tenth round. They are mixed one
      // cycle before they are written.
      last_q <= count_q >= 6'd36;
      if (go_i) begin
        busy_q  <= 1'b1;
        count_q <= '0;
      end else if (busy_q) begin
        busy_q  <= count_q != Last;
        count_q <= count_q + 6'd1;
      end
    end
  end

  logic [1:0][63:0] fresh;
  assign fresh = {2{mixed_q ^ round_key}};
  always_ff @(posedge clk_i) begin
    mixed_q <= mixed;
    for (int c = 0; c < 2; c++) begin
      if (clear_i || forget_i) state_q[c] <= '0;
      else if (busy_q ? writes_any && writes[0] == 1'(c) : add_i[c]) begin
        // A half that is not being written keeps its value.
        for (int h = 0; h < 2; h++) begin
          if (!busy_q || half[0] == 1'(h)) begin
            state_q[c][8*h +: 8] <= busy_q ? fresh[h] : state_q[c][8*h +: 8] ^ sum_i[64*h +: 64];
          end
        end
        if (set_i && c == 1) state_q[1][8][0] <= !(state_q[1][8][0] ^ sum_i[64]);
      end
    end
    if (clear_i) key_q <= '0;
    else if (set_i) begin
      key_q  <= {key_i ^ 128'h1_0000_0000_0000_0000, key_i};
      rcon_q <= 8'h01;
    end else if (writes_any && !half[0]) begin
      key_q[writes[1]] <= next_key;
      if (writes[0]) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
    end
  end
  assign busy_o  = busy_q;
  assign block_o = state_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!((set_i || go_i || forget_i || add_i != '0) && busy_q)) else $error("aes_pair: an input while busy");
    end
  end
`endif
endmodule
