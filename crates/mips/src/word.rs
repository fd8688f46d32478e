//! The 32-bit encoding of an instruction.

use crate::isa::{Code, Form, Op, ROWS};
use std::fmt;

/// An instruction word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Word(pub u32);

/// Names of the registers in assembly without their `$`, by number.
pub const REGISTERS: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
    "t7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp",
    "ra",
];

/// The number of the stack pointer's register.
pub const SP: usize = 29;

/// The number of the register with the return address.
pub const RA: usize = 31;

impl Word {
    /// An instruction that does nothing.
    pub const NOP: Word = Word(0);

    /// Encodes `op` with these fields. Fields that `op` does not have are ignored and encoded as 0.
    pub fn new(op: Op, rs: u32, rt: u32, rd: u32, low: u32) -> Word {
        let fields = (rs & 31) << 21 | (rt & 31) << 16;
        let word = match op.row().code {
            Code::Special(funct) => fields | (rd & 31) << 11 | (low & 31) << 6 | u32::from(funct),
            Code::RegImm(code) => 1 << 26 | (rs & 31) << 21 | u32::from(code) << 16 | low & 0xffff,
            Code::Opcode(opcode) if op.row().form == Form::Jump => {
                u32::from(opcode) << 26 | low & 0x3ff_ffff
            }
            Code::Opcode(opcode) => u32::from(opcode) << 26 | fields | low & 0xffff,
        };
        Word(word)
    }

    /// The operation. `None` if the word is unknown or does nothing.
    pub fn op(self) -> Option<Op> {
        let code = match self.0 >> 26 {
            0 => Code::Special((self.0 & 63) as u8),
            1 => Code::RegImm(self.rt() as u8),
            opcode => Code::Opcode(opcode as u8),
        };
        ROWS.iter().find(|row| row.code == code).map(|row| row.op)
    }

    /// Bits 25:21, a register's number.
    pub fn rs(self) -> usize {
        (self.0 >> 21 & 31) as usize
    }

    /// Bits 20:16, a register's number.
    pub fn rt(self) -> usize {
        (self.0 >> 16 & 31) as usize
    }

    /// Bits 15:11, a register's number.
    pub fn rd(self) -> usize {
        (self.0 >> 11 & 31) as usize
    }

    /// Bits 10:6, the shift amount.
    pub fn shift(self) -> u32 {
        self.0 >> 6 & 31
    }

    /// Bits 15:0.
    pub fn unsigned(self) -> u32 {
        self.0 & 0xffff
    }

    /// Bits 15:0, sign-extended.
    pub fn signed(self) -> u32 {
        self.0 as u16 as i16 as u32
    }

    /// Bits 25:0: the target of a jump, in words.
    pub fn jump(self) -> u32 {
        self.0 & 0x3ff_ffff
    }

    /// Whether a branch is taken, if that does not depend on registers. For example, assemblers
    /// encode `b` as `beq $0, $0`, which is always taken.
    pub fn taken(self) -> Option<bool> {
        let row = self.op()?.row();
        match (row.form, row.op) {
            (Form::RsRtBranch, op) if self.rs() == self.rt() => Some(op == Op::Beq),
            (Form::RsBranch, op) if self.rs() == 0 => {
                Some(matches!(op, Op::Blez | Op::Bgez | Op::Bgezal))
            }
            _ => None,
        }
    }

    /// The register that the instruction writes, if any.
    pub fn writes(self) -> Option<usize> {
        use Form::{
            Rd, RdRs, RdRsRt, RdRtRs, RdRtShift, RtMemory, RtRsSigned, RtRsUnsigned, RtUnsigned,
        };
        let op = self.op()?;
        let register = match op.row().form {
            RdRsRt | RdRtShift | RdRtRs | Rd | RdRs => self.rd(),
            RtRsSigned | RtRsUnsigned | RtUnsigned => self.rt(),
            RtMemory if !matches!(op, Op::Sw | Op::Sh | Op::Sb | Op::Swl | Op::Swr) => self.rt(),
            _ if matches!(op, Op::Jal | Op::Bltzal | Op::Bgezal) => RA,
            _ => 0,
        };
        (register != 0).then_some(register)
    }

    /// The registers that the instruction reads: first `rs`, then `rt`.
    pub fn reads(self) -> [Option<usize>; 2] {
        use Form::{
            Code, Jump, Rd, RdRs, RdRtShift, Rs, RsBranch, RtRsSigned, RtRsUnsigned, RtUnsigned,
        };
        let Some(op) = self.op() else { return [None; 2] };
        let (rs, rt) = (Some(self.rs()), Some(self.rt()));
        let read = match op.row().form {
            RtRsSigned | RtRsUnsigned | Rs | RdRs | RsBranch => [rs, None],
            RdRtShift => [None, rt],
            Rd | RtUnsigned | Jump | Code => [None, None],
            // These instructions replace only a part of the register, so they also read it.
            Form::RtMemory if matches!(op, Op::Lwl | Op::Lwr) => [rs, rt],
            Form::RtMemory if self.writes().is_some() || self.rt() == 0 => [rs, None],
            _ => [rs, rt],
        };
        read.map(|register| register.filter(|&number| number != 0))
    }
}

/// Writes assembly. Targets of branches and jumps are numbers of words.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Word::NOP {
            return f.write_str("nop");
        }
        let Some(op) = self.op() else { return write!(f, ".word {:#010x}", self.0) };
        let [rs, rt, rd] =
            [self.rs(), self.rt(), self.rd()].map(|number| format!("${}", REGISTERS[number]));
        let signed = self.signed() as i32;
        let rest = match op.row().form {
            Form::RdRsRt => format!("{rd}, {rs}, {rt}"),
            Form::RtRsSigned => format!("{rt}, {rs}, {signed}"),
            Form::RtRsUnsigned => format!("{rt}, {rs}, {:#x}", self.unsigned()),
            Form::RtUnsigned => format!("{rt}, {:#x}", self.unsigned()),
            Form::RdRtShift => format!("{rd}, {rt}, {}", self.shift()),
            Form::RdRtRs => format!("{rd}, {rt}, {rs}"),
            Form::RsRt => format!("{rs}, {rt}"),
            Form::Rd => rd,
            Form::Rs => rs,
            Form::RdRs => format!("{rd}, {rs}"),
            Form::RtMemory => format!("{rt}, {signed}({rs})"),
            Form::RsRtBranch => format!("{rs}, {rt}, {signed:+}"),
            Form::RsBranch => format!("{rs}, {signed:+}"),
            Form::Jump => format!("{:#x}", self.jump() * 4),
            Form::Code => return f.write_str(op.row().name),
        };
        write!(f, "{} {rest}", op.row().name)
    }
}
