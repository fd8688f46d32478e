// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of mobile_queue_lane, with any writes, keeps and drops as mobile_queue does them. One
// byte is watched: any may be chosen when it is written.

module mobile_queue_lane_proof #(
    parameter int unsigned Words = 4,
    localparam int unsigned Width = $clog2(Words)
) (
    input logic           clk_i,
    input logic           clear_i,
    input logic           write_i,
    input logic [7:0]     byte_i,
    input logic           keep_i,
    input logic [Width:0] kept_i,
    input logic           drop_i,
    input logic           ready_i,
    input logic           watch_i
);
  typedef logic [Width:0] number_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Numbers of bytes: written, kept, taken, and of the watched byte. They wrap at twice the words.
  number_t written_q, kept_q, taken_q, watched_q;
  logic valid, watching_q;
  logic [7:0] data, byte_q;
  number_t read;
  mobile_queue_lane #(.Words(Words)) u_dut (
      .clk_i, .rst_ni(rst_n), .clear_i, .wipe_i(1'b0), .wipe_word_i('0), .write_i,
      .place_i(written_q[Width-1:0]), .byte_i, .kept_i(kept_q), .valid_o(valid), .ready_i, .byte_o(data),
      .read_o(read));

  always_ff @(posedge clk_i) begin
    if (!rst_n || clear_i) begin
      {written_q, kept_q, taken_q} <= '0;
      watching_q <= 1'b0;
    end else begin
      taken_q <= taken_q + number_t'(valid && ready_i);
      if (write_i) written_q <= written_q + 1'b1;
      if (keep_i) begin
        kept_q    <= kept_i;
        written_q <= kept_i;
      end
      if (drop_i) written_q <= kept_q;
      // A byte is watched until it is taken or dropped.
      if (watching_q) begin
        if (valid && ready_i && taken_q == watched_q) watching_q <= 1'b0;
        if (keep_i && number_t'(watched_q - taken_q) >= number_t'(kept_i - taken_q)) watching_q <= 1'b0;
        if (drop_i && number_t'(watched_q - taken_q) >= number_t'(kept_q - taken_q)) watching_q <= 1'b0;
      end else if (watch_i && write_i && !keep_i && !drop_i) begin
        watching_q <= 1'b1;
        watched_q  <= written_q;
        byte_q     <= byte_i;
      end
    end
  end

  // Distances from the next byte of the memory.
  number_t written, kept, watched;
  logic [7:0] word, next;
  assign written = written_q - read;
  assign kept    = kept_q - read;
  assign watched = watched_q - read;
  for (genvar i = 0; i < 8; i += 2) begin : gen_slice
    assign word[i+:2] = u_dut.gen_slice[i].words[watched_q[Width-1:0]];
    assign next[i+:2] = u_dut.gen_slice[i].words[read[Width-1:0]];
  end

  always_comb begin
    // Nothing was wiped before the reset.
    assume (rst_n || !u_dut.wiped_q);
    if (rst_n) begin
      // There is free space, only written bytes are kept, and one thing is done at a time.
      assume (!write_i || 32'(written) < Words);
      assume (!keep_i || (number_t'(kept_i - read) >= kept && number_t'(kept_i - read) <= written));
      assume (32'(write_i) + 32'(keep_i) + 32'(drop_i) <= 1);

      order: assert (!valid || !watching_q || taken_q != watched_q || data == byte_q);
      only_kept: assert (!valid || (taken_q != kept_q && number_t'(kept_q - taken_q) <= number_t'(Words + 1)));
      inv_numbers: assert (32'(written) <= Words && kept <= written
                           && read == number_t'(taken_q + number_t'(valid))
                           && u_dut.after_q == number_t'(read + 1'b1));
      inv_wiped: assert (!u_dut.wiped_q);
      inv_next: assert (!u_dut.valid_q || (kept != '0 && u_dut.byte_q == next));
      inv_watched: assert (!watching_q || watched < written || (valid && watched_q == taken_q));
      inv_kept: assert (!watching_q || watched >= written || word == byte_q);

      leaves: cover (watching_q && valid && ready_i && taken_q == watched_q && watched_q == number_t'(Words));
      drops: cover (drop_i && written != kept && kept != '0);
    end
  end
endmodule
