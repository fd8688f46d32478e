//! Input bits: the order of their first uses, their owners, and their values.
//!
//! Both parties go through a program's gates once to find the order in which its input bits are
//! first used (the order that [`halfgate_engine::io`] defines). That order numbers the labels. It
//! also lets the evaluator prepare its oblivious transfers before the engine requests them.
//!
//! Memory: ten bytes for each input bit of the body; nothing grows with the gates or the cycles.

use super::{Feed, PartyInputs, SessionError, Wanted};
use halfgate_circuit::{Bits, Circuit, Party, Wire};
use halfgate_compiler::Program;
use halfgate_engine::EngineError;
use halfgate_engine::io::first_uses;

/// Transfers in a batch. The evaluator sends at most two batches ahead of their use.
pub const BATCH: usize = 8192;

/// A use of an input bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputBit {
    /// The use's number among all uses of input bits in the run, in the order of first use.
    pub sequence: u64,
    /// The cycle that reads it; 0 for the bits of per-run inputs.
    pub cycle: u64,
    /// The bit.
    pub wire: Wire,
}

/// The order of a program's input bits.
#[derive(Debug)]
pub struct InputOrder {
    /// Bits requested in the first cycle: all that are used.
    first: Vec<Wire>,
    /// Bits requested in each later cycle: those of `first` that belong to per-cycle inputs.
    again: Vec<Wire>,
    /// The port of each input bit.
    port: Vec<u32>,
    ports: Vec<Port>,
    cycles: u64,
    /// How many of `first` and of `again` are the garbler's, and how many the evaluator's.
    counts: [[u64; 2]; 2],
}

#[derive(Debug)]
struct Port {
    name: String,
    party: Party,
    start: u32,
    width: u32,
    per_cycle: bool,
}

impl InputOrder {
    /// The order of `program`'s input bits over `cycles` cycles.
    ///
    /// # Errors
    /// If a temporary file cannot be written: [`EngineError::Spool`].
    pub fn of(program: &Program, cycles: u64) -> Result<InputOrder, SessionError> {
        let first = program.first_uses().map_err(EngineError::Spool)?;
        Ok(InputOrder::with(&program.circuit, cycles, first))
    }

    /// The order of the input bits of a flat circuit over `cycles` cycles.
    pub fn new(circuit: &Circuit, cycles: u64) -> InputOrder {
        InputOrder::with(circuit, cycles, first_uses(circuit))
    }

    fn with(circuit: &Circuit, cycles: u64, first: Vec<Wire>) -> InputOrder {
        let mut order = InputOrder {
            first: Vec::new(),
            again: Vec::new(),
            port: Vec::with_capacity(circuit.input_bits()),
            ports: Vec::with_capacity(circuit.inputs.len()),
            cycles,
            counts: [[0; 2]; 2],
        };
        for (index, (wire, input)) in circuit.inputs_with_wires().enumerate() {
            let (party, per_cycle) = (input.party, input.per_cycle);
            let (name, start) = (input.name.clone(), wire.number());
            order.ports.push(Port { name, party, start, width: input.width, per_cycle });
            order.port.resize(order.port.len() + input.width as usize, index as u32);
        }
        order.first = first;
        let per_cycle = |wire: &Wire| order.port(*wire).per_cycle;
        order.again = order.first.iter().copied().filter(per_cycle).collect();
        order.counts = [Party::Garbler, Party::Evaluator].map(|party| {
            [&order.first, &order.again].map(|wires| {
                wires.iter().filter(|wire| order.port(**wire).party == party).count() as u64
            })
        });
        order
    }

    fn port(&self, wire: Wire) -> &Port {
        &self.ports[self.port[wire.index()] as usize]
    }

    /// The owner of input bit `wire`; `None` if it is not an input.
    #[inline]
    pub fn owner(&self, wire: Wire) -> Option<Party> {
        self.port.get(wire.index()).map(|port| self.ports[*port as usize].party)
    }

    /// The number of uses of `party`'s input bits in a run.
    pub fn count(&self, party: Party) -> u64 {
        self.through(party, self.cycles.saturating_sub(1))
    }

    /// The number of uses of `party`'s input bits in all cycles up to and including `cycle`.
    pub fn through(&self, party: Party, cycle: u64) -> u64 {
        let [first, again] = self.counts[usize::from(party == Party::Evaluator)];
        first + again.saturating_mul(cycle)
    }

    /// Whether there are input bits that are used in each cycle.
    pub fn has_per_cycle(&self) -> bool {
        !self.again.is_empty()
    }

    /// All uses in order, from the first.
    pub fn input_bits(&self) -> InputBits<'_> {
        InputBits { order: self, cycle: 0, index: 0, sequence: 0 }
    }

    /// Checks that `inputs` are those of `party`: a value of the right width for each input of the
    /// party, and no value for other inputs. If there is a `feed`, a per-cycle input may have no
    /// value.
    ///
    /// # Errors
    /// [`SessionError::Usage`], which names the input.
    pub fn check(
        &self,
        circuit: &Circuit,
        party: Party,
        inputs: &PartyInputs,
        feed: bool,
    ) -> Result<(), SessionError> {
        let usage = |text| Err(SessionError::Usage(text));
        if inputs.len() != circuit.inputs.len() {
            return usage(format!(
                "{} input values given for a circuit with {} inputs",
                inputs.len(),
                circuit.inputs.len()
            ));
        }
        for (input, value) in circuit.inputs.iter().zip(inputs) {
            let name = &input.name;
            let cycles = if input.per_cycle { self.cycles } else { 1 };
            let Some(bits) = u64::from(input.width).checked_mul(cycles) else {
                return usage(format!("input {name:?} has too many bits over {cycles} cycles"));
            };
            match value {
                Some(_) if input.party != party => {
                    return usage(format!("input {name:?} belongs to the {}", input.party));
                }
                None if input.party == party && !(feed && input.per_cycle) => {
                    return usage(format!("input {name:?} of {bits} bits is missing"));
                }
                Some(value) if value.len() as u64 != bits => {
                    let given = value.len();
                    let over = match input.per_cycle {
                        true => format!(" over {cycles} cycles"),
                        false => String::new(),
                    };
                    return usage(format!(
                        "input {name:?} takes {bits} bits{over}, but {given} were given"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The values of one party's inputs in one run: those given before it, and those from a feed.
pub(crate) struct Values<'s> {
    order: &'s InputOrder,
    inputs: &'s PartyInputs,
    feed: Option<&'s Feed>,
    run: usize,
    /// For each input that the feed supplies, its value; and the cycle of these values.
    fed: Vec<(usize, Bits)>,
    cycle: Option<u64>,
}

impl<'s> Values<'s> {
    /// The values of `party` in run number `run`. They come from `inputs`, which have been checked,
    /// or from `feed` for per-cycle inputs that have no value there.
    pub fn new(
        party: Party,
        run: usize,
        (order, inputs): (&'s InputOrder, &'s PartyInputs),
        feed: Option<&'s Feed>,
    ) -> Values<'s> {
        let lacks = |(index, port): (usize, &Port)| {
            let read = || order.again.iter().any(|wire| order.port[wire.index()] as usize == index);
            (port.party == party && inputs[index].is_none() && read()).then(|| (index, Bits::new()))
        };
        let fed = match feed {
            Some(_) => order.ports.iter().enumerate().filter_map(lacks).collect(),
            None => Vec::new(),
        };
        Values { order, inputs, feed, run, fed, cycle: None }
    }

    /// The value of one of the party's bits. Cycles must be requested in order.
    ///
    /// # Errors
    /// [`SessionError::Usage`], which names the input, if the feed fails.
    pub fn get(&mut self, bit: InputBit) -> Result<bool, SessionError> {
        let index = self.order.port[bit.wire.index()] as usize;
        let port = &self.order.ports[index];
        let offset = u64::from(bit.wire.number() - port.start);
        if let Some(bits) = &self.inputs[index] {
            let before = if port.per_cycle { bit.cycle * u64::from(port.width) } else { 0 };
            return Ok(bits.get((before + offset) as usize));
        }
        if self.cycle != Some(bit.cycle) {
            self.feed(bit.cycle)?;
        }
        let fed = self.fed.iter().find(|(input, _)| *input == index);
        Ok(fed.is_some_and(|(_, bits)| bits.get(offset as usize)))
    }

    fn feed(&mut self, cycle: u64) -> Result<(), SessionError> {
        self.cycle = Some(cycle);
        let Some(feed) = self.feed else { return Ok(()) };
        for (input, bits) in &mut self.fed {
            let port = &self.order.ports[*input];
            let new = feed.next(Wanted { run: self.run, input: *input, cycle });
            let new = new.and_then(|bits| match bits.len() == port.width as usize {
                true => Ok(bits),
                false => Err(format!("{} bits were given, {} are needed", bits.len(), port.width)),
            });
            *bits = new.map_err(|why| {
                let needed = u64::from(port.width).saturating_mul(self.order.cycles);
                let (name, cycles) = (&port.name, self.order.cycles);
                SessionError::Usage(format!(
                    "input {name:?}, which takes {needed} bits over {cycles} cycles, in cycle \
                     {cycle}: {why}"
                ))
            })?;
        }
        Ok(())
    }
}

/// An iterator over the uses of input bits.
#[derive(Clone, Debug)]
pub struct InputBits<'a> {
    order: &'a InputOrder,
    cycle: u64,
    index: usize,
    sequence: u64,
}

impl<'a> InputBits<'a> {
    /// Whether no use in a cycle up to and including `cycle` is left.
    pub fn is_past(&self, cycle: u64) -> bool {
        match self.cycle {
            0 if self.index < self.order.first.len() => false,
            0 => cycle == 0 || self.order.again.is_empty(),
            own => own > cycle || (own == cycle && self.index == self.order.again.len()),
        }
    }

    /// The remaining uses of `party`'s bits.
    pub fn of(self, party: Party) -> impl Iterator<Item = InputBit> + Send + 'a {
        let order = self.order;
        self.filter(move |bit| order.port(bit.wire).party == party)
    }
}

impl Iterator for InputBits<'_> {
    type Item = InputBit;

    #[inline]
    fn next(&mut self) -> Option<InputBit> {
        loop {
            let list = if self.cycle == 0 { &self.order.first } else { &self.order.again };
            if let Some(&wire) = list.get(self.index) {
                let bit = InputBit { sequence: self.sequence, cycle: self.cycle, wire };
                self.index += 1;
                self.sequence += 1;
                return Some(bit);
            }
            let more = self.cycle + 1 < self.order.cycles && !self.order.again.is_empty();
            if !more {
                return None;
            }
            self.cycle += 1;
            self.index = 0;
        }
    }
}
