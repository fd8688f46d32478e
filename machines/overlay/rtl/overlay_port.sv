// SPDX-License-Identifier: MIT OR Apache-2.0

// A port of DDR. Writes have priority over reads. Responses arrive in the order of the requests, at
// any later time. A word of DDR has four labels, and a request is for one label.
//
// | parameter | meaning                                       |
// |-----------|-----------------------------------------------|
// | Slots     | slots of operands                             |
// | Reads     | operands per group                            |
// | Depth     | maximum number of requests without a response |
//
// | port               | width | meaning                                                         |
// |--------------------|-------|-----------------------------------------------------------------|
// | clear_i            | 1     | drops pending responses; dropping_o is 1 until all have arrived |
// | read_i, read_*_i   |       | a read, with the slot and number of its operand                 |
// | read_ready_o       | 1     | the read is accepted                                            |
// | write_i, write_*_i |       | a write, with its label                                         |
// | write_ready_o      | 1     | the write is accepted                                           |
// | valid_o, request_o |       | the request to DDR                                              |
// | ready_i            | 1     | DDR accepts it                                                  |
// | valid_i, data_i    | 512   | the response; for a write it has no data                        |
// | came_o, ...        |       | an operand arrived: its slot, number and label                  |
// | ack_o              | 1     | a write is complete                                             |
// | idle_o             | 1     | every request has its response                                  |
//
// Latency: none. Stalls: ready_i is 0; Depth requests have no response.

module overlay_port
  import overlay_types_pkg::*;
#(
  parameter int unsigned Slots = 16,
  parameter int unsigned Reads = 2,
  parameter int unsigned Depth = 64,
  localparam int unsigned SlotWidth = $clog2(Slots),
  localparam int unsigned ReadWidth = $clog2(Reads)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  output logic                 dropping_o,

  input  logic                 read_i,
  output logic                 read_ready_o,
  // The port's number is a bit of the address, and not needed here.
  input  ddr_t                 read_address_i,
  input  ddr_t                 write_address_i,
  input  logic [SlotWidth-1:0] read_slot_i,
  input  logic [ReadWidth-1:0] read_number_i,
  input  logic                 write_i,
  output logic                 write_ready_o,
  input  logic [127:0]         write_label_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output request_t             request_o,
  input  logic                 valid_i,
  input  logic [511:0]         data_i,

  output logic                 came_o,
  output logic [SlotWidth-1:0] slot_o,
  output logic [ReadWidth-1:0] number_o,
  output logic [127:0]         label_o,
  output logic                 ack_o,
  output logic                 idle_o
);

  typedef struct packed {
    logic write;
    logic [1:0] lane;
    logic [SlotWidth-1:0] slot;
    logic [ReadWidth-1:0] number;
  } tag_t;

  tag_t requested, came;
  logic full, empty, drop_q;

  assign read_ready_o  = ready_i && !full && !write_i;
  assign write_ready_o = ready_i && !full;
  assign valid_o = (read_i || write_i) && !full;
  assign requested   = write_i ? '{write: 1'b1, lane: '0, slot: '0, number: '0}
                           : '{write: 1'b0, lane: read_address_i.lane, slot: read_slot_i,
                               number: read_number_i};
  assign request_o = '{
    write: write_i,
    line: write_i ? write_address_i.line : read_address_i.line,
    mask: write_i ? 4'b1 << write_address_i.lane : '0,
    data: write_i ? {4{write_label_i}} : '0
  };

  logic [$clog2(Depth+1)-1:0] unused_level;
  fifo #(.Width($bits(tag_t)), .Depth(Depth)) u_requested (
    .clk_i, .rst_ni, .clear_i(1'b0),
    .push_i(valid_o && ready_i), .data_i(requested), .pop_i(valid_i), .data_o(came),
    .level_o(unused_level), .empty_o(empty), .full_o(full)
  );

  assign came_o   = valid_i && !came.write && !drop_q && !clear_i;
  assign ack_o    = valid_i && came.write && !drop_q;
  assign slot_o   = came.slot;
  assign number_o = came.number;
  assign label_o  = data_i[128*came.lane +: 128];
  assign dropping_o = drop_q;
  assign idle_o     = empty;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) drop_q <= 1'b0;
    else if (clear_i) drop_q <= 1'b1;
    else if (empty) drop_q <= 1'b0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(valid_i && empty)) else $error("overlay_port: a response without a request");
  end
`endif

  logic unused;
  assign unused = ^{read_address_i, write_address_i};

endmodule
