//! Replacements for instructions that a set lacks.

mod shift;

use super::assembly::{Instruction, Item, number};
use super::{LowerError, registers};
use crate::isa::{Form, InstructionSet, Op};

/// Registers for intermediate results, which no compiler uses.
const AT: &str = "$1";
const K0: &str = "$26";
const K1: &str = "$27";

/// The set, and a counter for the names of labels.
pub(super) struct Rules {
    set: InstructionSet,
    labels: u32,
    pub(super) calls_routines: bool,
}

impl Rules {
    pub(super) fn new(set: InstructionSet) -> Rules {
        Rules { set, labels: 0, calls_routines: false }
    }

    /// Rewrites `items` in instructions of the set. A delay slot is kept if its instruction becomes
    /// a single instruction of the set.
    pub(super) fn apply(&mut self, items: Vec<Item>) -> Result<Vec<Item>, LowerError> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Instruction(instruction) => self.instruction(instruction, &mut out)?,
                other => out.push(other),
            }
        }
        Ok(out)
    }

    fn instruction(
        &mut self,
        mut jump: Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let Some(slot) = jump.slot.take() else { return self.one(jump, out) };
        let mut behind = Vec::new();
        self.one((*slot).clone(), &mut behind)?;
        let kept = jump.op.is_some_and(|op| self.set.has(op));
        if let ([Item::Instruction(only)], true) = (&behind[..], kept) {
            jump.slot = Some(Box::new(only.clone()));
            out.push(Item::Instruction(jump));
            return Ok(());
        }
        // Moves the instructions of the delay slot before the jump, if that does not change the
        // result.
        let (reads, writes) = registers(&jump);
        let touched = |items: &[Item]| {
            items.iter().fold((0, 0), |(r, w), item| match item {
                Item::Instruction(instruction) => {
                    let (reads, writes) = registers(instruction);
                    (r | reads, w | writes)
                }
                _ => (r, w),
            })
        };
        let (slot_reads, slot_writes) = touched(&behind);
        if slot_writes & (reads | writes) == 0 && slot_reads & writes == 0 {
            out.extend(behind);
            return self.one(jump, out);
        }
        let conditional =
            matches!(jump.op.map(|op| op.row().form), Some(Form::RsRtBranch | Form::RsBranch))
                && writes == 0;
        if !conditional {
            return Err(self.nothing(
                &jump,
                "the instruction in its delay slot takes several words: put it before the jump",
            ));
        }
        // Otherwise copies the instructions of the delay slot to both paths of the branch.
        let (taken, next) = (self.label(), self.label());
        let at = jump.arguments.len() - 1;
        let target = std::mem::replace(&mut jump.arguments[at], taken.clone());
        let place = jump.place.clone();
        self.one(jump, out)?;
        out.extend(behind.clone());
        self.all(&[(Op::Beq, &["$0", "$0", &next])], &place, out)?;
        out.push(Item::Label(taken));
        out.extend(behind);
        self.all(&[(Op::Beq, &["$0", "$0", &target])], &place, out)?;
        out.push(Item::Label(next));
        Ok(())
    }

    /// Appends the replacement of `instruction`, which has no delay slot.
    fn one(&mut self, instruction: Instruction, out: &mut Vec<Item>) -> Result<(), LowerError> {
        if instruction.name == "li" {
            return self.constant(&instruction, out);
        }
        let op = instruction.op.expect("an instruction of the processor");
        if self.set.has(op) {
            out.push(Item::Instruction(instruction));
            return Ok(());
        }
        match op {
            Op::Or | Op::Ori | Op::And | Op::Andi | Op::Xor | Op::Xori | Op::Nor => {
                self.bitwise(op, &instruction, out)
            }
            Op::Sll | Op::Srl | Op::Sra => self.shift(op, &instruction, out),
            Op::Sllv => self.shift_left_by_register(&instruction, out),
            Op::Srlv | Op::Srav => self.shift_right_by_register(op, &instruction, out),
            Op::Mult | Op::Multu | Op::Div | Op::Divu => self.call_routine(op, &instruction, out),
            Op::Mfhi | Op::Mflo | Op::Mthi | Op::Mtlo => {
                self.move_high_or_low(op, &instruction, out)
            }
            Op::Lh | Op::Lhu => self.load_half(op, &instruction, out),
            Op::Sh => self.store_half(&instruction, out),
            Op::J => {
                let jump = [(Op::Beq, &["$0", "$0", instruction.argument(0)][..])];
                self.all(&jump, &instruction.place, out)
            }
            Op::Bne | Op::Beq if self.set.has(Op::Beq) || self.set.has(Op::Bne) => {
                self.branch_if_equal(op, &instruction, out)
            }
            Op::Blez | Op::Bgtz | Op::Bltz | Op::Bgez => self.branch_by_sign(op, &instruction, out),
            _ => Err(self.refuse(op, &instruction)),
        }
    }

    /// Replaces a product or quotient by a call of a routine.
    fn call_routine(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        self.calls_routines = true;
        let routine = format!("__halfgate_{}", op.row().name);
        let save = "%lo(__halfgate_ra)($0)";
        self.all(
            &[
                (Op::Sw, &["$31", save]),
                (Op::Addu, &[K0, a[0], "$0"]),
                (Op::Addu, &[K1, a[1], "$0"]),
                (Op::Jal, &[&routine]),
                (Op::Lw, &["$31", save]),
            ],
            place,
            out,
        )
    }

    /// Replaces a move from or to the registers `hi` and `lo`, which are words of memory.
    fn move_high_or_low(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        self.calls_routines = true;
        let high = matches!(op, Op::Mfhi | Op::Mthi);
        let word = if high { "%lo(__halfgate_hi)($0)" } else { "%lo(__halfgate_lo)($0)" };
        let moved = if matches!(op, Op::Mfhi | Op::Mflo) { Op::Lw } else { Op::Sw };
        self.all(&[(moved, &[a[0], word])], place, out)
    }

    /// Replaces the load of a half word by loads of its two bytes.
    fn load_half(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let first = if op == Op::Lh { Op::Lb } else { Op::Lbu };
        let behind = further(instruction, 1);
        self.all(
            &[
                (first, &[K0, a[1]]),
                (Op::Lbu, &[AT, &behind]),
                (Op::Sll, &[K0, K0, "8"]),
                (Op::Addu, &[a[0], K0, AT]),
            ],
            place,
            out,
        )
    }

    /// Replaces the store of a half word by stores of its two bytes.
    fn store_half(
        &mut self,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let behind = further(instruction, 1);
        self.all(
            &[(Op::Sb, &[a[0], &behind]), (Op::Srl, &[AT, a[0], "8"]), (Op::Sb, &[AT, a[1]])],
            place,
            out,
        )
    }

    /// Replaces a branch on equality or inequality by the opposite branch around a jump.
    fn branch_if_equal(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let other = if op == Op::Bne { Op::Beq } else { Op::Bne };
        let skip = self.label();
        self.all(&[(other, &[a[0], a[1], &skip]), (Op::Beq, &["$0", "$0", a[2]])], place, out)?;
        out.push(Item::Label(skip));
        Ok(())
    }

    /// Replaces a branch on a comparison with zero.
    fn branch_by_sign(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let less = match op {
            Op::Blez | Op::Bgtz => [AT, "$0", a[0]],
            _ => [AT, a[0], "$0"],
        };
        let branch = if matches!(op, Op::Blez | Op::Bgez) { Op::Beq } else { Op::Bne };
        self.all(&[(Op::Slt, &less), (branch, &[AT, "$0", a[1]])], place, out)
    }

    /// Returns the error for an instruction that cannot be replaced.
    fn refuse(&self, op: Op, instruction: &Instruction) -> LowerError {
        let why = match op {
            Op::Jal | Op::Jr | Op::Jalr | Op::Bltzal | Op::Bgezal => {
                "the set has no calls: have the compiler inline the functions"
            }
            Op::Lb | Op::Lbu | Op::Sb => {
                "the set accesses whole words only: make the variable an int"
            }
            Op::Slt | Op::Slti | Op::Sltu | Op::Sltiu => "the set compares for equality only",
            _ => "use another set or other instructions",
        };
        self.nothing(instruction, why)
    }

    /// Loads a constant into a register.
    fn constant(&mut self, li: &Instruction, out: &mut Vec<Item>) -> Result<(), LowerError> {
        let (register, place) = (li.argument(0), &li.place);
        let value =
            number(li.argument(1)).ok_or_else(|| li.unknown("its constant is no number"))? as u32;
        let signed = value as i32;
        if (-0x8000..0x8000).contains(&signed) {
            return self.all(&[(Op::Addiu, &[register, "$0", &signed.to_string()])], place, out);
        }
        let (high, low) = ((value >> 16).to_string(), (value & 0xffff).to_string());
        if value < 0x1_0000 && self.set.has(Op::Ori) {
            return self.all(&[(Op::Ori, &[register, "$0", &low])], place, out);
        }
        if self.set.has(Op::Lui) && self.set.has(Op::Ori) {
            self.all(&[(Op::Lui, &[register, &high])], place, out)?;
            if value & 0xffff != 0 {
                self.all(&[(Op::Ori, &[register, register, &low])], place, out)?;
            }
            return Ok(());
        }
        // The lower half is added as a signed number, so the upper half compensates for its sign.
        let low = value as u16 as i16;
        let high = (value.wrapping_sub(i32::from(low) as u32) >> 16) as u16 as i16;
        self.all(
            &[
                (Op::Addiu, &[register, "$0", &high.to_string()]),
                (Op::Sll, &[register, register, "16"]),
            ],
            place,
            out,
        )?;
        if low != 0 {
            self.all(&[(Op::Addiu, &[register, register, &low.to_string()])], place, out)?;
        }
        Ok(())
    }

    /// Replaces bitwise operations by other operations: `x + y` equals `(x and y) + (x or y)`, and
    /// `x xor y` equals `(x or y) - (x and y)`.
    fn bitwise(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let constants = [(Op::Ori, Op::Or), (Op::Andi, Op::And), (Op::Xori, Op::Xor)];
        if let Some(&(_, of_registers)) =
            constants.iter().find(|(of_constant, _)| *of_constant == op)
        {
            let li = Instruction {
                name: "li".to_owned(),
                op: None,
                arguments: vec![K0.to_owned(), a[2].to_owned()],
                ..instruction.clone()
            };
            self.constant(&li, out)?;
            return self.all(&[(of_registers, &[a[0], a[1], K0])], place, out);
        }
        let other = if op == Op::Or { Op::And } else { Op::Or };
        match op {
            Op::Nor if a[1] == "$0" || a[2] == "$0" => {
                let of = if a[1] == "$0" { a[2] } else { a[1] };
                self.all(&[(Op::Addiu, &[AT, "$0", "-1"]), (Op::Subu, &[a[0], AT, of])], place, out)
            }
            Op::Nor => self.all(
                &[
                    (Op::Or, &[K0, a[1], a[2]]),
                    (Op::Addiu, &[AT, "$0", "-1"]),
                    (Op::Subu, &[a[0], AT, K0]),
                ],
                place,
                out,
            ),
            Op::Or | Op::And if self.set.has(other) => self.all(
                &[
                    (other, &[AT, a[1], a[2]]),
                    (Op::Addu, &[a[0], a[1], a[2]]),
                    (Op::Subu, &[a[0], a[0], AT]),
                ],
                place,
                out,
            ),
            Op::Xor if self.set.has(Op::And) => self.all(
                &[
                    (Op::And, &[AT, a[1], a[2]]),
                    (Op::Addu, &[a[0], a[1], a[2]]),
                    (Op::Subu, &[a[0], a[0], AT]),
                    (Op::Subu, &[a[0], a[0], AT]),
                ],
                place,
                out,
            ),
            _ => Err(self.nothing(instruction, "the set has no bitwise operations to replace it")),
        }
    }

    /// Appends these instructions. Each is replaced in turn if the set lacks it.
    fn all(
        &mut self,
        instructions: &[(Op, &[&str])],
        place: &str,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        instructions
            .iter()
            .try_for_each(|(op, arguments)| self.one(Instruction::new(*op, arguments, place), out))
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("$halfgate{}", self.labels)
    }

    fn nothing(&self, instruction: &Instruction, why: &'static str) -> LowerError {
        let (place, text) = (instruction.place.clone(), instruction.to_string().replace('\t', " "));
        LowerError::Nothing { place, set: self.set.name, text, why }
    }
}

/// The address of a load or store, increased by `bytes`.
fn further(instruction: &Instruction, bytes: u32) -> String {
    let (_, base) = instruction.argument(1).rsplit_once('(').expect("checked when it was read");
    let offset = instruction.offset();
    let offset = match (number(offset), offset.strip_suffix(')')) {
        (Some(value), _) => (value + i64::from(bytes)).to_string(),
        (None, Some(inside)) => format!("{inside}+{bytes})"),
        (None, None) => format!("{offset}+{bytes}"),
    };
    format!("{offset}({base}")
}
