//! The label memory: with two ports, or as a live-value table.

use std::collections::VecDeque;

/// Labels by slot, and for each slot whether its label was written in the current netlist cycle.
pub(super) struct Memory<L> {
    labels: Vec<Option<L>>,
    is_there: Vec<bool>,
    /// The queue of labels that wait for a port, and its capacity. Only in a memory with two ports.
    waiting: Option<(VecDeque<(u32, L)>, usize)>,
}

impl<L: Clone> Memory<L> {
    /// Makes a memory of `slots` labels. `waiting` is the capacity of the queue in a memory with
    /// two ports. If it is `None`, all labels are written when they arrive.
    pub fn new(slots: usize, waiting: Option<usize>) -> Memory<L> {
        Memory {
            labels: vec![None; slots],
            is_there: vec![false; slots],
            waiting: waiting.map(|most| (VecDeque::with_capacity(most + 4), most)),
        }
    }

    /// Starts a netlist cycle.
    pub fn begin(&mut self) {
        self.is_there.fill(false);
    }

    pub fn is_there(&self, slot: u32) -> bool {
        self.is_there[slot as usize]
    }

    pub fn read(&self, slot: u32) -> Option<L> {
        self.labels[slot as usize].clone()
    }

    /// Whether no label waits to be written.
    pub fn is_idle(&self) -> bool {
        self.waiting.as_ref().is_none_or(|(waiting, _)| waiting.is_empty())
    }

    /// Whether the queue has space for `coming` labels, so that a slot can be taken in the clock in
    /// which they arrive.
    pub fn has_space(&self, coming: usize) -> bool {
        self.waiting.as_ref().is_none_or(|(waiting, most)| waiting.len() + coming <= *most)
    }

    /// Queues the arriving labels, and writes one on each port that is not used for reading.
    /// `reads` is the number of different labels that are read in this clock. Returns the slots
    /// whose labels are written.
    pub fn write(&mut self, coming: Vec<(u32, L)>, reads: usize) -> Vec<u32> {
        let now: Vec<(u32, L)> = match &mut self.waiting {
            None => coming,
            Some((waiting, _)) => {
                waiting.extend(coming);
                let count = waiting.len().min(2 - reads);
                waiting.drain(..count).collect()
            }
        };
        now.into_iter()
            .map(|(slot, label)| {
                self.labels[slot as usize] = Some(label);
                self.is_there[slot as usize] = true;
                slot
            })
            .collect()
    }
}
