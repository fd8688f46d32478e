// Encrypts a block: four cycles of substitution a round, a word each, and one for the rest.

module core_encipher (
  input wire clk,
  input wire reset_n,
  input wire start,
  input wire is_long,
  output reg [3:0] round,
  input wire [127:0] round_key,
  output reg [31:0] sbox_word,
  input wire [31:0] sbox_result,
  input wire [127:0] block,
  output wire [127:0] result,
  output wire ready
);

  localparam Idle = 2'h0, First = 2'h1, Substitute = 2'h2, Mix = 2'h3;

  reg [1:0] phase, word;
  reg [31:0] w0, w1, w2, w3;

  assign result = {w0, w1, w2, w3};
  assign ready = phase == Idle;

  function [7:0] twice(input [7:0] x);
    twice = {x[6:0], 1'b0} ^ (8'h1b & {8{x[7]}});
  endfunction

  function [31:0] mix_column(input [31:0] w);
    reg [7:0] a, b, c, d;
    begin
      {a, b, c, d} = w;
      mix_column = {
        twice(a) ^ twice(b) ^ b ^ c ^ d, a ^ twice(b) ^ twice(c) ^ c ^ d,
        a ^ b ^ twice(c) ^ twice(d) ^ d, twice(a) ^ a ^ b ^ c ^ twice(d)
      };
    end
  endfunction

  function [127:0] mix_columns(input [127:0] s);
    mix_columns = {
      mix_column(s[127:96]), mix_column(s[95:64]), mix_column(s[63:32]), mix_column(s[31:0])
    };
  endfunction

  function [127:0] shift_rows(input [127:0] s);
    shift_rows = {
      s[127:120], s[87:80], s[47:40], s[7:0], s[95:88], s[55:48], s[15:8], s[103:96],
      s[63:56], s[23:16], s[111:104], s[71:64], s[31:24], s[119:112], s[79:72], s[39:32]
    };
  endfunction

  wire [127:0] shifted = shift_rows({w0, w1, w2, w3});
  wire is_last = round == (is_long ? 4'he : 4'ha);

  always @*
    case (word)
      2'h0: sbox_word = w0;
      2'h1: sbox_word = w1;
      2'h2: sbox_word = w2;
      default: sbox_word = w3;
    endcase

  always @(posedge clk or negedge reset_n)
    if (!reset_n) begin
      phase <= Idle;
      word <= 2'h0;
      round <= 4'h0;
      {w0, w1, w2, w3} <= 128'h0;
    end else
      case (phase)
        Idle:
          if (start) begin
            round <= 4'h0;
            phase <= First;
          end
        First: begin
          {w0, w1, w2, w3} <= block ^ round_key;
          round <= 4'h1;
          word <= 2'h0;
          phase <= Substitute;
        end
        Substitute: begin
          case (word)
            2'h0: w0 <= sbox_result;
            2'h1: w1 <= sbox_result;
            2'h2: w2 <= sbox_result;
            default: w3 <= sbox_result;
          endcase
          word <= word + 2'h1;
          if (word == 2'h3) phase <= Mix;
        end
        default: begin
          {w0, w1, w2, w3} <= (is_last ? shifted : mix_columns(shifted)) ^ round_key;
          round <= round + 4'h1;
          phase <= is_last ? Idle : Substitute;
        end
      endcase

endmodule
