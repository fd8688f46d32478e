// SPDX-License-Identifier: MIT OR Apache-2.0

// Writes the host's input labels to the input memory: first the labels on a list, one per cycle,
// then the labels that words of the gate memory request.
//
// | port                                  | width      | meaning                                 |
// |---------------------------------------|------------|-----------------------------------------|
// | we_i                                  | 1          | entry address_i of the list becomes     |
// |                                       |            | data_i; before start_i only             |
// | start_i                               | 1          | a run starts in the next cycle          |
// | clear_i                               | 1          | nothing is left in the registers after  |
// |                                       |            | this cycle                              |
// | en_i                                  | 1          | 0 stalls the machine; must be 0 while   |
// |                                       |            | missing_o                               |
// | entries_i                             | CountWidth | entries of the list, at start_i         |
// | valid_i                               | 1          | request_i is part of a word             |
// | round_i                               | 32         | the word's round                        |
// | cycles_i                              | 32         | netlist cycles in the run               |
// | label_valid_i, label_i, label_ready_o |            | the host's labels, in the order of      |
// |                                       |            | requests                                |
// | missing_o                             | 1          | a label is requested in this cycle, but |
// |                                       |            | the host has not sent it                |
// | we_o                                  | 1          | writes label_o to word waddr_o of the   |
// |                                       |            | input memory                            |
// | began_o                               | 1          | a label is taken in this cycle, unless  |
// |                                       |            | the machine stalls                      |
//
// Latency: entry i is written 3 + i cycles after start_i, a word's label 2 cycles after the word.
// Stalls: en_i.

module garbledcpu_inputs
  import garbledcpu_pkg::*;
#(
  parameter int unsigned Entries = 1024,
  localparam int unsigned AddressWidth = Entries > 1 ? $clog2(Entries) : 1,
  localparam int unsigned CountWidth   = $clog2(Entries + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    we_i,
  input  logic [AddressWidth-1:0] address_i,
  input  logic [15:0]             data_i,

  input  logic                    start_i,
  input  logic                    clear_i,
  input  logic                    en_i,
  input  logic [CountWidth-1:0]   entries_i,

  input  logic                    valid_i,
  input  request_t                    request_i,
  input  logic [31:0]             round_i,
  input  logic [31:0]             cycles_i,

  input  logic                    label_valid_i,
  output logic                    label_ready_o,
  input  logic [127:0]            label_i,

  output logic                    missing_o,
  output logic                    we_o,
  output logic [15:0]             waddr_o,
  output logic [127:0]            label_o,
  output logic                    began_o
);

  logic [CountWidth-1:0] left_q;
  logic [AddressWidth-1:0] next_q;
  logic fetch, listed_q, requested_q, there;
  logic [15:0] listed, requested_address_q;
  logic [127:0] label;

  assign fetch = en_i && left_q != '0;

  ram_sdp #(.Width(16), .Depth(Entries)) u_list (
    .clk_i,
    .we_i, .waddr_i(address_i), .wdata_i(data_i),
    .re_i(fetch), .raddr_i(next_q), .rdata_o(listed)
  );

  // A word's request: its netlist cycle and the address of its label. If the netlist cycle would be
  // before the first one, its number wraps around to one that no run reaches.
  logic [31:0] cycle;
  logic [9:0] place;
  logic active;

  assign cycle  = round_i - 32'(request_i.stage);
  assign active = valid_i && request_i.valid && cycle < cycles_i;
  assign place  = cycle[9:0] & ~(10'h3ff << request_i.copies);

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
    if (en_i && active) requested_address_q <= request_i.address + 16'(place);
  end

  assign began_o   = listed_q || requested_q;
  assign missing_o = began_o && !there;

  stream_register #(.Width(128)) u_labels (
    .clk_i, .rst_ni, .clear_i,
    .valid_i(label_valid_i), .ready_o(label_ready_o), .data_i(label_i),
    .valid_o(there), .ready_i(en_i && began_o), .data_o(label)
  );

  pipe_valid u_valid (.clk_i, .rst_ni, .clear_i, .en_i, .d_i(began_o), .q_o(we_o));
  pipe_reg #(.Width(144)) u_label (
    .clk_i, .clear_i, .enable_i(en_i && began_o),
    .d_i({listed_q ? listed : requested_address_q, label}), .q_o({waddr_o, label_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(listed_q && requested_q)) else $error("garbledcpu_inputs: two labels are requested at once");
      assert (!(en_i && missing_o)) else $error("garbledcpu_inputs: en_i while missing_o");
    end
  end
`endif

endmodule
