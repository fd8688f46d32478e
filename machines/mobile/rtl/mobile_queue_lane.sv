// SPDX-License-Identifier: MIT OR Apache-2.0

// A lane of `mobile_queue`. It has every byte of the queue, or with two lanes every second byte.
//
//   port      bits       meaning
//   clear_i   1          empties the lane
//   wipe_i    1          also wipes word wipe_word_i of the memory
//   write_i   1          byte_i is written as word place_i
//   kept_i    Width + 1  words before this position were kept, and may be read
//   valid_o   1          byte_o is the next byte
//   ready_i   1          the byte is taken
//   read_o    Width + 1  number of words that were moved to byte_o
module mobile_queue_lane #(
    parameter int unsigned Words = 4096,
    localparam int unsigned Width = $clog2(Words)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             wipe_i,
    input  logic [Width-1:0] wipe_word_i,
    input  logic             write_i,
    input  logic [Width-1:0] place_i,
    input  logic [7:0]       byte_i,
    input  logic [Width:0]   kept_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [7:0]       byte_o,
    output logic [Width:0]   read_o
);
  // The address after the current one, and whether each of the two has a byte, are in registers,
  // because a byte is taken late in a clock cycle.
  logic [Width:0] read_q, after_q;
  logic valid_q, take;
  // Output register after the memory. It leaves the consumer a whole clock cycle.
  logic out_valid_q;
  logic [7:0] out_q;
  assign take = valid_q && (!out_valid_q || ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {read_q, valid_q, out_valid_q} <= '0;
      after_q <= (Width+1)'(1);
    end else if (clear_i || wipe_i) begin
      {read_q, valid_q, out_valid_q} <= '0;
      after_q <= (Width+1)'(1);
    end else begin
      if (take) begin
        read_q  <= after_q;
        after_q <= after_q + 1'b1;
      end
      valid_q     <= take ? after_q != kept_i : read_q != kept_i;
      out_valid_q <= valid_q || (out_valid_q && !ready_i);
    end
  end

  // Each two bits of a byte have a separate memory. This becomes deep block RAMs without a
  // multiplexer after them, or a small memory.
  logic [Width-1:0] read, written;
  logic [7:0] byte_q;
  logic writes;
  assign read    = take ? after_q[Width-1:0] : read_q[Width-1:0];
  assign writes  = wipe_i || write_i;
  assign written = wipe_i ? wipe_word_i : place_i;
  for (genvar i = 0; i < 8; i += 2) begin : gen_slice
    (* ram_style = "block" *) logic [1:0] words [Words];
    always_ff @(posedge clk_i) begin
      if (writes) words[written] <= byte_i[i +: 2] & {2{!wipe_i}};
      // A word is never read while it is written. So synthesis may ignore what a block RAM returns
      // in this case.
      byte_q[i +: 2] <= writes && read == written ? 'x : words[read];
    end
  end
`ifndef SYNTHESIS
  logic wiped_q;
  always_ff @(posedge clk_i) wiped_q <= wipe_i;
  for (genvar i = 0; i < 4; i++) begin : gen_check
    always_ff @(posedge clk_i) begin
      if (wiped_q && !wipe_i) begin
        for (int w = 0; w < Words; w++) begin
          assert (gen_slice[2*i].words[w] == '0) else $error("mobile_queue_lane: bytes are left");
        end
      end
    end
  end
`endif
  always_ff @(posedge clk_i) begin
    if (wipe_i) out_q <= '0;
    else if (take) out_q <= byte_q;
  end
  assign valid_o = out_valid_q;
  assign byte_o  = out_q;
  assign read_o  = read_q;
endmodule
