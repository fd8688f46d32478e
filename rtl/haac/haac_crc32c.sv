// One step of CRC-32C (Castagnoli, reflected) over a burst of 64 bytes, lowest byte first.
//
// | port    | width | meaning                                     |
// |---------|-------|---------------------------------------------|
// | state_i | 32    | the state so far; all ones before the first |
// | data_i  | 512   | the burst                                   |
// | state_o | 32    | the state after it; its inverse is the CRC  |
//
// Latency: none, combinational. The state is linear in state and data: each bit of state_o is the
// parity of those bits that its row of a constant matrix picks.

module haac_crc32c (
  input  logic [31:0]  state_i,
  input  logic [511:0] data_i,
  output logic [31:0]  state_o
);

  localparam logic [31:0] Polynomial = 32'h82f63b78;

  // Which bits of the burst (with the state on its first 32) reach bit `out` of the new state: a 1 in
  // bit j is shifted 512 - j times.
  function automatic logic [511:0] row(input logic [4:0] out);
    logic [31:0] v;
    v = 32'd1;
    row = '0;
    for (int unsigned n = 0; n < 512; n++) begin
      v = {1'b0, v[31:1]} ^ (v[0] ? Polynomial : 32'd0);
      row[511-n] = v[out];
    end
  endfunction

  logic [511:0] mixed;
  assign mixed = data_i ^ {480'd0, state_i};

  for (genvar i = 0; i < 32; i++) begin : gen_bit
    localparam logic [511:0] Row = row(5'(i));
    assign state_o[i] = ^(mixed & Row);
  end

endmodule
