//! Labels for the models, computed by a kernel.

use super::delivery::Delivery;
use halfgate_engine::{EngineError, LabelSeed, RunKey};
use halfgate_fase_model::model::{And, Fault, Labels, Made};
use halfgate_kernels::ops::{self, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use halfgate_machine::Wiped;

/// Garbles gates for the model.
pub(super) struct Garbling<'a, 'd> {
    pub kernel: &'static Kernel,
    pub state: State,
    pub memory: LabelMemory,
    pub delta: &'a Delta,
    pub seed: LabelSeed,
    pub delivery: Delivery<'d>,
    /// The first error on the host's side.
    pub failed: Option<EngineError>,
}

/// Clock cycles between two deliveries of tables and outputs.
const TURN: u64 = 64;

impl<'a, 'd> Garbling<'a, 'd> {
    pub fn new(
        kernel: &'static Kernel,
        key: RunKey,
        delta: &'a Delta,
        seed: LabelSeed,
        delivery: Delivery<'d>,
    ) -> Garbling<'a, 'd> {
        Garbling {
            kernel,
            state: kernel.start(key.suite, key.point),
            memory: LabelMemory::new(3),
            delta,
            seed,
            delivery,
            failed: None,
        }
    }

    /// Runs a machine clock by clock until `clock` returns false. Returns the number of clock
    /// cycles.
    pub fn run(
        &mut self,
        mut clock: impl FnMut(&mut Self) -> Result<bool, Fault>,
    ) -> Result<u64, EngineError> {
        let mut clocks = 0;
        while clock(self).map_err(EngineError::machine)? {
            clocks += 1;
            if clocks % TURN == 0 {
                self.delivery.hand_on()?;
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
        }
        self.delivery.hand_on()?;
        Ok(clocks)
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

    fn and(&mut self, inputs: [Wiped; 2], inverts: [bool; 3], and: And) -> Wiped {
        let [invert_a, invert_b, invert] = inverts;
        for (slot, label) in (0..).zip(&inputs) {
            self.memory.set(slot, label.0);
        }
        let flag = |inverted: bool, flag: u16| if inverted { flag } else { 0 };
        let flags = flag(invert_a, ops::And::INVERT_A) | flag(invert_b, ops::And::INVERT_B);
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[ops::And { a: 0, b: 1, c: 2, flags }],
            positions: &[and.position],
        };
        let mut table = [0; 32];
        self.state.go_to(and.number);
        self.state.go_to_cycle(and.cycle);
        self.kernel.garble(&mut self.state, self.delta, &mut self.memory, &ops, &mut table);
        let taken = self.delivery.table(and.number, table);
        self.failed = self.failed.take().or(taken.err());
        Wiped(self.memory.get(2) ^ self.delta.label().masked(invert))
    }

    fn made(&mut self, Made { cycle, keep, .. }: Made, label: &Wiped) -> Result<(), Fault> {
        if let Some(tag) = keep {
            let taken = self.delivery.label(tag, cycle, label.0);
            self.failed = self.failed.take().or(taken.err());
        }
        Ok(())
    }
}
