// SPDX-License-Identifier: MIT OR Apache-2.0

// Sends frames to the host: the greeting, acknowledgements, and labels. Each frame is built
// completely, with byte stuffing, before it is sent.
//
//   port        bits  meaning
//   clear_i     1     a run begins: ends the current frame; the greeting is next
//   wait_i      1     delays the greeting, and wipes word wipe_word_i of the memory
//   wipe_word_i 5
//   run_i       16    the run's tag
//   response_i  1     a received frame needs an acknowledgement
//   again_i     1     the acknowledgement requests frames from next_i on
//   next_i      6     number of the next expected frame
//   space_i     3     free space in frames; an increase is reported
//   status_i    3     status of the chip; a change is reported
//   label_there_i, label_number_i, label_byte_i   whether there is a next label; its number;
//                     the byte at label_word_o
//   label_next_o   the next label begins to be sent
//   label_word_o   address of the label's byte that is needed in the next clock cycle
//   valid_o     1     byte_o is offered
//   ready_i     1     the byte is taken
//   byte_o      8
//
// Clock cycles of a frame of n bytes before stuffing: 3 n to build it, and 2 n + 7 to send it if
// the link takes every byte immediately.
module mobile_send
  import mobile_pkg::*;
#(
    // Suites that the chip supports: bit n is set for suite number n.
    parameter logic [1:0] Suites = 2'd3,
    // Binary logarithm of the number of label slots.
    parameter int unsigned Slots = mobile_types_pkg::SlotWidth
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        clear_i,
    input  logic        wait_i,
    input  logic [4:0]  wipe_word_i,
    input  logic [15:0] run_i,
    input  logic        response_i,
    input  logic        again_i,
    input  logic [5:0]  next_i,
    input  logic [2:0]  space_i,
    input  logic [2:0]  status_i,
    input  logic        label_there_i,
    input  logic [5:0]  label_number_i,
    input  logic [7:0]  label_byte_i,
    output logic        label_next_o,
    output logic [8:0]  label_word_o,
    output logic        valid_o,
    input  logic        ready_i,
    output logic [7:0]  byte_o
);
  typedef enum logic [2:0] {Wait, Begin, Make, Close, Fetch, Send} state_e;

  state_e state_q;
  logic hello_q, response_q, again_q, progress_q;
  logic [2:0] space_q, status_q;

  // ------------------------------------------------------------------------------ what is next
  // The next frame is chosen in one clock cycle, and begins in the next one.
  logic starts, responses_q, hellos_q;
  assign starts       = state_q == Begin;
  assign label_next_o = starts && !hellos_q && !responses_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {hello_q, response_q, again_q, progress_q, space_q, status_q} <= '0;
    else if (clear_i) begin
      hello_q <= 1'b1;
      {response_q, again_q, progress_q, space_q, status_q} <= '0;
    end else begin
      progress_q <= !starts && (response_q || space_i > space_q || status_i != status_q);
      if (starts && hellos_q) hello_q <= 1'b0;
      response_q <= response_i || (response_q && !(starts && responses_q));
      again_q  <= again_i || (again_q && !(starts && responses_q));
      if (starts && (hellos_q || responses_q)) {space_q, status_q} <= {space_i, status_i};
    end
  end

  // ---------------------------------------------------------------------- the frame, byte by byte
  // Bytes of a frame: kind and number, two bytes of the tag, payload, checksum.
  logic [1:0] kind_q;
  logic [5:0] number_q;
  logic [4:0] index_q, last_q;
  logic [31:0] crc_q, crc;
  // Each byte takes three clock cycles: it is computed (unless it is a byte of a label or of the
  // checksum), selected, and stored.
  logic [7:0] made, other_q, made_q;
  logic is_label_q, is_check_q, chosen_q, ready_q;
  always_comb begin
    unique case (index_q)
      5'd0:    made = {kind_q, number_q};
      5'd1:    made = run_i[7:0];
      5'd2:    made = run_i[15:8];
      5'd3:    made = kind_q == FrameReset ? FormatVersion : 8'(space_q);
      5'd4:    made = kind_q == FrameReset ? 8'(Suites) : 8'(status_q);
      5'd5:    made = 8'(Slots);
      default: made = 8'(space_q);
    endcase
  end
  crc32c u_crc (.valid_i(1'b1), .crc_i(crc_q), .data_i(made_q), .crc_o(crc));
  // The byte at index 3 of the frame is byte 0 of the label.
  logic [3:0] label_index;
  assign label_index  = 4'(index_q) - 4'd3;
  assign label_word_o = {number_q[4:0], label_index};

  // --------------------------------------------------------------------------- stuffing and
  // sending
  // place_q: where the next byte is written. code_q: where the code byte of the current block is
  // written.
  logic [4:0] place_q, code_q, sent_q;
  logic is_zero;
  logic [4:0] code;
  assign code    = place_q - code_q;
  assign is_zero = state_q == Close || made_q == '0;
  (* ram_style = "block" *) logic [7:0] words [32];
  logic [7:0] byte_q;
  logic writes;
  logic [4:0] written;
  assign writes  = wait_i || state_q == Close || (state_q == Make && ready_q);
  assign written = wait_i ? wipe_word_i : is_zero ? code_q : place_q;
  always_ff @(posedge clk_i) begin
    if (writes) words[written] <= wait_i ? '0 : is_zero ? {3'd0, code} : made_q;
    // Nothing is read while a frame is built.
    byte_q <= writes && written == sent_q ? 'x : words[sent_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Wait;
      {place_q, sent_q} <= '0;
    end else if (clear_i) begin
      // First sends a zero byte, which ends a frame that may be incomplete.
      state_q <= Send;
      {place_q, sent_q} <= '0;
    end else begin
      unique case (state_q)
        Wait: if (!wait_i && (hello_q || progress_q || label_there_i)) state_q <= Begin;
        Begin: begin
          state_q <= Make;
          place_q <= 5'd1;
          sent_q  <= '0;
        end
        Make: if (ready_q) begin
          place_q <= place_q + 5'd1;
          if (index_q == last_q) state_q <= Close;
        end
        Close: state_q <= Fetch;
        Fetch: state_q <= Send;
        Send: if (ready_i) begin
          state_q <= sent_q == place_q ? Wait : Fetch;
          sent_q  <= sent_q + 5'd1;
        end
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    {hellos_q, responses_q} <= {hello_q, !hello_q && progress_q};
    if (starts) begin
      kind_q   <= hellos_q ? FrameReset : !responses_q ? FrameData : again_q ? FrameAgain : FrameAck;
      number_q <= hellos_q ? '0 : responses_q ? next_i : label_number_i;
      // Index of the last byte of the checksum.
      last_q   <= hellos_q ? 5'd10 : responses_q ? 5'd8 : 5'd22;
      index_q  <= '0;
      code_q   <= '0;
      crc_q    <= '1;
      {is_label_q, is_check_q, chosen_q, ready_q} <= '0;
    end else if (state_q == Make) begin
      {ready_q, chosen_q} <= {chosen_q, !chosen_q && !ready_q};
      other_q <= made;
      made_q  <= is_check_q ? ~crc_q[7:0] : is_label_q ? label_byte_i : other_q;
      if (ready_q) begin
        is_label_q <= kind_q == FrameData && index_q >= 5'd2;
        index_q    <= index_q + 5'd1;
        is_check_q <= is_check_q || index_q + 5'd4 == last_q;
        crc_q      <= is_check_q ? {8'd0, crc_q[31:8]} : crc;
        if (is_zero) code_q <= place_q;
      end
    end
  end
  assign valid_o = state_q == Send;
  assign byte_o  = sent_q == place_q ? '0 : byte_q;

`ifndef SYNTHESIS
  logic wiped_q;
  always_ff @(posedge clk_i) begin
    wiped_q <= wait_i;
    if (wiped_q && !wait_i) begin
      for (int w = 0; w < 32; w++) assert (words[w] == '0) else $error("mobile_send: a label is left");
    end
  end
`endif
endmodule
