//! Responses of memory at the end of a cycle.

use super::memory::Response;
use super::{Exact, Mutation};

impl Exact<'_> {
    /// Takes the responses of this cycle; other parts see them in the next one.
    pub(super) fn responses(&mut self) {
        for response in self.memory.under_way.remove(&self.now).unwrap_or_default() {
            self.take(response);
        }
        let mut delivered = Vec::new();
        if let Some(ports) = &mut self.memory.ports {
            ports.cycle(|response| delivered.push(response));
        }
        delivered.into_iter().for_each(|response| self.take(response));
    }

    fn take(&mut self, response: Response) {
        match response {
            Response::Written(write) => {
                self.counts.live_writes += 1;
                let lost = self.mutation == Some(Mutation::LostLiveWrite)
                    && self.counts.live_writes.is_multiple_of(3);
                if !lost {
                    self.memory.live.insert(write.address, write.name);
                }
                self.halves.finish(write.address);
            }
            Response::Wire(e, wire) => {
                self.engines[e].wires.push_back(wire);
                self.engines[e].levels.wires += 1;
            }
            Response::Addresses(e, words) => {
                self.engines[e].levels.addresses += words.len() as u32;
                self.engines[e].addresses.extend(words);
            }
            Response::Instructions => self.dispatcher.arrived += 1,
            Response::Tables(e, numbers) => {
                self.engines[e].levels.tables += numbers.len() as u32;
                self.engines[e].tables.extend(numbers);
            }
            Response::TablesWritten => {}
            Response::Inputs(burst) => self.loader.arrived(burst),
        }
    }
}
