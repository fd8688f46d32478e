// Decrypts a block, as core_encipher encrypts it, with round keys in the other order.

module core_decipher (
  input wire clk,
  input wire reset_n,
  input wire start,
  input wire is_long,
  output reg [3:0] round,
  input wire [127:0] round_key,
  input wire [127:0] block,
  output wire [127:0] result,
  output wire ready
);

  localparam Idle = 2'h0, First = 2'h1, Substitute = 2'h2, Mix = 2'h3;

  reg [1:0] phase, word;
  reg [31:0] w0, w1, w2, w3;
  reg [31:0] sbox_word;
  wire [31:0] sbox_result;

  core_inverse_sbox inverse_sbox (.word(sbox_word), .substituted(sbox_result));

  assign result = {w0, w1, w2, w3};
  assign ready = phase == Idle;

  function [7:0] twice(input [7:0] x);
    twice = {x[6:0], 1'b0} ^ (8'h1b & {8{x[7]}});
  endfunction

  function [7:0] times(input [7:0] x, input [3:0] by);
    reg [7:0] two, four, eight;
    begin
      two = twice(x);
      four = twice(two);
      eight = twice(four);
      times = (by[0] ? x : 8'h0) ^ (by[1] ? two : 8'h0) ^ (by[2] ? four : 8'h0)
          ^ (by[3] ? eight : 8'h0);
    end
  endfunction

  function [31:0] unmix_column(input [31:0] w);
    reg [7:0] a, b, c, d;
    begin
      {a, b, c, d} = w;
      unmix_column = {
        times(a, 4'he) ^ times(b, 4'hb) ^ times(c, 4'hd) ^ times(d, 4'h9),
        times(a, 4'h9) ^ times(b, 4'he) ^ times(c, 4'hb) ^ times(d, 4'hd),
        times(a, 4'hd) ^ times(b, 4'h9) ^ times(c, 4'he) ^ times(d, 4'hb),
        times(a, 4'hb) ^ times(b, 4'hd) ^ times(c, 4'h9) ^ times(d, 4'he)
      };
    end
  endfunction

  function [127:0] unmix_columns(input [127:0] s);
    unmix_columns = {
      unmix_column(s[127:96]), unmix_column(s[95:64]), unmix_column(s[63:32]),
      unmix_column(s[31:0])
    };
  endfunction

  function [127:0] unshift_rows(input [127:0] s);
    unshift_rows = {
      s[127:120], s[23:16], s[47:40], s[71:64], s[95:88], s[119:112], s[15:8], s[39:32],
      s[63:56], s[87:80], s[111:104], s[7:0], s[31:24], s[55:48], s[79:72], s[103:96]
    };
  endfunction

  wire [127:0] added = {w0, w1, w2, w3} ^ round_key;

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
            round <= is_long ? 4'he : 4'ha;
            phase <= First;
          end
        First: begin
          {w0, w1, w2, w3} <= unshift_rows(block ^ round_key);
          round <= round - 4'h1;
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
          {w0, w1, w2, w3} <= round == 4'h0 ? added : unshift_rows(unmix_columns(added));
          round <= round - 4'h1;
          phase <= round == 4'h0 ? Idle : Substitute;
        end
      endcase

endmodule
