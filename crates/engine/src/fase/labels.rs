//! Labels for the model, by a kernel.

use super::delivery::Delivery;
use crate::LabelSeed;
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use halfgate_machines::fase::code::Slot;
use halfgate_machines::fase::model::{Fault, Labels};
use zeroize::Zeroize;

/// Garbles what the model asks for.
pub(super) struct Garbling<'a, 'd> {
    pub kernel: &'static Kernel,
    pub state: State,
    pub memory: LabelMemory,
    pub delta: &'a Delta,
    pub seed: LabelSeed,
    pub delivery: Delivery<'d>,
    /// What went wrong on the host's side.
    pub failed: Option<crate::EngineError>,
}

/// A label that is wiped when the model drops it.
#[derive(Clone)]
pub(super) struct Wiped(Label);

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Labels for Garbling<'_, '_> {
    type Label = Wiped;

    fn input(&mut self, sequence: u64) -> Wiped {
        Wiped(self.seed.label(sequence))
    }

    fn constant(&mut self) -> Wiped {
        Wiped(self.delivery.constant())
    }

    fn free(&mut self, a: Wiped, b: Option<Wiped>, invert: bool) -> Wiped {
        let b = b.map_or(Label::ZERO, |b| b.0);
        Wiped(a.0 ^ b ^ self.delta.label().masked(invert))
    }

    fn and(&mut self, inputs: [Wiped; 2], inverts: [bool; 3], number: u64) -> Wiped {
        let [invert_a, invert_b, invert] = inverts;
        for (slot, label) in (0..).zip(&inputs) {
            self.memory.set(slot, label.0);
        }
        let flag = |inverted: bool, flag: u16| if inverted { flag } else { 0 };
        let flags = flag(invert_a, And::INVERT_A) | flag(invert_b, And::INVERT_B);
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[And { a: 0, b: 1, c: 2, flags }],
            positions: &[0],
        };
        let mut table = [0; 32];
        self.state.go_to(number);
        self.kernel.garble(&mut self.state, self.delta, &mut self.memory, &ops, &mut table);
        let taken = self.delivery.table(number, table);
        self.failed = self.failed.take().or(taken.err());
        Wiped(self.memory.get(2) ^ self.delta.label().masked(invert))
    }

    fn made(&mut self, slot: &Slot, cycle: u64, label: &Wiped) -> Result<(), Fault> {
        if let Some(tag) = slot.keep {
            let taken = self.delivery.label(tag, cycle, label.0);
            self.failed = self.failed.take().or(taken.err());
        }
        Ok(())
    }
}
