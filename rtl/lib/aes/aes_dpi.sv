// SPDX-License-Identifier: MIT OR Apache-2.0

// AES-128 as a DPI call, for long simulations; not for synthesis.
//
// The C function `halfgate_aes128` encrypts a block when it enters. The result appears Stages
// cycles later, as from the pipeline that this module replaces.
//
//   parameter  meaning
//   Lanes      blocks at once, all under the same key
//   Stages     cycles from input to output, 1 or more
//
//   port     bits       meaning
//   clk_i    1          clock
//   rst_ni   1          reset, active low, asynchronous
//   clear_i  1          nothing is left in the registers after this cycle
//   en_i     1          the registers advance at the end of this cycle, unless clear_i
//   valid_i  1          key_i and block_i are valid
//   key_i    128        the key; byte 0 lowest
//   block_i  128*Lanes  the blocks, lane 0 lowest
//   valid_o  1          valid_i of Stages cycles earlier
//   block_o  128*Lanes  the encrypted blocks, if valid_o
//
// Latency: Stages cycles. It stalls while en_i is 0.
module aes_dpi #(
    parameter int unsigned Lanes  = 1,
    parameter int unsigned Stages = 20
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    en_i,
    input  logic                    valid_i,
    input  logic [127:0]            key_i,
    input  logic [Lanes-1:0][127:0] block_i,
    output logic                    valid_o,
    output logic [Lanes-1:0][127:0] block_o
);
  import "DPI-C" function void halfgate_aes128(
    input  bit [127:0] key,
    input  bit [127:0] block,
    output bit [127:0] result
  );

  localparam int unsigned PlaceWidth = (Stages > 1) ? $clog2(Stages) : 1;

  // A ring of Stages entries. An entry that is written now is read Stages cycles later, just before
  // it is overwritten. So no data moves from stage to stage.
  logic [Lanes-1:0][127:0] ring_q[Stages];
  logic                    valid_q[Stages];
  logic [PlaceWidth-1:0]   place_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q <= '0;
      for (int s = 0; s < int'(Stages); s++) valid_q[s] <= 1'b0;
    end else if (clear_i) begin
      for (int s = 0; s < int'(Stages); s++) valid_q[s] <= 1'b0;
    end else if (en_i) begin
      place_q          <= (place_q == PlaceWidth'(Stages - 1)) ? '0 : place_q + 1'b1;
      valid_q[place_q] <= valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int s = 0; s < int'(Stages); s++) ring_q[s] <= '0;
    end else if (en_i && valid_i) begin
      for (int l = 0; l < int'(Lanes); l++) begin
        bit [127:0] result;
        halfgate_aes128(key_i, block_i[l], result);
        ring_q[place_q][l] <= result;
      end
    end
  end

  assign valid_o = valid_q[place_q];
  assign block_o = ring_q[place_q];

  if (Stages == 0) begin : gen_unknown
    $error("aes_dpi: Stages is 1 or more");
  end
endmodule
