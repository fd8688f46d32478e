//! The overlay clock by clock: what `machines/overlay/rtl` does, with the same registers.
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

/// What garbles. The machine moves labels about and never looks at one.
pub trait Garbles {
    /// A label.
    type Label: Clone;

    /// One with no bits set.
    fn blank(&self) -> Self::Label;
    /// That of a constant.
    fn constant(&self, one: bool) -> Self::Label;
    /// Of an XOR, of which an odd number of ends may be inverted.
    fn xor(&mut self, a: &Self::Label, b: &Self::Label, invert: bool) -> Self::Label;
    /// Of the AND of this number in the run, whose table is made now.
    fn and(
        &mut self,
        a: &Self::Label,
        b: &Self::Label,
        invert: [bool; 3],
        number: u64,
    ) -> Self::Label;
}

/// What happens in a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Operands that are read, a bit each.
    pub serves: u32,
    /// A group enters the cells.
    pub enters: bool,
    /// Labels that are written, a bit a lane.
    pub writes: u32,
    /// A group is done with.
    pub retires: bool,
    /// Words that wait.
    pub level: u32,
    /// What ports of DDR are asked: whether to write, and which label.
    pub requests: [Option<(bool, u32)>; 2],
    /// Tables that are offered.
    pub tables: u32,
}

/// What comes from outside in a clock.
pub struct Inputs<'a, D> {
    /// Words that the link brings, if it is ready.
    pub words: &'a [u32],
    /// Ports of DDR that take a request.
    pub ready: [bool; 2],
    /// What they bring.
    pub responses: [Option<D>; 2],
    /// Tables are taken.
    pub table_ready: bool,
}

/// What a run amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Clocks in which it was under way.
    pub clocks: u64,
    /// Gates done with.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// Batches done with.
    pub batches: u64,
    /// Labels read from DDR.
    pub reads: u64,
    /// Labels written to DDR.
    pub writes: u64,
    /// Clocks in which no command was there to be read.
    pub starved: u64,
    /// Clocks in which a batch waited for the one before.
    pub fenced: u64,
}

/// How a run is begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begin {
    /// Suite `half-gates`; else `grr3-sha1`.
    pub half_gates: bool,
    /// How commands lie in registers.
    pub form: Form,
    /// Number of the run's first AND.
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
    /// Words that wait, and the batch that they belong to.
    words: VecDeque<u32>,
    left: u32,
    ands: bool,
    first: bool,
    ended: bool,
    number: u64,
    /// Of the group at hand: operands that were asked for, and those that came.
    served: u32,
    at_hand: Operands<G::Label>,
    /// Groups that were sent, the oldest first, and how many were before.
    operands: VecDeque<(Group, Operands<G::Label>)>,
    entered: u64,
    /// What block RAM brings in the next clock: for which group, which operand.
    ram_came: Vec<(u64, usize, G::Label)>,
    ram: Vec<G::Label>,
    /// Cells: groups under way, when they are done; the set of the next AND, and until when sets
    /// are busy.
    cells: VecDeque<(u64, Group, Vec<G::Label>)>,
    and_set: usize,
    busy: Vec<u64>,
    /// Groups whose results are there.
    results: VecDeque<(Group, Vec<G::Label>)>,
    written: u32,
    tabled: bool,
    waiting: [bool; 2],
    under_way: u32,
    ports: [VecDeque<Option<(u64, usize)>>; 2],
}

/// Gates that go side by side.
#[derive(Clone, Copy)]
struct Group {
    commands: [Command; MOST_LANES],
    count: usize,
    ands: bool,
    first: bool,
    last: bool,
    /// Of its first AND, in the run.
    number: u64,
}

impl Group {
    /// Where operand a of gate l is, of number 2l, or b, of number 2l + 1.
    fn operand(&self, read: usize) -> Place {
        let command = &self.commands[read / 2];
        if read.is_multiple_of(2) { command.a } else { command.b }
    }

    /// All its operands, a bit each.
    fn operands(&self) -> u32 {
        ((1_u64 << (2 * self.count)) - 1) as u32
    }
}

struct Operands<L> {
    labels: Vec<L>,
    have: u32,
}

/// A request to a port.
#[derive(Clone, Debug)]
pub struct Request<L> {
    /// The label's place.
    pub address: u32,
    /// What is written there; none if it is read.
    pub label: Option<L>,
}

/// What ports of DDR were asked, and took.
pub type Requests<L> = [Option<Request<L>>; 2];

/// Which port of DDR has a label: four to a word, words in turn.
pub fn port_of(address: u32) -> usize {
    (address >> 2 & 1) as usize
}

impl<G: Garbles> Machine<G> {
    /// One after its reset. Memory: its block RAM.
    ///
    /// # Panics
    /// If there is [no such](Shape::check) overlay.
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

    /// What garbles.
    pub fn garbles(&mut self) -> &mut G {
        &mut self.garbles
    }

    /// A clock in which a run begins, which nothing else does in it.
    pub fn start(&mut self, begin: Begin) {
        (self.begin, self.running) = (begin, true);
        (self.left, self.ended, self.number) = (0, false, begin.base);
        (self.counters, self.went) = (Counters::default(), Went::default());
    }

    /// Whether a run goes on.
    pub fn is_busy(&self) -> bool {
        self.running
    }

    /// What it did so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Whether the link takes words.
    pub fn link_ready(&self) -> bool {
        match &self.crossing {
            Some(crossing) => crossing.is_ready(),
            None => self.words_ready(),
        }
    }

    /// An edge of the link's clock, of the machine's, or of both.
    ///
    /// Gives what happened, if it is of the machine's, and the requests that were taken.
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
        // Both sides see what was there before the edge.
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

    /// A cycle of the machine's clock: first what each stage does with the registers of before the
    /// edge, then what the edge changes, from the last stage to the first.
    fn cycle(
        &mut self,
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<G::Label>; 2],
        table_ready: bool,
    ) -> (Seen, Requests<G::Label>) {
        let mut seen = Seen { level: self.words.len() as u32, ..Seen::default() };
        let mut ports = PortCycle::new(ready);
        // Writes take the ports before reads do.
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

    /// Counts what happens in a cycle of a run.
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
