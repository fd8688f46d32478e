//! `mobile_key`: parameters of a netlist cycle, and AND numbers.

use super::{Execute, Registers, Step};
use crate::item::Begin;
use crate::model::queue::Follows;
use zeroize::Zeroize;

impl Execute {
    pub(super) fn key_clock(&mut self, old: &Registers, folds: Option<Follows>, step: Option<u8>) {
        let now = &mut self.now;
        if old.step == Step::Wipe {
            (now.number, now.far, now.is_grr3) = (0, 0, false);
            self.beginning.zeroize();
            return;
        }
        if old.set {
            now.taken = old.number;
        }
        if let (Some(bytes), Step::Config) = (folds, old.step) {
            for &byte in bytes.iter() {
                now.is_grr3 = now.number & 1 == 1;
                now.number = now.number >> 8 | u64::from(self.beginning[0]) << 32;
                self.beginning.rotate_left(1);
                self.beginning[19] = byte;
            }
            return;
        }
        now.number = (old.number + u64::from(old.far)) % Begin::NUMBERS;
        now.far = step.unwrap_or(u8::from(old.set && !old.is_grr3));
    }

    /// Parameters of the netlist cycle.
    pub fn begin(&self) -> Begin {
        let (cycle, point) = self.beginning.split_at(4);
        let whole =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte));
        Begin {
            is_grr3: self.now.is_grr3,
            number: self.now.number,
            cycle: whole(cycle) as u32,
            point: whole(point),
        }
    }
}
