// SPDX-License-Identifier: MIT OR Apache-2.0

// Two S-boxes of AES in one memory with two ports: a block RAM of 256 bytes.
//
//   port      bits   meaning
//   enable_i  1      looks up the bytes; 0: y_o keeps its value
//   x_i       2 x 8  the bytes
//   y_o       2 x 8  the substitute of each byte, a cycle later
//
// Latency: one cycle. Nothing stalls it. y_o has no clear input. To clear it, look up bytes that
// are not secret.
module sbox_rom_pair (
    input  logic            clk_i,
    input  logic            enable_i,
    input  logic [1:0][7:0] x_i,
    output logic [1:0][7:0] y_o
);
  (* ram_style = "block" *) logic [7:0] words [256];
  initial begin
    for (int i = 0; i < 256; i++) words[i] = sbox_pkg::Sboxes[i];
  end
  for (genvar i = 0; i < 2; i++) begin : gen_port
    always_ff @(posedge clk_i) if (enable_i) y_o[i] <= words[x_i[i]];
  end
endmodule
