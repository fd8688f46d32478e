//! The machine, clock by clock. All logic of a clock sees the register values at its start.

use super::super::SETUP;
use super::super::model::{And, Fault, Labels, Made};
use super::generator::Generator;
use super::memory::Memory;
use super::outside::{Outputs, Tables};
use super::{AND, Code, Kind, Operand, Slot, Source};
use std::collections::VecDeque;

/// Counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Clocks from the set-up until the end of the last netlist cycle.
    pub clocks: u64,
    /// Flip-flops and gates taken.
    pub slots: u64,
    /// ANDs among the slots.
    pub ands: u64,
    /// Clocks in which no slot was taken because all ports of the label memory were in use. Always
    /// 0 with several pipelines.
    pub port_stalls: u64,
    /// Clocks in which no pipeline took a slot because labels were missing.
    pub dependency_stalls: u64,
    /// Input labels made.
    pub input_labels: u64,
    /// Labels for the host.
    pub labels: u64,
}

/// The events of a clock.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// For each pipeline the slot that it takes, if any.
    pub took: Vec<Option<u32>>,
    /// Slots whose labels are written, in order of the writes.
    pub wrote: Vec<u32>,
    /// Input labels that are started.
    pub began: u64,
}

/// State of the machine (section 5.4). Flip-flops and gates share one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// GETKEYS and CONSTLABELS, with the number of clocks already spent.
    Setup(u64),
    /// DFF and GARBLE.
    Garble,
    /// MASKS, with the number of clocks already spent.
    Masks(u64),
    /// RSTCOUNTERS.
    Reset,
    Idle,
}

/// The slot that a pipeline holds.
#[derive(Clone, Copy)]
struct Held {
    slot: u32,
    /// Number of ANDs before this slot in the netlist cycle.
    number: u64,
}

/// A label before it is written.
struct Coming<L> {
    due: u64,
    slot: u32,
    label: L,
}

/// A machine and its state.
pub struct Machine<'a, L> {
    code: &'a Code,
    cycles: u64,
    state: State,
    clock: u64,
    cycle: u64,
    held: Vec<Option<Held>>,
    /// The next slot to fetch, and the numbers of ANDs and of outputs before it in the netlist
    /// cycle.
    next: usize,
    numbers: [u64; 2],
    /// Whether all flip-flops of the netlist cycle were taken in earlier clocks.
    passed: bool,
    ands: VecDeque<Coming<L>>,
    free: VecDeque<Coming<L>>,
    memory: Memory<L>,
    generator: Generator<L>,
    tables: Tables,
    outputs: Outputs,
    report: Report,
    seen: Seen,
}

impl<'a, L: Clone> Machine<'a, L> {
    /// Makes a machine before its start.
    pub fn new(code: &'a Code, cycles: u64) -> Machine<'a, L> {
        let pipelines = code.pipelines;
        Machine {
            code,
            cycles,
            state: State::Setup(0),
            clock: 0,
            cycle: 0,
            held: vec![None; pipelines],
            next: 0,
            numbers: [0; 2],
            passed: false,
            // The capacity is never exceeded. So the buffer never grows, which would leave copies
            // of labels.
            ands: VecDeque::with_capacity((AND as usize + 1) * pipelines),
            free: VecDeque::with_capacity((code.open.free as usize + 1) * pipelines),
            memory: Memory::new(code.slots.len(), (pipelines == 1).then_some(code.open.waiting)),
            generator: Generator::new(&code.body.requested, pipelines, cycles),
            tables: Tables::new(),
            outputs: Outputs::new(code.body.tags.len(), pipelines),
            report: Report::default(),
            seen: Seen::default(),
        }
    }

    /// Runs one clock. If `ready`, the host takes the offered data in it. Returns false if the run
    /// is over.
    ///
    /// # Errors
    /// If a label is wrong.
    pub fn clock<G: Labels<Label = L>>(
        &mut self,
        labels: &mut G,
        ready: bool,
    ) -> Result<bool, Fault> {
        if self.state == State::Idle {
            return Ok(false);
        }
        let next = self.next_state();
        let passed = self.has_passed();
        let first_held = self.first_held();
        let coming = self.coming();
        let (reads, taken) = self.take(coming.len(), labels)?;
        let tags = self.made(&coming, labels)?;
        let coming = coming.into_iter().map(|coming| (coming.slot, coming.label)).collect();
        self.seen.wrote = self.memory.write(coming, reads);
        self.seen.wrote.sort_unstable();
        self.seen.began = self.generator.clock(self.clock, self.cycle, self.passed, labels);
        self.report.input_labels += self.seen.began;
        self.tables.clock(first_held, ready);
        self.report.labels += self.outputs.clock(&tags, ready);
        self.passed |= passed;
        if self.state == State::Garble {
            self.fetch(taken);
        }
        if next == State::Garble && self.state != State::Garble {
            self.begin();
        }
        self.state = next;
        self.clock += 1;
        self.report.clocks = self.clock;
        Ok(true)
    }

    /// The counts so far.
    pub fn report(&self) -> Report {
        self.report
    }

    /// The events of the last clock.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    fn next_state(&self) -> State {
        match self.state {
            State::Setup(count) if count + 1 < SETUP => State::Setup(count + 1),
            State::Setup(_) if self.cycles == 0 => State::Idle,
            State::Setup(_) => State::Garble,
            State::Garble if self.is_idle() => State::Masks(0),
            State::Garble => State::Garble,
            // `end` also counts the clock before this state and the one after it.
            State::Masks(count) if count + 1 < self.code.open.end - 2 || !self.is_drained() => {
                State::Masks(count + 1)
            }
            State::Masks(_) => State::Reset,
            State::Reset if self.cycle + 1 < self.cycles => State::Garble,
            State::Reset | State::Idle => State::Idle,
        }
    }

    /// Whether all slots of the netlist cycle were taken and all their labels are written.
    fn is_idle(&self) -> bool {
        let nothing_under_way = self.ands.is_empty() && self.free.is_empty();
        self.held.iter().all(Option::is_none) && nothing_under_way && self.memory.is_idle()
    }

    /// Whether all tables and output labels of the netlist cycle have left, and all its input
    /// labels are made. Input labels matter because flip-flops of the next netlist cycle may read
    /// them.
    fn is_drained(&self) -> bool {
        let [ands, outputs] = self.numbers;
        let gone = self.tables.are_gone(ands) && self.outputs.are_gone(outputs);
        gone && self.generator.is_complete(self.cycle)
    }

    fn has_passed(&self) -> bool {
        let is_flip_flop = |held: &Held| self.code.slots[held.slot as usize].is_flip_flop();
        let held = self.held.iter().flatten().any(is_flip_flop);
        self.state == State::Garble && !held && self.next >= self.code.flip_flops
    }

    /// The number of the first AND that is not taken yet.
    fn first_held(&self) -> u64 {
        let held = self.held.iter().flatten();
        let ands = held.filter(|held| self.code.slots[held.slot as usize].is_and());
        ands.map(|held| held.number).min().unwrap_or(self.numbers[0])
    }

    /// Removes and returns the labels that are finished in this clock: those of ANDs, then all
    /// others, both in the order of pipelines.
    fn coming(&mut self) -> Vec<Coming<L>> {
        let clock = self.clock;
        let mut coming = Vec::new();
        for queue in [&mut self.ands, &mut self.free] {
            while queue.front().is_some_and(|first| first.due == clock) {
                coming.extend(queue.pop_front());
            }
        }
        coming
    }

    /// Passes finished labels to `labels`. Returns the tags of the labels that the host gets.
    fn made<G: Labels<Label = L>>(
        &self,
        coming: &[Coming<L>],
        labels: &mut G,
    ) -> Result<Vec<u32>, Fault> {
        let mut tags = Vec::new();
        for Coming { slot, label, .. } in coming {
            let slot = &self.code.slots[*slot as usize];
            if let Kind::Gate { gate, .. } = slot.kind {
                labels.made(Made { gate, cycle: self.cycle, keep: slot.keep }, label)?;
                tags.extend(slot.keep);
            }
        }
        Ok(tags)
    }

    /// Takes slots whose labels are ready. Returns the number of different labels that are read,
    /// and for each pipeline whether it took its slot.
    fn take<G: Labels<Label = L>>(
        &mut self,
        coming: usize,
        labels: &mut G,
    ) -> Result<(usize, Vec<bool>), Fault> {
        let code = self.code;
        let able = |held: &Option<Held>| {
            held.filter(|held| self.has_labels(&code.slots[held.slot as usize]))
        };
        let able: Vec<Option<Held>> = match self.state {
            State::Garble => self.held.iter().map(able).collect(),
            _ => vec![None; code.pipelines],
        };
        let (any, space) = (able.iter().any(Option::is_some), self.memory.has_space(coming));
        let waits = self.held.iter().any(Option::is_some) && !(any && space);
        self.report.port_stalls += u64::from(waits && any);
        self.report.dependency_stalls += u64::from(waits && !any);
        let taken = if space { able } else { vec![None; code.pipelines] };
        let mut read: Vec<u32> = Vec::new();
        for held in taken.iter().flatten() {
            let slot = &code.slots[held.slot as usize];
            for operand in self.operands(slot).into_iter().flatten() {
                if let Source::Slot(from) = operand.source
                    && !read.contains(&from)
                {
                    read.push(from);
                }
            }
            self.execute(*held, slot, labels)?;
        }
        self.seen.took = taken.iter().map(|held| held.map(|held| held.slot)).collect();
        Ok((read.len(), taken.iter().map(Option::is_some).collect()))
    }

    /// The operands that a slot reads in this netlist cycle.
    fn operands(&self, slot: &Slot) -> [Option<Operand>; 2] {
        match (slot.kind, slot.operands, self.cycle) {
            (Kind::Gate { .. }, operands, _) => operands,
            (Kind::FlipFlop, [_, start], 0) => [start, None],
            (Kind::FlipFlop, [next, _], _) => [next, None],
        }
    }

    /// Whether a slot can be taken. A flip-flop takes over its value from the previous netlist
    /// cycle, so it waits only in the first netlist cycle, for its initial value.
    fn has_labels(&self, slot: &Slot) -> bool {
        if slot.is_flip_flop() && self.cycle > 0 {
            return true;
        }
        self.operands(slot).iter().flatten().all(|operand| match operand.source {
            Source::Constant => true,
            Source::Input { places, per_cycle } => {
                self.generator.is_made(places, per_cycle, self.cycle)
            }
            Source::Slot(slot) => self.memory.is_there(slot),
        })
    }

    fn execute<G: Labels<Label = L>>(
        &mut self,
        held: Held,
        slot: &Slot,
        labels: &mut G,
    ) -> Result<(), Fault> {
        let gate = if let Kind::Gate { gate, .. } = slot.kind { gate } else { u32::MAX };
        let missing = Fault::Label { gate, cycle: self.cycle };
        let operands = self.operands(slot);
        let read = |place: usize, labels: &mut G| {
            let Some(operand) = operands[place] else { return Ok(None) };
            self.read(slot, operand, labels).ok_or(missing.clone()).map(Some)
        };
        let (a, b) = (read(0, labels)?.ok_or(missing.clone())?, read(1, labels)?);
        let inverts = operands.map(|operand| operand.is_some_and(|operand| operand.invert));
        let [invert_a, invert_b] = inverts;
        let due = self.clock + if slot.is_and() { AND } else { self.code.open.free };
        let (queue, label) = if slot.is_and() {
            let number = self.cycle * self.code.body.ands + held.number;
            let and = And { number, cycle: self.cycle, position: gate };
            let inverts = [invert_a, invert_b, slot.invert];
            (&mut self.ands, labels.and([a, b.ok_or(missing)?], inverts, and))
        } else {
            (&mut self.free, labels.free(a, b, slot.invert ^ invert_a ^ invert_b))
        };
        queue.push_back(Coming { due, slot: held.slot, label });
        self.report.slots += 1;
        self.report.ands += u64::from(slot.is_and());
        Ok(())
    }

    fn read<G: Labels<Label = L>>(
        &self,
        slot: &Slot,
        operand: Operand,
        labels: &mut G,
    ) -> Option<L> {
        match operand.source {
            Source::Constant => Some(labels.constant()),
            Source::Slot(from) => self.memory.read(from),
            Source::Input { places, per_cycle } => {
                let ago = u64::from(slot.is_flip_flop());
                self.generator.read(places, per_cycle, self.cycle.saturating_sub(ago))
            }
        }
    }

    /// Gives the next slots to the pipelines that took a slot. The pipeline that took the earliest
    /// slot gets the first one.
    fn fetch(&mut self, taken: Vec<bool>) {
        let mut free: Vec<usize> = (0..taken.len()).filter(|&pipeline| taken[pipeline]).collect();
        free.sort_by_key(|&pipeline| self.held[pipeline].map(|held| held.slot));
        for pipeline in free {
            self.held[pipeline] = self.next_slot();
        }
    }

    fn next_slot(&mut self) -> Option<Held> {
        let slot = self.code.slots.get(self.next)?;
        let held = Held { slot: self.next as u32, number: self.numbers[0] };
        self.next += 1;
        self.numbers[0] += u64::from(slot.is_and());
        self.numbers[1] += u64::from(slot.keep.is_some());
        Some(held)
    }

    /// Starts a netlist cycle.
    fn begin(&mut self) {
        if self.state == State::Reset {
            self.cycle += 1;
        }
        self.next = 0;
        self.numbers = [0; 2];
        self.passed = false;
        self.memory.begin();
        self.tables = Tables::new();
        self.outputs = Outputs::new(self.code.body.tags.len(), self.code.pipelines);
        for pipeline in 0..self.held.len() {
            self.held[pipeline] = self.next_slot();
        }
    }
}
