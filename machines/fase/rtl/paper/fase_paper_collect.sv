// SPDX-License-Identifier: MIT OR Apache-2.0

// The collector: words arrive in any order, each with its address, and leave in the order of
// addresses (section 5.9).
//
// | parameter | meaning                                                                      |
// |-----------|------------------------------------------------------------------------------|
// | Flags     | 1: a word may leave once it has arrived; 0: once its address is below done_i |
//
// | port    | width  | meaning                                                          |
// |---------|--------|------------------------------------------------------------------|
// | begin_i | 1      | addresses start from 0 again; only while no word is under way    |
// | clear_i | 1      | nothing is left in the registers after this cycle                |
// | wipe_i  | 1      | writes 0 to word wipe_word_i; the caller steps through all words |
// | we_i    | Writes | data_i arrives for address_i                                     |
// | total_i | 16     | total number of words, as far as it is known                     |
// | done_i  | 16     | all words below this address have arrived; used if Flags is 0    |
// | valid_o | Reads  | data_o leaves, the lowest first, if ready_i                      |
// | empty_o | 1      | all total_i words have left                                      |
//
// Latency: a word leaves at the earliest 2 cycles after its arrival. Stalls: ready_i.

module fase_paper_collect #(
  parameter int unsigned Width  = 128,
  parameter int unsigned Depth  = 256,
  parameter int unsigned Writes = 4,
  parameter int unsigned Reads  = 2,
  parameter bit          Flags  = 1'b1,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                begin_i,
  input  logic                                clear_i,
  input  logic                                wipe_i,
  input  logic [AddressWidth-1:0]             wipe_word_i,
  input  logic [Writes-1:0]                   we_i,
  input  logic [Writes-1:0][AddressWidth-1:0] address_i,
  input  logic [Writes-1:0][Width-1:0]        data_i,
  input  logic [15:0]                         total_i,
  // Unused if Flags is 1.
  input  logic [15:0]                         done_i,
  output logic [Reads-1:0]                    valid_o,
  output logic [Reads-1:0][Width-1:0]         data_o,
  input  logic                                ready_i,
  output logic                                empty_o
);

  logic [15:0] next_q;
  logic [Reads-1:0] there, leaves;
  logic [Reads-1:0][AddressWidth-1:0] place, raddr;
  logic [Writes-1:0][AddressWidth-1:0] waddr;
  logic [Writes-1:0][Width-1:0] wdata;
  logic moves;

  for (genvar r = 0; r < int'(Reads); r++) begin : gen_read
    assign place[r]  = next_q[AddressWidth-1:0] + AddressWidth'(r);
    assign raddr[r]  = wipe_i ? wipe_word_i : place[r];
    // A word leaves only after all lower ones.
    assign leaves[r] = moves && &there[r:0];
  end
  for (genvar w = 0; w < int'(Writes); w++) begin : gen_write
    assign waddr[w] = wipe_i ? wipe_word_i + AddressWidth'(w) : address_i[w];
    assign wdata[w] = wipe_i ? '0 : data_i[w];
  end

  lvt_ram #(.Width(Width), .Depth(Depth), .Writes(Writes), .Reads(Reads)) u_words (
    .clk_i,
    .we_i(we_i | {Writes{wipe_i}}), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(leaves | {Reads{wipe_i}}), .raddr_i(raddr), .rdata_o(data_o)
  );

  // An offered word stays until it is accepted.
  assign moves   = !(|valid_o) || ready_i;
  assign empty_o = next_q == total_i && !(|valid_o);

  if (Flags) begin : gen_flags
    logic [Depth-1:0] come_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        come_q <= '0;
      end else if (begin_i || clear_i) begin
        come_q <= '0;
      end else begin
        for (int unsigned w = 0; w < Writes; w++) begin
          if (we_i[w]) come_q[address_i[w]] <= 1'b1;
        end
      end
    end
    for (genvar r = 0; r < int'(Reads); r++) begin : gen_there
      assign there[r] = 32'(next_q) + r < Depth && come_q[place[r]];
    end
  end else begin : gen_pointer
    for (genvar r = 0; r < int'(Reads); r++) begin : gen_there
      assign there[r] = 32'(next_q) + r < 32'(done_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q  <= '0;
      valid_o <= '0;
    end else if (begin_i || clear_i) begin
      next_q  <= '0;
      valid_o <= '0;
    end else if (moves) begin
      next_q  <= next_q + 16'($countones(leaves));
      valid_o <= leaves;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && begin_i) begin
      assert (!(|valid_o)) else $error("fase_paper_collect: a netlist cycle begins while a word leaves");
    end
  end
`endif

  logic unused;
  assign unused = ^done_i;

endmodule
