//! The published machines, with one pipeline and with several.
//!
//! What the paper fixes: an AND is 11 clocks in the garbling engine between the stage that fetches and decodes
//! and the one that writes back, a flip-flop or a free gate 1 (section 3.4); netlist cycles do not overlap
//! (section 3.3); a pipeline takes the next gate of all as soon as its own has its labels (section 5.6).
//!
//! What it leaves open was found by comparing with the clocks that the public RTL of one pipeline takes and with
//! the paper's Table 3; a comment says so at each place.

use super::SETUP;
use super::netlist::{Netlist, Operand};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Clocks from the one in which an AND has its labels to the one in which what it made is written: fetch and
/// decode, and 11 of execution.
const AND: u64 = 12;

/// The same for other gates and for flip-flops, whose stage of execution is the one that fetches the next:
/// measured, and it takes no more than that to explain Table 3.
const FREE: u64 = 1;

/// Clocks at the end of a netlist cycle, when the last label is written: mask bits are sent (state MASKS) and
/// counters reset (RSTCOUNTERS). Mask bits go out while gates run, so it is not one for each.
const END: u64 = 10;

/// With one pipeline: labels that wait for a port of the memory to be written through. The next gate is taken
/// only if there is room. (The paper: "the order of reading and writing is adjusted to suppress stalls".)
const WAITING: usize = 2;

/// What garbling takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Clocks, with set-up and the last mask bit.
    pub clocks: u64,
    /// Clocks in which no gate was taken as all ports of the label memory were in use: with one pipeline.
    pub port_stalls: u64,
    /// Clocks in which no pipeline took a gate, for want of labels.
    pub dependency_stalls: u64,
}

/// What `pipelines` published pipelines take for `cycles` netlist cycles.
///
/// # Panics
/// If there is no pipeline.
pub fn run(netlist: &Netlist, cycles: u64, pipelines: usize) -> Report {
    assert!(pipelines > 0, "a machine has pipelines");
    let mut report = Report { clocks: SETUP, ..Report::default() };
    // All netlist cycles but the first are the same: a flip-flop's slot copies a label, wherever it is from.
    for first in [true, false] {
        let mut cycle = Report::default();
        match (first, cycles) {
            (true, 0) | (false, 0 | 1) => break,
            _ if pipelines == 1 => one_pipeline(netlist, first, &mut cycle),
            _ => several_pipelines(netlist, pipelines, &mut cycle),
        }
        let times = if first { 1 } else { cycles - 1 };
        report.clocks += (cycle.clocks + END) * times;
        report.port_stalls += cycle.port_stalls * times;
        report.dependency_stalls += cycle.dependency_stalls * times;
    }
    report
}

/// Slots of a netlist cycle: flip-flops, then gates.
struct Slots<'a> {
    netlist: &'a Netlist,
    /// For each slot the clock from which its label can be read.
    ready: Vec<Option<u64>>,
}

impl<'a> Slots<'a> {
    fn new(netlist: &'a Netlist) -> Slots<'a> {
        let slots = netlist.flip_flops.len() + netlist.gates.len();
        Slots { netlist, ready: vec![None; slots] }
    }

    fn len(&self) -> usize {
        self.ready.len()
    }

    /// The slots whose labels `slot` reads in this netlist cycle. Inputs have a memory of their own.
    fn reads(&self, slot: usize) -> impl Iterator<Item = usize> + '_ {
        let flip_flops = self.netlist.flip_flops.len();
        let gate = slot.checked_sub(flip_flops).map(|gate| &self.netlist.gates[gate]);
        let operands = gate.map(|gate| gate.operands).unwrap_or_default();
        operands.into_iter().flatten().filter_map(move |operand| match operand {
            Operand::Input(_) => None,
            Operand::FlipFlop(number) => Some(number as usize),
            Operand::Gate(number) => Some(flip_flops + number as usize),
        })
    }

    fn has_labels(&self, slot: usize, clock: u64) -> bool {
        self.reads(slot).all(|read| self.ready[read].is_some_and(|ready| ready <= clock))
    }

    fn is_and(&self, slot: usize) -> bool {
        let gate = slot.checked_sub(self.netlist.flip_flops.len());
        gate.is_some_and(|gate| self.netlist.gates[gate].is_and)
    }

    fn latency(&self, slot: usize) -> u64 {
        if self.is_and(slot) { AND } else { FREE }
    }
}

/// One pipeline over a memory of two ports, each of which reads or writes a label a clock.
fn one_pipeline(netlist: &Netlist, first: bool, report: &mut Report) {
    let mut slots = Slots::new(netlist);
    // Labels on their way: the clock in which they come to the memory.
    let mut coming: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut waiting: VecDeque<usize> = VecDeque::new();
    let (mut next, mut clock) = (0, 0);
    while next < slots.len() || !coming.is_empty() || !waiting.is_empty() {
        while let Some(&Reverse((due, slot))) = coming.peek() {
            if due > clock {
                break;
            }
            coming.pop();
            waiting.push_back(slot);
        }
        let mut ports = 2;
        if next < slots.len() && slots.has_labels(next, clock) {
            if waiting.len() <= WAITING {
                ports -= port_reads(&slots, next, first);
                coming.push(Reverse((clock + slots.latency(next), next)));
                next += 1;
            } else {
                report.port_stalls += 1;
            }
        } else if next < slots.len() {
            report.dependency_stalls += 1;
        }
        for _ in 0..ports {
            let Some(slot) = waiting.pop_front() else { break };
            slots.ready[slot] = Some(clock + 1);
        }
        clock += 1;
    }
    report.clocks = clock;
}

/// Labels that a slot reads from the memory. A flip-flop copies one, in the first netlist cycle an input's.
fn port_reads(slots: &Slots, slot: usize, first: bool) -> usize {
    if slot < slots.netlist.flip_flops.len() {
        let next = slots.netlist.flip_flops[slot].next;
        let made = matches!(next, Some(Operand::Gate(_) | Operand::FlipFlop(_)));
        return usize::from(!first && made);
    }
    let mut reads: Vec<usize> = slots.reads(slot).collect();
    reads.dedup();
    reads.len()
}

/// Several pipelines over a live-value table, which has ports for all, and a cache, by which a label can be read
/// in the clock after the one that writes it (section 5.5).
fn several_pipelines(netlist: &Netlist, pipelines: usize, report: &mut Report) {
    let mut slots = Slots::new(netlist);
    let mut held: Vec<Option<usize>> =
        (0..pipelines).map(|p| (p < slots.len()).then_some(p)).collect();
    let (mut next, mut clock, mut last) = (pipelines, 0, 0);
    while held.iter().any(Option::is_some) {
        let mut taken: Vec<usize> =
            held.iter().flatten().copied().filter(|&slot| slots.has_labels(slot, clock)).collect();
        taken.sort_unstable();
        report.dependency_stalls += u64::from(taken.is_empty());
        for slot in taken {
            let written = clock + slots.latency(slot);
            slots.ready[slot] = Some(written + 1);
            last = last.max(written + 1);
            // The pipeline that had it takes the one after the latest of all.
            let pipeline = held.iter().position(|&held| held == Some(slot)).expect("held");
            held[pipeline] = (next < slots.len()).then_some(next);
            next += 1;
        }
        clock += 1;
    }
    report.clocks = last;
}
