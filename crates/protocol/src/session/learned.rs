//! The outputs that a party has learned so far in a run.

use super::Event;
use super::layout::Layout;
use halfgate_circuit::{Bits, Party};

/// The decoded outputs of a run, collected or passed on as events. Collected outputs take one bit
/// of memory per output bit.
pub(crate) struct Learned {
    party: Party,
    /// Whether outputs are passed on as events, where that is possible while the run goes on.
    stream: bool,
    values: Vec<Option<Bits>>,
}

impl Learned {
    /// Without any outputs yet.
    pub fn new(party: Party, stream: bool) -> Learned {
        Learned { party, stream, values: Vec::new() }
    }

    /// Adds the values of the window of `cycles` cycles from `first` on. `bits` are the bits that
    /// the party learns, without constants.
    pub fn add(
        &mut self,
        layout: &Layout<'_>,
        (first, cycles): (u64, u64),
        bits: &Bits,
        events: &mut dyn FnMut(Event),
    ) {
        let window = (first, cycles);
        layout.add_values((self.party, self.stream), window, bits, &mut self.values, events);
    }

    /// Whether the party learns any output.
    pub fn is_something(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }

    /// All collected values: one for each output that the party learns.
    pub fn into_values(self) -> Vec<Option<Bits>> {
        self.values
    }
}
