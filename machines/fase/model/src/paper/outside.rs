//! The time at which tables and output labels leave the machine, in order; not their contents.

use super::AND;
use std::collections::VecDeque;

/// Tables, of which one leaves per clock (section 5.7). All ANDs before the first AND that is still
/// held were taken. Their tables are complete [`AND`] clocks later.
pub(super) struct Tables {
    first_held: VecDeque<u64>,
    next: u64,
    offered: bool,
}

impl Tables {
    pub fn new() -> Tables {
        Tables { first_held: [0; AND as usize].into(), next: 0, offered: false }
    }

    /// Runs one clock; `first_held` is the number of the first AND that is still held.
    pub fn clock(&mut self, first_held: u64, ready: bool) {
        self.first_held.push_front(first_held);
        let done = self.first_held.pop_back().unwrap_or(0);
        if !self.offered || ready {
            self.offered = self.next < done;
            self.next += u64::from(self.offered);
        }
    }

    pub fn are_gone(&self, total: u64) -> bool {
        self.next == total && !self.offered
    }
}

/// Labels of outputs, of which one leaves per pipeline and clock (section 5.8).
pub(super) struct Outputs {
    width: usize,
    came: Vec<bool>,
    next: usize,
    offered: bool,
}

impl Outputs {
    pub fn new(outputs: usize, width: usize) -> Outputs {
        Outputs { width, came: vec![false; outputs], next: 0, offered: false }
    }

    /// Runs one clock, in which the labels with these tags arrive. Returns the number of labels
    /// that leave.
    pub fn clock(&mut self, coming: &[u32], ready: bool) -> u64 {
        let mut leave = 0;
        if !self.offered || ready {
            let there = self.came[self.next..].iter().take(self.width);
            leave = there.take_while(|came| **came).count();
            self.offered = leave > 0;
            self.next += leave;
        }
        for &tag in coming {
            self.came[tag as usize] = true;
        }
        leave as u64
    }

    pub fn are_gone(&self, total: u64) -> bool {
        self.next as u64 == total && !self.offered
    }
}
