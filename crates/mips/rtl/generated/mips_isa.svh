// SPDX-License-Identifier: MIT OR Apache-2.0

// Instructions of the garbled processor. Generated from spec/mips.toml: run `make spec`.

// A processor has only the instructions of its program.
/* verilator lint_off UNUSEDPARAM */

// An instruction's bit in the parameter that selects a processor's instructions.
localparam int HasAdd = 0;
localparam int HasAddi = 1;
localparam int HasAddu = 2;
localparam int HasAddiu = 3;
localparam int HasSub = 4;
localparam int HasSubu = 5;
localparam int HasAnd = 6;
localparam int HasAndi = 7;
localparam int HasOr = 8;
localparam int HasOri = 9;
localparam int HasXor = 10;
localparam int HasXori = 11;
localparam int HasNor = 12;
localparam int HasSlt = 13;
localparam int HasSlti = 14;
localparam int HasSltu = 15;
localparam int HasSltiu = 16;
localparam int HasLui = 17;
localparam int HasSll = 18;
localparam int HasSllv = 19;
localparam int HasSrl = 20;
localparam int HasSrlv = 21;
localparam int HasSra = 22;
localparam int HasSrav = 23;
localparam int HasMult = 24;
localparam int HasMultu = 25;
localparam int HasDiv = 26;
localparam int HasDivu = 27;
localparam int HasMfhi = 28;
localparam int HasMthi = 29;
localparam int HasMflo = 30;
localparam int HasMtlo = 31;
localparam int HasLw = 32;
localparam int HasLh = 33;
localparam int HasLhu = 34;
localparam int HasLb = 35;
localparam int HasLbu = 36;
localparam int HasLwl = 37;
localparam int HasLwr = 38;
localparam int HasSw = 39;
localparam int HasSh = 40;
localparam int HasSb = 41;
localparam int HasSwl = 42;
localparam int HasSwr = 43;
localparam int HasBeq = 44;
localparam int HasBne = 45;
localparam int HasBlez = 46;
localparam int HasBgtz = 47;
localparam int HasBltz = 48;
localparam int HasBgez = 49;
localparam int HasBltzal = 50;
localparam int HasBgezal = 51;
localparam int HasJ = 52;
localparam int HasJal = 53;
localparam int HasJr = 54;
localparam int HasJalr = 55;
localparam int HasSyscall = 56;
localparam int HasBreak = 57;
localparam int NumInstructions = 58;

// Codes: the opcode, or the field that identifies an instruction with opcode 0 or 1.
localparam logic [5:0] CodeAdd = 6'h20;
localparam logic [5:0] CodeAddi = 6'h08;
localparam logic [5:0] CodeAddu = 6'h21;
localparam logic [5:0] CodeAddiu = 6'h09;
localparam logic [5:0] CodeSub = 6'h22;
localparam logic [5:0] CodeSubu = 6'h23;
localparam logic [5:0] CodeAnd = 6'h24;
localparam logic [5:0] CodeAndi = 6'h0c;
localparam logic [5:0] CodeOr = 6'h25;
localparam logic [5:0] CodeOri = 6'h0d;
localparam logic [5:0] CodeXor = 6'h26;
localparam logic [5:0] CodeXori = 6'h0e;
localparam logic [5:0] CodeNor = 6'h27;
localparam logic [5:0] CodeSlt = 6'h2a;
localparam logic [5:0] CodeSlti = 6'h0a;
localparam logic [5:0] CodeSltu = 6'h2b;
localparam logic [5:0] CodeSltiu = 6'h0b;
localparam logic [5:0] CodeLui = 6'h0f;
localparam logic [5:0] CodeSll = 6'h00;
localparam logic [5:0] CodeSllv = 6'h04;
localparam logic [5:0] CodeSrl = 6'h02;
localparam logic [5:0] CodeSrlv = 6'h06;
localparam logic [5:0] CodeSra = 6'h03;
localparam logic [5:0] CodeSrav = 6'h07;
localparam logic [5:0] CodeMult = 6'h18;
localparam logic [5:0] CodeMultu = 6'h19;
localparam logic [5:0] CodeDiv = 6'h1a;
localparam logic [5:0] CodeDivu = 6'h1b;
localparam logic [5:0] CodeMfhi = 6'h10;
localparam logic [5:0] CodeMthi = 6'h11;
localparam logic [5:0] CodeMflo = 6'h12;
localparam logic [5:0] CodeMtlo = 6'h13;
localparam logic [5:0] CodeLw = 6'h23;
localparam logic [5:0] CodeLh = 6'h21;
localparam logic [5:0] CodeLhu = 6'h25;
localparam logic [5:0] CodeLb = 6'h20;
localparam logic [5:0] CodeLbu = 6'h24;
localparam logic [5:0] CodeLwl = 6'h22;
localparam logic [5:0] CodeLwr = 6'h26;
localparam logic [5:0] CodeSw = 6'h2b;
localparam logic [5:0] CodeSh = 6'h29;
localparam logic [5:0] CodeSb = 6'h28;
localparam logic [5:0] CodeSwl = 6'h2a;
localparam logic [5:0] CodeSwr = 6'h2e;
localparam logic [5:0] CodeBeq = 6'h04;
localparam logic [5:0] CodeBne = 6'h05;
localparam logic [5:0] CodeBlez = 6'h06;
localparam logic [5:0] CodeBgtz = 6'h07;
localparam logic [4:0] CodeBltz = 5'h00;
localparam logic [4:0] CodeBgez = 5'h01;
localparam logic [4:0] CodeBltzal = 5'h10;
localparam logic [4:0] CodeBgezal = 5'h11;
localparam logic [5:0] CodeJ = 6'h02;
localparam logic [5:0] CodeJal = 6'h03;
localparam logic [5:0] CodeJr = 6'h08;
localparam logic [5:0] CodeJalr = 6'h09;
localparam logic [5:0] CodeSyscall = 6'h0c;
localparam logic [5:0] CodeBreak = 6'h0d;

// The named sets.
localparam logic [63:0] SetFull = 64'h03ffffffffffffff;
localparam logic [63:0] SetAluShift = 64'h03ffffff00ffffff;
localparam logic [63:0] SetAlu = 64'h03ffffff0003ffff;
localparam logic [63:0] SetHamming = 64'h03001081000c0c3f;
localparam logic [63:0] SetPsi = 64'h03003081000de03f;
localparam logic [63:0] SetAes = 64'h03603299003defff;

/* verilator lint_on UNUSEDPARAM */
