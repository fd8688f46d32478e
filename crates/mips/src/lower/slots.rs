//! Fills delay slots: moves the instruction before a jump into the jump's delay slot, if that does
//! not change the result.

use super::assembly::Item;
use super::{is_transparent, registers};
use crate::isa::Op;

/// Fills as many delay slots in `items` as possible. All others get a `nop`.
pub(super) fn fill(items: Vec<Item>) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        let Item::Instruction(mut jump) = item else {
            out.push(item);
            continue;
        };
        if jump.jumps() && jump.slot.is_none() {
            let before = out.iter().rposition(|item| !is_transparent(item));
            if let Some(at) = before.filter(|&at| may_move(&out[at], &jump)) {
                let Item::Instruction(moved) = out.remove(at) else {
                    unreachable!("an instruction")
                };
                jump.slot = Some(Box::new(moved));
            }
        }
        out.push(Item::Instruction(jump));
    }
    out
}

/// Whether `item`, which precedes `jump`, may be executed in the delay slot of `jump`.
fn may_move(item: &Item, jump: &super::Instruction) -> bool {
    let Item::Instruction(before) = item else { return false };
    if before.jumps() || matches!(before.op, Some(Op::Syscall | Op::Break)) {
        return false;
    }
    let (jump_reads, jump_writes) = registers(jump);
    let (reads, writes) = registers(before);
    writes & (jump_reads | jump_writes) == 0 && reads & jump_writes == 0
}
