// SPDX-License-Identifier: MIT OR Apache-2.0

// Decodes an instruction: a wire for each instruction of the processor.
//
// At most one of the wires is 1, so sums of them are exclusive ors, which are free. A word that is
// none of the instructions does nothing.

module mips_decode #(
  parameter logic [63:0] Instructions = {64{1'b1}}
) (
  input  logic [31:0] word_i,
  output logic [63:0] is_o
);

  `include "mips_isa.svh"

  logic [5:0] opcode, funct;
  logic [4:0] code;
  logic special, regimm;
  assign opcode = word_i[31:26];
  assign funct = word_i[5:0];
  assign code = word_i[20:16];
  assign special = opcode == 6'h00;
  assign regimm = opcode == 6'h01;

  assign is_o[63:NumInstructions] = '0;
  assign is_o[HasAdd] = Instructions[HasAdd] && special && funct == CodeAdd;
  assign is_o[HasAddi] = Instructions[HasAddi] && opcode == CodeAddi;
  assign is_o[HasAddu] = Instructions[HasAddu] && special && funct == CodeAddu;
  assign is_o[HasAddiu] = Instructions[HasAddiu] && opcode == CodeAddiu;
  assign is_o[HasSub] = Instructions[HasSub] && special && funct == CodeSub;
  assign is_o[HasSubu] = Instructions[HasSubu] && special && funct == CodeSubu;
  assign is_o[HasAnd] = Instructions[HasAnd] && special && funct == CodeAnd;
  assign is_o[HasAndi] = Instructions[HasAndi] && opcode == CodeAndi;
  assign is_o[HasOr] = Instructions[HasOr] && special && funct == CodeOr;
  assign is_o[HasOri] = Instructions[HasOri] && opcode == CodeOri;
  assign is_o[HasXor] = Instructions[HasXor] && special && funct == CodeXor;
  assign is_o[HasXori] = Instructions[HasXori] && opcode == CodeXori;
  assign is_o[HasNor] = Instructions[HasNor] && special && funct == CodeNor;
  assign is_o[HasSlt] = Instructions[HasSlt] && special && funct == CodeSlt;
  assign is_o[HasSlti] = Instructions[HasSlti] && opcode == CodeSlti;
  assign is_o[HasSltu] = Instructions[HasSltu] && special && funct == CodeSltu;
  assign is_o[HasSltiu] = Instructions[HasSltiu] && opcode == CodeSltiu;
  assign is_o[HasLui] = Instructions[HasLui] && opcode == CodeLui;
  assign is_o[HasSll] = Instructions[HasSll] && special && funct == CodeSll;
  assign is_o[HasSllv] = Instructions[HasSllv] && special && funct == CodeSllv;
  assign is_o[HasSrl] = Instructions[HasSrl] && special && funct == CodeSrl;
  assign is_o[HasSrlv] = Instructions[HasSrlv] && special && funct == CodeSrlv;
  assign is_o[HasSra] = Instructions[HasSra] && special && funct == CodeSra;
  assign is_o[HasSrav] = Instructions[HasSrav] && special && funct == CodeSrav;
  assign is_o[HasMult] = Instructions[HasMult] && special && funct == CodeMult;
  assign is_o[HasMultu] = Instructions[HasMultu] && special && funct == CodeMultu;
  assign is_o[HasDiv] = Instructions[HasDiv] && special && funct == CodeDiv;
  assign is_o[HasDivu] = Instructions[HasDivu] && special && funct == CodeDivu;
  assign is_o[HasMfhi] = Instructions[HasMfhi] && special && funct == CodeMfhi;
  assign is_o[HasMthi] = Instructions[HasMthi] && special && funct == CodeMthi;
  assign is_o[HasMflo] = Instructions[HasMflo] && special && funct == CodeMflo;
  assign is_o[HasMtlo] = Instructions[HasMtlo] && special && funct == CodeMtlo;
  assign is_o[HasLw] = Instructions[HasLw] && opcode == CodeLw;
  assign is_o[HasLh] = Instructions[HasLh] && opcode == CodeLh;
  assign is_o[HasLhu] = Instructions[HasLhu] && opcode == CodeLhu;
  assign is_o[HasLb] = Instructions[HasLb] && opcode == CodeLb;
  assign is_o[HasLbu] = Instructions[HasLbu] && opcode == CodeLbu;
  assign is_o[HasLwl] = Instructions[HasLwl] && opcode == CodeLwl;
  assign is_o[HasLwr] = Instructions[HasLwr] && opcode == CodeLwr;
  assign is_o[HasSw] = Instructions[HasSw] && opcode == CodeSw;
  assign is_o[HasSh] = Instructions[HasSh] && opcode == CodeSh;
  assign is_o[HasSb] = Instructions[HasSb] && opcode == CodeSb;
  assign is_o[HasSwl] = Instructions[HasSwl] && opcode == CodeSwl;
  assign is_o[HasSwr] = Instructions[HasSwr] && opcode == CodeSwr;
  assign is_o[HasBeq] = Instructions[HasBeq] && opcode == CodeBeq;
  assign is_o[HasBne] = Instructions[HasBne] && opcode == CodeBne;
  assign is_o[HasBlez] = Instructions[HasBlez] && opcode == CodeBlez;
  assign is_o[HasBgtz] = Instructions[HasBgtz] && opcode == CodeBgtz;
  assign is_o[HasBltz] = Instructions[HasBltz] && regimm && code == CodeBltz;
  assign is_o[HasBgez] = Instructions[HasBgez] && regimm && code == CodeBgez;
  assign is_o[HasBltzal] = Instructions[HasBltzal] && regimm && code == CodeBltzal;
  assign is_o[HasBgezal] = Instructions[HasBgezal] && regimm && code == CodeBgezal;
  assign is_o[HasJ] = Instructions[HasJ] && opcode == CodeJ;
  assign is_o[HasJal] = Instructions[HasJal] && opcode == CodeJal;
  assign is_o[HasJr] = Instructions[HasJr] && special && funct == CodeJr;
  assign is_o[HasJalr] = Instructions[HasJalr] && special && funct == CodeJalr;
  assign is_o[HasSyscall] = Instructions[HasSyscall] && special && funct == CodeSyscall;
  assign is_o[HasBreak] = Instructions[HasBreak] && special && funct == CodeBreak;

  logic unused_bits;
  assign unused_bits = ^{word_i[25:21], word_i[15:6]};

endmodule
