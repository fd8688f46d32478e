//! How far halves of the address space are done: what interlocks (b) and (c) look at.

use std::collections::VecDeque;

use crate::model::config::Config;

/// Counters of the halves that are not complete. While interlocks hold there are at most two.
pub struct Halves {
    config: Config,
    first_output: u32,
    /// The lowest half that is not complete, as registered.
    complete: u32,
    /// Instructions of that half and those after it that are finished: written into the window, and
    /// acknowledged by memory if they are live.
    finished: VecDeque<u32>,
}

impl Halves {
    /// At the start all halves before the first output's are complete.
    pub fn new(config: &Config, first_output: u32) -> Halves {
        let complete = config.half_of(first_output);
        Halves { config: config.clone(), first_output, complete, finished: VecDeque::new() }
    }

    /// The lowest half that is not complete.
    pub fn complete(&self) -> u32 {
        self.complete
    }

    /// The instruction with output `address` is finished.
    pub fn finish(&mut self, address: u32) {
        // A half that is complete can only be met when an interlock was left out.
        let Some(index) = self.config.half_of(address).checked_sub(self.complete) else { return };
        let index = index as usize;
        if self.finished.len() <= index {
            self.finished.resize(index + 1, 0);
        }
        self.finished[index] += 1;
    }

    /// The end of a cycle: one half at most becomes complete.
    pub fn advance(&mut self) {
        let all = self.config.instructions_in_half(self.complete, self.first_output);
        if self.finished.front().is_some_and(|&finished| finished >= all) {
            self.finished.pop_front();
            self.complete += 1;
        }
    }
}
