//! Assigns labels to banks so that no port is used twice in a clock cycle.
//!
//! The schedule determines the ports that a label needs: a write when it is made, and a read for
//! each gate that reads it. Each use is in one word of the kernel. So this is a colouring: labels
//! that need the same port in the same word need different banks. Each label takes a bank whose
//! ports are free, or else the bank with the fewest conflicting labels, which are then assigned
//! again.

use super::super::Netlist;
use super::super::netlist::OPERANDS;
use super::{PLACES, Place, Shape};

/// Maximum number of evictions, per label, before the schedule is given up.
const MOVES: usize = 30;

/// Labels with more reads than this are not spread over banks.
const SPREAD: usize = 8;

/// The places of all gates' labels.
pub(super) struct Places {
    /// The places of each gate's label.
    pub(super) of_gates: Vec<Vec<Place>>,
    /// For each gate and operand the index of the place that it reads.
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
    // Labels that need many ports first, because they fit the fewest banks.
    let mut waiting: Vec<u32> = (0..labels.len() as u32).collect();
    waiting.sort_by_key(|&label| labels[label as usize].reads.len());
    let mut budget = waiting.len() * MOVES;
    let mut turn = 0;
    while let Some(label) = waiting.pop() {
        let wanted = &labels[label as usize];
        // Starts with another bank each time, which spreads labels evenly. Labels with many reads
        // all start with bank 0, because each of them conflicts with most others.
        let first = if wanted.reads.len() > SPREAD { 0 } else { turn };
        turn = (turn + 1) % shape.banks;
        let order = (0..shape.banks).map(|bank| (bank + first) % shape.banks);
        let bank = order.min_by_key(|&bank| ports.in_the_way(bank, wanted).count())?;
        let sent_away: Vec<u32> = ports.in_the_way(bank, wanted).collect();
        for other in sent_away {
            budget = budget.checked_sub(1)?;
            // A label that conflicts on several ports occurs several times.
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

/// Places each label once for every operand position: in a bank for first operands, one for second
/// operands and, if there are any, one for third ones. Labels of ANDs and of other gates have
/// separate banks. If one gate is taken per clock cycle and netlist cycles do not overlap, ports
/// never collide.
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

/// A label, and the ports that it needs, as words of the kernel.
struct Label {
    gate: usize,
    write: u32,
    reads: Vec<u32>,
    /// The clock cycle of its write, and of its last read, counted from the start of its netlist
    /// cycle.
    written: u64,
    last: u64,
}

impl Label {
    /// Number of words for it. A word is overwritten as many intervals later as there are words,
    /// and not before the clock cycle after its last read. It is a power of two, so that the
    /// machine uses the low bits of the netlist cycle.
    fn copies(&self, interval: u32) -> u32 {
        let intervals = (self.last - self.written) / u64::from(interval) + 1;
        (intervals as u32).next_power_of_two()
    }
}

/// Lists the labels of gates that are read, those of one gate next to each other. Also returns,
/// for each operand, the index of the label that it reads.
///
/// A gate has two labels where two of its netlist cycles are read in the same clock cycle, because
/// a bank has a single read port. Both are written at once.
fn labels(
    netlist: &Netlist,
    shape: Shape,
    interval: u32,
    times: &[u32],
) -> (Vec<Label>, Vec<[u32; OPERANDS]>) {
    let mut read_from = vec![[0; OPERANDS]; times.len()];
    // For each gate its readers, with the clock cycle counted from the gate's own netlist cycle.
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
            // A label that is read in this clock cycle anyway, or else one whose read port is
            // free.
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
            // Readers are sorted by clock cycle.
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

    /// The labels that use ports of `bank` that `wants` needs.
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
