//! Modulo scheduling: assigns a time to each gate of a body, so that netlist cycles overlap and no
//! gate ever waits for a label.
//!
//! A schedule gives each gate a clock cycle within its netlist cycle, and every netlist cycle
//! starts `interval` clock cycles after the previous one. So the machine repeats a kernel of
//! `interval` words. In a word, each issue slot has a gate and that gate's *stage*: how many
//! netlist cycles have started since the gate's own.
//!
//! The interval has two lower bounds: the number of gates divided by that of issue slots, and the
//! length of each loop through flip-flops, because the next netlist cycle needs the labels of the
//! loop. The scheduler tries intervals from the bound up (Rau, "Iterative modulo scheduling",
//! 1994). It places gates in order of height, that is the length of the longest path after the
//! gate. Each gate takes the first free issue slot after its operands are ready, or evicts another
//! gate if no slot is free.
//!
//! A label may be read many clock cycles after it was made, while its gate already runs for later
//! netlist cycles. So each label has several consecutive words, one for each interval that passes
//! until its last read. `banks` places labels so that ports never collide.

mod banks;
mod graph;
mod place;

use super::Netlist;
use super::netlist::OPERANDS;
use graph::Graph;
use halfgate_model::{Exceeded, Resource};

/// The shape of a scheduled machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of pipelines.
    pub pipelines: u32,
    /// XORs that a pipeline takes per clock cycle beside an AND. 0 if a pipeline takes one gate of
    /// either kind per clock cycle.
    pub xors: u32,
    /// Banks of the label memory. A bank has one read and one write per clock cycle.
    pub banks: u32,
    /// Clock cycles from taking an AND to the first clock cycle in which its label can be read.
    pub and: u32,
    /// Clock cycles from taking another gate to the first clock cycle in which its label can be
    /// read.
    pub xor: u32,
    /// Clock cycles from the one in which an input label begins to be made (in an evaluator: is
    /// taken from the host) to the first clock cycle in which it can be read.
    pub input: u32,
    /// Clock cycles from one AND of a pipeline to the next: 1, or more for units without pipeline
    /// stages.
    pub every: u32,
}

impl Shape {
    /// A machine that takes one gate of any kind per pipeline and clock cycle. An AND takes 11
    /// clock cycles of execution between the stages that read and write, as published. A label can
    /// be read as soon as it is made, by forwarding.
    pub fn best(pipelines: u32) -> Shape {
        Shape { pipelines, xors: 0, banks: 8 * pipelines, and: 12, xor: 1, input: 11, every: 1 }
    }

    /// A machine that takes an AND and two XORs per pipeline and clock cycle.
    pub fn wide(pipelines: u32) -> Shape {
        Shape { xors: 2, banks: 16 * pipelines, ..Shape::best(pipelines) }
    }

    /// The machine's name: `fase-2`, `fase-wide-2`.
    pub fn name(&self) -> String {
        let wide = if self.xors == 0 { "" } else { "wide-" };
        format!("fase-{wide}{}", self.pipelines)
    }

    /// Returns the machine of this name. There are up to eight pipelines, or four wide ones,
    /// because words address 64 banks.
    pub fn named(name: &str) -> Option<Shape> {
        let shape = match name.strip_prefix("fase-wide-") {
            Some(pipelines) => Shape::wide(pipelines.parse().ok().filter(|&count| count <= 4)?),
            None => {
                Shape::best(name.strip_prefix("fase-")?.parse().ok().filter(|&count| count <= 8)?)
            }
        };
        (shape.pipelines > 0 && shape.name() == name).then_some(shape)
    }

    /// Clock cycles from taking a gate to the first clock cycle in which its label can be read.
    pub fn latency(&self, is_and: bool) -> u32 {
        if is_and { self.and } else { self.xor }
    }

    /// Gates that are taken per clock cycle.
    pub fn all_slots(&self) -> usize {
        (self.pipelines * (self.xors + 1)) as usize
    }

    /// Whether a slot takes gates of a kind. In wide machines the slots of a pipeline are
    /// consecutive, and the slot for ANDs is the first.
    pub fn takes(&self, slot: usize, is_and: bool) -> bool {
        self.xors == 0 || slot.is_multiple_of(self.xors as usize + 1) == is_and
    }

    /// Numbers of ANDs, of other gates, and of gates of either kind that can be taken per clock
    /// cycle.
    fn slots(&self) -> [u32; 3] {
        match self.xors {
            0 => [self.pipelines; 3],
            xors => [self.pipelines, self.pipelines * xors, self.pipelines * (xors + 1)],
        }
    }
}

/// The times of a body's gates, and the places of their labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The machine for which the schedule was made.
    pub shape: Shape,
    /// Clock cycles from a netlist cycle to the next.
    pub interval: u32,
    /// For each gate, the clock cycle of its netlist cycle in which it is taken.
    pub times: Vec<u32>,
    /// For each gate the places to which its label is written. There is usually one place; none if
    /// nothing reads the label; [`PLACES`] if labels of two netlist cycles are read in the same
    /// clock cycle; and one per operand position in a serial schedule.
    pub places: Vec<Vec<Place>>,
    /// For each gate and operand: the index, among the places of the label, of the place that is
    /// read.
    pub read_from: Vec<[u32; OPERANDS]>,
    /// The smallest interval that slots and loops allow.
    pub bound: u32,
    /// Words used in each bank.
    pub depths: Vec<u32>,
}

/// The place of a gate's labels: consecutive words of a bank, used for consecutive netlist cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The bank.
    pub bank: u32,
    /// The first of the words.
    pub address: u32,
    /// Number of words. The label of netlist cycle `c` is at `address + c % copies`.
    pub copies: u32,
}

impl Schedule {
    /// Returns the schedule with the fewest clock cycles that was found for `cycles` netlist
    /// cycles.
    ///
    /// Memory: some hundred bytes per gate of the body, and 16 bytes per kernel word and bank.
    ///
    /// # Errors
    /// If there are more than [`Schedule::GATES`] gates.
    pub fn of(netlist: &Netlist, shape: Shape, cycles: u64) -> Result<Schedule, Exceeded> {
        Exceeded::check(Resource::Gates, netlist.gates.len() as u64, Schedule::GATES as u64)?;
        let graph = Graph::new(netlist, shape);
        let bound = graph.least_interval(slots_bound(netlist, shape));
        let mut best: Option<Schedule> = None;
        let clocks = |schedule: &Schedule| schedule.clocks(netlist, cycles);
        let mut interval = bound;
        // In an interval of this length a netlist cycle fits as a whole (Graham's bound of list
        // schedules).
        let whole = serial_bound(netlist, shape);
        let mut tried = 0;
        loop {
            // A single netlist cycle has nothing to overlap with.
            if cycles <= 1 || tried > TRIES {
                interval = interval.max(whole);
            }
            if tried > TRIES + MORE_TRIES {
                return Ok(Schedule::serial(netlist, &graph, shape, bound));
            }
            let ways = [place::by_clock, place::by_height, place::afresh];
            let mut is_placed = false;
            for (number, way) in ways.iter().take(if interval >= whole { 1 } else { 3 }).enumerate()
            {
                // The third way is tried only if the other two find no times.
                if number == 2 && is_placed {
                    continue;
                }
                let Some(times) = way(netlist, &graph, shape, interval) else { continue };
                is_placed = true;
                let Some(found) = banks::places(netlist, shape, interval, &times) else { continue };
                let banks::Places { of_gates: places, read_from, depths } = found;
                let schedule =
                    Schedule { shape, interval, times, places, read_from, bound, depths };
                if best.as_ref().is_none_or(|best| clocks(&schedule) < clocks(best)) {
                    best = Some(schedule);
                }
            }
            tried += 1;
            // The interval grows by 1 %, at least by 1, until the starts of all netlist cycles
            // alone take as long as the best schedule.
            interval += (interval / 100).max(1);
            let rest = u64::from(interval).saturating_mul(cycles.saturating_sub(1));
            match best.take() {
                Some(schedule) if interval > whole || rest >= clocks(&schedule) => {
                    return Ok(schedule);
                }
                other => best = other,
            }
        }
    }

    /// Returns a schedule without overlap: each netlist cycle ends before the next starts.
    ///
    /// # Errors
    /// As [`Schedule::of`].
    pub fn apart(netlist: &Netlist, shape: Shape) -> Result<Schedule, Exceeded> {
        Exceeded::check(Resource::Gates, netlist.gates.len() as u64, Schedule::GATES as u64)?;
        let graph = Graph::new(netlist, shape);
        let whole = serial_bound(netlist, shape);
        let serial = || Schedule::serial(netlist, &graph, shape, 1).with_space(netlist);
        let Some(times) = place::by_clock(netlist, &graph, shape, whole) else {
            return Ok(serial());
        };
        let mut schedule = Schedule {
            shape,
            interval: 0,
            times,
            places: Vec::new(),
            read_from: Vec::new(),
            bound: 1,
            depths: Vec::new(),
        };
        schedule = schedule.with_space(netlist);
        let found = banks::places(netlist, shape, schedule.interval, &schedule.times);
        let Some(banks::Places { of_gates: places, read_from, depths }) = found else {
            return Ok(serial());
        };
        Ok(Schedule { places, read_from, depths, ..schedule })
    }

    /// Sets an interval that covers a whole netlist cycle, with its input labels and its last
    /// gate's label.
    fn with_space(self, netlist: &Netlist) -> Schedule {
        let inputs = match netlist.each_cycle() as u32 {
            0 => 0,
            count => count + self.shape.input,
        };
        // The host must have the last label of a netlist cycle before the machine can wait for the
        // host in the next netlist cycle.
        let interval = (self.length(netlist) + inputs).max(self.interval) + 1;
        Schedule { interval: interval.next_multiple_of(self.shape.every), ..self }
    }

    /// Makes a serial schedule, which always exists: it runs one gate after another, and has banks
    /// for each operand position.
    fn serial(netlist: &Netlist, graph: &Graph, shape: Shape, bound: u32) -> Schedule {
        let times = place::one_by_one(netlist, graph, shape);
        let interval = times.last().map_or(0, |last| last + shape.and.max(shape.xor)).max(bound);
        let banks::Places { of_gates: places, read_from, depths } =
            banks::by_operand(netlist, shape, interval, &times);
        Schedule { shape, interval, times, places, read_from, bound, depths }
    }

    /// Clock cycles of `cycles` netlist cycles, from the first gate to the last label.
    pub fn clocks(&self, netlist: &Netlist, cycles: u64) -> u64 {
        let Some(before) = cycles.checked_sub(1) else { return 0 };
        let before = u64::from(self.interval).saturating_mul(before);
        before.saturating_add(self.length(netlist).into())
    }

    /// Limit on the gates of a body: 2^20. (The published machine has 2^13.)
    pub const GATES: usize = 1 << 20;

    /// Clock cycles of one netlist cycle, until the last label is written.
    pub fn length(&self, netlist: &Netlist) -> u32 {
        let ends = self.times.iter().zip(&netlist.gates);
        ends.map(|(&time, gate)| time + self.shape.latency(gate.is_and)).max().unwrap_or(0)
    }
}

/// The smallest interval that slots allow.
fn slots_bound(netlist: &Netlist, shape: Shape) -> u32 {
    let ands = netlist.ands() as u32;
    let all = netlist.gates.len() as u32;
    let counts = [ands * shape.every, all - ands, all];
    let needed = counts.iter().zip(shape.slots()).map(|(count, slots)| count.div_ceil(slots));
    // One input label is made per clock cycle.
    needed.max().unwrap_or(0).max(netlist.each_cycle() as u32).max(1)
}

/// Clock cycles within which any list schedule of one netlist cycle ends.
fn serial_bound(netlist: &Netlist, shape: Shape) -> u32 {
    let ands = netlist.ands() as u32;
    let others = netlist.gates.len() as u32 - ands;
    let [and_slots, other_slots, _] = shape.slots();
    let path = netlist.critical_path(1, shape.and.into(), shape.xor.into()) as u32;
    let whole =
        (ands.div_ceil(and_slots) + path) * shape.every + others.div_ceil(other_slots) + shape.and;
    whole.next_multiple_of(shape.every)
}

/// The largest number of places to which a gate's label is written, except in a serial schedule.
pub const PLACES: usize = 2;

/// Number of intervals that are tried after [`TRIES`], each long enough for a whole netlist cycle.
/// If no assignment of banks is found for any of them, the schedule becomes serial.
const MORE_TRIES: u32 = 20;

/// Number of intervals, from the lower bound up, that are tried first.
const TRIES: u32 = 60;
