//! The outputs that a party has learned so far in a run.

use super::Event;
use super::layout::Layout;
use halfgate_circuit::{Bits, Party};

/// The decoded outputs of a run, collected or passed on as events. Collected outputs take one bit
/// of memory per output bit.
pub(crate) struct Learned {
    party: Party,
    /// Whether per-cycle outputs are passed on as events and not collected.
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
        if !(self.stream && layout.has_each(self.party)) {
            layout.add_values(self.party, (first, cycles), bits, &mut self.values);
            return;
        }
        let mut values = Vec::new();
        layout.add_values(self.party, (first, cycles), bits, &mut values);
        let each = |(port, value): (usize, &mut Option<Bits>)| {
            let value = value.as_mut().filter(|_| layout.is_per_cycle(port));
            value.map(std::mem::take)
        };
        let streamed = values.iter_mut().enumerate().map(each).collect();
        events(Event::Outputs { first_cycle: first, cycles, values: streamed });
        if self.values.is_empty() {
            self.values = values;
            return;
        }
        for (all, new) in self.values.iter_mut().zip(values) {
            if let (Some(all), Some(new)) = (all, new) {
                (0..new.len()).for_each(|bit| all.push(new.get(bit)));
            }
        }
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
