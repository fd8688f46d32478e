//! A schedule, run clock by clock on the names of labels, through banks with their ports.
//!
//! Nothing in it knows what depends on what: each gate reads the words that its slot says, and a word that
//! does not hold the label of the gate and netlist cycle that the circuit wants is an error.

use super::SETUP;
use super::netlist::Netlist;
use super::schedule::Schedule;
use thiserror::Error;

/// What garbling takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Clocks, with set-up and until the last label is written.
    pub clocks: u64,
    /// Gates taken.
    pub gates: u64,
    /// Slots of the clocks in which gates were taken that stayed empty.
    pub empty_slots: u64,
    /// Reads that came from a gate in the clock in which it was written, by forwarding.
    pub forwarded: u64,
    /// Tables that were finished before one that comes earlier in the program's order.
    pub early_tables: u64,
}

/// A mistake in a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A gate reads a word that holds something else.
    #[error(
        "gate {gate} of netlist cycle {cycle} finds {found:?} in place of {wanted:?} (gate, netlist cycle)"
    )]
    Label {
        /// The reader.
        gate: usize,
        /// Its netlist cycle.
        cycle: u64,
        /// The gate and netlist cycle whose label it wants.
        wanted: (usize, u64),
        /// Those whose label is there.
        found: Option<(usize, u64)>,
    },
    /// A port is used twice in a clock.
    #[error("bank {bank}: a second {what} in clock {clock}")]
    Port {
        /// The bank.
        bank: u32,
        /// Read or write.
        what: &'static str,
        /// The clock, from the first gate's.
        clock: u64,
    },
    /// More gates are taken in a clock than there are slots.
    #[error("clock {clock} takes {ands} ANDs and {others} other gates, more than the machine can")]
    Slots {
        /// The clock.
        clock: u64,
        /// ANDs.
        ands: u32,
        /// Other gates.
        others: u32,
    },
}

/// Runs `cycles` netlist cycles.
///
/// # Errors
/// If the schedule is wrong.
pub fn run(netlist: &Netlist, schedule: &Schedule, cycles: u64) -> Result<Report, Fault> {
    Machine::new(netlist, schedule).run(cycles)
}

/// A gate in a word of the kernel.
struct Slot {
    gate: usize,
    stage: u64,
    /// What the circuit wants it to read: which operand, which gate, how many netlist cycles ago.
    wants: Vec<(usize, usize, u32)>,
}

struct Machine<'a> {
    netlist: &'a Netlist,
    schedule: &'a Schedule,
    /// The kernel: for each word the slots in it.
    kernel: Vec<Vec<Slot>>,
    /// For each bank what its words hold.
    banks: Vec<Vec<Option<(usize, u64)>>>,
    /// Labels on their way, by the clock in which they are written, modulo the longest way.
    coming: Vec<Vec<(usize, u64)>>,
    report: Report,
}

impl<'a> Machine<'a> {
    fn new(netlist: &'a Netlist, schedule: &'a Schedule) -> Machine<'a> {
        let interval = schedule.interval;
        let mut kernel: Vec<Vec<Slot>> = (0..interval).map(|_| Vec::new()).collect();
        for (gate, &time) in schedule.times.iter().enumerate() {
            let (stage, wants) = (u64::from(time / interval), netlist.reads(gate).collect());
            kernel[(time % interval) as usize].push(Slot { gate, stage, wants });
        }
        let banks = schedule.depths.iter().map(|&depth| vec![None; depth as usize]).collect();
        let longest = schedule.shape.and.max(schedule.shape.xor) as usize + 1;
        let coming = vec![Vec::new(); longest];
        Machine { netlist, schedule, kernel, banks, coming, report: Report::default() }
    }

    fn run(mut self, cycles: u64) -> Result<Report, Fault> {
        let interval = u64::from(self.schedule.interval);
        let length = u64::from(self.schedule.length(self.netlist));
        let last = cycles.saturating_sub(1) * interval + length;
        let mut next_table = Tables::default();
        for clock in 0..if cycles == 0 { 0 } else { last + 1 } {
            let written = self.write(clock)?;
            for &(gate, cycle) in &written {
                if self.netlist.gates[gate].is_and {
                    next_table.finish(cycle, gate, &mut self.report);
                }
            }
            self.take(clock, clock / interval, cycles, &written)?;
        }
        self.report.clocks = SETUP + last;
        Ok(self.report)
    }

    /// Writes what is due in this clock.
    fn write(&mut self, clock: u64) -> Result<Vec<(usize, u64)>, Fault> {
        let slot = (clock % self.coming.len() as u64) as usize;
        let due = std::mem::take(&mut self.coming[slot]);
        let mut used = vec![false; self.banks.len()];
        for &(gate, cycle) in &due {
            for place in &self.schedule.places[gate] {
                if std::mem::replace(&mut used[place.bank as usize], true) {
                    return Err(Fault::Port { bank: place.bank, what: "write", clock });
                }
                let word = u64::from(place.address) + cycle % u64::from(place.copies);
                self.banks[place.bank as usize][word as usize] = Some((gate, cycle));
            }
        }
        Ok(due)
    }

    /// Takes the gates of this clock's word whose netlist cycles there are.
    fn take(
        &mut self,
        clock: u64,
        round: u64,
        cycles: u64,
        written: &[(usize, u64)],
    ) -> Result<(), Fault> {
        let word = (clock % self.kernel.len() as u64) as usize;
        let (mut ands, mut others) = (0, 0);
        let mut reads: Vec<Option<usize>> = vec![None; self.banks.len()];
        for &Slot { gate, stage, ref wants } in &self.kernel[word] {
            let Some(cycle) = round.checked_sub(stage).filter(|&cycle| cycle < cycles) else {
                continue;
            };
            let is_and = self.netlist.gates[gate].is_and;
            *if is_and { &mut ands } else { &mut others } += 1;
            for &(number, read, ago) in wants {
                // Before the first netlist cycle there is what flip-flops start from, which is no gate's.
                let Some(of) = cycle.checked_sub(ago.into()) else { continue };
                let wanted = (read, of);
                let place = self.schedule.read_from[gate][number] as usize;
                let found = self.read(clock, wanted, place, &mut reads)?;
                if found != Some(wanted) {
                    return Err(Fault::Label { gate, cycle, wanted, found });
                }
                self.report.forwarded += u64::from(written.contains(&wanted));
            }
            let due = clock + u64::from(self.schedule.shape.latency(is_and));
            let slot = (due % self.coming.len() as u64) as usize;
            self.coming[slot].push((gate, cycle));
        }
        let shape = self.schedule.shape;
        let taken = ands + others;
        let slots = shape.pipelines * (shape.xors + 1);
        let fits = ands <= shape.pipelines
            && (shape.xors == 0 || others <= shape.pipelines * shape.xors)
            && taken <= slots;
        if !fits {
            return Err(Fault::Slots { clock, ands, others });
        }
        self.report.gates += u64::from(taken);
        self.report.empty_slots += u64::from(slots - taken);
        Ok(())
    }

    /// What the word holds in which a label should be. A bank reads one word a clock.
    fn read(
        &self,
        clock: u64,
        (gate, cycle): (usize, u64),
        place: usize,
        reads: &mut [Option<usize>],
    ) -> Result<Option<(usize, u64)>, Fault> {
        let Some(place) = self.schedule.places[gate].get(place) else { return Ok(None) };
        let word = place.address as usize + (cycle % u64::from(place.copies)) as usize;
        match reads[place.bank as usize].replace(word) {
            Some(other) if other != word => {
                Err(Fault::Port { bank: place.bank, what: "read", clock })
            }
            _ => Ok(self.banks[place.bank as usize][word]),
        }
    }
}

/// The order in which tables are finished, beside the program's.
#[derive(Default)]
struct Tables {
    latest: Option<(u64, usize)>,
}

impl Tables {
    fn finish(&mut self, cycle: u64, gate: usize, report: &mut Report) {
        let this = (cycle, gate);
        if self.latest.is_some_and(|latest| this < latest) {
            report.early_tables += 1;
        } else {
            self.latest = Some(this);
        }
    }
}
