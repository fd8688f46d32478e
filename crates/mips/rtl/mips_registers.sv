// SPDX-License-Identifier: MIT OR Apache-2.0

// The registers: two are read, one is written, each through a tree. Register 0 is 0.

module mips_registers #(
  // Which registers there are.
  parameter logic [31:0] Present = {32{1'b1}},
  // What register 29, the stack pointer, starts from; the others start from 0.
  parameter logic [31:0] StackStart = '0
) (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic [4:0]   rs_i,
  input  logic [4:0]   rt_i,
  output logic [31:0]  rs_o,
  output logic [31:0]  rt_o,
  input  logic         write_i,
  input  logic [4:0]   rd_i,
  input  logic [31:0]  value_i,
  // All of them after this step, for outputs.
  output logic [1023:0] next_o
);

  logic [31:0] enables;
  logic [1023:0] words, next;

  mips_enable #(.Words(32)) u_enable (.enable_i(write_i), .index_i(rd_i), .enables_o(enables));

  assign words[31:0] = '0;
  assign next[31:0] = '0;
  for (genvar i = 1; i < 32; i++) begin : gen_register
    if (Present[i]) begin : gen_present
      localparam logic [31:0] Start = i == 29 ? StackStart : 32'h0;
      logic [31:0] held;
      assign words[32*i+:32] = held;
      assign next[32*i+:32] = enables[i] ? value_i : held;
      always_ff @(posedge clk_i) begin
        if (rst_i) held <= Start;
        else held <= next[32*i+:32];
      end
    end else begin : gen_absent
      assign words[32*i+:32] = '0;
      assign next[32*i+:32] = '0;
    end
  end

  mips_select #(.Words(32), .Present(Present | 32'h1)) u_rs (
    .words_i(words), .index_i(rs_i), .word_o(rs_o)
  );
  mips_select #(.Words(32), .Present(Present | 32'h1)) u_rt (
    .words_i(words), .index_i(rt_i), .word_o(rt_o)
  );

  assign next_o = next;

  logic unused_enable;
  assign unused_enable = enables[0];

endmodule
