// SPDX-License-Identifier: MIT OR Apache-2.0

// Queue that holds payload bytes until they are executed. The bytes of an incomplete frame can be
// dropped.
//
//   parameter  meaning
//   Bytes      capacity in bytes
//   Lanes      maximum number of bytes that are taken in one clock cycle: 1 or 2
//
//   port      bits      meaning
//   clear_i   1         empties the queue
//   wipe_i    1         also wipes word wipe_word_i of the memories
//   write_i   1         byte_i is written; not while full_o
//   byte_i    8
//   keep_i    1         keeps the bytes written, except for the last four
//   drop_i    1         drops the bytes written since the last keep_i
//   full_o    1         there is no space for another byte
//   valid_o   Lanes     byte_o[0] is the next byte that was kept; byte_o[1] is the byte after it,
//                       only if valid_o[0]
//   ready_i   Lanes     the byte is taken; the second only with the first
//   byte_o    Lanes x 8
//   space_o   3         free space in frames; two clock cycles late
module mobile_queue #(
    parameter int unsigned Bytes = 4096,
    parameter int unsigned Lanes = 1,
    localparam int unsigned Width = $clog2(Bytes)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  clear_i,
    input  logic                  wipe_i,
    // Two lanes use half of the range.
    input  logic [Width-1:0]      wipe_word_i,
    input  logic                  write_i,
    input  logic [7:0]            byte_i,
    input  logic                  keep_i,
    input  logic                  drop_i,
    output logic                  full_o,
    output logic [Lanes-1:0]      valid_o,
    input  logic [Lanes-1:0]      ready_i,
    output logic [Lanes-1:0][7:0] byte_o,
    output logic [2:0]            space_o
);
  localparam int unsigned Check = 4;
  // A frame of 1,024 bytes is written with its checksum, so the capacity is one frame less.
  localparam int unsigned Frames = Bytes / 1024 - 1;
  typedef logic [Width:0] place_t;

  place_t write_q, kept_q, read, used_q, level_q;
  logic full_q;
  logic [2:0] space_q;
  assign full_o = full_q;

  // Number of frames in the queue, including a frame that is partly read.
  logic [2:0] taken;
  assign taken = 3'(used_q >> 10) + 3'(used_q[9:0] != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {write_q, kept_q, used_q, level_q, full_q, space_q} <= '0;
    else if (clear_i || wipe_i) {write_q, kept_q, used_q, level_q, full_q, space_q} <= '0;
    else begin
      // Four bytes stay free, because the level is two clock cycles late.
      level_q <= write_q - read;
      full_q  <= level_q >= place_t'(Bytes - 4);
      used_q  <= kept_q - read;
      space_q  <= taken > 3'(Frames) ? '0 : 3'(Frames) - taken;
      if (write_i) write_q <= write_q + 1'b1;
      if (keep_i) begin
        write_q <= write_q - place_t'(Check);
        kept_q  <= write_q - place_t'(Check);
      end
      if (drop_i) write_q <= kept_q;
    end
  end
  assign space_o = space_q;

  if (Lanes == 1) begin : gen_one
    mobile_queue_lane #(.Words(Bytes)) u_lane (
        .clk_i, .rst_ni, .clear_i, .wipe_i, .wipe_word_i, .write_i, .place_i(write_q[Width-1:0]), .byte_i,
        .kept_i(kept_q), .valid_o, .ready_i, .byte_o, .read_o(read));
  end else begin : gen_two
    // Bytes go to the lanes in turn; turn_q is the lane of the next byte. The first lane has the
    // same position as the second, or is one byte ahead.
    logic [1:0][Width-1:0] reads, keeps;
    logic [1:0][7:0] bytes;
    logic [1:0] valid, ready;
    logic turn_q;
    assign keeps   = {kept_q[Width:1], Width'((kept_q + 1'b1) >> 1)};
    assign valid_o = turn_q ? {valid[0], valid[1]} : valid;
    assign byte_o  = turn_q ? {bytes[0], bytes[1]} : bytes;
    assign ready   = turn_q ? {ready_i[0], ready_i[1]} : ready_i;
    for (genvar l = 0; l < 2; l++) begin : gen_lane
      mobile_queue_lane #(.Words(Bytes / 2)) u_lane (
          .clk_i, .rst_ni, .clear_i, .wipe_i, .wipe_word_i(wipe_word_i[Width-1:1]), .write_i(write_i && write_q[0] == 1'(l)),
          .place_i(write_q[Width-1:1]), .byte_i, .kept_i(keeps[l]), .valid_o(valid[l]), .ready_i(ready[l]),
          .byte_o(bytes[l]), .read_o(reads[l]));
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) turn_q <= 1'b0;
      else if (clear_i || wipe_i) turn_q <= 1'b0;
      else turn_q <= turn_q ^ (valid_o[0] && ready_i[0]) ^ (valid_o[1] && ready_i[1]);
    end
    assign read = {reads[1], reads[0][0] ^ reads[1][0]};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        assert (reads[0] - reads[1] <= Width'(1)) else $error("mobile_queue: a lane is ahead");
        assert (valid_o != 2'b10) else $error("mobile_queue: the second byte without the first");
        assert (!(ready_i[1] && valid_o[1] && !ready_i[0])) else $error("mobile_queue: the second byte is taken first");
      end
    end
`endif
  end

  logic unused;
  assign unused = ^wipe_word_i;
endmodule
