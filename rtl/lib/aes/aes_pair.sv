// Two blocks of AES-128, each under its own key, on ten S-boxes in block RAM: half a round a cycle, in turns. What a half-gate AND
// asks for.
//
//   port     bits     meaning
//   clear_i  1        whatever is under way ends, and nothing is left in the registers after this and three more cycles
//   start_i  1        both blocks are taken; not while busy_o
//   key_i    2 x 128  their keys; byte 0 lowest
//   block_i  2 x 128  the blocks; byte 4c + r is row r of column c, byte 0 lowest
//   busy_o   1        a pair is under way
//   done_o   1        block_o is new in this cycle, and stays until the next start
//   block_o  2 x 128  the encrypted blocks
//
// Latency: 43 cycles from start_i to done_o. Nothing stalls it.
//
// In phases 0 and 1 the bytes of both halves of context 0 and of its key's last word go to the S-boxes, in phases 2 and 3 those of context
// 1. What comes back two cycles later is mixed and written while the other context is substituted: the key of the round is
// complete when the first half is mixed.
module aes_pair (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   clear_i,
    input  logic                   start_i,
    input  logic [1:0][127:0]      key_i,
    input  logic [1:0][127:0]      block_i,
    output logic                   busy_o,
    output logic                   done_o,
    output logic [1:0][127:0]      block_o
);
  // The last cycle, in which context 1's second half is written.
  localparam logic [5:0] Last = 6'd41;

  logic [5:0] count_q;
  logic busy_q, done_q;
  logic [1:0][15:0][7:0] state_q, key_q;
  logic [7:0] rcon_q;

  logic half, reads, writes_any, writes, last;
  assign half   = count_q[0];
  assign reads  = count_q[1];
  assign writes = !reads;
  // Context 0 is written from loop 0 on, context 1 a loop later.
  assign writes_any = busy_q && (writes ? count_q[5:2] != 4'd0 : 1'b1);
  assign last       = writes ? count_q[5:2] == 4'd10 : count_q[5:2] == 4'd9;

  // Bytes on their way to the S-boxes and back: of the state, in the order of their columns after ShiftRows, and of the key.
  logic [15:0][7:0] source;
  logic [3:0][7:0]  word;
  logic [9:0][7:0]  to_rom, from_rom;
  logic [9:0][7:0]  sub_q;

  assign source = state_q[reads];
  assign word   = key_q[reads][15:12];
  for (genvar c = 0; c < 2; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign to_rom[4*c+r] = half ? source[(4*(c+2)+5*r)%16] : source[(4*c+5*r)%16];
    end
  end
  assign to_rom[9:8] = half ? word[3:2] : word[1:0];
  for (genvar i = 0; i < 10; i++) begin : gen_rom
    sbox_rom u_rom (.clk_i, .x_i(to_rom[i]), .y_o(from_rom[i]));
  end

  // The round's key. Its first two words are wanted at once, the others a cycle later from key_q.
  logic [3:0][31:0] key;
  // Words 2 and 3 of it are read from key_q.
  logic [3:0][31:0] next_key;
  assign key = key_q[writes];
  aes_key_mix u_key (
      .valid_i(1'b1), .key_i(key), .sub_i({from_rom[9:8], sub_q[9:8]}), .rcon_i(rcon_q),
      .key_o(next_key));

  function automatic logic [31:0] times_x(input logic [31:0] w);
    logic [31:0] high;
    high    = w & 32'h8080_8080;
    times_x = ((w ^ high) << 1) ^ (high >> 7) ^ (high >> 6) ^ (high >> 4) ^ (high >> 3);
  endfunction

  // Two columns of the new state.
  logic [1:0][31:0] mixed, round_key;
  assign round_key = half ? key[3:2] : next_key[1:0];
  for (genvar c = 0; c < 2; c++) begin : gen_mix
    logic [31:0] w, up;
    assign w  = sub_q[4*c+:4];
    assign up = {w[7:0], w[31:8]};
    assign mixed[c] = (last ? w : times_x(w ^ up) ^ up ^ {w[15:0], w[31:16]} ^ {w[23:0], w[31:24]})
                      ^ round_key[c];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, done_q, count_q} <= '0;
    else if (clear_i) {busy_q, done_q, count_q} <= '0;
    else begin
      done_q <= busy_q && count_q == Last;
      if (start_i) begin
        busy_q  <= 1'b1;
        count_q <= '0;
      end else if (busy_q) begin
        busy_q  <= count_q != Last;
        count_q <= count_q + 6'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    sub_q <= from_rom;
    if (clear_i) begin
      {state_q, key_q} <= '0;
    end else if (start_i) begin
      state_q <= block_i ^ key_i;
      key_q   <= key_i;
      rcon_q  <= 8'h01;
    end else if (writes_any) begin
      state_q[writes][8*half+:8] <= mixed;
      if (!half) key_q[writes] <= next_key;
      if (!half && writes) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
    end
  end
  assign busy_o  = busy_q;
  assign done_o  = done_q;
  assign block_o = state_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(start_i && busy_q)) else $error("aes_pair: a pair is started while another is under way");
    end
  end
`endif
endmodule
