//! Per-cycle inputs that come while a run goes on, rather than all before it.

use halfgate_circuit::Bits;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Which value a session wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The run, from 0.
    pub run: usize,
    /// The input, by its place among the circuit's.
    pub input: usize,
    /// The cycle, from 0.
    pub cycle: u64,
}

type Next = dyn FnMut(Wanted) -> Result<Bits, String> + Send;

/// Gives the values of per-cycle inputs for which [`PartyInputs`](super::PartyInputs) have none, a
/// cycle's at a time, so that nothing grows with the cycles.
///
/// It is asked for each such input of the party once a cycle, cycle by cycle and in the order of the
/// inputs, and for inputs that nothing reads never. Values are wanted ahead of their use:
/// the evaluator's at most [two batches](super::inputs::BATCH) of bits and a cycle, the garbler's a
/// thousand bits and a cycle. A session waits for it without a
/// sign of life to the peer: one that takes longer than the peer's timeout ends the session.
///
/// Clones share it: in [`run_local`](super::run_local) both parties ask it, each for its inputs.
#[derive(Clone)]
pub struct Feed(Arc<Mutex<Next>>);

impl Feed {
    /// A feed that asks `next` for a cycle's bits of an input. An error ends the session; its text
    /// follows the input's name and the cycle.
    pub fn new(next: impl FnMut(Wanted) -> Result<Bits, String> + Send + 'static) -> Feed {
        Feed(Arc::new(Mutex::new(next)))
    }

    pub(crate) fn next(&self, wanted: Wanted) -> Result<Bits, String> {
        match self.0.lock() {
            Ok(mut next) => next(wanted),
            Err(_) => Err("the source of values panicked".to_owned()),
        }
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Feed")
    }
}
