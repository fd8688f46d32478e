//! Writes instructions as text.

use super::{View, next_address};
use crate::code::OOR_LAST;
use crate::instruction::{Instruction, Op, Unary};
use crate::machine::Shape;
use halfgate_compiler::spool::SpoolReader;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use thiserror::Error;

/// Why a program cannot be written as text.
#[derive(Debug, Error)]
pub enum DisassembleError {
    /// The text cannot be written, or a temporary file cannot be read.
    #[error("cannot write the disassembly: {0}")]
    Io(#[from] io::Error),
    /// The program's lists do not fit together.
    #[error("row {row}, engine {engine}: {reason}")]
    Code {
        /// The row, from 0.
        row: u64,
        /// The engine.
        engine: usize,
        /// What is wrong.
        reason: &'static str,
    },
}

/// Writes the rows with numbers in `rows`, as far as the program has them.
///
/// # Errors
/// If the text cannot be written, or the program lacks out-of-range words or addresses.
pub fn disassemble<'a>(
    code: impl Into<View<'a>>,
    rows: Range<u64>,
    to: &mut impl Write,
) -> Result<(), DisassembleError> {
    let View { shape, first_output, rows: instructions, oor } = code.into();
    let Shape { engines, window } = shape;
    writeln!(to, "haac engines {engines} window {window} first w{first_output}")?;
    let mut instructions = instructions.reader();
    let mut oor: Vec<SpoolReader<4>> = oor.iter().map(|words| words.reader()).collect();
    let mut address = Some(first_output);
    let (mut ands, mut row) = (0u64, 0);
    while let Some(mut bits) = instructions.next()? {
        if row >= rows.end {
            break;
        }
        let shown = rows.contains(&row);
        if shown {
            writeln!(to, "row {row}")?;
        }
        for engine in 0..engines as usize {
            if engine > 0 {
                let Some(next) = instructions.next()? else { break };
                bits = next;
            }
            let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
            let wrong = |reason| DisassembleError::Code { row, engine, reason };
            if instruction.is_nop() {
                if shown {
                    writeln!(to, "  {engine}: nop")?;
                }
                continue;
            }
            let output = address.ok_or_else(|| wrong("its output's address has over 31 bits"))?;
            let mut operand = |slot: u32| -> Result<Operand, DisassembleError> {
                if slot > 0 {
                    return Ok(in_window(shape, output, slot));
                }
                let missing = "there is no out-of-range word for an operand";
                let words = oor.get_mut(engine).ok_or_else(|| wrong(missing))?;
                let word = words.next()?.ok_or_else(|| wrong(missing))?;
                Ok(Operand::OutOfRange(u32::from_le_bytes(word)))
            };
            let name = match (instruction.op(), instruction.unary()) {
                (Op::Xor, _) => "xor",
                (Op::And, _) => "and",
                (_, Some(Unary::Copy)) => "copy",
                (_, Some(Unary::Inv)) => "inv",
                _ => return Err(wrong("a unary operation is neither COPY nor INV")),
            };
            let a = operand(instruction.a())?;
            let b = match instruction.op() {
                Op::Unary => None,
                _ => Some(operand(instruction.b())?),
            };
            if shown {
                write!(to, "  {engine}: w{output} = {name} {a}")?;
                if let Some(b) = b {
                    write!(to, " {b}")?;
                }
                if instruction.op() == Op::And {
                    write!(to, " #{ands}")?;
                }
                writeln!(to, "{}", if instruction.is_live() { " live" } else { "" })?;
            }
            ands += u64::from(instruction.op() == Op::And);
            address = next_address(shape, output);
        }
        row += 1;
    }
    Ok(())
}

/// An operand as it is written.
enum Operand {
    /// A wire in the window.
    Wire { address: u32, slot: u32 },
    /// A slot that no wire in the window has.
    Slot(u32),
    /// The out-of-range word that the operand takes.
    OutOfRange(u32),
}

/// The wire that the slot holds for the instruction with this output.
fn in_window(shape: Shape, output: u32, slot: u32) -> Operand {
    let behind = output.wrapping_sub(slot) & (shape.window - 1);
    match output.checked_sub(behind) {
        Some(address) if behind > 0 && shape.in_window(address, output) => {
            Operand::Wire { address, slot }
        }
        _ => Operand::Slot(slot),
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Operand::Wire { address, slot } => write!(f, "w{address}(s{slot})"),
            Operand::Slot(slot) => write!(f, "s{slot}"),
            Operand::OutOfRange(word) => {
                let last = if word & OOR_LAST != 0 { " last" } else { "" };
                write!(f, "oor(w{}{last})", word & !OOR_LAST)
            }
        }
    }
}
