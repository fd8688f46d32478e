//! `mobile_label`: the label register, an AND's operands, and the label memory.

use super::{Execute, Registers, Role, Step};
use crate::model::queue::Follows;
use crate::model::{Form, Request, Word};
use zeroize::Zeroize;

impl Execute {
    /// Runs a clock cycle of the label memory: writes a word, or reads a word for the next clock
    /// cycle.
    pub(super) fn memory_clock(&mut self, requests: Option<Request>) {
        self.now.response = None;
        if let Some(Request { write, address, data: Word(data) }) = requests {
            let word = &mut self.memory[usize::from(address)];
            match write {
                true => *word = data,
                false => self.now.response = Some(*word),
            }
        }
    }

    pub(super) fn label_clock(
        &mut self,
        old: &Registers,
        word: Option<u64>,
        folds: Option<Follows>,
        given: bool,
    ) {
        if old.step == Step::Wipe {
            self.label.zeroize();
            self.operands.zeroize();
            self.now.turns = None;
            return;
        }
        if old.set {
            (self.label, self.operands) = (0, [0; 2]);
            self.table.clear();
        }
        if let Some(word) = word {
            let value = u128::from(word) << (64 * u32::from(old.due_high));
            let to = match old.role {
                Role::Plain => &mut self.label,
                Role::A => &mut self.operands[0],
                Role::B => &mut self.operands[1],
            };
            *to = if old.first { value } else { *to ^ value };
        }
        if let Some(bytes) = old.turns {
            let own = self.label.to_le_bytes();
            for &byte in bytes.as_deref().unwrap_or(&own[..self.form.lanes()]) {
                self.label = self.label >> 8 | u128::from(byte) << 120;
            }
        }
        self.now.turns = match (folds, old.step) {
            (Some(bytes), Step::Load) => Some(Some(bytes)),
            (Some(bytes), Step::Work) => {
                self.table.extend_from_slice(&bytes);
                Some(None)
            }
            _ if given && (self.form == Form::Half || old.left.is_multiple_of(2)) => Some(None),
            _ => None,
        };
    }
}
