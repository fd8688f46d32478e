//! Modulo scheduling: when each gate of a body runs, so that netlist cycles overlap and nothing ever waits.
//!
//! A schedule gives each gate a clock within its netlist cycle, and every netlist cycle runs `interval` clocks
//! after the one before. So the machine repeats a kernel of `interval` words, in which each slot has a gate and
//! says of which netlist cycle, counted back from the latest, the gate is (its *stage*).
//!
//! Two bounds say how short the interval can be: gates over slots, and each loop through flip-flops, whose
//! gates must be done when the next round needs them. From there on intervals are tried (Rau, "Iterative modulo
//! scheduling", 1994): gates in the order of how much depends on them, each in the first free slot from
//! where its operands are there; one that finds none takes a slot away from others.
//!
//! A label is read many clocks after it was made while its gate runs again, so each has as many places, one
//! after the other, as intervals pass in between. `banks` puts them where ports never collide.

mod banks;
mod graph;
mod place;

use super::Netlist;
use super::netlist::OPERANDS;
use graph::Graph;
use halfgate_model::{Exceeded, Resource};

/// A machine for schedules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Pipelines.
    pub pipelines: u32,
    /// XORs that a pipeline takes in a clock beside an AND; 0 if it takes one gate of either kind.
    pub xors: u32,
    /// Banks of the label memory: each one read and one write a clock.
    pub banks: u32,
    /// Clocks from the one in which an AND is taken to the first in which its label can be read.
    pub and: u32,
    /// The same for other gates.
    pub xor: u32,
    /// The same for input labels, from the clock in which one begins to be made, or is taken.
    pub input: u32,
    /// Clocks from an AND that a pipeline takes to the next: 1 but for units without stages.
    pub every: u32,
}

impl Shape {
    /// One gate of any kind a pipeline a clock. An AND takes 11 clocks of execution between the stages that
    /// read and write, as published; a label can be read as soon as it is made, by forwarding.
    pub fn best(pipelines: u32) -> Shape {
        Shape { pipelines, xors: 0, banks: 8 * pipelines, and: 12, xor: 1, input: 11, every: 1 }
    }

    /// An AND and two XORs a pipeline a clock.
    pub fn wide(pipelines: u32) -> Shape {
        Shape { xors: 2, banks: 16 * pipelines, ..Shape::best(pipelines) }
    }

    /// The machine's name: `fase-2`, `fase-wide-2`.
    pub fn name(&self) -> String {
        let wide = if self.xors == 0 { "" } else { "wide-" };
        format!("fase-{wide}{}", self.pipelines)
    }

    /// The machine of this name: up to eight pipelines, four wide ones, as words name 64 banks.
    pub fn named(name: &str) -> Option<Shape> {
        let shape = match name.strip_prefix("fase-wide-") {
            Some(pipelines) => Shape::wide(pipelines.parse().ok().filter(|&count| count <= 4)?),
            None => {
                Shape::best(name.strip_prefix("fase-")?.parse().ok().filter(|&count| count <= 8)?)
            }
        };
        (shape.pipelines > 0 && shape.name() == name).then_some(shape)
    }

    /// Clocks until the label of a gate can be read.
    pub fn latency(&self, is_and: bool) -> u32 {
        if is_and { self.and } else { self.xor }
    }

    /// Gates that are taken in a clock.
    pub fn all_slots(&self) -> usize {
        (self.pipelines * (self.xors + 1)) as usize
    }

    /// Whether a slot takes gates of a kind: where slots have one, those of a pipeline follow one another, that
    /// for ANDs first.
    pub fn takes(&self, slot: usize, is_and: bool) -> bool {
        self.xors == 0 || slot.is_multiple_of(self.xors as usize + 1) == is_and
    }

    /// ANDs, other gates, and gates of either kind that can be taken in a clock.
    fn slots(&self) -> [u32; 3] {
        match self.xors {
            0 => [self.pipelines; 3],
            xors => [self.pipelines, self.pipelines * xors, self.pipelines * (xors + 1)],
        }
    }
}

/// When the gates of a body run, and where their labels lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The machine that it is for.
    pub shape: Shape,
    /// Clocks from a netlist cycle to the next.
    pub interval: u32,
    /// For each gate, the clock of its netlist cycle in which it is taken.
    pub times: Vec<u32>,
    /// For each gate where its labels are written: nowhere if nothing reads them, to [`PLACES`] banks if labels of
    /// two netlist cycles are read in the same clock, and to as many as there are operands where gates run one by one.
    pub places: Vec<Vec<Place>>,
    /// For each gate and operand, which of these places of the gate that it reads.
    pub read_from: Vec<[u32; OPERANDS]>,
    /// The least interval that gates over slots and loops allow.
    pub bound: u32,
    /// Words of each bank that are in use.
    pub depths: Vec<u32>,
}

/// Where a gate's labels lie, one netlist cycle's after the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The bank.
    pub bank: u32,
    /// The first of its words.
    pub address: u32,
    /// How many words: netlist cycle `c` has the one at `address + c % copies`.
    pub copies: u32,
}

impl Schedule {
    /// The schedule by which `cycles` netlist cycles take the fewest clocks, of those that were tried.
    ///
    /// Memory: some hundred bytes a gate of the body, and for each word of the kernel 16 bytes a bank.
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
        // In this many clocks a netlist cycle has room for all of itself (Graham's bound of list schedules).
        let whole = serial_bound(netlist, shape);
        let mut tried = 0;
        loop {
            // A netlist cycle that is alone has nothing to overlap with.
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
                // The last is for intervals for which the others find nothing.
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
            // A hundredth more room each time, one clock at least, until that alone takes longer.
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

    /// A schedule in which netlist cycles do not overlap: all of one is done before anything of the next begins.
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

    /// The same with an interval for all of a netlist cycle, its input labels and its last gate's among it.
    fn with_space(self, netlist: &Netlist) -> Schedule {
        let inputs = match netlist.each_cycle() as u32 {
            0 => 0,
            count => count + self.shape.input,
        };
        // The host has its last label before anything of the next waits for the host.
        let interval = (self.length(netlist) + inputs).max(self.interval) + 1;
        Schedule { interval: interval.next_multiple_of(self.shape.every), ..self }
    }

    /// A schedule that there always is: one gate after the other, and each label in a bank for each operand.
    fn serial(netlist: &Netlist, graph: &Graph, shape: Shape, bound: u32) -> Schedule {
        let times = place::one_by_one(netlist, graph, shape);
        let interval = times.last().map_or(0, |last| last + shape.and.max(shape.xor)).max(bound);
        let banks::Places { of_gates: places, read_from, depths } =
            banks::by_operand(netlist, shape, interval, &times);
        Schedule { shape, interval, times, places, read_from, bound, depths }
    }

    /// Clocks of `cycles` netlist cycles, from the first gate to the last label.
    pub fn clocks(&self, netlist: &Netlist, cycles: u64) -> u64 {
        let Some(before) = cycles.checked_sub(1) else { return 0 };
        let before = u64::from(self.interval).saturating_mul(before);
        before.saturating_add(self.length(netlist).into())
    }

    /// The most gates of a body: 2^20, where the published machine has 2^13.
    pub const GATES: usize = 1 << 20;

    /// Clocks of one netlist cycle, until the last label is written.
    pub fn length(&self, netlist: &Netlist) -> u32 {
        let ends = self.times.iter().zip(&netlist.gates);
        ends.map(|(&time, gate)| time + self.shape.latency(gate.is_and)).max().unwrap_or(0)
    }
}

/// The interval that slots allow.
fn slots_bound(netlist: &Netlist, shape: Shape) -> u32 {
    let ands = netlist.ands() as u32;
    let all = netlist.gates.len() as u32;
    let counts = [ands * shape.every, all - ands, all];
    let needed = counts.iter().zip(shape.slots()).map(|(count, slots)| count.div_ceil(slots));
    // Input labels are made one a clock.
    needed.max().unwrap_or(0).max(netlist.each_cycle() as u32).max(1)
}

/// Clocks in which any list schedule of one netlist cycle is done.
fn serial_bound(netlist: &Netlist, shape: Shape) -> u32 {
    let ands = netlist.ands() as u32;
    let others = netlist.gates.len() as u32 - ands;
    let [and_slots, other_slots, _] = shape.slots();
    let path = netlist.critical_path(1, shape.and.into(), shape.xor.into()) as u32;
    let whole =
        (ands.div_ceil(and_slots) + path) * shape.every + others.div_ceil(other_slots) + shape.and;
    whole.next_multiple_of(shape.every)
}

/// The most banks that a gate's label is written to.
pub const PLACES: usize = 2;

/// Intervals that are tried at which a netlist cycle has room for all of itself, before it is given up to find a
/// bank for each label: two that are read together need different ones.
const MORE_TRIES: u32 = 20;

/// Intervals that are tried.
const TRIES: u32 = 60;
