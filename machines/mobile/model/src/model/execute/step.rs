//! `mobile_execute`: how its registers change in each clock cycle.

use super::{A, A_TOO, B, B_TOO, Registers, Role, Step, THIRD, WORDS, What, without_lowest};
use crate::item::Item;
use crate::model::Form;

impl Registers {
    /// Starts an item.
    pub(super) fn take(&mut self, old: &Registers, item: Item, form: Form) {
        let now = self;
        let (what, slots) = match item {
            Item::Xor { a, b, c, out } => (What::Xor, [a, b, c.unwrap_or(0), out]),
            Item::And { a, b, c, out, .. } => (What::And, [a, b, c, out]),
            Item::Load { slot } => (What::Load, [slot, 0, 0, slot]),
            Item::Read { slot } => (What::Read, [slot, 0, 0, slot]),
            Item::Begin => (What::Begin, [0; 4]),
            Item::End => (What::End, [0; 4]),
        };
        let held = what == What::Xor
            && (old.held || old.step == Step::StoreHigh)
            && slots[0] == old.slots[3];
        let needs = match item {
            Item::Xor { c, .. } => {
                B | if c.is_some() { THIRD } else { 0 } | if held { 0 } else { A }
            }
            Item::And { xors, .. } => {
                let third = [(2, B_TOO), (1, A_TOO), (4, THIRD)];
                let third = third.iter().filter(|(bit, _)| xors & bit != 0);
                third.fold(A | B, |needs, (_, need)| needs | need)
            }
            Item::Read { .. } => A,
            _ => 0,
        };
        let is_and = what == What::And;
        (now.what, now.slots, now.request, now.due) = (what, slots, needs, needs);
        (now.request_high, now.due_high) = (false, false);
        now.due_none = needs == 0;
        now.role = if is_and { Role::B } else { Role::Plain };
        now.first = !is_and && !held;
        (now.held, now.last) = (false, false);
        now.over |= what == What::End;
        now.more = !matches!(what, What::Xor | What::End);
        let follows = match what {
            What::Begin => 26,
            What::And if old.is_grr3 => 48,
            What::And => 32,
            _ => 16,
        };
        let at_once = if what == What::Read { 1 } else { form.lanes() as u8 };
        now.left = follows / at_once - 1;
        now.step = match what {
            What::Load => Step::Load,
            What::Begin => Step::Config,
            What::End => Step::Idle,
            _ => Step::Read,
        };
    }

    /// Continues an item after an operand was requested, or a word or byte arrived.
    pub(super) fn advance(&mut self, old: &Registers, has_word: bool, has_byte: bool) {
        if old.step == Step::Read {
            self.request_high = !old.request_high;
            if old.request_high {
                self.request = without_lowest(old.request);
            }
        }
        if has_word {
            (self.due_high, self.first) = (!old.due_high, false);
            if old.due_high {
                self.due = without_lowest(old.due);
                self.role = match self.due {
                    _ if old.what != What::And => Role::Plain,
                    due if due & (B | B_TOO) != 0 => Role::B,
                    due if due & A_TOO != 0 || due & THIRD == 0 => Role::A,
                    _ => Role::Plain,
                };
            }
        }
        if has_byte {
            self.left = old.left.wrapping_sub(1);
            self.last = old.left == 1;
        }
    }

    /// Begins to wipe the labels.
    pub(super) fn clear(&mut self) {
        self.step = Step::Wipe;
        (self.held, self.over, self.clear, self.more, self.set) =
            (false, false, false, false, false);
        (self.wipe, self.due_none) = (0, true);
        self.busy = 0;
    }

    /// Sets the next step. `requests`: a word of the label memory is read or written. `sums`: the
    /// hashes of an AND are XORed to the label. `turns_end`: the last byte is transferred, of the
    /// bytes that follow an item or of a label to the host.
    pub(super) fn next_step(
        &mut self,
        old: &Registers,
        requests: bool,
        sums: bool,
        turns_end: bool,
    ) {
        let request_last = old.request_high && old.request_single;
        self.step = match old.step {
            Step::Wipe if old.wipe > WORDS && old.reads == 0 => {
                self.wipe = 0;
                Step::Idle
            }
            Step::Read if request_last => match old.what {
                What::And => Step::Work,
                What::Xor => Step::Store,
                _ => Step::Give,
            },
            Step::Work if sums => Step::Store,
            Step::Load if turns_end => Step::Store,
            Step::Store if requests => Step::StoreHigh,
            Step::StoreHigh if old.due_none => {
                self.held = true;
                Step::Idle
            }
            Step::Give | Step::Config if turns_end => Step::Idle,
            step => step,
        };
    }
}
