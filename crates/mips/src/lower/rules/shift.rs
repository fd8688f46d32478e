//! Replacements for shifts that a set lacks, by constants and by registers.

use super::{AT, K0, K1, Rules};
use crate::isa::Op;
use crate::lower::LowerError;
use crate::lower::assembly::{Instruction, Item, number};

impl Rules {
    /// Replaces a shift by a constant.
    pub(super) fn shift(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let Some(by @ 0..32) = number(a[2]) else {
            return Err(instruction.unknown("a shift is by 0 to 31 bits"));
        };
        if by == 0 {
            return self.all(&[(Op::Addu, &[a[0], a[1], "$0"])], place, out);
        }
        if op == Op::Sll {
            self.all(&[(Op::Addu, &[a[0], a[1], a[1]])], place, out)?;
            return (1..by)
                .try_for_each(|_| self.all(&[(Op::Addu, &[a[0], a[0], a[0]])], place, out));
        }
        if op == Op::Sra && self.set.has(Op::Srl) {
            // Subtracts the sign bit at the position just above the highest shifted bit.
            let left = (32 - by).to_string();
            return self.all(
                &[
                    (Op::Srl, &[AT, a[1], "31"]),
                    (Op::Sll, &[AT, AT, &left]),
                    (Op::Srl, &[a[0], a[1], a[2]]),
                    (Op::Subu, &[a[0], a[0], AT]),
                ],
                place,
                out,
            );
        }
        if by == 31 {
            self.all(&[(Op::Slt, &[a[0], a[1], "$0"])], place, out)?;
            return match op {
                Op::Sra => self.all(&[(Op::Subu, &[a[0], "$0", a[0]])], place, out),
                _ => Ok(()),
            };
        }
        self.all(&[(Op::Addiu, &[K1, "$0", &(32 - by).to_string()])], place, out)?;
        self.right(op == Op::Sra, a[0], a[1], place, out)
    }

    /// Shifts `from` to the right so that only its highest bits are left; register K1 has their
    /// number. The loop takes bits one by one: the next bit is the sign of the remaining word.
    fn right(
        &mut self,
        signed: bool,
        to: &str,
        from: &str,
        place: &str,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let again = self.label();
        self.all(&[(Op::Addu, &[K0, from, "$0"])], place, out)?;
        match signed {
            true => {
                self.all(&[(Op::Slt, &[to, K0, "$0"]), (Op::Subu, &[to, "$0", to])], place, out)?
            }
            false => self.all(&[(Op::Addu, &[to, "$0", "$0"])], place, out)?,
        }
        out.push(Item::Label(again.clone()));
        self.all(
            &[
                (Op::Addu, &[to, to, to]),
                (Op::Slt, &[AT, K0, "$0"]),
                (Op::Addu, &[to, to, AT]),
                (Op::Addu, &[K0, K0, K0]),
                (Op::Addiu, &[K1, K1, "-1"]),
                (Op::Bne, &[K1, "$0", &again]),
            ],
            place,
            out,
        )
    }

    /// Replaces a shift to the left by a register: a loop doubles the value.
    pub(super) fn shift_left_by_register(
        &mut self,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        let (again, end) = (self.label(), self.label());
        self.all(&[(Op::Andi, &[K0, a[2], "31"]), (Op::Addu, &[a[0], a[1], "$0"])], place, out)?;
        out.push(Item::Label(again.clone()));
        self.all(
            &[
                (Op::Beq, &[K0, "$0", &end]),
                (Op::Addiu, &[K0, K0, "-1"]),
                (Op::Addu, &[a[0], a[0], a[0]]),
                (Op::Beq, &["$0", "$0", &again]),
            ],
            place,
            out,
        )?;
        out.push(Item::Label(end));
        Ok(())
    }

    /// Replaces a shift to the right by a register.
    pub(super) fn shift_right_by_register(
        &mut self,
        op: Op,
        instruction: &Instruction,
        out: &mut Vec<Item>,
    ) -> Result<(), LowerError> {
        let a: Vec<&str> = instruction.arguments.iter().map(String::as_str).collect();
        let place = &instruction.place;
        self.all(
            &[
                (Op::Andi, &[K1, a[2], "31"]),
                (Op::Addiu, &[AT, "$0", "32"]),
                (Op::Subu, &[K1, AT, K1]),
            ],
            place,
            out,
        )?;
        self.right(op == Op::Srav, a[0], a[1], place, out)
    }
}
