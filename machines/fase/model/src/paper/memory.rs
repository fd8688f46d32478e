//! The label memory: two ports, or a live-value table.

use std::collections::VecDeque;

/// Labels by slot, and which of them are this netlist cycle's.
pub(super) struct Memory<L> {
    labels: Vec<Option<L>>,
    is_there: Vec<bool>,
    /// With two ports: labels that wait for one, and how many may.
    waiting: Option<(VecDeque<(u32, L)>, usize)>,
}

impl<L: Clone> Memory<L> {
    /// For so many slots; with two ports, if so many labels may wait, or with as many as it takes.
    pub fn new(slots: usize, waiting: Option<usize>) -> Memory<L> {
        Memory {
            labels: vec![None; slots],
            is_there: vec![false; slots],
            waiting: waiting.map(|most| (VecDeque::with_capacity(most + 4), most)),
        }
    }

    /// A netlist cycle begins.
    pub fn begin(&mut self) {
        self.is_there.fill(false);
    }

    pub fn is_there(&self, slot: u32) -> bool {
        self.is_there[slot as usize]
    }

    pub fn read(&self, slot: u32) -> Option<L> {
        self.labels[slot as usize].clone()
    }

    /// Whether none waits to be written.
    pub fn is_idle(&self) -> bool {
        self.waiting.as_ref().is_none_or(|(waiting, _)| waiting.is_empty())
    }

    /// Whether a slot can be taken in a clock in which so many labels come.
    pub fn has_space(&self, coming: usize) -> bool {
        self.waiting.as_ref().is_none_or(|(waiting, most)| waiting.len() + coming <= *most)
    }

    /// What comes is written, as far as `reads`, different labels that are read in the same clock, leave ports. Which
    /// slots' labels are.
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
