//! The instructions and the sets.
//!
//! Generated from `spec/mips.toml`: change that file and run `make spec`.

use super::{Code, Form, InstructionSet, Row};

/// An operation of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// Addition; overflow is not an error.
    Add,
    /// Addition; overflow is not an error.
    Addi,
    /// Addition; overflow is not an error.
    Addu,
    /// Addition; overflow is not an error.
    Addiu,
    /// Subtraction; overflow is not an error.
    Sub,
    /// Subtraction; overflow is not an error.
    Subu,
    /// Bitwise and.
    And,
    /// Bitwise and.
    Andi,
    /// Bitwise or.
    Or,
    /// Bitwise or.
    Ori,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise exclusive or.
    Xori,
    /// Bitwise nor.
    Nor,
    /// 1 if less, else 0.
    Slt,
    /// 1 if less, else 0.
    Slti,
    /// 1 if less, else 0.
    Sltu,
    /// 1 if less, else 0.
    Sltiu,
    /// Load a constant into the upper half.
    Lui,
    /// Shift to the left.
    Sll,
    /// Shift to the left.
    Sllv,
    /// Logical shift to the right.
    Srl,
    /// Logical shift to the right.
    Srlv,
    /// Arithmetic shift to the right.
    Sra,
    /// Arithmetic shift to the right.
    Srav,
    /// 64-bit product into HI and LO.
    Mult,
    /// 64-bit product into HI and LO.
    Multu,
    /// Quotient into LO, remainder into HI; division by 0 gives a quotient with a magnitude of all
    /// ones, and the dividend as remainder.
    Div,
    /// Quotient into LO, remainder into HI; division by 0 gives a quotient with a magnitude of all
    /// ones, and the dividend as remainder.
    Divu,
    /// Move from or to HI or LO.
    Mfhi,
    /// Move from or to HI or LO.
    Mthi,
    /// Move from or to HI or LO.
    Mflo,
    /// Move from or to HI or LO.
    Mtlo,
    /// Load a word.
    Lw,
    /// Load a half word.
    Lh,
    /// Load a half word.
    Lhu,
    /// Load a byte.
    Lb,
    /// Load a byte.
    Lbu,
    /// Load the left or right part of an unaligned word.
    Lwl,
    /// Load the left or right part of an unaligned word.
    Lwr,
    /// Store a word.
    Sw,
    /// Store a half word.
    Sh,
    /// Store a byte.
    Sb,
    /// Store the left or right part of an unaligned word.
    Swl,
    /// Store the left or right part of an unaligned word.
    Swr,
    /// Branch if equal.
    Beq,
    /// Branch if not equal.
    Bne,
    /// Branch if at most 0, or if greater than 0.
    Blez,
    /// Branch if at most 0, or if greater than 0.
    Bgtz,
    /// Branch if negative, or if not negative.
    Bltz,
    /// Branch if negative, or if not negative.
    Bgez,
    /// Branch if negative, or if not negative; and link.
    Bltzal,
    /// Branch if negative, or if not negative; and link.
    Bgezal,
    /// Jump.
    J,
    /// Jump and link.
    Jal,
    /// Jump to the address in a register.
    Jr,
    /// Jump to the address in a register, and link.
    Jalr,
    /// Stop: the program counter no longer changes; syscall ends a program, break is a trap.
    Syscall,
    /// Stop: the program counter no longer changes; syscall ends a program, break is a trap.
    Break,
}

/// Name, family, code and form of each operation, in the order of [`Op`].
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

/// The named sets.
pub const SETS: [InstructionSet; 6] = [
    InstructionSet { name: "full", about: "all instructions", mask: 0x3ffffffffffffff },
    InstructionSet { name: "alu-shift", about: "restricted (section 3.2): no multiplication or division", mask: 0x3ffffff00ffffff },
    InstructionSet { name: "alu", about: "restricted (section 3.2): no multiplication, division or shifts", mask: 0x3ffffff0003ffff },
    InstructionSet { name: "hamming", about: "for the paper's Hamming distance (footnote 2)", mask: 0x3001081000c0c3f },
    InstructionSet { name: "psi", about: "for the paper's private set intersection (footnote 3)", mask: 0x3003081000de03f },
    InstructionSet { name: "aes", about: "for the paper's AES (footnote 4)", mask: 0x3603299003defff },
];
