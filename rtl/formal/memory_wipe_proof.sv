// SPDX-License-Identifier: MIT OR Apache-2.0

// Properties of memory_wipe. One word is watched: any may be chosen.

module memory_wipe_proof #(
  parameter int unsigned Depth = 5,
  localparam int unsigned AddressWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input logic                    clk_i,
  input logic                    start_i,
  input logic [AddressWidth-1:0] watch_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic wiping;
  logic [AddressWidth-1:0] address;
  memory_wipe #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .start_i, .wiping_o(wiping), .address_o(address)
  );

  // Whether the watched word was wiped since wiping began, and the cycles since then.
  logic [AddressWidth-1:0] watched_q;
  logic wiped_q;
  logic [31:0] cycles_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watch_i;
    if (!rst_n || start_i) begin
      wiped_q  <= 1'b0;
      cycles_q <= '0;
    end else if (wiping) begin
      wiped_q  <= wiped_q || address == watched_q;
      cycles_q <= cycles_q + 1;
    end
  end

  always_comb begin
    assume (32'(watch_i) < Depth);
    if (rst_n) begin
      all_words: assert (wiping || wiped_q);
      duration: assert (cycles_q <= Depth + 1 && wiping == (cycles_q <= Depth));
      in_range: assert (32'(address) < Depth);
      inv_watched: assert (32'(watched_q) < Depth);
      inv_address: assert (!wiping || (32'(address) == cycles_q % Depth && u_dut.again_q == (cycles_q == Depth)));
      inv_wiped: assert (wiped_q == (cycles_q > 32'(watched_q)));

      ends: cover (!wiping && 32'(watched_q) == Depth - 1);
    end
  end

endmodule
