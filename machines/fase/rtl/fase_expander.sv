// SPDX-License-Identifier: MIT OR Apache-2.0

// Makes input labels by AES in counter mode under a secret seed. The counter is the sequence number
// of the input bit in the order of requests (machines/fase/spec/machine.md). The module makes one
// label per cycle: first the labels on a list, then those that the kernel's words request.
//
// | port       | width      | meaning                                                         |
// |------------|------------|-----------------------------------------------------------------|
// | we_i       | 1          | data_i goes to entry address_i of the list; before start_i only |
// | start_i    | 1          | a run starts in the next cycle                                  |
// | clear_i    | 1          | nothing is left in the registers after this cycle               |
// | en_i       | 1          | 0 stalls the machine                                            |
// | entries_i  | CountWidth | entries of the list, at start_i                                 |
// | seed_i     | 128        | the seed; constant during a run                                 |
// | constant_i | 128        | the label of the constant 0                                     |
// | delta_i    | 128        | Delta                                                           |
// | valid_i    | 1          | expand_i is part of a word                                      |
// | expand_i   |            | the label that the word requests                                |
// | round_i    | 32         | the word's round                                                |
// | inputs_i   | 64         | input bits requested in all earlier rounds                      |
// | cycles_i   | 32         | netlist cycles in the run                                       |
// | we_o       | 1          | writes label_o to word waddr_o of the input memory              |
// | began_o    | 1          | a label was started in this cycle                               |
//
// Latency: entry i is made 13 + i cycles after start_i, a word's label 12 cycles after the word.
// Stalls: en_i.

module fase_expander
  import fase_pkg::*;
#(
  parameter int unsigned Impl    = 0,
  parameter int unsigned Entries = 1024,
  localparam int unsigned AddressWidth = Entries > 1 ? $clog2(Entries) : 1,
  localparam int unsigned CountWidth   = $clog2(Entries + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] address_i,
  input  initial_t                data_i,

  input  logic                    start_i,
  input  logic                    clear_i,
  input  logic                    en_i,
  input  logic [CountWidth-1:0]   entries_i,
  input  logic [127:0]            seed_i,
  input  logic [127:0]            constant_i,
  input  logic [127:0]            delta_i,

  input  logic                    valid_i,
  input  expand_t                 expand_i,
  input  logic [31:0]             round_i,
  input  logic [63:0]             inputs_i,
  input  logic [31:0]             cycles_i,

  output logic                    we_o,
  output logic [11:0]             waddr_o,
  output logic [127:0]            label_o,
  output logic                    began_o
);

  localparam int unsigned Stages = 11;

  // Data that passes through AES beside a block.
  typedef struct packed {
    logic constant;
    logic invert;
    logic [11:0] address;
  } beside_t;

  logic [CountWidth-1:0] left_q;
  logic [AddressWidth-1:0] next_q;
  logic fetch, listed_q, requested_q, valid;
  initial_t entry;
  beside_t listed, requested_beside_q, beside, made;
  logic [63:0] requested_number_q, number;
  logic [127:0] block;

  assign fetch = en_i && left_q != '0;

  ram_sdp #(.Width($bits(initial_t)), .Depth(Entries)) u_list (
    .clk_i,
    .we_i, .waddr_i(address_i), .wdata_i(data_i),
    .re_i(fetch), .raddr_i(next_q), .rdata_o(entry)
  );

  // A word's request: its netlist cycle and the address of its label. If the netlist cycle would be
  // before the first one, its number wraps around to one that no run reaches.
  logic [31:0] cycle;
  logic [9:0] place;
  logic active;

  assign cycle  = round_i - 32'(expand_i.stage);
  assign active = valid_i && expand_i.valid && cycle < cycles_i;
  assign place  = cycle[9:0] & ~(10'h3ff << expand_i.copies);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q   <= '0;
      listed_q <= 1'b0;
      requested_q  <= 1'b0;
    end else if (start_i || clear_i) begin
      left_q   <= start_i ? entries_i : '0;
      listed_q <= 1'b0;
      requested_q  <= 1'b0;
    end else if (en_i) begin
      if (fetch) left_q <= left_q - 1'b1;
      listed_q <= fetch;
      requested_q  <= active;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) next_q <= '0;
    else if (fetch) next_q <= next_q + 1'b1;
    if (en_i && active) begin
      requested_beside_q <= '{constant: 1'b0, invert: 1'b0,
                          address: expand_i.address + 12'(place)};
      requested_number_q <= cycle == '0 ? 64'(expand_i.first)
                                    : inputs_i + 64'($signed(expand_i.again));
    end
  end

  assign listed = '{constant: entry.constant, invert: entry.invert, address: entry.address};
  assign beside = listed_q ? listed : requested_beside_q;
  assign number = listed_q ? 64'(entry.number) : requested_number_q;
  assign valid  = listed_q || requested_q;

  aes_pipe #(.Impl(Impl), .Stages(Stages)) u_aes (
    .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(valid), .key_i(seed_i),
    .block_i(128'(number)), .valid_o(we_o), .block_o(block)
  );
  label_delay #(.Width($bits(beside_t)), .Stages(Stages)) u_beside (
    .clk_i, .rst_ni, .clear_i, .en_i, .valid_i(valid), .d_i(beside), .q_o(made)
  );

  assign waddr_o = made.address;
  assign label_o = (made.constant ? constant_i : block) ^ (delta_i & {128{made.invert}});
  assign began_o = valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(listed_q && requested_q)) else $error("fase_expander: two labels are requested at once");
    end
  end
`endif

endmodule
