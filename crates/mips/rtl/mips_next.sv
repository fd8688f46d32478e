// SPDX-License-Identifier: MIT OR Apache-2.0

// The program counters: the word executed now and the next one, which a branch does not change.

module mips_next #(
  parameter int Words = 64,
  localparam int Width = $clog2(Words)
) (
  input  logic             clk_i,
  input  logic             rst_i,
  // Stays where it is.
  input  logic             halt_i,
  // Goes on from the word after this by so many words.
  input  logic             branch_i,
  input  logic [Width-1:0] offset_i,
  // Goes on at a word that the instruction names, or one that a register names.
  input  logic             jump_i,
  input  logic [Width-1:0] target_i,
  input  logic             register_i,
  input  logic [Width-1:0] address_i,
  output logic [Width-1:0] pc_o,
  // Where a call returns to.
  output logic [Width-1:0] link_o,
  output logic [Width-1:0] next_pc_o,
  output logic [Width-1:0] next_npc_o
);

  logic [Width-1:0] pc, npc, step, sum, following;
  assign step = branch_i ? offset_i : Width'(1);
  assign sum = npc + step;
  assign following = register_i ? address_i : jump_i ? target_i : sum;
  assign next_pc_o = halt_i ? pc : npc;
  assign next_npc_o = halt_i ? npc : following;
  assign pc_o = pc;
  assign link_o = npc + Width'(1);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      pc <= '0;
      npc <= Width'(1);
    end else begin
      pc <= next_pc_o;
      npc <= next_npc_o;
    end
  end

endmodule
