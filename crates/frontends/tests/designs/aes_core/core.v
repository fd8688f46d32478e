// AES-128 and AES-256, encryption and decryption, as a core of a chip has it: `init` expands the
// key, `next` starts a block, `ready` and `valid` say when it is done.

module core (
  input wire clk,
  input wire reset_n,
  input wire encrypts,
  input wire init,
  input wire next,
  input wire is_long,
  input wire [255:0] key,
  input wire [127:0] block,
  output wire ready,
  output wire [127:0] result,
  output reg valid
);

  localparam Idle = 2'h0, Expand = 2'h1, Work = 2'h2;

  reg [1:0] phase;
  reg starts_key, starts_block;

  wire [127:0] round_key, enciphered, deciphered;
  wire [3:0] round_out, round_in;
  wire [31:0] word_of_key, word_of_round, substituted;
  wire key_ready, encipher_ready, decipher_ready;
  wire expands = phase == Expand;

  core_sbox sbox (.word(expands ? word_of_key : word_of_round), .substituted(substituted));

  core_key_memory keys (
    .clk(clk), .reset_n(reset_n), .key(key), .is_long(is_long), .start(starts_key),
    .round(encrypts ? round_out : round_in), .round_key(round_key), .ready(key_ready),
    .sbox_word(word_of_key), .sbox_result(substituted)
  );

  core_encipher encipher (
    .clk(clk), .reset_n(reset_n), .start(starts_block & encrypts), .is_long(is_long),
    .round(round_out), .round_key(round_key), .sbox_word(word_of_round),
    .sbox_result(substituted), .block(block), .result(enciphered), .ready(encipher_ready)
  );

  core_decipher decipher (
    .clk(clk), .reset_n(reset_n), .start(starts_block & ~encrypts), .is_long(is_long),
    .round(round_in), .round_key(round_key), .block(block), .result(deciphered),
    .ready(decipher_ready)
  );

  assign result = encrypts ? enciphered : deciphered;
  assign ready = phase == Idle;

  wire work_ready = encrypts ? encipher_ready : decipher_ready;

  always @(posedge clk or negedge reset_n)
    if (!reset_n) begin
      phase <= Idle;
      starts_key <= 1'b0;
      starts_block <= 1'b0;
      valid <= 1'b0;
    end else begin
      starts_key <= 1'b0;
      starts_block <= 1'b0;
      case (phase)
        Idle:
          if (init) begin
            starts_key <= 1'b1;
            valid <= 1'b0;
            phase <= Expand;
          end else if (next) begin
            starts_block <= 1'b1;
            valid <= 1'b0;
            phase <= Work;
          end
        Expand:
          if (key_ready & ~starts_key) phase <= Idle;
        default:
          if (work_ready & ~starts_block) begin
            valid <= 1'b1;
            phase <= Idle;
          end
      endcase
    end

endmodule
