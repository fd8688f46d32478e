//! The instructions and the sets. Generated from `spec/mips.toml` by `make spec`: change that.

use super::{Code, Form, InstructionSet, Row};

/// An operation of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// addition; no overflow is an error.
    Add,
    /// addition; no overflow is an error.
    Addi,
    /// addition; no overflow is an error.
    Addu,
    /// addition; no overflow is an error.
    Addiu,
    /// subtraction; no overflow is an error.
    Sub,
    /// subtraction; no overflow is an error.
    Subu,
    /// bitwise and.
    And,
    /// bitwise and.
    Andi,
    /// bitwise or.
    Or,
    /// bitwise or.
    Ori,
    /// bitwise exclusive or.
    Xor,
    /// bitwise exclusive or.
    Xori,
    /// bitwise nor.
    Nor,
    /// 1 if less, else 0.
    Slt,
    /// 1 if less, else 0.
    Slti,
    /// 1 if less, else 0.
    Sltu,
    /// 1 if less, else 0.
    Sltiu,
    /// a constant as the upper half.
    Lui,
    /// shift to the left.
    Sll,
    /// shift to the left.
    Sllv,
    /// shift to the right, zeros come in.
    Srl,
    /// shift to the right, zeros come in.
    Srlv,
    /// shift to the right, the sign comes in.
    Sra,
    /// shift to the right, the sign comes in.
    Srav,
    /// product of 64 bits into HI and LO.
    Mult,
    /// product of 64 bits into HI and LO.
    Multu,
    /// quotient into LO, remainder into HI; what is divided by 0 has ones as its magnitude's quotient, itself as remainder.
    Div,
    /// quotient into LO, remainder into HI; what is divided by 0 has ones as its magnitude's quotient, itself as remainder.
    Divu,
    /// moves from and to HI and LO.
    Mfhi,
    /// moves from and to HI and LO.
    Mthi,
    /// moves from and to HI and LO.
    Mflo,
    /// moves from and to HI and LO.
    Mtlo,
    /// load a word.
    Lw,
    /// load a half word.
    Lh,
    /// load a half word.
    Lhu,
    /// load a byte.
    Lb,
    /// load a byte.
    Lbu,
    /// load the left or right part of a word that lies across two.
    Lwl,
    /// load the left or right part of a word that lies across two.
    Lwr,
    /// store a word.
    Sw,
    /// store a half word.
    Sh,
    /// store a byte.
    Sb,
    /// store the left or right part of a word that lies across two.
    Swl,
    /// store the left or right part of a word that lies across two.
    Swr,
    /// branch if equal.
    Beq,
    /// branch if not equal.
    Bne,
    /// branch by the sign and whether it is 0.
    Blez,
    /// branch by the sign and whether it is 0.
    Bgtz,
    /// branch by the sign.
    Bltz,
    /// branch by the sign.
    Bgez,
    /// branch by the sign, and link.
    Bltzal,
    /// branch by the sign, and link.
    Bgezal,
    /// jump.
    J,
    /// jump and link.
    Jal,
    /// jump to what a register holds.
    Jr,
    /// jump to what a register holds, and link.
    Jalr,
    /// stop: the program counter stays; syscall is the end of a program, break a trap.
    Syscall,
    /// stop: the program counter stays; syscall is the end of a program, break a trap.
    Break,
}

/// What there is to know of each operation, in the order of their numbers.
pub const ROWS: [Row; 58] = [
    Row { op: Op::Add, name: "add", family: "ADD", code: Code::Special(0x20), form: Form::RdRsRt },
    Row { op: Op::Addi, name: "addi", family: "ADD", code: Code::Opcode(0x08), form: Form::RtRsSigned },
    Row { op: Op::Addu, name: "addu", family: "ADD", code: Code::Special(0x21), form: Form::RdRsRt },
    Row { op: Op::Addiu, name: "addiu", family: "ADD", code: Code::Opcode(0x09), form: Form::RtRsSigned },
    Row { op: Op::Sub, name: "sub", family: "SUB", code: Code::Special(0x22), form: Form::RdRsRt },
    Row { op: Op::Subu, name: "subu", family: "SUB", code: Code::Special(0x23), form: Form::RdRsRt },
    Row { op: Op::And, name: "and", family: "AND", code: Code::Special(0x24), form: Form::RdRsRt },
    Row { op: Op::Andi, name: "andi", family: "AND", code: Code::Opcode(0x0c), form: Form::RtRsUnsigned },
    Row { op: Op::Or, name: "or", family: "OR", code: Code::Special(0x25), form: Form::RdRsRt },
    Row { op: Op::Ori, name: "ori", family: "OR", code: Code::Opcode(0x0d), form: Form::RtRsUnsigned },
    Row { op: Op::Xor, name: "xor", family: "XOR", code: Code::Special(0x26), form: Form::RdRsRt },
    Row { op: Op::Xori, name: "xori", family: "XOR", code: Code::Opcode(0x0e), form: Form::RtRsUnsigned },
    Row { op: Op::Nor, name: "nor", family: "NOR", code: Code::Special(0x27), form: Form::RdRsRt },
    Row { op: Op::Slt, name: "slt", family: "SLT", code: Code::Special(0x2a), form: Form::RdRsRt },
    Row { op: Op::Slti, name: "slti", family: "SLT", code: Code::Opcode(0x0a), form: Form::RtRsSigned },
    Row { op: Op::Sltu, name: "sltu", family: "SLT", code: Code::Special(0x2b), form: Form::RdRsRt },
    Row { op: Op::Sltiu, name: "sltiu", family: "SLT", code: Code::Opcode(0x0b), form: Form::RtRsSigned },
    Row { op: Op::Lui, name: "lui", family: "LUI", code: Code::Opcode(0x0f), form: Form::RtUnsigned },
    Row { op: Op::Sll, name: "sll", family: "SLL", code: Code::Special(0x00), form: Form::RdRtShift },
    Row { op: Op::Sllv, name: "sllv", family: "SLL", code: Code::Special(0x04), form: Form::RdRtRs },
    Row { op: Op::Srl, name: "srl", family: "SRL", code: Code::Special(0x02), form: Form::RdRtShift },
    Row { op: Op::Srlv, name: "srlv", family: "SRL", code: Code::Special(0x06), form: Form::RdRtRs },
    Row { op: Op::Sra, name: "sra", family: "SRA", code: Code::Special(0x03), form: Form::RdRtShift },
    Row { op: Op::Srav, name: "srav", family: "SRA", code: Code::Special(0x07), form: Form::RdRtRs },
    Row { op: Op::Mult, name: "mult", family: "MULT", code: Code::Special(0x18), form: Form::RsRt },
    Row { op: Op::Multu, name: "multu", family: "MULT", code: Code::Special(0x19), form: Form::RsRt },
    Row { op: Op::Div, name: "div", family: "DIV", code: Code::Special(0x1a), form: Form::RsRt },
    Row { op: Op::Divu, name: "divu", family: "DIV", code: Code::Special(0x1b), form: Form::RsRt },
    Row { op: Op::Mfhi, name: "mfhi", family: "HILO", code: Code::Special(0x10), form: Form::Rd },
    Row { op: Op::Mthi, name: "mthi", family: "HILO", code: Code::Special(0x11), form: Form::Rs },
    Row { op: Op::Mflo, name: "mflo", family: "HILO", code: Code::Special(0x12), form: Form::Rd },
    Row { op: Op::Mtlo, name: "mtlo", family: "HILO", code: Code::Special(0x13), form: Form::Rs },
    Row { op: Op::Lw, name: "lw", family: "LW", code: Code::Opcode(0x23), form: Form::RtMemory },
    Row { op: Op::Lh, name: "lh", family: "LH", code: Code::Opcode(0x21), form: Form::RtMemory },
    Row { op: Op::Lhu, name: "lhu", family: "LH", code: Code::Opcode(0x25), form: Form::RtMemory },
    Row { op: Op::Lb, name: "lb", family: "LB", code: Code::Opcode(0x20), form: Form::RtMemory },
    Row { op: Op::Lbu, name: "lbu", family: "LB", code: Code::Opcode(0x24), form: Form::RtMemory },
    Row { op: Op::Lwl, name: "lwl", family: "LWLR", code: Code::Opcode(0x22), form: Form::RtMemory },
    Row { op: Op::Lwr, name: "lwr", family: "LWLR", code: Code::Opcode(0x26), form: Form::RtMemory },
    Row { op: Op::Sw, name: "sw", family: "SW", code: Code::Opcode(0x2b), form: Form::RtMemory },
    Row { op: Op::Sh, name: "sh", family: "SH", code: Code::Opcode(0x29), form: Form::RtMemory },
    Row { op: Op::Sb, name: "sb", family: "SB", code: Code::Opcode(0x28), form: Form::RtMemory },
    Row { op: Op::Swl, name: "swl", family: "SWLR", code: Code::Opcode(0x2a), form: Form::RtMemory },
    Row { op: Op::Swr, name: "swr", family: "SWLR", code: Code::Opcode(0x2e), form: Form::RtMemory },
    Row { op: Op::Beq, name: "beq", family: "BEQ", code: Code::Opcode(0x04), form: Form::RsRtBranch },
    Row { op: Op::Bne, name: "bne", family: "BNE", code: Code::Opcode(0x05), form: Form::RsRtBranch },
    Row { op: Op::Blez, name: "blez", family: "BLEZ", code: Code::Opcode(0x06), form: Form::RsBranch },
    Row { op: Op::Bgtz, name: "bgtz", family: "BLEZ", code: Code::Opcode(0x07), form: Form::RsBranch },
    Row { op: Op::Bltz, name: "bltz", family: "BLTZ", code: Code::RegImm(0x00), form: Form::RsBranch },
    Row { op: Op::Bgez, name: "bgez", family: "BLTZ", code: Code::RegImm(0x01), form: Form::RsBranch },
    Row { op: Op::Bltzal, name: "bltzal", family: "BLTZAL", code: Code::RegImm(0x10), form: Form::RsBranch },
    Row { op: Op::Bgezal, name: "bgezal", family: "BLTZAL", code: Code::RegImm(0x11), form: Form::RsBranch },
    Row { op: Op::J, name: "j", family: "J", code: Code::Opcode(0x02), form: Form::Jump },
    Row { op: Op::Jal, name: "jal", family: "JAL", code: Code::Opcode(0x03), form: Form::Jump },
    Row { op: Op::Jr, name: "jr", family: "JR", code: Code::Special(0x08), form: Form::Rs },
    Row { op: Op::Jalr, name: "jalr", family: "JALR", code: Code::Special(0x09), form: Form::RdRs },
    Row { op: Op::Syscall, name: "syscall", family: "HALT", code: Code::Special(0x0c), form: Form::Code },
    Row { op: Op::Break, name: "break", family: "HALT", code: Code::Special(0x0d), form: Form::Code },
];

/// The sets that have names.
pub const SETS: [InstructionSet; 6] = [
    InstructionSet { name: "full", about: "all instructions", mask: 0x3ffffffffffffff },
    InstructionSet { name: "alu-shift", about: "restricted (section 3.2): no multiplication and division", mask: 0x3ffffff00ffffff },
    InstructionSet { name: "alu", about: "restricted (section 3.2): no multiplication and division, no shifts", mask: 0x3ffffff0003ffff },
    InstructionSet { name: "hamming", about: "of the paper's Hamming distance (footnote 2)", mask: 0x3001081000c0c3f },
    InstructionSet { name: "psi", about: "of the paper's private set intersection (footnote 3)", mask: 0x3003081000de03f },
    InstructionSet { name: "aes", about: "of the paper's AES (footnote 4)", mask: 0x3603299003defff },
];
