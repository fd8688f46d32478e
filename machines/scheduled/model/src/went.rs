//! Breaks down the clock cycles of a machine's slots by cause.

use super::Code;
use super::body::{Maker, Resolved};

/// Clock cycles of all issue slots by cause. Every clock cycle of every slot is counted under
/// exactly one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// An AND was taken.
    pub and: u64,
    /// Another gate was taken.
    pub other: u64,
    /// No gate for the slot had its operands.
    pub operands: u64,
    /// A gate had its operands, but no bank port was free, or the scheduler put the gate later.
    pub ports: u64,
    /// An AND had its operands, but the slot was still busy with the previous one.
    pub busy: u64,
    /// The slot's gate belonged to a netlist cycle that had not started, or was over.
    pub overlap: u64,
    /// Clock cycles before the first word, for keys and the first input labels.
    pub start: u64,
    /// Clock cycles after the last word, until the last label was made.
    pub end: u64,
}

impl Went {
    /// Breaks down a run of `cycles` netlist cycles.
    pub fn of(code: &Code, cycles: u64) -> Went {
        let (slots, interval) = (code.shape.all_slots() as u64, code.interval());
        let (clocks, taken, delay) =
            (code.clocks(cycles), code.taken_words(cycles), u64::from(code.delay));
        if taken == 0 {
            return Went { end: slots * clocks, ..Went::default() };
        }
        let mut went =
            Went { start: slots * delay, end: slots * (clocks - delay - taken), ..Went::default() };
        let waiting = Waiting::of(code);
        for (number, word) in (0..).zip(&code.words) {
            let times = taken / interval + u64::from(number < taken % interval);
            for (place, slot) in word.slots.iter().enumerate() {
                let Some(slot) = slot else {
                    *went.cause_of_empty(code, &waiting, number as usize, place) += times;
                    continue;
                };
                let gates = if slot.is_and { &mut went.and } else { &mut went.other };
                *gates += cycles;
                went.overlap += times - cycles;
            }
        }
        went
    }

    /// Returns the counter of the cause for which a slot is empty in a word.
    fn cause_of_empty(
        &mut self,
        code: &Code,
        waiting: &Waiting,
        word: usize,
        slot: usize,
    ) -> &mut u64 {
        let waits = |is_and: bool| {
            code.shape.takes(slot, is_and) && waiting.kinds[usize::from(is_and)][word]
        };
        let words = code.words.len();
        let is_at_work = || {
            (1..code.shape.every as usize).any(|ago| {
                let before = &code.words[(word + ago * (words - 1)) % words].slots[slot];
                before.as_ref().is_some_and(|slot| slot.is_and)
            })
        };
        match (waits(false), waits(true)) {
            (true, _) => &mut self.ports,
            (false, true) if is_at_work() => &mut self.busy,
            (false, true) => &mut self.ports,
            (false, false) => &mut self.operands,
        }
    }

    /// All causes with their names, in the order of the fields.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("and", self.and),
            ("other", self.other),
            ("operands", self.operands),
            ("ports", self.ports),
            ("busy", self.busy),
            ("overlap", self.overlap),
            ("start", self.start),
            ("end", self.end),
        ]
    }

    /// The total.
    pub fn sum(&self) -> u64 {
        self.named().iter().map(|(_, clocks)| clocks).sum()
    }
}

/// For XORs and copies (0) and for ANDs (1): whether, in each word of the kernel, some gate has its
/// operands but is taken later.
struct Waiting {
    kinds: [Vec<bool>; 2],
}

impl Waiting {
    fn of(code: &Code) -> Waiting {
        let (netlist, times) = (&code.body.netlist, &code.schedule.times);
        let interval = code.words.len() as i64;
        // Words count from the start of the first input label, times count from the first gate.
        // `shift` is the difference.
        let mut shift = 0;
        for (number, word) in (0..).zip(&code.words) {
            if let Some(slot) = word.slots.iter().flatten().next() {
                let taken = number + i64::from(slot.stage) * interval;
                shift = taken - i64::from(times[slot.gate as usize]);
                break;
            }
        }
        // For each word the number of gates that begin to wait in it, minus the number of waiting
        // gates that are taken. The sums below are the numbers of gates that wait.
        let mut changes = [(); 2].map(|()| vec![0_i64; code.words.len()]);
        for (gate, &time) in netlist.gates.iter().zip(times) {
            let ready = gate.operands.iter().flatten().map(|&operand| {
                let read = Resolved::of(netlist, operand);
                let Maker::Gate(made) = read.maker else { return 0 };
                let is_and = netlist.gates[made as usize].is_and;
                let there = times[made as usize] + code.shape.latency(is_and);
                i64::from(there) - i64::from(read.ago()) * interval
            });
            let (ready, time) = (ready.max().unwrap_or(0).max(0), i64::from(time));
            let changes = &mut changes[usize::from(gate.is_and)];
            let rounds = (time - ready) / interval;
            let [from, to] =
                [ready, time].map(|clock| (clock + shift).rem_euclid(interval) as usize);
            changes[from] += 1;
            changes[to] -= 1;
            // A gate that waits for whole rounds waits in all words of each of them. A gate that
            // waits beyond the last word also waits from word 0 on.
            changes[0] += rounds + i64::from(to < from);
        }
        let waits = |changes: Vec<i64>| {
            let mut waiting = 0;
            let sums = changes.into_iter().map(|change| {
                waiting += change;
                waiting > 0
            });
            sums.collect()
        };
        Waiting { kinds: changes.map(waits) }
    }
}
