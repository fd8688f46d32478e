// SPDX-License-Identifier: MIT OR Apache-2.0

// A MIPS processor to be garbled. It executes one instruction a cycle, of those in `Instructions`.
// Its instruction memory is inputs, its data memory registers. docs/mips.md describes it, and names
// the program that it is compared with.
//
// Ports follow the convention of circuits: inputs of the whole run, outputs after each step. What
// makes a circuit of it assigns the words to parties and keeps the outputs that are wanted.

module mips #(
  // Powers of two.
  parameter int InstructionWords = 64,
  parameter int DataWords = 64,
  parameter logic [63:0] Instructions = {64{1'b1}},
  // Registers that there are.
  parameter logic [31:0] Registers = {32{1'b1}},
  // Fewer ANDs behind one another, and more of them: for evaluators that have many pipelines.
  parameter bit Shallow = 0,
  // The address of data memory's first word.
  parameter int DataStart = 'h1000
) (
  input  logic                          clk,
  input  logic                          rst,
  (* per_run *) (* party = "garbler" *)
  input  logic [32*InstructionWords-1:0] instructions,
  (* per_run *) (* party = "garbler" *)
  input  logic [32*DataWords-1:0]        start,
  output logic [32*DataWords-1:0]        data,
  output logic [1023:0]                  registers,
  output logic [31:0]                    hi,
  output logic [31:0]                    lo,
  output logic [$clog2(InstructionWords)-1:0] pc,
  output logic [$clog2(InstructionWords)-1:0] npc,
  // The program has ended; what it checks was wrong.
  output logic                          halted,
  output logic                          trapped
);

  `include "mips_isa.svh"

  localparam int PcWidth = $clog2(InstructionWords);
  localparam int IndexWidth = $clog2(DataWords);
  localparam logic [31:0] StackStart = 32'(DataStart + 4 * DataWords);

  localparam bit HasLeft = Instructions[HasSll] | Instructions[HasSllv];
  localparam bit HasRight = Instructions[HasSrl] | Instructions[HasSrlv] | Instructions[HasSra] | Instructions[HasSrav];
  localparam bit HasMultiply = Instructions[HasMult] | Instructions[HasMultu];
  localparam bit HasDivide = Instructions[HasDiv] | Instructions[HasDivu];
  localparam bit HasCompare = Instructions[HasSlt] | Instructions[HasSlti] | Instructions[HasSltu] | Instructions[HasSltiu];
  localparam bit HasLink = Instructions[HasJal] | Instructions[HasJalr] | Instructions[HasBltzal] | Instructions[HasBgezal];
  localparam bit HasPartLoads = Instructions[HasLb] | Instructions[HasLbu] | Instructions[HasLh] | Instructions[HasLhu]
      | Instructions[HasLwl] | Instructions[HasLwr];
  localparam bit HasPartStores = Instructions[HasSb] | Instructions[HasSh] | Instructions[HasSwl] | Instructions[HasSwr];
  localparam bit HasFromHiLo = Instructions[HasMfhi] | Instructions[HasMflo];
  localparam bit HasXor_ = Instructions[HasXor] | Instructions[HasXori];
  localparam bit HasBitwise = Instructions[HasAnd] | Instructions[HasAndi] | Instructions[HasOr] | Instructions[HasOri]
      | Instructions[HasNor];

  // The instruction and its fields.
  logic [PcWidth-1:0] at, link;
  logic [31:0] word;
  mips_select #(.Words(InstructionWords)) u_fetch (
    .words_i(instructions), .index_i(at), .word_o(word)
  );
  logic [63:0] is;
  mips_decode #(.Instructions(Instructions)) u_decode (.word_i(word), .is_o(is));

  // Operands.
  logic [31:0] rs, rt, immediate, b;
  logic is_load, is_store, is_signed, is_unsigned;
  assign is_load = is[HasLw] ^ is[HasLh] ^ is[HasLhu] ^ is[HasLb] ^ is[HasLbu] ^ is[HasLwl] ^ is[HasLwr];
  assign is_store = is[HasSw] ^ is[HasSh] ^ is[HasSb] ^ is[HasSwl] ^ is[HasSwr];
  assign is_signed = is[HasAddi] ^ is[HasAddiu] ^ is[HasSlti] ^ is[HasSltiu] ^ is_load ^ is_store;
  assign is_unsigned = is[HasAndi] ^ is[HasOri] ^ is[HasXori];
  assign immediate = {{16{word[15] & is_signed}}, word[15:0]};
  assign b = (is_signed ^ is_unsigned) ? immediate : rt;

  // Sums and bitwise operations.
  logic [31:0] value, sum;
  logic equal;
  mips_alu #(
    .HasOthers(HasCompare | HasLink | HasFromHiLo | HasBitwise | Instructions[HasLui]), .HasXor(HasXor_), .HasCompare(HasCompare)
  ) u_alu (
    .a_i(rs),
    .b_i(b),
    .add_i(is[HasAdd] ^ is[HasAddi] ^ is[HasAddu] ^ is[HasAddiu]),
    .subtract_i(is[HasSub] ^ is[HasSubu]),
    .less_i(is[HasSlt] ^ is[HasSlti] ^ is[HasSltu] ^ is[HasSltiu]),
    .and_i(is[HasAnd] ^ is[HasAndi]),
    .or_i(is[HasOr] ^ is[HasOri]),
    .nor_i(is[HasNor]),
    .xor_i(is[HasXor] ^ is[HasXori]),
    .signed_i(is[HasSlt] ^ is[HasSlti]),
    .value_o(value),
    .sum_o(sum),
    .equal_o(equal)
  );

  // Shifts.
  logic [31:0] shifted;
  logic by_register, is_left, is_shift;
  assign by_register = is[HasSllv] ^ is[HasSrlv] ^ is[HasSrav];
  assign is_left = is[HasSll] ^ is[HasSllv];
  assign is_shift = is_left ^ is[HasSrl] ^ is[HasSrlv] ^ is[HasSra] ^ is[HasSrav];
  mips_shift #(.HasLeft(HasLeft), .HasRight(HasRight)) u_shift (
    .value_i(rt),
    .by_i(by_register ? rs[4:0] : word[10:6]),
    .left_i(is_left),
    .fill_i((is[HasSra] ^ is[HasSrav]) & rt[31]),
    .value_o(shifted)
  );

  // Data memory.
  logic [31:0] found, loaded, stored;
  mips_data #(.Words(DataWords)) u_data (
    .clk_i(clk),
    .rst_i(rst),
    .start_i(start),
    .index_i(sum[2+:IndexWidth]),
    .word_o(found),
    .write_i(is_store),
    .value_i(stored),
    .next_o(data)
  );
  mips_lanes #(.Loads(HasPartLoads), .Stores(HasPartStores)) u_lanes (
    .byte_i(sum[1:0]),
    .is_half_i(is[HasLh] ^ is[HasLhu] ^ is[HasSh]),
    .is_byte_i(is[HasLb] ^ is[HasLbu] ^ is[HasSb]),
    .is_left_i(is[HasLwl] ^ is[HasSwl]),
    .is_right_i(is[HasLwr] ^ is[HasSwr]),
    .signed_i(is[HasLb] ^ is[HasLh]),
    .memory_i(found),
    .register_i(rt),
    .load_o(loaded),
    .store_o(stored)
  );

  // HI and LO.
  logic [31:0] from_hi, from_lo;
  if (HasMultiply || HasDivide || HasFromHiLo) begin : gen_hi_lo
    mips_multiply_divide #(
      .HasMultiply(HasMultiply), .HasDivide(HasDivide), .Shallow(Shallow)
    ) u_multiply_divide (
      .clk_i(clk),
      .rst_i(rst),
      .a_i(rs),
      .b_i(rt),
      .multiply_i(is[HasMult] ^ is[HasMultu]),
      .divide_i(is[HasDiv] ^ is[HasDivu]),
      .signed_i(is[HasMult] ^ is[HasDiv]),
      .to_hi_i(is[HasMthi]),
      .to_lo_i(is[HasMtlo]),
      .hi_o(from_hi),
      .lo_o(from_lo),
      .next_hi_o(hi),
      .next_lo_o(lo)
    );
  end else begin : gen_no_hi_lo
    assign {from_hi, from_lo, hi, lo} = '0;
  end

  // What is written into a register, and which one.
  logic [31:0] result;
  logic links, to_rt, to_rd;
  logic [4:0] destination;
  assign links = is[HasJal] ^ is[HasBltzal] ^ is[HasBgezal];
  always_comb begin
    result = is_shift ? shifted : value;
    result ^= from_hi & {32{is[HasMfhi]}};
    result ^= from_lo & {32{is[HasMflo]}};
    result[31:16] ^= word[15:0] & {16{is[HasLui]}};
    result[2+:PcWidth] ^= link & {PcWidth{links ^ is[HasJalr]}};
    if (is_load) result = loaded;
  end
  assign to_rt = is_load ^ is[HasAddi] ^ is[HasAddiu] ^ is[HasSlti] ^ is[HasSltiu] ^ is_unsigned ^ is[HasLui];
  assign to_rd = is[HasAdd] ^ is[HasAddu] ^ is[HasSub] ^ is[HasSubu] ^ is[HasAnd] ^ is[HasOr] ^ is[HasXor] ^ is[HasNor]
      ^ is[HasSlt] ^ is[HasSltu] ^ is_shift ^ is[HasMfhi] ^ is[HasMflo] ^ is[HasJalr];
  assign destination = (to_rt ? word[20:16] : word[15:11]) | {5{links}};
  mips_registers #(.Present(Registers), .StackStart(StackStart)) u_registers (
    .clk_i(clk),
    .rst_i(rst),
    .rs_i(word[25:21]),
    .rt_i(word[20:16]),
    .rs_o(rs),
    .rt_o(rt),
    .write_i(to_rt ^ to_rd ^ links),
    .rd_i(destination),
    .value_i(result),
    .next_o(registers)
  );

  // Where it goes on.
  logic negative, taken;
  assign negative = rs[31];
  assign taken = is[HasBeq] & equal ^ is[HasBne] & ~equal ^ is[HasBlez] & (negative | equal)
      ^ is[HasBgtz] & ~(negative | equal) ^ (is[HasBltz] ^ is[HasBltzal]) & negative
      ^ (is[HasBgez] ^ is[HasBgezal]) & ~negative;
  mips_next #(.Words(InstructionWords)) u_next (
    .clk_i(clk),
    .rst_i(rst),
    .halt_i(is[HasSyscall] ^ is[HasBreak]),
    .branch_i(taken),
    .offset_i(word[PcWidth-1:0]),
    .jump_i(is[HasJ] ^ is[HasJal]),
    .target_i(word[PcWidth-1:0]),
    .register_i(is[HasJr] ^ is[HasJalr]),
    .address_i(rs[2+:PcWidth]),
    .pc_o(at),
    .link_o(link),
    .next_pc_o(pc),
    .next_npc_o(npc)
  );
  assign halted = is[HasSyscall];
  assign trapped = is[HasBreak];

  // Addresses wrap.
  logic unused_address;
  assign unused_address = ^sum[31:2+IndexWidth];

endmodule
