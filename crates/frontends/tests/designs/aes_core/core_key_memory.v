// Expands a key of 128 or 256 bits, one round key a cycle, and keeps all round keys.

module core_key_memory (
  input wire clk,
  input wire reset_n,
  input wire [255:0] key,
  input wire is_long,
  input wire start,
  input wire [3:0] round,
  output wire [127:0] round_key,
  output wire ready,
  // The S-box is shared with the rounds.
  output wire [31:0] sbox_word,
  input wire [31:0] sbox_result
);

  reg [127:0] memory [0:14];
  reg [127:0] before_last, last;
  reg [3:0] number;
  reg [7:0] constant;
  reg busy;
  integer i;

  assign round_key = memory[round];
  assign ready = ~busy;
  assign sbox_word = last[31:0];

  // Words of the next round key.
  reg [31:0] first, from;
  reg [127:0] next;
  reg steps_constant;
  always @* begin
    steps_constant = ~is_long | number[0];
    if (is_long & number[0])
      first = sbox_result;
    else
      first = {sbox_result[23:0], sbox_result[31:24]} ^ {constant, 24'h0};
    next = 128'h0;
    if (number == 4'h0)
      next = is_long ? key[255:128] : key[127:0];
    else if (is_long & number == 4'h1)
      next = key[127:0];
    else begin
      next[127:96] = (is_long ? before_last[127:96] : last[127:96]) ^ first;
      next[95:64] = (is_long ? before_last[95:64] : last[95:64]) ^ next[127:96];
      next[63:32] = (is_long ? before_last[63:32] : last[63:32]) ^ next[95:64];
      next[31:0] = (is_long ? before_last[31:0] : last[31:0]) ^ next[63:32];
    end
  end

  always @(posedge clk or negedge reset_n)
    if (!reset_n) begin
      for (i = 0; i < 15; i = i + 1) memory[i] <= 128'h0;
      before_last <= 128'h0;
      last <= 128'h0;
      number <= 4'h0;
      constant <= 8'h01;
      busy <= 1'b0;
    end else if (start) begin
      number <= 4'h0;
      constant <= 8'h01;
      busy <= 1'b1;
    end else if (busy) begin
      memory[number] <= next;
      before_last <= last;
      last <= next;
      number <= number + 4'h1;
      if (is_long ? (number > 4'h1 & ~number[0]) : number != 4'h0)
        constant <= {constant[6:0], 1'b0} ^ (constant[7] ? 8'h1b : 8'h00);
      if (number == (is_long ? 4'he : 4'ha)) busy <= 1'b0;
    end

endmodule
