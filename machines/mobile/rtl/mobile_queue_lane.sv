// Every Lanes-th byte on its way to be executed (`mobile_queue`): where they are, and the next of them.
//
//   port      bits       meaning
//   clear_i   1          it is empty
//   wipe_i    1          and word wipe_word_i of its memory is 0 from now on
//   write_i   1          byte_i is written, as word place_i
//   kept_i    Width + 1  words before this one stay, and may be read
//   valid_o   1          byte_o is the next byte
//   ready_i   1          it is taken
//   read_o    Width + 1  words that went to byte_o
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
  // The place behind the one that is read is at hand, and whether anything is at either: taking a byte comes late in a cycle.
  logic [Width:0] read_q, after_q;
  logic valid_q, take;
  // A byte behind the memory, so that who takes it has a cycle for it.
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

  // Two bits of each byte in a memory of its own: deep block RAMs, which want no multiplexer, or a small one, behind them.
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
      // What is being written is not read yet: synthesis need not care what a block RAM gives then.
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
          assert (gen_slice[2*i].words[w] == '0) else $error("mobile_queue_lane: bytes that came are left");
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
