// SPDX-License-Identifier: MIT OR Apache-2.0

// Encrypts two blocks by AES-128 with twenty S-boxes in block RAM. Each cycle does one round of one
// block; the two blocks alternate. The second block's key is the first key with bit 64 inverted.
// The module has the function of `aes_pair` at twice the rate.
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
// Latency: 23 cycles from go_i to the first cycle in which busy_o is 0 again. Nothing stalls it.
//
// A context is a block with its key. Both contexts circulate in a ring, one cycle apart, so no
// multiplexer selects between them. A block passes from the outputs of the S-boxes through
// MixColumns to mixed_q. From there it returns to the S-boxes, after its key is added. The key is
// added to the block from front_q. In the next cycle it is in back_q, from where it is expanded
// with the substituted bytes of its last word.
module aes_pair_round (
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
  // The last cycle, in which context 1 is written.
  localparam logic [4:0] Last = 5'd21;

  logic [4:0] count_q;
  logic busy_q, first_q, starts_q, last_q, writes_q;
  logic [7:0] rcon_q;
  // The blocks before they start and after they end. Context 1 moves to index 0 before it starts,
  // because context 0 has started by then.
  logic [1:0][127:0] block_q;
  logic [15:0][7:0] mixed_q, front_q, back_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, count_q, first_q, starts_q, last_q, writes_q} <= '0;
    else if (clear_i) {busy_q, count_q, first_q, starts_q, last_q, writes_q} <= '0;
    else begin
      // The blocks start in cycles 0 and 1. Their results are mixed in cycles 19 and 20, and
      // written one cycle later.
      first_q  <= go_i;
      starts_q <= go_i || first_q;
      last_q   <= busy_q && count_q >= 5'd18;
      writes_q <= busy_q && count_q >= 5'd19 && count_q != Last;
      if (go_i) begin
        busy_q  <= 1'b1;
        count_q <= '0;
      end else if (busy_q) begin
        busy_q  <= count_q != Last;
        count_q <= count_q + 5'd1;
      end
    end
  end

  // Bytes to the S-boxes, in the order of their columns after ShiftRows, and outputs of the
  // S-boxes.
  logic [15:0][7:0] state, from_rom;
  logic [3:0][7:0]  word, sub;
  assign state = starts_q ? block_q[0] : mixed_q ^ front_q;
  for (genvar b = 0; b < 16; b++) begin : gen_state
    sbox_rom u_rom (.clk_i, .x_i(state[5*b%16]), .y_o(from_rom[b]));
  end
  assign word = front_q[15:12];
  for (genvar b = 0; b < 4; b++) begin : gen_word
    sbox_rom u_rom (.clk_i, .x_i(word[b]), .y_o(sub[b]));
  end

  function automatic logic [31:0] times_x(input logic [31:0] w);
    logic [31:0] high;
    high    = w & 32'h8080_8080;
    times_x = ((w ^ high) << 1) ^ (high >> 7) ^ (high >> 6) ^ (high >> 4) ^ (high >> 3);
  endfunction

  // The new state, before the key is added.
  logic [3:0][31:0] mixed;
  for (genvar c = 0; c < 4; c++) begin : gen_mix
    logic [31:0] w, up;
    assign w  = from_rom[4*c+:4];
    assign up = {w[7:0], w[31:8]};
    assign mixed[c] = last_q ? w : times_x(w ^ up) ^ up ^ {w[15:0], w[31:16]} ^ {w[23:0], w[31:24]};
  end
  logic [127:0] next_key;
  aes_key_mix u_key (.valid_i(1'b1), .key_i(back_q), .sub_i(sub), .rcon_i(rcon_q), .key_o(next_key));

  always_ff @(posedge clk_i) begin
    if (clear_i) {mixed_q, front_q, back_q} <= '0;
    else begin
      if (busy_q) mixed_q <= mixed;
      // In cycle 0 context 1 gets its key, which differs in one bit from the key of context 0.
      if (set_i) front_q <= key_i;
      else if (first_q) front_q[8][0] <= !front_q[8][0];
      else if (busy_q) front_q <= next_key;
      back_q <= front_q;
    end
    if (go_i) rcon_q <= 8'h01;
    else if (!count_q[0] && !first_q) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || forget_i) block_q <= '0;
    else begin
      if (first_q || writes_q) block_q[0] <= block_q[1];
      else if (add_i[0]) block_q[0] <= block_q[0] ^ sum_i;
      if (writes_q) block_q[1] <= state;
      else if (add_i[1]) block_q[1] <= block_q[1] ^ sum_i ^ {63'd0, set_i, 64'd0};
    end
  end
  assign busy_o  = busy_q;
  assign block_o = block_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!((set_i || go_i || forget_i || add_i != '0) && busy_q)) else $error("aes_pair_round: an input while busy");
    end
  end
`endif
endmodule
