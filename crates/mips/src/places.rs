//! Where a program can be, as far as it is public.

use crate::isa::{Form, Op};
use crate::word::Word;
use std::collections::BTreeSet;

/// Where a program can be: the word that is executed, and the one after it.
pub(crate) type Place = (u32, u32);

/// All places where a program can be: one, as long as it has not branched on a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// Them. There is one at least.
    pub all: BTreeSet<Place>,
}

/// What a step makes of them.
pub(crate) struct Following {
    /// Where the program can be then.
    pub places: Places,
    /// The instruction that was a branch on a secret, where the counter was public before and is not now.
    pub parted: Option<u32>,
}

impl Places {
    /// At the beginning.
    pub fn start() -> Places {
        Places { all: BTreeSet::from([(0, 1)]) }
    }

    /// The place, if there is only one.
    pub fn only(&self) -> Option<Place> {
        self.all.first().copied().filter(|_| self.all.len() == 1)
    }

    /// Where the program can be after a step, if of `pc` and `npc`, the counters by then, these bits are public.
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
                    // Wherever a register says, as far as that is public.
                    (0..=wrap).for_each(|target| go((next, target)));
                }
                _ => go((next, sequential)),
            }
        }
        let parted = self.only().filter(|_| all.len() > 1).map(|place| place.0);
        Following { places: Places { all }, parted }
    }
}
