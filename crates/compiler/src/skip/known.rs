//! What both parties know of a state besides what gates tell them.

use super::Signal;
use std::fmt::Debug;

/// What both parties know of a program's state besides what its gates say.
pub trait Known: Debug + Send + Sync {
    /// Follows a run from its beginning.
    fn follow(&self) -> Box<dyn Follow + Send>;

    /// What tells it from any other: part of the program's hash.
    fn hash(&self) -> [u8; 32];
}

/// One run, followed.
pub trait Follow {
    /// Told after each cycle but the last what the flip-flops hold next, as far as it is public;
    /// may say more. What it gives is for the user: what became secret, and where.
    fn step(&mut self, state: &mut State<'_>) -> Option<String>;
}

/// The flip-flops' next values, as far as they are public.
#[derive(Debug)]
pub struct State<'a>(pub(crate) &'a mut [Signal]);

impl State<'_> {
    /// The next value of a flip-flop, by its number among them.
    pub fn known(&self, flip_flop: usize) -> Option<bool> {
        self.0[flip_flop].public()
    }

    /// The next value of `flip_flop` is `value` in any case.
    pub fn set(&mut self, flip_flop: usize, value: bool) {
        self.0[flip_flop] = Signal::constant(value);
    }
}
