// SPDX-License-Identifier: MIT OR Apache-2.0

// Queue of labels to the host, in the order of the reads. Each label is kept until it is
// acknowledged.
//
//   port        bits  meaning
//   clear_i     1     empties the queue
//   wipe_i      1     also wipes word wipe_word_i of the memory
//   valid_i     1     byte_i is the next byte; a label has 16
//   ready_o     1     the byte is taken
//   byte_i      8
//   acked_i     1     the host has all labels before number_i; repeat_i: it requests all labels
//                     from number_i on again
//   number_i    6
//   repeat_i    1
//   next_i      1     the next label begins to be sent
//   there_o     1     label number_o is the next to send; a clock cycle late
//   number_o    6
//   word_i      9     address of byte_o in the next clock cycle: five bits of the label's number,
//                     four of the byte's
//   byte_o      8
module mobile_labels (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       clear_i,
    input  logic       wipe_i,
    input  logic [8:0] wipe_word_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  logic [7:0] byte_i,
    input  logic       acked_i,
    input  logic [5:0] number_i,
    input  logic       repeat_i,
    input  logic       next_i,
    output logic       there_o,
    output logic [5:0] number_o,
    input  logic [8:0] word_i,
    output logic [7:0] byte_o
);
  // Numbers of the first label that is not acknowledged, of the next label to send, and of the
  // label that is being received. bytes_q is the number of bytes received of that label.
  logic [5:0] acked_q, sent_q, made_q;
  logic [3:0] bytes_q;
  logic [5:0] kept, ahead, behind;
  logic full_q, there_q;
  // Number in the last acknowledgement. jumps_q: sending continues from this number.
  logic acknowledged_q, jumps_q;
  logic [5:0] number_q;
  assign kept    = made_q - acked_q;
  assign ahead   = sent_q - acked_q;
  assign behind  = number_i - acked_q;
  assign ready_o = !full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {acked_q, sent_q, made_q, bytes_q, full_q, there_q, acknowledged_q} <= '0;
    else if (clear_i || wipe_i) {acked_q, sent_q, made_q, bytes_q, full_q, there_q, acknowledged_q} <= '0;
    else begin
      // An outdated acknowledgement is ignored.
      acknowledged_q <= acked_i && behind <= kept;
      // The condition is a clock cycle late. A label that begins meanwhile takes the last place.
      full_q  <= kept >= 6'd31;
      // An acknowledgement may change which label is next, or leave no label to send.
      there_q <= sent_q != made_q && !next_i && !acked_i && !acknowledged_q;
      if (valid_i && ready_o) {made_q, bytes_q} <= {made_q, bytes_q} + 10'd1;
      if (acknowledged_q) acked_q <= number_q;
      if (acknowledged_q && jumps_q) sent_q <= number_q;
      else if (next_i) sent_q <= sent_q + 6'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    number_q <= number_i;
    jumps_q  <= repeat_i || ahead < behind;
  end

  (* ram_style = "block" *) logic [7:0] words [512];
  logic [7:0] byte_q;
  logic writes;
  logic [8:0] written;
  assign writes  = wipe_i || (valid_i && ready_o);
  assign written = wipe_i ? wipe_word_i : {made_q[4:0], bytes_q};
  always_ff @(posedge clk_i) begin
    if (writes) words[written] <= byte_i & {8{!wipe_i}};
    // A label is never read while it is written.
    byte_q <= writes && word_i == written ? 'x : words[word_i];
  end
  assign there_o  = there_q;
  assign number_o = sent_q;
  assign byte_o   = byte_q;

`ifndef SYNTHESIS
  logic wiped_q;
  always_ff @(posedge clk_i) begin
    wiped_q <= wipe_i;
    if (wiped_q && !wipe_i) begin
      for (int w = 0; w < 512; w++) assert (words[w] == '0) else $error("mobile_labels: a label is left");
    end
  end
`endif
endmodule
