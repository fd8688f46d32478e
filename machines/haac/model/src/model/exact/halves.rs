//! Counts finished instructions per half (half a window of addresses), for interlocks (b) and (c).

use std::collections::VecDeque;

use crate::model::config::Config;

/// Counters of the halves that are not complete; at most two while the interlocks hold.
pub struct Halves {
    config: Config,
    first_output: u32,
    /// The lowest half that is not complete, as registered.
    complete: u32,
    /// Finished instructions of that half and of each later one. An instruction is finished when
    /// its result is in the window and, if it is live, acknowledged by memory.
    finished: VecDeque<u32>,
}

impl Halves {
    /// At the start all halves before that of the first output are complete.
    pub fn new(config: &Config, first_output: u32) -> Halves {
        let complete = config.half_of(first_output);
        Halves { config: config.clone(), first_output, complete, finished: VecDeque::new() }
    }

    /// The lowest half that is not complete.
    pub fn complete(&self) -> u32 {
        self.complete
    }

    /// Records that the instruction with output `address` is finished.
    pub fn finish(&mut self, address: u32) {
        // The half can be complete already only if a fault has removed an interlock.
        let Some(index) = self.config.half_of(address).checked_sub(self.complete) else { return };
        let index = index as usize;
        if self.finished.len() <= index {
            self.finished.resize(index + 1, 0);
        }
        self.finished[index] += 1;
    }

    /// Ends a cycle: at most one half becomes complete.
    pub fn advance(&mut self) {
        let all = self.config.instructions_in_half(self.complete, self.first_output);
        if self.finished.front().is_some_and(|&finished| finished >= all) {
            self.finished.pop_front();
            self.complete += 1;
        }
    }
}
