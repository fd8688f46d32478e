// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of overlay_port, with any reads and writes, and DDR that responds in order. One
// request is watched: any may be chosen when it is accepted.

module overlay_port_proof
  import overlay_types_pkg::*;
#(
  parameter int unsigned Slots = 4,
  parameter int unsigned Reads = 2,
  parameter int unsigned Depth = 4,
  localparam int unsigned SlotWidth = $clog2(Slots),
  localparam int unsigned ReadWidth = $clog2(Reads)
) (
  input logic                 clk_i,
  input logic                 clear_i,
  input logic                 read_i,
  input ddr_t                 read_address_i,
  input ddr_t                 write_address_i,
  input logic [SlotWidth-1:0] read_slot_i,
  input logic [ReadWidth-1:0] read_number_i,
  input logic                 write_i,
  input logic [127:0]         write_label_i,
  input logic                 ready_i,
  input logic                 valid_i,
  input logic [511:0]         data_i,
  input logic                 watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic dropping, read_ready, write_ready, valid, came, ack, idle;
  request_t request;
  logic [SlotWidth-1:0] slot;
  logic [ReadWidth-1:0] number;
  logic [127:0] label;
  overlay_port #(.Slots(Slots), .Reads(Reads), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .clear_i, .dropping_o(dropping), .read_i, .read_ready_o(read_ready),
    .read_address_i, .write_address_i, .read_slot_i, .read_number_i, .write_i,
    .write_ready_o(write_ready), .write_label_i, .valid_o(valid), .ready_i, .request_o(request),
    .valid_i, .data_i, .came_o(came), .slot_o(slot), .number_o(number), .label_o(label), .ack_o(ack),
    .idle_o(idle)
  );

  // Requests without a response. The watched request, the number of those ahead of it, and whether
  // clear_i came since.
  logic accepts, watching_q, writes_q, cleared_q;
  logic [31:0] open_q, ahead_q;
  logic [SlotWidth-1:0] slot_q;
  logic [ReadWidth-1:0] number_q;
  logic [1:0] lane_q;
  assign accepts = (read_i && read_ready) || (write_i && write_ready);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      open_q     <= '0;
      watching_q <= 1'b0;
    end else begin
      open_q <= open_q + 32'(accepts) - 32'(valid_i);
      if (watching_q && valid_i) begin
        ahead_q    <= ahead_q - 1;
        watching_q <= ahead_q != 0;
      end
      if (clear_i) cleared_q <= 1'b1;
      if (!watching_q && accepts && watch_i) begin
        watching_q <= 1'b1;
        cleared_q  <= clear_i;
        ahead_q    <= open_q - 32'(valid_i);
        writes_q   <= write_i;
        slot_q     <= read_slot_i;
        number_q   <= read_number_i;
        lane_q     <= read_address_i.lane;
      end
    end
  end

  logic mine, drops;
  assign mine  = watching_q && ahead_q == 0 && valid_i;
  assign drops = dropping || clear_i;

  // The tag of the watched request.
  logic [31:0] place;
  logic [SlotWidth+ReadWidth+2:0] tag;
  assign place = (32'(u_dut.u_requested.head_q) + ahead_q) % Depth;
  assign tag   = u_dut.u_requested.u_entries.gen_shallow.entries[place];

  always_comb begin
    if (rst_n) begin
      assume (!valid_i || open_q != 0);

      order: assert (!mine || drops || (writes_q ? ack && !came : came && !ack
                     && slot == slot_q && number == number_q && label == data_i[128*lane_q+:128]));
      dropped: assert (!mine || !cleared_q || (!came && !ack));
      outstanding: assert (open_q <= Depth && idle == (open_q == 0));
      writes_first: assert (accepts == (valid && ready_i) && !(read_i && read_ready && write_i)
                            && (!accepts || request.write == write_i));
      inv_queue: assert (32'(u_dut.u_requested.level_q) == open_q && 32'(u_dut.u_requested.head_q) < Depth
                         && 32'(u_dut.u_requested.tail_q) == (32'(u_dut.u_requested.head_q) + open_q) % Depth);
      inv_ahead: assert (!watching_q || ahead_q < open_q);
      inv_cleared: assert (!watching_q || !cleared_q || dropping);
      inv_tag: assert (!watching_q || (writes_q ? tag[SlotWidth+ReadWidth+2] : tag == {1'b0, lane_q, slot_q, number_q}));

      reads: cover (mine && !drops && came && open_q == 3 && lane_q == 2'd2);
      drops_late: cover (mine && dropping && !idle && !clear_i);
      fills: cover (open_q == Depth && read_i);
      both: cover (read_i && write_i && accepts);
    end
  end

endmodule
