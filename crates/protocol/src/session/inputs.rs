//! Input bits: the order of their first uses, their owners, and their values.
//!
//! Both parties go through a program's gates once to find the order in which its input bits are
//! first used (the order that [`halfgate_engine::io`] defines). That order numbers the labels. It
//! also lets the evaluator prepare its oblivious transfers before the engine requests them.
//!
//! Memory: for a flat program, four bytes for each input bit of the body, and four more for each
//! bit of a per-cycle input; for a program with functions, what [`Blocks`] and [`Parts`] take.
//! Nothing grows with the gates or the cycles.

use super::parts::Parts;
use super::{Feed, PartyInputs, SessionError, Wanted};
use halfgate_circuit::structured::blocks::Blocks;
use halfgate_circuit::{Bits, Circuit, Input, Party, Wire};
use halfgate_compiler::{Program, StructuredProgram};
use halfgate_engine::EngineError;
use halfgate_engine::io::first_uses;
use std::sync::Arc;

/// Transfers in a batch. The evaluator sends at most two batches ahead of their use.
pub const BATCH: usize = 8192;

/// A part of a run ends once it has this many input bits of one party, or output bits. Tests have
/// short parts.
const PART_BITS: usize = if cfg!(test) { 8 } else { BATCH };

/// A use of an input bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputBit {
    /// The use's number among all uses of input bits in the run, in the order of first use.
    pub sequence: u64,
    /// The cycle that reads it; 0 for the bits of per-run inputs.
    pub cycle: u64,
    /// The part of the run that reads it, in a run of [parts](super::parts); else the
    /// cycle.
    pub part: u64,
    /// The bit.
    pub wire: Wire,
}

/// The order of a program's input bits.
#[derive(Debug)]
pub struct InputOrder {
    uses: Uses,
    ports: Vec<Port>,
    cycles: u64,
    /// Uses in the first cycle and in each later one, of the garbler's bits and of the evaluator's.
    counts: [[u64; 2]; 2],
    /// The parts of the run, if both engines take inputs part by part.
    parts: Option<Parts>,
}

#[derive(Debug)]
enum Uses {
    /// The uses of a flat program.
    Listed {
        /// Bits requested in the first cycle: all that are used.
        first: Vec<Wire>,
        /// Bits requested in each later cycle: those of `first` that belong to per-cycle inputs.
        again: Vec<Wire>,
    },
    /// The uses of a program with functions, which is read block by block.
    Blocks(Arc<StructuredProgram>),
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
    /// The order of `program`'s input bits over `cycles` cycles. A program with functions has
    /// [parts](super::parts), until [`join_unless`](InputOrder::join_unless) makes them one.
    ///
    /// # Errors
    /// If a temporary file cannot be written: [`EngineError::Spool`].
    pub fn of(program: &Program, cycles: u64) -> Result<InputOrder, SessionError> {
        match &program.structure {
            Some(structure) => InputOrder::of_structure(structure, cycles),
            None => Ok(InputOrder::new(&program.circuit, cycles)),
        }
    }

    /// The order of the input bits of a flat circuit over `cycles` cycles.
    pub fn new(circuit: &Circuit, cycles: u64) -> InputOrder {
        let ports = ports_of(&circuit.inputs);
        let first = first_uses(circuit);
        let per_cycle = |wire: &Wire| port_of(&ports, *wire).is_some_and(|port| port.per_cycle);
        let again: Vec<Wire> = first.iter().copied().filter(per_cycle).collect();
        let counts = [&first, &again].map(|wires| {
            let owners = wires.iter().filter_map(|wire| port_of(&ports, *wire));
            let evaluators = owners.filter(|port| port.party == Party::Evaluator).count();
            [wires.len() - evaluators, evaluators].map(|count| count as u64)
        });
        InputOrder { uses: Uses::Listed { first, again }, ports, cycles, counts, parts: None }
    }

    fn of_structure(
        structure: &Arc<StructuredProgram>,
        cycles: u64,
    ) -> Result<InputOrder, SessionError> {
        let plan = structure.plan().map_err(EngineError::Spool)?;
        let ports = ports_of(&structure.circuit.inputs);
        let blocks = plan.blocks(&structure.circuit);
        let parts = Parts::of(blocks, structure.size().ands, PART_BITS, |wire| {
            port_of(&ports, wire).is_some_and(|port| port.party == Party::Evaluator)
        });
        let counts = [parts.uses(parts.count() - 1), [0; 2]];
        let uses = Uses::Blocks(Arc::clone(structure));
        Ok(InputOrder { uses, ports, cycles, counts, parts: Some(parts) })
    }

    /// Makes all parts of the run one, unless `both` engines take inputs part by part.
    pub(crate) fn join_unless(&mut self, both: bool) {
        if !both {
            self.parts = None;
        }
    }

    /// The parts of the run, if both engines take inputs part by part.
    pub(crate) fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// The owner of input bit `wire`; `None` if it is not an input.
    #[inline]
    pub fn owner(&self, wire: Wire) -> Option<Party> {
        port_of(&self.ports, wire).map(|port| port.party)
    }

    /// Whether `wire` is an input bit of `party` that has a value in `cycle`.
    pub(crate) fn has(&self, cycle: u64, wire: Wire, party: Party) -> bool {
        port_of(&self.ports, wire)
            .is_some_and(|port| port.party == party && (cycle < self.cycles || !port.per_cycle))
    }

    /// The number of uses of `party`'s input bits in a run.
    pub fn count(&self, party: Party) -> u64 {
        let [first, again] = self.counts.map(|counts| counts[index_of(party)]);
        first + again.saturating_mul(self.cycles.saturating_sub(1))
    }

    /// The number of uses of `party`'s input bits in all cycles, or parts, up to and including
    /// `part`.
    pub(crate) fn through(&self, party: Party, part: u64) -> u64 {
        match &self.parts {
            Some(parts) => parts.uses(part)[index_of(party)],
            None => {
                let [first, again] = self.counts.map(|counts| counts[index_of(party)]);
                first + again.saturating_mul(part)
            }
        }
    }

    /// The highest number of uses of `party`'s input bits in one cycle, or one part.
    pub(crate) fn most(&self, party: Party) -> u64 {
        match &self.parts {
            Some(parts) => parts.most_uses()[index_of(party)],
            None => self.counts[0][index_of(party)],
        }
    }

    /// Whether there are input bits that are used in each cycle.
    pub fn has_per_cycle(&self) -> bool {
        self.counts[1] != [0; 2]
    }

    /// The bits requested in each later cycle.
    fn again(&self) -> &[Wire] {
        match &self.uses {
            Uses::Listed { again, .. } => again,
            Uses::Blocks(_) => &[],
        }
    }

    /// All uses in order, from the first.
    pub fn input_bits(&self) -> InputBits<'_> {
        let blocks = match &self.uses {
            Uses::Blocks(structure) => {
                let plan = structure.plan().expect("made with the order");
                Some(Box::new(plan.blocks(&structure.circuit)))
            }
            Uses::Listed { .. } => None,
        };
        let wires = Vec::new();
        InputBits { order: self, blocks, wires, cycle: 0, index: 0, sequence: 0, part: 0 }
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
    party: Party,
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
            let read = || {
                order.again().iter().any(|wire| index_of_port(&order.ports, *wire) == Some(index))
            };
            (port.party == party && inputs[index].is_none() && read()).then(|| (index, Bits::new()))
        };
        let fed = match feed {
            Some(_) => order.ports.iter().enumerate().filter_map(lacks).collect(),
            None => Vec::new(),
        };
        Values { order, inputs, feed, party, run, fed, cycle: None }
    }

    /// The party whose values they are.
    pub fn party(&self) -> Party {
        self.party
    }

    /// The value of one of the party's bits. Cycles must be requested in order.
    ///
    /// # Errors
    /// [`SessionError::Usage`], which names the input, if the feed fails.
    pub fn get(&mut self, bit: InputBit) -> Result<bool, SessionError> {
        let index = index_of_port(&self.order.ports, bit.wire).expect("a use is of an input");
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
pub struct InputBits<'a> {
    order: &'a InputOrder,
    /// The blocks of a program with functions that were not read yet.
    blocks: Option<Box<Blocks<'a>>>,
    /// The input bits that the last block reads and that no block before read.
    wires: Vec<Wire>,
    cycle: u64,
    /// Index of the next bit: among the cycle's bits, or in `wires`.
    index: usize,
    sequence: u64,
    part: u64,
}

impl<'a> InputBits<'a> {
    /// Whether all uses in the cycles, or parts, up to and including `part` are past.
    pub(crate) fn is_past(&self, part: u64) -> bool {
        let uses = [Party::Garbler, Party::Evaluator].map(|party| self.order.through(party, part));
        self.sequence >= uses[0].saturating_add(uses[1])
    }

    /// The remaining uses of `party`'s bits.
    pub fn of(self, party: Party) -> impl Iterator<Item = InputBit> + Send + 'a {
        let order = self.order;
        self.filter(move |bit| order.owner(bit.wire) == Some(party))
    }

    /// The next bit of a program with functions.
    fn next_of_blocks(&mut self) -> Option<Wire> {
        let blocks = self.blocks.as_mut()?;
        while self.index == self.wires.len() {
            self.wires.clear();
            self.index = 0;
            blocks.next(&mut self.wires)?;
        }
        let wire = self.wires[self.index];
        self.index += 1;
        Some(wire)
    }

    /// The next bit of a flat program.
    fn next_listed(&mut self) -> Option<Wire> {
        let Uses::Listed { first, again } = &self.order.uses else { return None };
        loop {
            let list = if self.cycle == 0 { first } else { again };
            if let Some(&wire) = list.get(self.index) {
                self.index += 1;
                return Some(wire);
            }
            let more = self.cycle + 1 < self.order.cycles && !again.is_empty();
            if !more {
                return None;
            }
            self.cycle += 1;
            self.index = 0;
        }
    }
}

impl Iterator for InputBits<'_> {
    type Item = InputBit;

    #[inline]
    fn next(&mut self) -> Option<InputBit> {
        let wire = match self.blocks {
            Some(_) => self.next_of_blocks()?,
            None => self.next_listed()?,
        };
        match self.order.parts {
            Some(_) => {
                while self.is_past(self.part) {
                    self.part += 1;
                }
            }
            None => self.part = self.cycle,
        }
        let bit = InputBit { sequence: self.sequence, cycle: self.cycle, part: self.part, wire };
        self.sequence += 1;
        Some(bit)
    }
}

/// The index of a party's counts.
fn index_of(party: Party) -> usize {
    usize::from(party == Party::Evaluator)
}

fn ports_of(inputs: &[Input]) -> Vec<Port> {
    let mut start = 0;
    let port = |input: &Input| {
        let &Input { party, width, per_cycle, .. } = input;
        start += width;
        Port { name: input.name.clone(), party, start: start - width, width, per_cycle }
    };
    inputs.iter().map(port).collect()
}

/// The port of an input bit; `None` if the wire is not an input.
fn port_of(ports: &[Port], wire: Wire) -> Option<&Port> {
    index_of_port(ports, wire).map(|index| &ports[index])
}

fn index_of_port(ports: &[Port], wire: Wire) -> Option<usize> {
    let index = ports.partition_point(|port| port.start <= wire.number()).checked_sub(1)?;
    (wire.number() - ports[index].start < ports[index].width).then_some(index)
}
