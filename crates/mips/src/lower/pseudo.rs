//! Replaces pseudo-instructions of the assembler by instructions of the processor.

use super::LowerError;
use super::assembly::{Instruction, Item, number, register, takes_constant};
use crate::isa::{Form, Op};

/// Replaces pseudo-instructions in `items`, except `li`, whose replacement depends on the set.
/// Instructions without effect are dropped.
pub(super) fn real(items: Vec<Item>) -> Result<Vec<Item>, LowerError> {
    let mut out: Vec<Item> = Vec::new();
    for item in items {
        let Item::Instruction(mut instruction) = item else {
            out.push(item);
            continue;
        };
        if instruction.name == "nop" || joins_constant(&mut out, &instruction) {
            continue;
        }
        let slot = instruction.slot.take();
        let mut instruction = checked(expand(instruction)?)?;
        instruction.slot = slot.map(|slot| checked(expand(*slot)?)).transpose()?.map(Box::new);
        out.push(Item::Instruction(instruction));
    }
    Ok(out)
}

/// Merges an `ori` into the `li` before it that loads a constant into the same register.
fn joins_constant(out: &mut [Item], ori: &Instruction) -> bool {
    let before = out.iter_mut().rev().find(|item| !super::is_transparent(item));
    let Some(Item::Instruction(before)) = before else { return false };
    let registers = [ori.register(0), ori.register(1)];
    if before.name != "li" || ori.name != "ori" || registers != [before.register(0); 2] {
        return false;
    }
    let (Some(high), Some(low)) = (number(before.argument(1)), number(ori.argument(2))) else {
        return false;
    };
    before.arguments[1] = (high | low).to_string();
    true
}

/// Returns the instruction of the processor for `instruction`.
fn expand(instruction: Instruction) -> Result<Instruction, LowerError> {
    let (name, place) = (instruction.name.clone(), instruction.place.clone());
    let a = |at: usize| instruction.argument(at);
    let one = |op: Op, arguments: &[&str]| Ok(Instruction::new(op, arguments, &place));
    let count = instruction.arguments.len();
    match (name.as_str(), count) {
        ("move", 2) => one(Op::Addu, &[a(0), a(1), "$0"]),
        ("li", 2) if number(a(1)).is_some() && register(a(0)).is_some() => Ok(instruction),
        ("la", 2) => one(Op::Addiu, &[a(0), "$0", &format!("%lo({})", a(1))]),
        // Register 0 and a 16-bit offset reach all of data memory.
        ("lui", 2) if a(1).starts_with("%hi(") => one(Op::Addu, &[a(0), "$0", "$0"]),
        ("lui", 2) => {
            let value = number(a(1)).ok_or_else(|| {
                instruction.unknown("the second argument of lui must be a number")
            })?;
            let value = (value << 16).to_string();
            Ok(Instruction {
                name: "li".to_owned(),
                arguments: vec![a(0).to_owned(), value],
                ..instruction
            })
        }
        ("b", 1) => one(Op::Beq, &["$0", "$0", a(0)]),
        ("bal", 1) => one(Op::Bgezal, &["$0", a(0)]),
        ("beqz", 2) => one(Op::Beq, &[a(0), "$0", a(1)]),
        ("bnez", 2) => one(Op::Bne, &[a(0), "$0", a(1)]),
        ("not", 2) => one(Op::Nor, &[a(0), a(1), "$0"]),
        ("neg" | "negu", 2) => one(Op::Subu, &[a(0), "$0", a(1)]),
        ("j", 1) if register(a(0)).is_some() => one(Op::Jr, &[a(0)]),
        ("jal", 1) if register(a(0)).is_some() => one(Op::Jalr, &["$31", a(0)]),
        ("jalr", 1) => one(Op::Jalr, &["$31", a(0)]),
        ("div", 3) if register(a(0)) == Some(0) => one(Op::Div, &[a(1), a(2)]),
        ("divu", 3) if register(a(0)) == Some(0) => one(Op::Divu, &[a(1), a(2)]),
        ("syscall", _) => one(Op::Syscall, &[]),
        ("break", _) => one(Op::Break, &[]),
        _ => plain(instruction),
    }
}

/// Checks that all register arguments are registers.
fn checked(instruction: Instruction) -> Result<Instruction, LowerError> {
    let Some(op) = instruction.op else { return Ok(instruction) };
    let registers: &[usize] = match op.row().form {
        Form::RdRsRt | Form::RdRtRs => &[0, 1, 2],
        Form::RtRsSigned | Form::RtRsUnsigned | Form::RdRtShift | Form::RsRtBranch => &[0, 1],
        Form::RsRt | Form::RdRs => &[0, 1],
        Form::RtUnsigned | Form::RtMemory | Form::RsBranch | Form::Rd | Form::Rs => &[0],
        Form::Jump | Form::Code => &[],
    };
    if registers.iter().any(|&at| instruction.register(at).is_none()) {
        return Err(instruction.unknown("a register is written as $2 or $v0"));
    }
    Ok(instruction)
}

/// Completes an instruction of the processor that is written in a short form: with two arguments
/// instead of three, or with a constant instead of the last register.
fn plain(mut instruction: Instruction) -> Result<Instruction, LowerError> {
    let Some(mut op) = Op::named(&instruction.name) else {
        return Err(instruction.unknown("this is no instruction of MIPS I that is known here"));
    };
    let three = matches!(
        op.row().form,
        Form::RdRsRt | Form::RdRtRs | Form::RdRtShift | Form::RtRsSigned | Form::RtRsUnsigned
    );
    if three && instruction.arguments.len() == 2 {
        instruction.arguments.insert(1, instruction.arguments[0].clone());
    }
    if three && instruction.arguments.len() == 3 {
        let is_register = instruction.register(2).is_some();
        if is_register == takes_constant(op) {
            let pairs = [
                (Op::Add, Op::Addi),
                (Op::Addu, Op::Addiu),
                (Op::And, Op::Andi),
                (Op::Or, Op::Ori),
                (Op::Xor, Op::Xori),
                (Op::Slt, Op::Slti),
                (Op::Sltu, Op::Sltiu),
                (Op::Sllv, Op::Sll),
                (Op::Srlv, Op::Srl),
                (Op::Srav, Op::Sra),
            ];
            let other = pairs.iter().find_map(|&(of_registers, of_constant)| match is_register {
                true => (of_constant == op).then_some(of_registers),
                false => (of_registers == op).then_some(of_constant),
            });
            op = match (other, op) {
                (Some(other), _) => other,
                (None, Op::Sub | Op::Subu) => {
                    let value = number(instruction.argument(2));
                    let value = value.ok_or_else(|| {
                        instruction.unknown("the last argument must be a register")
                    })?;
                    instruction.arguments[2] = (-value).to_string();
                    Op::Addiu
                }
                _ => return Err(instruction.unknown("the last argument must be a register")),
            };
        }
    }
    let wanted = match op.row().form {
        Form::RdRsRt
        | Form::RtRsSigned
        | Form::RtRsUnsigned
        | Form::RdRtShift
        | Form::RdRtRs
        | Form::RsRtBranch => 3,
        Form::RtUnsigned | Form::RsRt | Form::RdRs | Form::RtMemory | Form::RsBranch => 2,
        Form::Rd | Form::Rs | Form::Jump => 1,
        Form::Code => 0,
    };
    if instruction.arguments.len() != wanted {
        return Err(instruction.unknown("it has the wrong number of arguments"));
    }
    if op.row().form == Form::RtMemory && instruction.base().is_none() {
        // The argument is the name of a variable. Register 0 and a 16-bit offset reach all of data
        // memory.
        let name = instruction.argument(1);
        instruction.arguments[1] = match number(name) {
            Some(_) => format!("{name}($0)"),
            None => format!("%lo({name})($0)"),
        };
    }
    instruction.op = Some(op);
    instruction.name = op.row().name.to_owned();
    Ok(instruction)
}
