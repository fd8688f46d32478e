//! Assigns labels to banks so that no port is used twice in a clock cycle.
//!
//! The schedule determines the ports that a label needs: a write port when it is made, and a read
//! port for each gate that reads it. Each use of a port falls into one word of the kernel. Labels
//! that need the same port in the same word need different banks, so the assignment is a graph
//! colouring. Each label takes a bank whose ports are free. If there is none, it takes the bank
//! with the fewest conflicting labels, and evicts these, which are then assigned again.

use super::super::Netlist;
use super::super::netlist::OPERANDS;
use super::{PLACES, Place, Shape};

/// Maximum number of evictions, per label. After that, no assignment is found for the schedule.
const MOVES: usize = 30;

/// Labels with more reads than this are not spread over banks.
const SPREAD: usize = 8;

/// The places of all gates' labels.
pub(super) struct Places {
    /// The places of each gate's label.
    pub(super) of_gates: Vec<Vec<Place>>,
    /// For each gate and operand: the index, among the places of the label, of the place that is
    /// read.
    pub(super) read_from: Vec<[u32; OPERANDS]>,
    /// Words that each bank needs.
    pub(super) depths: Vec<u32>,
}

/// Finds places for all labels, or returns `None`.
pub(super) fn places(
    netlist: &Netlist,
    shape: Shape,
    interval: u32,
    times: &[u32],
) -> Option<Places> {
    let (labels, read_from) = labels(netlist, shape, interval, times);
    let mut ports = Ports::new(shape.banks, interval);
    let mut banks: Vec<Option<u32>> = vec![None; labels.len()];
    // Labels that need many ports come first (the last entry is taken first), because they fit the
    // fewest banks.
    let mut waiting: Vec<u32> = (0..labels.len() as u32).collect();
    waiting.sort_by_key(|&label| labels[label as usize].reads.len());
    let mut budget = waiting.len() * MOVES;
    let mut turn = 0;
    while let Some(label) = waiting.pop() {
        let wanted = &labels[label as usize];
        // The search starts with another bank for each label, which spreads labels evenly. For
        // labels with many reads it starts with bank 0, because each of them conflicts with most
        // other labels.
        let first = if wanted.reads.len() > SPREAD { 0 } else { turn };
        turn = (turn + 1) % shape.banks;
        let order = (0..shape.banks).map(|bank| (bank + first) % shape.banks);
        let bank = order.min_by_key(|&bank| ports.in_the_way(bank, wanted).count())?;
        let sent_away: Vec<u32> = ports.in_the_way(bank, wanted).collect();
        for other in sent_away {
            budget = budget.checked_sub(1)?;
            // A label that conflicts on several ports occurs several times in the list.
            if banks[other as usize].take().is_some() {
                ports.set(bank, &labels[other as usize], None);
                waiting.push(other);
            }
        }
        ports.set(bank, wanted, Some(label));
        banks[label as usize] = Some(bank);
    }
    let mut depths = vec![0; shape.banks as usize];
    let mut of_gates = vec![Vec::new(); times.len()];
    for (label, bank) in labels.iter().zip(banks) {
        let bank = bank?;
        let depth: &mut u32 = &mut depths[bank as usize];
        let copies = label.copies(interval);
        if of_gates[label.gate].len() == PLACES {
            return None;
        }
        of_gates[label.gate].push(Place { bank, address: *depth, copies });
        *depth += copies;
    }
    Some(Places { of_gates, read_from, depths })
}

/// Places each label once for every operand position: in a bank for first operands, in a bank for
/// second operands and, if the netlist has third operands, in a bank for these. Labels of ANDs and
/// labels of other gates have separate banks. Ports never collide if one gate is taken per clock
/// cycle and netlist cycles do not overlap.
pub(super) fn by_operand(netlist: &Netlist, shape: Shape, interval: u32, times: &[u32]) -> Places {
    let mut read_from = vec![[0; OPERANDS]; times.len()];
    let mut last: Vec<Option<u64>> = vec![None; times.len()];
    for (reader, &time) in times.iter().enumerate() {
        for (operand, gate, ago) in netlist.reads(reader) {
            let clock = u64::from(time) + u64::from(ago) * u64::from(interval);
            last[gate] = last[gate].max(Some(clock));
            read_from[reader][operand] = operand as u32;
        }
    }
    let has_third = netlist.gates.iter().any(|gate| gate.operands[2].is_some());
    let operands = if has_third { 3 } else { 2 };
    let mut depths = vec![0; shape.banks as usize];
    let mut of_gates = vec![Vec::new(); times.len()];
    for (gate, last) in last.into_iter().enumerate() {
        let Some(last) = last else { continue };
        let is_and = netlist.gates[gate].is_and;
        let written = u64::from(times[gate] + shape.latency(is_and));
        let label = Label { gate, write: 0, reads: Vec::new(), written, last };
        let first = if is_and { 0 } else { operands };
        for bank in first..first + operands {
            let depth: &mut u32 = &mut depths[bank as usize];
            let copies = label.copies(interval);
            of_gates[gate].push(Place { bank, address: *depth, copies });
            *depth += copies;
        }
    }
    Places { of_gates, read_from, depths }
}

/// A label, and the words of the kernel in which it needs a write port and read ports.
struct Label {
    gate: usize,
    write: u32,
    reads: Vec<u32>,
    /// The clock cycle of the label's write, and that of its last read, counted from the start of
    /// the netlist cycle that makes the label.
    written: u64,
    last: u64,
}

impl Label {
    /// Number of words for the label. With n words, a word is overwritten n intervals after its
    /// write. That must be at least one clock cycle after its last read. The number is a power of
    /// two, so that the machine can use the low bits of the netlist cycle as index.
    fn copies(&self, interval: u32) -> u32 {
        let intervals = (self.last - self.written) / u64::from(interval) + 1;
        (intervals as u32).next_power_of_two()
    }
}

/// Lists the labels of all gates that are read. Labels of one gate are next to each other. Also
/// returns, for each operand, the index of the label that it reads, among the labels of that gate.
///
/// If labels of two netlist cycles of a gate are read in the same clock cycle, the gate has two
/// labels here, because a bank has a single read port. Both are written at once.
fn labels(
    netlist: &Netlist,
    shape: Shape,
    interval: u32,
    times: &[u32],
) -> (Vec<Label>, Vec<[u32; OPERANDS]>) {
    let mut read_from = vec![[0; OPERANDS]; times.len()];
    // For each gate its readers: clock cycle of the read, counted from the start of the netlist
    // cycle of the gate that is read; reader; operand.
    let mut readers: Vec<Vec<(u64, usize, usize)>> = vec![Vec::new(); times.len()];
    for (reader, &time) in times.iter().enumerate() {
        for (operand, gate, ago) in netlist.reads(reader) {
            let clock = u64::from(time) + u64::from(ago) * u64::from(interval);
            readers[gate].push((clock, reader, operand));
        }
    }
    let mut labels: Vec<Label> = Vec::new();
    for (gate, mut readers) in readers.into_iter().enumerate() {
        let written = times[gate] + shape.latency(netlist.gates[gate].is_and);
        readers.sort_unstable();
        let first = labels.len();
        for (clock, reader, operand) in readers {
            let word = (clock % u64::from(interval)) as u32;
            // Prefers a label that is already read in this clock cycle, else takes one whose read
            // port is free in this word.
            let own = &labels[first..];
            let same = own.iter().position(|label| label.last == clock);
            let at = same.or_else(|| own.iter().position(|label| !label.reads.contains(&word)));
            let at = at.unwrap_or(own.len());
            if at == own.len() {
                let (write, written) = (written % interval, written.into());
                labels.push(Label { gate, write, reads: Vec::new(), written, last: clock });
            }
            let label = &mut labels[first + at];
            if !label.reads.contains(&word) {
                label.reads.push(word);
            }
            // Readers are sorted by clock cycle, so this read is the last one so far.
            label.last = clock;
            read_from[reader][operand] = at as u32;
        }
    }
    (labels, read_from)
}

/// The label that uses each port in each word of the kernel.
struct Ports {
    interval: usize,
    reads: Vec<Option<u32>>,
    writes: Vec<Option<u32>>,
}

impl Ports {
    fn new(banks: u32, interval: u32) -> Ports {
        let interval = interval as usize;
        let all = banks as usize * interval;
        Ports { interval, reads: vec![None; all], writes: vec![None; all] }
    }

    /// The labels that use those ports of `bank` that `wants` needs.
    fn in_the_way<'a>(&'a self, bank: u32, wants: &'a Label) -> impl Iterator<Item = u32> + 'a {
        let first = bank as usize * self.interval;
        let reads = wants.reads.iter().filter_map(move |&word| self.reads[first + word as usize]);
        reads.chain(self.writes[first + wants.write as usize])
    }

    fn set(&mut self, bank: u32, wants: &Label, to: Option<u32>) {
        let first = bank as usize * self.interval;
        for &word in &wants.reads {
            self.reads[first + word as usize] = to;
        }
        self.writes[first + wants.write as usize] = to;
    }
}
