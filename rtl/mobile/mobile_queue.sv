// Bytes of frames on their way to be executed: those of a frame that is not whole yet can be dropped.
//
//   port      bits      meaning
//   clear_i   1         it is empty
//   wipe_i    1         and word wipe_word_i of its memory is 0 from now on
//   write_i   1         byte_i is written, not while full_o
//   byte_i    8
//   keep_i    1         what was written stays, but for the last four bytes
//   drop_i    1         nothing of it since the last keep_i stays
//   full_o    1         there is no room for another byte
//   valid_o   1         byte_o is the next byte that stays
//   ready_i   1         it is taken
//   byte_o    8
//   room_o    3         frames for which there is room; two cycles late
module mobile_queue #(
    parameter int unsigned Bytes = 4096,
    localparam int unsigned Width = $clog2(Bytes)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic             wipe_i,
    input  logic [Width-1:0] wipe_word_i,
    input  logic             write_i,
    input  logic [7:0]       byte_i,
    input  logic             keep_i,
    input  logic             drop_i,
    output logic             full_o,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [7:0]       byte_o,
    output logic [2:0]       room_o
);
  localparam int unsigned Check = 4;
  // A frame of 1,024 bytes is written with its check, so that there is room for one less.
  localparam int unsigned Frames = Bytes / 1024 - 1;
  typedef logic [Width:0] place_t;

  // The place behind the one that is read is at hand, and whether anything is at either: taking a byte comes late in a cycle.
  place_t write_q, kept_q, read_q, after_q, used_q, level_q;
  logic valid_q, take, full_q;
  logic [2:0] room_q;
  // A byte behind the memory, so that who takes it has a cycle for it.
  logic out_valid_q;
  logic [7:0] out_q;
  assign take   = valid_q && (!out_valid_q || ready_i);
  assign full_o = full_q;

  // Frames that are there, one that is read included.
  logic [2:0] taken;
  assign taken = 3'(used_q >> 10) + 3'(used_q[9:0] != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, kept_q, read_q, used_q, level_q, valid_q, out_valid_q, full_q, room_q} <= '0;
      after_q <= place_t'(1);
    end else if (clear_i || wipe_i) begin
      {write_q, kept_q, read_q, used_q, level_q, valid_q, out_valid_q, full_q, room_q} <= '0;
      after_q <= place_t'(1);
    end else begin
      if (take) begin
        read_q  <= after_q;
        after_q <= after_q + 1'b1;
      end
      valid_q <= take ? after_q != kept_q : read_q != kept_q;
      out_valid_q <= valid_q || (out_valid_q && !ready_i);
      // With four to spare, as it is two cycles late.
      level_q <= write_q - read_q;
      full_q  <= level_q >= place_t'(Bytes - 4);
      used_q  <= kept_q - read_q;
      room_q  <= taken > 3'(Frames) ? '0 : 3'(Frames) - taken;
      if (write_i) write_q <= write_q + 1'b1;
      if (keep_i) begin
        write_q <= write_q - place_t'(Check);
        kept_q  <= write_q - place_t'(Check);
      end
      if (drop_i) write_q <= kept_q;
    end
  end

  // Two bits of each byte in a memory of its own: deep block RAMs, which want no multiplexer, or a small one, behind them.
  logic [Width-1:0] read;
  logic [7:0] byte_q;
  assign read = take ? after_q[Width-1:0] : read_q[Width-1:0];
  for (genvar i = 0; i < 8; i += 2) begin : gen_slice
    (* ram_style = "block" *) logic [1:0] words [Bytes];
    always_ff @(posedge clk_i) begin
      if (wipe_i) words[wipe_word_i] <= '0;
      else if (write_i) words[write_q[Width-1:0]] <= byte_i[i +: 2];
      // What is being written is not read yet: synthesis need not care what a block RAM gives then.
      byte_q[i +: 2] <= write_i && read == write_q[Width-1:0] ? 'x : words[read];
    end
  end
  always_ff @(posedge clk_i) if (take) out_q <= byte_q;
  assign valid_o = out_valid_q;
  assign byte_o  = out_q;

  assign room_o = room_q;
endmodule
