//! Public knowledge about a program's state, in addition to what its gates show.

use super::Signal;
use std::fmt::Debug;

/// Knowledge about a program's state that the gates do not show.
pub trait Known: Debug + Send + Sync {
    /// Starts to follow a run from its beginning.
    fn follow(&self) -> Box<dyn Follow + Send>;

    /// A hash that distinguishes this knowledge from any other. It is part of the program's hash.
    fn hash(&self) -> [u8; 32];
}

/// Follows one run.
pub trait Follow {
    /// Is called after each cycle except the last. `state` has the public ones of the flip-flops'
    /// next values, and the function may add more. Returns a remark for the user, if any: what
    /// became secret, and where.
    fn step(&mut self, state: &mut State<'_>) -> Option<String>;
}

/// Those next values of flip-flops that are public.
#[derive(Debug)]
pub struct State<'a>(pub(crate) &'a mut [Signal]);

impl State<'_> {
    /// Returns the next value of flip-flop number `flip_flop`, if it is public.
    pub fn known(&self, flip_flop: usize) -> Option<bool> {
        self.0[flip_flop].public()
    }

    /// Declares that the next value of `flip_flop` is public, and is `value`.
    pub fn set(&mut self, flip_flop: usize, value: bool) {
        self.0[flip_flop] = Signal::constant(value);
    }
}
