//! A cycle-accurate model that runs code. It takes words, and moves labels through the input
//! memory and the banks with their ports.
//!
//! The model knows no dependencies: each slot reads the words that its operands name, without
//! checking what they contain. A run is generic over the kind of labels, a [`Labels`]. [`run`] uses
//! the symbols of [`check`](super::check), which detect every wrong label; an engine uses real
//! labels.

use super::check::Symbols;
use super::code::{Code, Operand, Slot};
pub use super::labels::{And, Fault, Labels, Made};

/// Counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Clock cycles from the start until the last label is made.
    pub clocks: u64,
    /// Gates taken.
    pub gates: u64,
    /// ANDs among the gates taken.
    pub ands: u64,
    /// Slots without a gate, summed over the clock cycles from the first word to the last.
    pub empty_slots: u64,
    /// Operands whose label was read in the clock cycle of its write, so that it was forwarded.
    pub forwarded: u64,
    /// Input labels made.
    pub input_labels: u64,
    /// Labels for the host.
    pub labels: u64,
    /// Tables that were finished before the table of an earlier AND in program order.
    pub early_tables: u64,
}

/// The events of a clock cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Whether each slot takes a gate.
    pub took: Vec<bool>,
    /// The bank and the word of each label that is written, in the order of banks.
    pub wrote: Vec<(u32, u32)>,
    /// Whether an input label begins to be made, in the sense of
    /// [`Shape::input`](super::Shape::input).
    pub began: bool,
}

/// Runs `cycles` netlist cycles, and checks every label.
///
/// # Errors
/// If the code is wrong.
pub fn run(code: &Code, cycles: u64) -> Result<Report, Fault> {
    let mut symbols = Symbols::new(&code.body, cycles);
    let mut machine = Machine::new(code, cycles);
    while machine.clock(&mut symbols)? {}
    symbols.finish()?;
    Ok(machine.report())
}

/// The memories of a machine, and the labels that are on their way to the memories.
pub struct Machine<'a, L> {
    code: &'a Code,
    cycles: u64,
    banks: Vec<Vec<Option<L>>>,
    inputs: Vec<Option<L>>,
    /// Labels of gates. The index is the clock cycle in which they are finished, modulo the length.
    coming: Vec<Vec<Coming<'a, L>>>,
    /// Input labels in the same way, each with its word of the input memory.
    expanded: Vec<Option<(usize, L)>>,
    initials: usize,
    clock: u64,
    report: Report,
    latest: Option<u64>,
    /// The clock cycle in which each slot took its last AND.
    ands: Vec<Option<u64>>,
    seen: Seen,
}

/// A gate's label before it is written.
struct Coming<'a, L> {
    slot: &'a Slot,
    cycle: u64,
    label: L,
}

impl<'a, L: Clone> Machine<'a, L> {
    /// Makes a machine before its start.
    pub fn new(code: &'a Code, cycles: u64) -> Machine<'a, L> {
        let shape = code.shape;
        let longest = shape.and.max(shape.xor) as usize + 1;
        Machine {
            code,
            cycles,
            banks: code.depths.iter().map(|&depth| vec![None; depth as usize]).collect(),
            inputs: vec![None; code.inputs as usize],
            coming: (0..longest).map(|_| Vec::new()).collect(),
            expanded: (0..=shape.input).map(|_| None).collect(),
            initials: 0,
            clock: 0,
            report: Report::default(),
            latest: None,
            ands: vec![None; shape.all_slots()],
            seen: Seen::default(),
        }
    }

    /// Runs one clock cycle. Returns false if the run is over.
    ///
    /// # Errors
    /// If the code is wrong.
    pub fn clock<G: Labels<Label = L>>(&mut self, labels: &mut G) -> Result<bool, Fault> {
        if self.clock >= self.code.clocks(self.cycles) {
            return Ok(false);
        }
        let written = self.write(labels)?;
        self.seen.took.clear();
        self.seen.took.resize(self.code.shape.all_slots(), false);
        self.seen.wrote = written.iter().map(|&(bank, word)| (bank, word as u32)).collect();
        self.seen.wrote.sort_unstable();
        // The gates of word 0 of round 0 are taken when the delay is over.
        let taken = self.clock.checked_sub(self.code.delay.into());
        let taken = taken.filter(|&taken| taken < self.code.taken_words(self.cycles));
        let mut entry = self.next_initial(labels);
        if let Some(taken) = taken {
            self.take(taken, &written, labels)?;
            if let Some(expanded) = self.expand(taken, labels)
                && entry.replace(expanded).is_some()
            {
                return Err(self.port("maker of input labels", 0));
            }
        }
        let place = (self.clock + u64::from(self.code.shape.input)) % self.expanded.len() as u64;
        self.seen.began = entry.is_some();
        self.report.input_labels += u64::from(entry.is_some());
        self.expanded[place as usize] = entry;
        self.clock += 1;
        self.report.clocks = self.clock;
        Ok(true)
    }

    /// The counts so far.
    pub fn report(&self) -> Report {
        self.report
    }

    /// The events of the last clock cycle.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    fn port(&self, what: &'static str, number: u32) -> Fault {
        Fault::Port { what, number, clock: self.clock }
    }

    /// Writes the labels that are finished in this clock cycle. Returns the written words of
    /// banks.
    fn write<G: Labels<Label = L>>(&mut self, labels: &mut G) -> Result<Vec<(u32, usize)>, Fault> {
        let place = (self.clock % self.expanded.len() as u64) as usize;
        if let Some((address, label)) = self.expanded[place].take() {
            self.inputs[address] = Some(label);
        }
        let place = (self.clock % self.coming.len() as u64) as usize;
        let mut written: Vec<(u32, usize)> = Vec::new();
        for Coming { slot, cycle, label } in std::mem::take(&mut self.coming[place]) {
            labels.made(Made { gate: slot.gate, cycle, keep: slot.keep }, &label)?;
            self.report.labels += u64::from(slot.keep.is_some());
            for place in &slot.places {
                if written.iter().any(|(bank, _)| *bank == place.bank) {
                    return Err(self.port("write port of bank", place.bank));
                }
                let word = place.address as usize + (cycle % u64::from(place.copies)) as usize;
                let bank = self.banks.get_mut(place.bank as usize);
                let there = bank.and_then(|bank| bank.get_mut(word));
                *there.ok_or(Fault::Label { gate: slot.gate, cycle })? = Some(label.clone());
                written.push((place.bank, word));
            }
        }
        Ok(written)
    }

    /// Makes the next label of the list, if one begins to be made in this clock cycle.
    fn next_initial<G: Labels<Label = L>>(&mut self, labels: &mut G) -> Option<(usize, L)> {
        let first = super::code::FIRST;
        let initial = *self.code.initials.get(self.initials)?;
        self.clock.checked_sub(first.into())?;
        self.initials += 1;
        let label = match initial.sequence {
            Some(sequence) => labels.input(sequence.into()),
            None => labels.constant(),
        };
        let label = if initial.invert { labels.free(label, None, true) } else { label };
        Some((initial.address as usize, label))
    }

    /// Makes the input label of a kernel word, if it has one.
    fn expand<G: Labels<Label = L>>(&self, taken: u64, labels: &mut G) -> Option<(usize, L)> {
        let (word, round) = self.place(taken);
        let expand = self.code.words[word].expand?;
        let cycle = round.checked_sub(expand.stage.into()).filter(|&cycle| cycle < self.cycles)?;
        let sequence = self.code.body.requested.number(expand.sequence, cycle);
        let address = u64::from(expand.address) + cycle % u64::from(expand.copies);
        Some((address as usize, labels.input(sequence)))
    }

    fn place(&self, taken: u64) -> (usize, u64) {
        let interval = self.code.interval();
        ((taken % interval) as usize, taken / interval)
    }

    /// Takes the gates of a word, except gates whose netlist cycle is not part of the run.
    fn take<G: Labels<Label = L>>(
        &mut self,
        taken: u64,
        written: &[(u32, usize)],
        labels: &mut G,
    ) -> Result<(), Fault> {
        let (code, (word, round)) = (self.code, self.place(taken));
        let mut reads: Vec<Option<usize>> = vec![None; self.banks.len()];
        for (number, slot) in code.words[word].slots.iter().enumerate() {
            let here = slot.as_ref().and_then(|slot| {
                let cycle = round.checked_sub(slot.stage.into())?;
                (cycle < self.cycles).then_some((slot, cycle))
            });
            let Some((slot, cycle)) = here else {
                self.report.empty_slots += 1;
                continue;
            };
            self.seen.took[number] = true;
            self.report.gates += 1;
            let mut operand = |place: usize| match slot.operands[place] {
                None => Ok(None),
                Some(operand) => self.read(slot, cycle, operand, &mut reads, written).map(Some),
            };
            let (a, b, c) = (operand(0)?, operand(1)?, operand(2)?);
            let missing = Fault::Label { gate: slot.gate, cycle };
            let a = a.ok_or(missing.clone())?;
            let label = if slot.is_and {
                let before = self.ands[number].replace(self.clock);
                if before.is_some_and(|before| self.clock < before + u64::from(code.shape.every)) {
                    return Err(self.port("AND unit", number as u32));
                }
                let number = cycle * code.body.ands + u64::from(slot.number);
                self.table(number);
                let mut with_third = |label: L, xor: bool| match &c {
                    Some(c) if xor => labels.free(label, Some(c.clone()), false),
                    _ => label,
                };
                let [xor_a, xor_b, xor] = slot.xors;
                let inputs = [with_third(a, xor_a), with_third(b.ok_or(missing)?, xor_b)];
                let and = And { number, cycle, position: slot.position };
                let label = labels.and(inputs, slot.inverts, and);
                match c {
                    Some(_) if xor => labels.free(label, c, false),
                    _ => label,
                }
            } else {
                labels.free(a, b, slot.inverts[2])
            };
            let due = self.clock + u64::from(code.shape.latency(slot.is_and));
            let place = (due % self.coming.len() as u64) as usize;
            self.coming[place].push(Coming { slot, cycle, label });
        }
        Ok(())
    }

    fn table(&mut self, number: u64) {
        self.report.ands += 1;
        self.report.early_tables += u64::from(self.latest.is_some_and(|latest| number < latest));
        self.latest = self.latest.max(Some(number));
    }

    /// Returns the label at an operand's place. A bank reads one word per clock cycle.
    fn read(
        &mut self,
        slot: &Slot,
        cycle: u64,
        operand: Operand,
        reads: &mut [Option<usize>],
        written: &[(u32, usize)],
    ) -> Result<L, Fault> {
        let missing = Fault::Label { gate: slot.gate, cycle };
        let Some(made) = cycle.checked_sub(operand.ago.into()) else {
            let word = u64::from(operand.initial) + cycle;
            return self.inputs.get(word as usize).cloned().flatten().ok_or(missing);
        };
        let word = operand.address as usize + (made % u64::from(operand.copies)) as usize;
        let Some(bank) = operand.bank else {
            return self.inputs.get(word).cloned().flatten().ok_or(missing);
        };
        let words = self.banks.get(bank as usize).ok_or(missing.clone())?;
        match reads[bank as usize].replace(word) {
            Some(other) if other != word => return Err(self.port("read port of bank", bank)),
            _ => {}
        }
        self.report.forwarded += u64::from(written.contains(&(bank, word)));
        words.get(word).cloned().flatten().ok_or(missing)
    }
}
