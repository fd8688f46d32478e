//! The processor in the clear, which defines the effect of each instruction. Tests compare the
//! circuit with it step by step.
//!
//! A step executes the instruction at `pc` and continues at `npc`. Branches and jumps take effect
//! after the next instruction (the *delay slot*). Both counters count words and wrap at the size of
//! instruction memory; data addresses wrap at the size of data memory. The next instruction can
//! already use a loaded value, HI and LO. An instruction outside the set does nothing. After
//! `syscall` and `break` the state never changes again.

use crate::isa::{InstructionSet, Op};
use crate::word::{SP, Word};

/// Address of data memory's first word. It is not 0, because a variable at address 0 would equal
/// the null pointer of C. It is a multiple of all sizes of data memory, so circuits need no
/// subtraction. All addresses of data memory fit a signed 16-bit number.
pub const DATA_START: u32 = 0x1000;

/// Sizes of a processor's memories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Words of instruction memory: a power of two.
    pub instructions: u32,
    /// Words of data memory: a power of two.
    pub data: u32,
}

/// The state, with instruction memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Processor {
    /// Instruction memory. Its number of words is a power of two.
    pub instructions: Vec<Word>,
    /// Data memory. Its number of words is a power of two.
    pub data: Vec<u32>,
    /// The registers; register 0 is 0.
    pub registers: [u32; 32],
    /// Upper half of a product, or the remainder of a division.
    pub hi: u32,
    /// Lower half of a product, or the quotient of a division.
    pub lo: u32,
    /// Index of the next word to execute.
    pub pc: u32,
    /// Index of the word to execute after the one at `pc`.
    pub npc: u32,
    /// The instructions that the processor executes.
    pub set: InstructionSet,
}

/// Whether and how a program has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The program has not ended.
    Running,
    /// The program ended at a `syscall`, the normal end.
    Halted,
    /// The program ended at a `break`, because a check of the program failed.
    Trapped,
}

/// A step's access to data memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The computed address.
    pub address: u32,
    /// The alignment that the access needs: 1, 2 or 4.
    pub alignment: u32,
    /// Whether the access is a write.
    pub store: bool,
}

impl Processor {
    /// Makes a processor before its first step. `sp` is the end of data memory, and all other
    /// registers are 0.
    ///
    /// # Panics
    /// If the number of words of a memory is not a power of two, or less than 2.
    pub fn new(set: InstructionSet, instructions: Vec<Word>, data: Vec<u32>) -> Processor {
        let fits = |words: usize| words >= 2 && words.is_power_of_two();
        assert!(
            fits(instructions.len()) && fits(data.len()),
            "memories have a power of two of words"
        );
        let mut registers = [0; 32];
        registers[SP] = DATA_START + 4 * data.len() as u32;
        Processor { instructions, data, registers, hi: 0, lo: 0, pc: 0, npc: 1, set }
    }

    /// The next instruction, and its operation if the set has the operation.
    pub fn next(&self) -> (Word, Option<Op>) {
        let word = self.instructions[self.pc as usize];
        (word, word.op().filter(|&op| self.set.has(op)))
    }

    /// Whether the program has ended.
    pub fn status(&self) -> Status {
        match self.next().1 {
            Some(Op::Syscall) => Status::Halted,
            Some(Op::Break) => Status::Trapped,
            _ => Status::Running,
        }
    }

    /// Executes an instruction. Returns its access to data memory.
    pub fn step(&mut self) -> Option<Access> {
        let (word, op) = self.next();
        let wrap = self.instructions.len() as u32 - 1;
        let mut following = self.npc.wrapping_add(1);
        let mut access = None;
        if let Some(op) = op {
            if matches!(op, Op::Syscall | Op::Break) {
                return None;
            }
            if let Some(target) = self.branch(op, word) {
                following = target;
            }
            access = self.access(op, word);
            let result = self.execute(op, word, access);
            if let (Some(result), Some(register)) = (result, word.writes()) {
                self.registers[register] = result;
            }
        }
        (self.pc, self.npc) = (self.npc, following & wrap);
        access
    }

    /// The target of `word`, if it is a taken branch or a jump. The delay slot is executed before
    /// the target.
    fn branch(&self, op: Op, word: Word) -> Option<u32> {
        let (rs, rt) = (self.registers[word.rs()], self.registers[word.rt()]);
        // Branches that compare with 0 have register 0 as second operand, so a circuit needs no
        // special case for them.
        let taken = match op {
            Op::Beq => rs == rt,
            Op::Bne => rs != rt,
            Op::Blez => (rs as i32) < 0 || rs == rt,
            Op::Bgtz => rs as i32 >= 0 && rs != rt,
            Op::Bltz | Op::Bltzal => (rs as i32) < 0,
            Op::Bgez | Op::Bgezal => rs as i32 >= 0,
            Op::J | Op::Jal => return Some(word.jump()),
            Op::Jr | Op::Jalr => return Some(rs >> 2),
            _ => false,
        };
        taken.then(|| self.npc.wrapping_add(word.signed()))
    }

    fn access(&self, op: Op, word: Word) -> Option<Access> {
        let (alignment, store) = match op {
            Op::Lw => (4, false),
            Op::Lh | Op::Lhu => (2, false),
            Op::Lb | Op::Lbu | Op::Lwl | Op::Lwr => (1, false),
            Op::Sw => (4, true),
            Op::Sh => (2, true),
            Op::Sb | Op::Swl | Op::Swr => (1, true),
            _ => return None,
        };
        let address = self.registers[word.rs()].wrapping_add(word.signed());
        Some(Access { address, alignment, store })
    }

    /// Executes all effects of an instruction except the write of a general register. Returns the
    /// value to write, if any.
    fn execute(&mut self, op: Op, word: Word, access: Option<Access>) -> Option<u32> {
        let (rs, rt) = (self.registers[word.rs()], self.registers[word.rt()]);
        let (signed, unsigned) = (word.signed(), word.unsigned());
        Some(match op {
            Op::Add | Op::Addu => rs.wrapping_add(rt),
            Op::Addi | Op::Addiu => rs.wrapping_add(signed),
            Op::Sub | Op::Subu => rs.wrapping_sub(rt),
            Op::And => rs & rt,
            Op::Andi => rs & unsigned,
            Op::Or => rs | rt,
            Op::Ori => rs | unsigned,
            Op::Xor => rs ^ rt,
            Op::Xori => rs ^ unsigned,
            Op::Nor => !(rs | rt),
            Op::Slt => u32::from((rs as i32) < rt as i32),
            Op::Slti => u32::from((rs as i32) < signed as i32),
            Op::Sltu => u32::from(rs < rt),
            Op::Sltiu => u32::from(rs < signed),
            Op::Lui => unsigned << 16,
            Op::Sll => rt << word.shift(),
            Op::Srl => rt >> word.shift(),
            Op::Sra => (rt as i32 >> word.shift()) as u32,
            Op::Sllv => rt << (rs & 31),
            Op::Srlv => rt >> (rs & 31),
            Op::Srav => (rt as i32 >> (rs & 31)) as u32,
            Op::Mfhi => self.hi,
            Op::Mflo => self.lo,
            Op::Jal | Op::Jalr | Op::Bltzal | Op::Bgezal => {
                (self.npc.wrapping_add(1) & (self.instructions.len() as u32 - 1)) << 2
            }
            Op::Mthi => {
                self.hi = rs;
                return None;
            }
            Op::Mtlo => {
                self.lo = rs;
                return None;
            }
            Op::Mult | Op::Multu | Op::Div | Op::Divu => {
                (self.hi, self.lo) = multiply_or_divide(op, rs, rt);
                return None;
            }
            _ => return self.memory(op, rt, access?.address),
        })
    }

    /// Executes a load or store. Returns the loaded value.
    fn memory(&mut self, op: Op, rt: u32, address: u32) -> Option<u32> {
        let index = (address >> 2) as usize & (self.data.len() - 1);
        let word = &mut self.data[index];
        // The byte at the lowest address is the highest byte of the word.
        let byte = address & 3;
        let below = 8 * (3 - byte);
        let half = 8 * (2 - (byte & 2));
        let part = |low: u32, bits: u32| (1u32 << bits).wrapping_sub(1) << low;
        let merge = |old: u32, new: u32, mask: u32| old & !mask | new & mask;
        let from = |byte: u32| u32::MAX >> (8 * byte);
        let up_to = |byte: u32| u32::MAX << (8 * (3 - byte));
        Some(match op {
            Op::Lw => *word,
            Op::Lb => (*word >> below) as u8 as i8 as u32,
            Op::Lbu => *word >> below & 0xff,
            Op::Lh => (*word >> half) as u16 as i16 as u32,
            Op::Lhu => *word >> half & 0xffff,
            Op::Lwl => merge(rt, *word << (8 * byte), up_to(3 - byte)),
            Op::Lwr => merge(rt, *word >> below, from(3 - byte)),
            _ => {
                *word = match op {
                    Op::Sw => rt,
                    Op::Sb => merge(*word, rt << below, part(below, 8)),
                    Op::Sh => merge(*word, rt << half, part(half, 16)),
                    Op::Swl => merge(*word, rt >> (8 * byte), from(byte)),
                    Op::Swr => merge(*word, rt << below, up_to(byte)),
                    _ => *word,
                };
                return None;
            }
        })
    }
}

/// Returns HI and LO.
fn multiply_or_divide(op: Op, x: u32, y: u32) -> (u32, u32) {
    let signed = matches!(op, Op::Mult | Op::Div);
    let negative = |value: u32| signed && (value as i32) < 0;
    let magnitude = |value: u32| if negative(value) { value.wrapping_neg() } else { value };
    let (a, b) = (magnitude(x), magnitude(y));
    let negate = |value: u32, yes: bool| if yes { value.wrapping_neg() } else { value };
    let opposite = negative(x) != negative(y);
    if matches!(op, Op::Mult | Op::Multu) {
        let product = u64::from(a) * u64::from(b);
        let product = if opposite { product.wrapping_neg() } else { product };
        return ((product >> 32) as u32, product as u32);
    }
    // Division by 0 gives the result of a restoring divider: the remainder is the dividend, and all
    // bits of the quotient are 1.
    let (quotient, rest) = a.checked_div(b).map_or((u32::MAX, a), |quotient| (quotient, a % b));
    (negate(rest, negative(x)), negate(quotient, opposite))
}

#[cfg(test)]
mod tests;
