//! Computes the places where a program can be, from public information only.

use crate::isa::{Form, Op};
use crate::word::Word;
use std::collections::BTreeSet;

/// A place of the program: the index of the word that is executed, and that of the next word.
pub(crate) type Place = (u32, u32);

/// All places where a program can be. There is a single place until the program branches on a
/// secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// The places, at least one.
    pub all: BTreeSet<Place>,
}

/// Result of a step.
pub(crate) struct Following {
    /// The places after the step.
    pub places: Places,
    /// The branch on a secret that made the counter secret in this step, if any.
    pub parted: Option<u32>,
}

impl Places {
    /// The place before the first step.
    pub fn start() -> Places {
        Places { all: BTreeSet::from([(0, 1)]) }
    }

    /// Returns the place, if there is only one.
    pub fn only(&self) -> Option<Place> {
        self.all.first().copied().filter(|_| self.all.len() == 1)
    }

    /// Returns the places after a step. `pc` and `npc` are the public bits of the counters after
    /// the step.
    pub fn after(&self, words: &[Word], pc: &[Option<bool>], npc: &[Option<bool>]) -> Following {
        let wrap = words.len() as u32 - 1;
        let agrees = |bits: &[Option<bool>], value: u32| {
            let mut bits = bits.iter().enumerate();
            bits.all(|(at, bit)| bit.is_none_or(|known| known == (value >> at & 1 == 1)))
        };
        let mut all = BTreeSet::new();
        for &(at, next) in &self.all {
            let word = words[at as usize];
            let sequential = next.wrapping_add(1) & wrap;
            let mut go = |place: Place| {
                if agrees(pc, place.0) && agrees(npc, place.1) {
                    all.insert(place);
                }
            };
            match word.op().map(|op| (op, op.row().form)) {
                Some((Op::Syscall | Op::Break, _)) => go((at, next)),
                Some((_, Form::RsRtBranch | Form::RsBranch)) => {
                    let taken = word.taken();
                    if taken != Some(true) {
                        go((next, sequential));
                    }
                    if taken != Some(false) {
                        go((next, next.wrapping_add(word.signed()) & wrap));
                    }
                }
                Some((Op::J | Op::Jal, _)) => go((next, word.jump() & wrap)),
                Some((Op::Jr | Op::Jalr, _)) => {
                    // The target is in a register: any target that agrees with the public bits.
                    (0..=wrap).for_each(|target| go((next, target)));
                }
                _ => go((next, sequential)),
            }
        }
        let parted = self.only().filter(|_| all.len() > 1).map(|place| place.0);
        Following { places: Places { all }, parted }
    }
}
