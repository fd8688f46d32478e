// SPDX-License-Identifier: MIT OR Apache-2.0

// Finds frames in the received bytes (machines/mobile/spec/link.md): removes the byte stuffing,
// checks the frames, and accepts those that are next in order.
//
//   port        bits  meaning
//   busy_i      1     labels are being wiped, so received bytes are dropped
//   valid_i     1     byte_i was received; there is no backpressure
//   byte_i      8
//   full_i      1     the queue has no space for another byte of payload
//   write_o     1     byte_o is a byte of the payload, or of the checksum after it
//   byte_o      8
//   keep_o      1     the queue keeps the bytes written, except for the last four
//   drop_o      1     the queue drops the bytes written
//   reset_o     1     a run begins; run_o is its tag from the next clock cycle on
//   run_o       16
//   responses_o   1   a frame needs an acknowledgement
//   again_o     1     the acknowledgement requests frames from next_o on
//   next_o      6     number of the next expected frame
//   other_o     1     the frame is of another run
//   acked_o     1     the host has all labels before number_o; repeat_o: it requests all labels
//                     from number_o on again
//   number_o    6
//   repeat_o    1
//
// Latency: a frame ends in the third clock cycle after its last byte. next_o, responses_o and
// again_o follow three clock cycles later, when the queue has updated its free space. If a frame is
// out of order, the expected frame is requested only once, until it arrives or the host requests an
// acknowledgement.
module mobile_frames
  import mobile_pkg::*;
#(
    parameter int unsigned Payload = 1024
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        busy_i,
    input  logic        valid_i,
    input  logic [7:0]  byte_i,
    input  logic        full_i,
    output logic        write_o,
    output logic [7:0]  byte_o,
    output logic        keep_o,
    output logic        drop_o,
    output logic        reset_o,
    output logic [15:0] run_o,
    output logic        responses_o,
    output logic        again_o,
    output logic [5:0]  next_o,
    output logic        other_o,
    output logic        acked_o,
    output logic [5:0]  number_o,
    output logic        repeat_o
);
  // Bytes before the payload: kind and number, then the run's tag. Bytes after it: the checksum.
  localparam int unsigned Head  = 3;
  localparam int unsigned Check = 4;
  localparam int unsigned CountWidth = $clog2(Head + Payload + Check + 2);
  typedef logic [CountWidth-1:0] count_t;

  // ------------------------------------------------------------------------------- unstuffing
  logic [7:0] left_q;
  logic zero_q, first_q;
  // A decoded byte is there; a frame ends; the frame ends within a code block.
  logic there_q, end_q, cut_q;
  logic [7:0] byte_q;
  logic is_code;
  assign is_code = left_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {left_q, zero_q, there_q, end_q} <= '0;
      first_q <= 1'b1;
    end else if (busy_i) begin
      {left_q, zero_q, there_q, end_q} <= '0;
      first_q <= 1'b1;
    end else begin
      there_q <= valid_i && byte_i != '0 && (!is_code || (zero_q && !first_q));
      end_q   <= valid_i && byte_i == '0 && !first_q;
      if (valid_i) begin
        first_q <= byte_i == '0;
        if (byte_i == '0) left_q <= '0;
        else if (is_code) begin
          left_q <= byte_i - 8'd1;
          zero_q <= byte_i != 8'hff;
        end else left_q <= left_q - 8'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    byte_q <= is_code ? '0 : byte_i;
    cut_q  <= !is_code;
  end

  // --------------------------------------------------------------------------------- the frame
  count_t count_q;
  logic [31:0] crc_q, crc;
  logic [7:0] kind_q;
  logic [15:0] tag_q, run_q;
  logic lost_q, requested_q;
  logic [5:0] next_q;
  crc32c u_crc (.valid_i(1'b1), .crc_i(crc_q), .data_i(byte_q), .crc_o(crc));

  logic too_long, is_head;
  assign is_head  = count_q < count_t'(Head);
  assign too_long = count_q == count_t'(Head + Payload + Check);
  assign write_o  = there_q && !is_head && !too_long && !full_i && !lost_q;
  assign byte_o   = byte_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {count_q, lost_q} <= '0;
      crc_q   <= '1;
    end else if (busy_i || end_q) begin
      {count_q, lost_q} <= '0;
      crc_q   <= '1;
    end else if (there_q) begin
      crc_q   <= crc;
      count_q <= count_q + count_t'(!too_long);
      // Set when the frame exceeds the maximum length or the free space in the queue.
      lost_q  <= lost_q || (!is_head && (full_i || too_long));
    end
  end
  always_ff @(posedge clk_i) begin
    if (there_q && count_q == count_t'(0)) kind_q <= byte_q;
    if (there_q && is_head && count_q != count_t'(0)) tag_q <= {byte_q, tag_q[15:8]};
  end

  // ----------------------------------------------------------------------------------- its end
  // The end of a frame is evaluated in its clock cycle, and acted on in the next.
  logic end_qq, whole_q, ours_q, is_next_q, is_short_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) end_qq <= 1'b0;
    else end_qq <= end_q && !busy_i;
  end
  always_ff @(posedge clk_i) begin
    whole_q    <= !cut_q && !lost_q && crc_q == 32'hb798_b438 && count_q >= count_t'(Head + Check);
    ours_q     <= tag_q == run_q;
    is_next_q  <= kind_q[5:0] == next_q;
    is_short_q <= count_q == count_t'(Head + Check);
  end

  logic whole, ours, missed, keep, reset, acked, requests, other, again;
  assign whole  = end_qq && whole_q;
  assign ours   = whole && ours_q;
  assign keep   = ours && kind_q[7:6] == FrameData && is_next_q && !is_short_q;
  assign reset  = whole && kind_q[7:6] == FrameReset && is_short_q;
  assign acked  = ours && (kind_q[7:6] == FrameAck || kind_q[7:6] == FrameAgain);
  // A host requests an acknowledgement after a timeout, because any frame to it may be lost.
  assign requests   = ours && kind_q[7:6] == FrameAgain;
  assign other  = whole && !reset && !ours_q;
  // If bytes are no frame, a data frame may have been lost.
  assign missed = end_qq && !reset && !acked && !keep && !other;
  assign again  = missed && !requested_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {next_q, requested_q, run_q} <= '0;
    else if (reset) begin
      {next_q, requested_q} <= '0;
      run_q <= tag_q;
    end else if (keep) begin
      next_q  <= next_q + 6'd1;
      requested_q <= 1'b0;
    end else if (missed) requested_q <= 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {keep_o, drop_o, reset_o, acked_o, other_o} <= '0;
    else {keep_o, drop_o, reset_o, acked_o, other_o} <= {keep, end_qq && !keep, reset, acked, other};
  end

  // Responses are delayed until the queue has updated its free space.
  logic [2:0] keeps_q;
  logic [3:0] responses_q, agains_q;
  logic [5:0] acknowledged_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {keeps_q, responses_q, agains_q, acknowledged_q} <= '0;
    else if (reset) {keeps_q, responses_q, agains_q, acknowledged_q} <= '0;
    else begin
      keeps_q   <= {keeps_q[1:0], keep};
      responses_q <= {responses_q[2:0], keep || again || requests || other};
      agains_q  <= {agains_q[2:0], again};
      acknowledged_q    <= acknowledged_q + 6'(keeps_q[2]);
    end
  end
  assign responses_o = responses_q[3];
  assign again_o   = agains_q[3];
  assign next_o    = acknowledged_q;

  // The kind is still in the register: the next frame has not overwritten it yet.
  assign repeat_o = kind_q[7:6] == FrameAgain;
  assign number_o = kind_q[5:0];
  assign run_o    = run_q;
endmodule
