//! The label memory: two ports, or a live-value table.

use super::WAITING;
use std::collections::VecDeque;

/// Labels by slot, and which of them are this netlist cycle's.
pub(super) struct Memory<L> {
    labels: Vec<Option<L>>,
    is_there: Vec<bool>,
    /// With two ports: labels that wait for one.
    waiting: Option<VecDeque<(u32, L)>>,
}

impl<L: Clone> Memory<L> {
    pub fn new(slots: usize, pipelines: usize) -> Memory<L> {
        Memory {
            labels: vec![None; slots],
            is_there: vec![false; slots],
            waiting: (pipelines == 1).then(|| VecDeque::with_capacity(WAITING + 4)),
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
        self.waiting.as_ref().is_none_or(VecDeque::is_empty)
    }

    /// Whether a slot can be taken in a clock in which so many labels come.
    pub fn has_room(&self, coming: usize) -> bool {
        self.waiting.as_ref().is_none_or(|waiting| waiting.len() + coming <= WAITING)
    }

    /// What comes is written, as far as `reads`, different labels that are read in the same clock, leave ports. Which
    /// slots' labels are.
    pub fn write(&mut self, coming: Vec<(u32, L)>, reads: usize) -> Vec<u32> {
        let now: Vec<(u32, L)> = match &mut self.waiting {
            None => coming,
            Some(waiting) => {
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
