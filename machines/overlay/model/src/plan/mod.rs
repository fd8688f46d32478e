//! Plans the commands for a circuit, batch by batch. A long body is planned one section at a time.

mod crossing;
mod section;

use super::allocate::Traffic;
use super::batches::Cells;
use super::command::{Form, Lacks};
use super::model::{Sent, Waits};
use super::{Banks, Policy};
use crossing::Crossing;
use halfgate_circuit::{Bit, Circuit};
use section::{Ddr, Section};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Parameters of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct How {
    /// Policy for labels in block RAM.
    pub policy: Policy,
    /// Maximum gates of a batch, by kind.
    pub cells: Cells,
    /// Labels in block RAM.
    pub block_ram: u32,
    /// Layout of commands in registers.
    pub form: Form,
    /// Gates per window. Windows follow the circuit's own gate order, and each window is split into
    /// layers separately. `None`: a whole section is one window.
    pub window: Option<u32>,
    /// Gates per section, at most [`How::SECTION`].
    pub section: usize,
}

impl How {
    /// Default and maximum number of gates per section: more than a million.
    pub const SECTION: usize = 1 << 20;
}

/// A circuit's body as commands. A wire that another section reads is kept in DDR between the two
/// sections.
///
/// Memory: some 100 bytes per gate of a section; eight bytes per wire that a later section reads,
/// and during planning some thirty more per live one of these wires; and some fifty bytes per
/// output bit.
pub struct Plan<'c> {
    circuit: &'c Circuit,
    how: How,
    crossing: Crossing,
    outputs: HashMap<u32, u32>,
    totals: Totals,
    /// The section, if there is only one; otherwise sections are planned again when they are sent.
    only: Option<Arc<Section>>,
}

/// Totals over all sections.
#[derive(Clone, Copy, Default)]
struct Totals {
    batches: u64,
    gates: u64,
    words: u64,
    /// Number of all batches of XORs, of batches with the last XORs of a layer, and of batches of
    /// ANDs.
    kinds: [u64; 3],
    is_out_of_order: bool,
    in_ddr: u32,
    block_ram: u32,
    traffic: Traffic,
}

impl<'c> Plan<'c> {
    /// Plans a circuit's whole body. If it has more than one section, only the totals are kept.
    ///
    /// # Errors
    /// If this form cannot encode a gate: the position of the first such gate in the body, and the
    /// reason.
    ///
    /// # Panics
    /// If a section has no gates or too many.
    pub fn new(circuit: &'c Circuit, how: How) -> Result<Plan<'c>, (u32, Lacks)> {
        assert!((1..=How::SECTION).contains(&how.section), "a section is held in memory");
        let crossing = Crossing::of(circuit, how.section);
        let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
        let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
        let first = circuit.first_gate_wire();
        let wires = ends.filter_map(Bit::wire).filter(|wire| wire.index() >= first);
        let outputs: HashSet<u32> = wires.map(|wire| wire.index() as u32).collect();
        let mut plan = Plan {
            circuit,
            how,
            crossing,
            outputs: outputs.into_iter().map(|wire| (wire, 0)).collect(),
            totals: Totals::default(),
            only: None,
        };
        let is_one = circuit.gates.len() <= how.section;
        let mut state = State::new(&plan);
        let (mut totals, mut homes) = (Totals::default(), HashMap::new());
        while let Some(section) = state.section(&plan)? {
            totals.add(&section, how.form);
            homes.extend(section.outputs.iter().copied());
            if is_one {
                plan.only = Some(Arc::new(section));
                break;
            }
        }
        totals.in_ddr = state.ddr.most();
        (plan.totals, plan.outputs) = (totals, homes);
        Ok(plan)
    }

    /// Layout of commands in registers.
    pub fn form(&self) -> Form {
        self.how.form
    }

    /// Gates that are sent, including loads.
    pub fn gates(&self) -> u64 {
        self.totals.gates
    }

    /// Number of batches, including batches of loads.
    pub fn batches(&self) -> u64 {
        self.totals.batches
    }

    /// Words that the host sends, including those before batches and at the end.
    pub fn words(&self) -> u64 {
        self.totals.words + 1
    }

    /// Words of block RAM in use.
    pub fn block_ram(&self) -> u32 {
        self.totals.block_ram
    }

    /// Labels in DDR, including constants.
    pub fn in_ddr(&self) -> u32 {
        self.totals.in_ddr
    }

    /// Counts of accesses by gates and loads. A wire between two sections counts as an output of
    /// the first and an input of the second.
    pub fn traffic(&self) -> Traffic {
        self.totals.traffic
    }

    /// Address in DDR of an input, flip-flop, output or flip-flop's next value, given its wire.
    pub fn home(&self, wire: usize) -> Option<u32> {
        match wire < self.circuit.first_gate_wire() {
            true => Some(section::home(wire)),
            false => self.outputs.get(&(wire as u32)).copied(),
        }
    }

    /// Whether ANDs are sent in the order of their AND numbers. Then commands need no AND numbers.
    pub fn is_in_order(&self) -> bool {
        !self.totals.is_out_of_order
    }

    /// Number of times that the host waits after batches of XORs, and after batches of ANDs.
    pub fn waits(&self, waits: Waits) -> [u64; 2] {
        let [xors, last, ands] = self.totals.kinds;
        let of_xors = match (waits.each_xors, waits.layer_xors) {
            (Some(_), _) => xors,
            (None, Some(_)) => last,
            (None, None) => 0,
        };
        [of_xors, if waits.each_ands.is_some() { ands } else { 0 }]
    }

    /// Iterates over the batches from the first.
    pub fn sending(&self) -> Sending<'_, 'c> {
        Sending { plan: self, state: State::new(self), section: None, next: 0 }
    }
}

impl Totals {
    fn add(&mut self, section: &Section, form: Form) {
        let of = |ands| form.registers(ands) as u64;
        for batch in section.body() {
            self.words += 1 + u64::from(batch.gates) * of(batch.ands);
            let [xors, last, ands] = &mut self.kinds;
            *ands += u64::from(batch.ands);
            *xors += u64::from(!batch.ands);
            *last += u64::from(!batch.ands && batch.last);
        }
        self.words += section.loading() as u64 + section.loads() as u64 * of(false);
        self.batches += section.batches() as u64;
        self.gates += section.gates();
        self.is_out_of_order |= !section.is_in_order();
        self.block_ram = self.block_ram.max(section.block_ram);
        let Traffic { input_reads, constants, outputs, reads, writes, block_ram } = section.traffic;
        let all = &mut self.traffic;
        all.input_reads += input_reads;
        all.constants += constants;
        all.outputs += outputs;
        all.reads += reads;
        all.writes += writes;
        all.block_ram += block_ram;
    }
}

/// Progress of the planning through a body.
struct State<'c> {
    gates: Box<dyn Iterator<Item = halfgate_circuit::Gate> + 'c>,
    /// The next section: its number, the wire of its first gate, and the number of ANDs before it.
    number: u32,
    first: usize,
    ands: u32,
    ddr: Ddr,
}

impl<'c> State<'c> {
    fn new(plan: &Plan<'c>) -> State<'c> {
        let first = plan.circuit.first_gate_wire();
        let gates = Box::new(plan.circuit.gates.iter());
        State { gates, number: 0, first, ands: 0, ddr: Ddr::new(first) }
    }

    /// Plans the next section, if there is one.
    fn section(&mut self, plan: &Plan<'c>) -> Result<Option<Section>, (u32, Lacks)> {
        let gates: Vec<_> = self.gates.by_ref().take(plan.how.section).collect();
        if gates.is_empty() {
            return Ok(None);
        }
        let (count, ands) = (gates.len(), gates.iter().filter(|gate| gate.is_and()).count());
        let before = section::Before {
            number: self.number,
            first: self.first,
            ands: self.ands,
            inputs: plan.circuit.first_gate_wire(),
            crossing: plan.crossing.of_section(self.number),
            outputs: &plan.outputs,
        };
        let section = Section::new(&gates, before, &plan.how, &mut self.ddr)?;
        self.number += 1;
        self.first += count;
        self.ands += ands as u32;
        Ok(Some(section))
    }
}

/// Iterator over the batches to send.
pub struct Sending<'p, 'c> {
    plan: &'p Plan<'c>,
    state: State<'c>,
    section: Option<Arc<Section>>,
    next: usize,
}

impl Sending<'_, '_> {
    /// Returns the next batch, if there is one.
    pub fn next(&mut self, waits: Waits) -> Option<Sent> {
        loop {
            if let Some(section) = &self.section
                && self.next < section.batches()
            {
                self.next += 1;
                return Some(section.batch(self.next - 1, self.plan.how.form, waits));
            }
            let following = match (&self.plan.only, &self.section) {
                (Some(only), None) => Some(only.clone()),
                (Some(_), Some(_)) => None,
                (None, _) => {
                    let planned = self.state.section(self.plan);
                    planned.expect("checked when the plan was made").map(Arc::new)
                }
            };
            (self.section, self.next) = (Some(following?), 0);
        }
    }
}

/// The number of lanes over which a policy spreads neighbouring gates, if it spreads them.
fn lanes(policy: Policy) -> Option<u32> {
    match policy {
        Policy::Banked(Banks { lanes, .. }) => Some(lanes),
        _ => None,
    }
}
