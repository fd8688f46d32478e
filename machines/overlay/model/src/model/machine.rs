//! Cycle-accurate model of the overlay, with the same registers as `machines/overlay/rtl`.
//!
//! Stages are named after the hardware's modules: `link` is `overlay_link`, `operands` is
//! `overlay_read` and `overlay_operands`, `execute` is `overlay_execute`, `results` is
//! `overlay_write` and `overlay_results`, `ports` is `overlay_port`.

mod execute;
mod link;
mod operands;
mod ports;
mod results;
mod went;

use super::crossing::Crossing;
use super::shape::{MOST_LANES, Shape};
use crate::Place;
use crate::command::{Command, Form};
use ports::PortCycle;
use std::collections::VecDeque;
pub use went::Went;

/// Operations on labels. The machine moves labels, and never inspects one.
pub trait Garbles {
    /// A label.
    type Label: Clone;

    /// A label with no bits set.
    fn blank(&self) -> Self::Label;
    /// The label of a constant.
    fn constant(&self, one: bool) -> Self::Label;
    /// The label of an XOR. `invert` is set if an odd number of its operands and output are
    /// inverted.
    fn xor(&mut self, a: &Self::Label, b: &Self::Label, invert: bool) -> Self::Label;
    /// Computes the label of the AND with this number in the run, and makes its table.
    fn and(
        &mut self,
        a: &Self::Label,
        b: &Self::Label,
        invert: [bool; 3],
        number: u64,
    ) -> Self::Label;
}

/// Observable events of a clock cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Operands that are read, one bit for each.
    pub serves: u32,
    /// Whether a group enters the cells.
    pub enters: bool,
    /// Labels that are written, one bit for each lane.
    pub writes: u32,
    /// Whether a group is finished.
    pub retires: bool,
    /// Words in the queue.
    pub level: u32,
    /// Requests to the ports of DDR: whether it is a write, and the label's address.
    pub requests: [Option<(bool, u32)>; 2],
    /// Number of tables that are offered.
    pub tables: u32,
}

/// Inputs of a clock cycle.
pub struct Inputs<'a, D> {
    /// Words from the link, if it is ready.
    pub words: &'a [u32],
    /// Which ports of DDR accept a request.
    pub ready: [bool; 2],
    /// Responses of the ports of DDR.
    pub responses: [Option<D>; 2],
    /// Whether tables are taken.
    pub table_ready: bool,
}

/// Counters of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Clock cycles of the run.
    pub clocks: u64,
    /// Gates finished.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// Batches finished.
    pub batches: u64,
    /// Labels read from DDR.
    pub reads: u64,
    /// Labels written to DDR.
    pub writes: u64,
    /// Clock cycles in which no command was available.
    pub starved: u64,
    /// Clock cycles in which a batch waited until the batch before was written.
    pub fenced: u64,
}

/// Parameters of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begin {
    /// Whether the suite is `half-gates`; otherwise it is `grr3-sha1`.
    pub half_gates: bool,
    /// Layout of commands in registers.
    pub form: Form,
    /// AND number of the run's first AND.
    pub base: u64,
}

/// An overlay.
pub struct Machine<G: Garbles> {
    shape: Shape,
    begin: Begin,
    garbles: G,
    clock: u64,
    running: bool,
    counters: Counters,
    went: Went,
    crossing: Option<Crossing>,
    /// Queue of words; then the state of the batch whose commands are at its head.
    words: VecDeque<u32>,
    left: u32,
    ands: bool,
    first: bool,
    ended: bool,
    number: u64,
    /// Operands of the current group: those requested (`served`), and those received (`at_hand`).
    served: u32,
    at_hand: Operands<G::Label>,
    /// Groups that were issued, the oldest first; and the number of groups that have entered the
    /// cells.
    operands: VecDeque<(Group, Operands<G::Label>)>,
    entered: u64,
    /// Labels that block RAM returns in the next clock cycle, each with its group and operand.
    ram_came: Vec<(u64, usize, G::Label)>,
    ram: Vec<G::Label>,
    /// Groups in the cells, each with its last clock cycle; then the set of cells for the next AND;
    /// and for each set, the clock cycle until which it is busy.
    cells: VecDeque<(u64, Group, Vec<G::Label>)>,
    and_set: usize,
    busy: Vec<u64>,
    /// Groups whose results are ready.
    results: VecDeque<(Group, Vec<G::Label>)>,
    written: u32,
    tabled: bool,
    waiting: [bool; 2],
    under_way: u32,
    ports: [VecDeque<Option<(u64, usize)>>; 2],
}

/// Gates that are executed in parallel, one per lane.
#[derive(Clone, Copy)]
struct Group {
    commands: [Command; MOST_LANES],
    count: usize,
    ands: bool,
    first: bool,
    last: bool,
    /// AND number in the run of the group's first AND.
    number: u64,
}

impl Group {
    /// Place of an operand: number 2l is operand a of gate l, number 2l + 1 is operand b.
    fn operand(&self, read: usize) -> Place {
        let command = &self.commands[read / 2];
        if read.is_multiple_of(2) { command.a } else { command.b }
    }

    /// The set of the group's operands, one bit for each.
    fn operands(&self) -> u32 {
        ((1_u64 << (2 * self.count)) - 1) as u32
    }
}

struct Operands<L> {
    labels: Vec<L>,
    have: u32,
}

/// A request to a port of DDR.
#[derive(Clone, Debug)]
pub struct Request<L> {
    /// Address of the label.
    pub address: u32,
    /// The label to write; `None` for a read.
    pub label: Option<L>,
}

/// Requests that the ports of DDR accepted.
pub type Requests<L> = [Option<Request<L>>; 2];

/// Port of DDR for a label's address. A word has four labels, and consecutive words are at
/// alternate ports.
pub fn port_of(address: u32) -> usize {
    (address >> 2 & 1) as usize
}

impl<G: Garbles> Machine<G> {
    /// Returns an overlay after its reset. Memory: its block RAM.
    ///
    /// # Panics
    /// If the [shape](Shape::check) is impossible.
    pub fn new(shape: Shape, garbles: G) -> Machine<G> {
        shape.check().expect("a shape that was checked");
        let blank = garbles.blank();
        let at_hand = Operands { labels: vec![blank.clone(); 2 * shape.lanes as usize], have: 0 };
        Machine {
            shape,
            begin: Begin { half_gates: false, form: Form::Inverting, base: 0 },
            clock: 0,
            running: false,
            counters: Counters::default(),
            went: Went::default(),
            crossing: shape.link_clock.then(Crossing::default),
            words: VecDeque::new(),
            left: 0,
            ands: false,
            first: false,
            ended: false,
            number: 0,
            served: 0,
            at_hand,
            operands: VecDeque::new(),
            entered: 0,
            ram_came: Vec::new(),
            ram: vec![blank; shape.block_ram() as usize],
            cells: VecDeque::new(),
            and_set: 0,
            busy: vec![0; (shape.cells.ands / shape.lanes) as usize],
            results: VecDeque::new(),
            written: 0,
            tabled: false,
            waiting: [false; 2],
            under_way: 0,
            ports: Default::default(),
            garbles,
        }
    }

    /// The operations on labels.
    pub fn garbles(&mut self) -> &mut G {
        &mut self.garbles
    }

    /// Runs the clock cycle in which a run begins. Nothing else happens in it.
    pub fn start(&mut self, begin: Begin) {
        (self.begin, self.running) = (begin, true);
        (self.left, self.ended, self.number) = (0, false, begin.base);
        (self.counters, self.went) = (Counters::default(), Went::default());
    }

    /// Whether a run is in progress.
    pub fn is_busy(&self) -> bool {
        self.running
    }

    /// Counters of the run so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Whether the link accepts words.
    pub fn link_ready(&self) -> bool {
        match &self.crossing {
            Some(crossing) => crossing.is_ready(),
            None => self.words_ready(),
        }
    }

    /// Runs an edge of the link's clock, the machine's, or both.
    ///
    /// Returns the events, if the edge is one of the machine's clock, and the requests that the
    /// ports of DDR accepted.
    pub fn edge(
        &mut self,
        (link, local): (bool, bool),
        inputs: Inputs<'_, G::Label>,
    ) -> (Option<Seen>, Requests<G::Label>) {
        let Inputs { words, ready, responses, table_ready } = inputs;
        let Some(mut crossing) = self.crossing.take() else {
            if !local {
                return (None, [None, None]);
            }
            let taken = if self.words_ready() { words } else { &[] };
            let (seen, requests) = self.cycle(taken, ready, responses, table_ready);
            return (Some(seen), requests);
        };
        // Both sides see the state before the edge.
        let pops = local && crossing.is_valid() && self.words_ready();
        let popped: Vec<u32> = if pops { crossing.head().to_vec() } else { Vec::new() };
        crossing.edge((link, local), link.then_some(words).filter(|words| !words.is_empty()), pops);
        self.crossing = Some(crossing);
        if !local {
            return (None, [None, None]);
        }
        let (seen, requests) = self.cycle(&popped, ready, responses, table_ready);
        (Some(seen), requests)
    }

    /// Runs a cycle of the machine's clock. First each stage reads the registers as they were
    /// before the edge; then the registers are updated, from the last stage to the first.
    fn cycle(
        &mut self,
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<G::Label>; 2],
        table_ready: bool,
    ) -> (Seen, Requests<G::Label>) {
        let mut seen = Seen { level: self.words.len() as u32, ..Seen::default() };
        let mut ports = PortCycle::new(ready);
        // Writes come first because they have priority over reads at the ports.
        self.write(&mut ports, table_ready, &mut seen);
        let (sent, ram_came) = self.read(&mut ports, &mut seen);
        let entering = self.free_set();
        seen.enters = entering.is_some();
        seen.requests = ports.offered;

        self.count_cycle(&seen, &ports.taken);
        if self.running {
            self.count_went(sent.as_ref());
        }
        let ports_idle = self.ports.iter().all(VecDeque::is_empty);
        if self.running && self.ended && self.under_way == 0 && ports_idle {
            self.running = false;
        }
        self.clock_results(seen.retires);
        self.clock_execute(entering);
        let acked = self.clock_operands(responses, ram_came);
        self.clock_ports(&ports, acked);
        self.under_way = self.under_way + u32::from(sent.is_some()) - u32::from(seen.retires);
        self.clock_link(sent, words);
        self.clock += 1;
        (seen, ports.taken)
    }

    /// Counts the events of a clock cycle.
    fn count_cycle(&mut self, seen: &Seen, taken: &Requests<G::Label>) {
        if !self.running {
            return;
        }
        let valid = self.is_group_valid();
        let is_fenced = valid && self.first && self.under_way > 0;
        let is_starved = !valid && !self.ended;
        let counters = &mut self.counters;
        counters.clocks += 1;
        for request in taken.iter().flatten() {
            match request.label {
                Some(_) => counters.writes += 1,
                None => counters.reads += 1,
            }
        }
        counters.starved += u64::from(is_starved);
        counters.fenced += u64::from(is_fenced);
        if let Some((group, _)) = self.results.front().filter(|_| seen.retires) {
            let gates = group.count as u64;
            counters.gates += gates;
            counters.ands += if group.ands { gates } else { 0 };
            counters.batches += u64::from(group.last);
        }
    }
}
