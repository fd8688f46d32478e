//! Per-cycle inputs that are supplied during a run, instead of all before it.

use halfgate_circuit::Bits;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The value that a session requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The run, from 0.
    pub run: usize,
    /// The input, by its index among the circuit's inputs.
    pub input: usize,
    /// The cycle, from 0.
    pub cycle: u64,
}

type Next = dyn FnMut(Wanted) -> Result<Bits, String> + Send;

/// Supplies the values of per-cycle inputs for which [`PartyInputs`](super::PartyInputs) has none,
/// one cycle at a time, so that memory does not grow with the cycles.
///
/// The feed is called for each such input of the party once per cycle, in the order of cycles and
/// then of inputs, but not for inputs that are never read. Values are requested ahead of their use.
/// The evaluator's are at most one cycle and [two batches](super::inputs::BATCH) of bits ahead, the
/// garbler's one cycle and a thousand bits. During a call the session sends the peer no heartbeat,
/// so a call that takes longer than the peer's timeout ends the session.
///
/// Clones share the feed: in [`run_local`](super::run_local) both parties call it, each for its own
/// inputs.
#[derive(Clone)]
pub struct Feed(Arc<Mutex<Next>>);

impl Feed {
    /// A feed that calls `next` for a cycle's bits of an input. An error ends the session; the
    /// message names the input and the cycle, followed by the error's text.
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
