// SPDX-License-Identifier: MIT OR Apache-2.0

// The link as SPI; the chip is the device. Mode 0, highest bit first. Each transfer moves a byte in
// both directions. A zero byte between frames has no meaning.
//
//   port        bits  meaning
//   sck_i       1     the host's clock, a separate clock domain
//   cs_ni       1     0 during a transfer
//   mosi_i      1
//   miso_o      1     always driven: on a bus with several devices, add a tri-state driver
//   miso_next_o 1     miso_o from the next falling edge of sck_i on, for a register in the pad
//   rx_valid_o  1     rx_byte_o was received
//   rx_byte_o   8
//   tx_valid_i  1     tx_byte_i is offered
//   tx_ready_o  1     the byte is taken, and sent after the byte that is on the line by then
//   tx_byte_i   8
//
// cs_ni may rise between any two bytes. If it rises within a byte, the received byte is dropped,
// and the byte to the host is incomplete.
//
// Timing: a byte takes eight cycles of sck_i. Each must last three or more cycles of clk_i. A
// received byte is available two to three cycles of clk_i after its last bit.
module mobile_spi (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       sck_i,
    input  logic       cs_ni,
    input  logic       mosi_i,
    output logic       miso_o,
    output logic       miso_next_o,
    output logic       rx_valid_o,
    output logic [7:0] rx_byte_o,
    input  logic       tx_valid_i,
    output logic       tx_ready_o,
    input  logic [7:0] tx_byte_i
);
  // ------------------------------------------------------------------------- the host's clock
  logic [2:0] count_q;
  logic [6:0] shift_q;
  logic [7:0] byte_q;
  logic turn_q;
  always_ff @(posedge sck_i or posedge cs_ni) begin
    if (cs_ni) count_q <= '0;
    else count_q <= count_q + 3'd1;
  end
  always_ff @(posedge sck_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (count_q == 3'd7) turn_q <= !turn_q;
  end
  always_ff @(posedge sck_i) begin
    shift_q <= {shift_q[5:0], mosi_i};
    if (count_q == 3'd7) byte_q <= {shift_q, mosi_i};
  end
  // next_q belongs to clk_i. It changes two to three of its cycles after turn_q has toggled, so it
  // stands still when turn_q toggles next, eight cycles of sck_i later, and is taken then.
  logic [7:0] next_q, sent_q;
  always_ff @(posedge sck_i or negedge rst_ni) begin
    if (!rst_ni) sent_q <= '0;
    else if (count_q == 3'd7) sent_q <= next_q;
  end
  // Bits change at the falling edge. The first bit of a byte is valid before the byte's first
  // rising edge.
  logic [7:0] out_q, out;
  assign out = count_q == '0 ? sent_q : {out_q[6:0], 1'b0};
  always_ff @(negedge sck_i or negedge rst_ni) begin
    if (!rst_ni) out_q <= '0;
    else out_q <= out;
  end
  assign miso_o      = out_q[7];
  assign miso_next_o = out[7];

  // --------------------------------------------------------------------------------- our clock
  // turn_q toggles with each new byte_q, which is stable for eight cycles of sck_i.
  logic [2:0] turn_seen_q;
  logic came;
  assign came = turn_seen_q[2] != turn_seen_q[1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {turn_seen_q, next_q} <= '0;
    else begin
      turn_seen_q <= {turn_seen_q[1:0], turn_q};
      if (came) next_q <= tx_valid_i ? tx_byte_i : '0;
    end
  end
  assign rx_valid_o = came;
  assign rx_byte_o  = byte_q;
  assign tx_ready_o = came;
endmodule
