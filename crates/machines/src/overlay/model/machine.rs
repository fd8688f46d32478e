//! The overlay clock by clock: what `rtl/overlay` does, with the same registers.

use super::crossing::Crossing;
use super::shape::{AndCells, MOST_LANES, PORT_DEPTH, Shape};
use crate::overlay::command::{Command, Form, ONE};
use crate::overlay::{Place, encode};
use std::collections::VecDeque;

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
    /// Cells: groups under way, when they are done; the set of the next AND, and until when sets are busy.
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
        self.counters = Counters::default();
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

    fn words_ready(&self) -> bool {
        let Shape { words, depth, hold, .. } = self.shape;
        let is_within = self.left > 0 && !self.first;
        let is_under_way = !self.operands.is_empty() || (!is_within && self.under_way > 0);
        let is_whole = || self.left > 0 && self.words.len() >= self.needed();
        self.words.len() as u32 + words <= depth && !(hold && (is_under_way || is_whole()))
    }

    /// Registers of the group at hand.
    fn needed(&self) -> usize {
        self.count() * self.begin.form.registers(self.ands)
    }

    fn count(&self) -> usize {
        self.left.min(self.shape.lanes) as usize
    }

    /// The group at hand, as far as its words are there.
    fn group(&self) -> Group {
        let (form, count) = (self.begin.form, self.count());
        let each = form.registers(self.ands);
        let mut commands = [Command::NONE; MOST_LANES];
        for (lane, command) in commands[..count].iter_mut().enumerate() {
            let mut registers = [0; Form::MOST];
            for (at, register) in registers[..each].iter_mut().enumerate() {
                *register = self.words.get(lane * each + at).copied().unwrap_or(0);
            }
            *command = form.decode(registers, 0);
        }
        let last = self.left <= self.shape.lanes;
        Group { commands, count, ands: self.ands, first: self.first, last, number: self.number }
    }

    /// A cycle of the machine's clock. All that is read of `self` before the last step is from before the edge, or is
    /// not needed any more.
    fn cycle(
        &mut self,
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<G::Label>; 2],
        table_ready: bool,
    ) -> (Seen, Requests<G::Label>) {
        let shape = self.shape;
        let mut seen = Seen { level: self.words.len() as u32, ..Seen::default() };
        let mut requests = [None, None];
        let idle = self.under_way == 0;
        let no_operands = self.operands.is_empty();
        let is_open = self.left > 0;

        // Writing, which has the ports before reading.
        let mut acked = [false; 2];
        let mut port_wanted = [false; 2];
        let mut port_taken = [false; 2];
        let mut retired = None;
        let is_within = is_open && !self.first;
        let may_write = !self.results.is_empty() && (!shape.serial || (!is_within && no_operands));
        if may_write {
            let (group, labels) = &self.results[0];
            let count = group.count;
            let all = (1_u32 << count) - 1;
            let mut banks = 0_u64;
            for lane in (0..count).filter(|lane| self.written >> lane & 1 == 0) {
                match group.commands[lane].out {
                    Place::BlockRam(at) => {
                        let bank = 1_u64 << (at % shape.banks);
                        if banks & bank == 0 {
                            banks |= bank;
                            seen.writes |= 1 << lane;
                            self.ram[at as usize] = labels[lane].clone();
                        }
                    }
                    Place::Ddr(at) => {
                        let port = port_of(at);
                        if !port_wanted[port] {
                            port_wanted[port] = true;
                            if self.ports[port].len() < PORT_DEPTH {
                                seen.requests[port] = Some((true, at));
                                if ready[port] {
                                    let label = Some(labels[lane].clone());
                                    requests[port] = Some(Request { address: at, label });
                                    seen.writes |= 1 << lane;
                                    port_taken[port] = true;
                                }
                            }
                        }
                    }
                }
            }
            let offers = group.ands && !self.tabled;
            if offers {
                seen.tables = all;
            }
            let tabled = self.tabled || (offers && table_ready);
            let is_over = match shape.serial {
                true => {
                    self.written == all
                        && (self.tabled || !group.ands)
                        && self.waiting == [false; 2]
                }
                false => (self.written | seen.writes) == all && (tabled || !group.ands),
            };
            seen.retires = is_over;
            if is_over {
                retired = Some((count as u64, group.ands, group.last));
            } else {
                (self.written, self.tabled) = (self.written | seen.writes, tabled);
            }
        }

        // Reading.
        let valid = is_open && self.words.len() >= if shape.serial { 2 } else { self.needed() };
        let fenced = valid && self.first && !idle;
        let starved = !valid && !self.ended;
        let may_read = valid
            && self.operands.len() < shape.slots as usize
            && if self.first { idle } else { !shape.serial || no_operands };
        let mut sent = None;
        let mut came_next = Vec::new();
        let mut tags: [Option<(u64, usize)>; 2] = [None, None];
        let slot = self.entered + self.operands.len() as u64;
        if may_read {
            let group = self.group();
            let all = ((1_u64 << (2 * group.count)) - 1) as u32;
            let (mut banks, mut known) = (0_u64, 0_u32);
            let mut wanted = [false; 2];
            for read in (0..2 * group.count).filter(|read| self.served >> read & 1 == 0) {
                match group.operand(read) {
                    place if shape.knows(place) => known |= 1 << read,
                    Place::BlockRam(at) => {
                        let bank = 1_u64 << (at % shape.banks);
                        if banks & bank == 0 {
                            banks |= bank;
                            seen.serves |= 1 << read;
                            came_next.push((slot, read, self.ram[at as usize].clone()));
                        }
                    }
                    Place::Ddr(at) => {
                        let port = port_of(at);
                        if !wanted[port] {
                            wanted[port] = true;
                            if !port_wanted[port] && self.ports[port].len() < PORT_DEPTH {
                                seen.requests[port] = Some((false, at));
                                if ready[port] {
                                    requests[port] = Some(Request { address: at, label: None });
                                    seen.serves |= 1 << read;
                                    tags[port] = Some((slot, read));
                                    port_taken[port] = true;
                                }
                            }
                        }
                    }
                }
            }
            let is_whole = self.words.len() >= self.needed();
            if is_whole && (self.served | seen.serves | known) == all {
                sent = Some(group);
            } else {
                self.served |= seen.serves;
            }
        }

        // Cells: what enters, and what comes out.
        let mut entering = None;
        if let Some((group, operands)) = self.operands.front() {
            let all = ((1_u64 << (2 * group.count)) - 1) as u32;
            let set = if group.first { 0 } else { self.and_set };
            let is_free = !group.ands || self.busy[set] <= self.clock;
            let has_room = self.cells.len() + self.results.len() < shape.entries as usize;
            if operands.have & all == all && is_free && has_room {
                entering = Some(set);
            }
        }
        seen.enters = entering.is_some();
        let done = self.cells.front().is_some_and(|(due, ..)| *due == self.clock);

        // From here on, what is there after the edge.
        let counters = &mut self.counters;
        if self.running {
            let asked = |write: bool| {
                let taken = (0..2).filter(|&port| {
                    port_taken[port] && seen.requests[port].is_some_and(|(is, _)| is == write)
                });
                taken.count() as u64
            };
            counters.clocks += 1;
            counters.reads += asked(false);
            counters.writes += asked(true);
            counters.starved += u64::from(starved);
            counters.fenced += u64::from(fenced);
            if let Some((gates, ands, last)) = retired {
                counters.gates += gates;
                counters.ands += if ands { gates } else { 0 };
                counters.batches += u64::from(last);
            }
        }
        let ports_idle = self.ports.iter().all(VecDeque::is_empty);
        if self.running && self.ended && idle && ports_idle {
            self.running = false;
        }
        if retired.is_some() {
            self.results.pop_front();
            (self.written, self.tabled) = (0, false);
        }
        if done && let Some((_, group, labels)) = self.cells.pop_front() {
            self.results.push_back((group, labels));
        }
        if let Some(set) = entering
            && let Some((group, operands)) = self.operands.pop_front()
        {
            self.enter(group, &operands.labels, set);
        }
        for (port, response) in responses.into_iter().enumerate() {
            if let Some(label) = response {
                match self.ports[port].pop_front().expect("a response to a request") {
                    Some((slot, read)) => self.came(slot, read, label),
                    None => acked[port] = true,
                }
            }
        }
        for (slot, read, label) in std::mem::replace(&mut self.ram_came, came_next) {
            self.came(slot, read, label);
        }
        for port in 0..2 {
            let wrote = seen.requests[port].is_some_and(|(write, _)| write);
            if port_taken[port] {
                self.ports[port].push_back(tags[port]);
            }
            self.waiting[port] = shape.serial
                && ((self.waiting[port] && !acked[port]) || (wrote && port_taken[port]));
        }
        self.under_way = self.under_way + u32::from(sent.is_some()) - u32::from(seen.retires);

        // Words.
        let begins = !is_open && self.running && !self.ended && !self.words.is_empty();
        if let Some(group) = sent {
            self.words.drain(..self.needed());
            self.left -= group.count as u32;
            self.first = false;
            if group.ands && !self.begin.form.numbers() {
                self.number += group.count as u64;
            }
            self.served = 0;
            let fresh = vec![self.garbles.blank(); 2 * shape.lanes as usize];
            let operands = Operands { labels: fresh, have: 0 };
            let mut own = std::mem::replace(&mut self.at_hand, operands);
            for read in (0..2 * group.count).filter(|read| shape.knows(group.operand(*read))) {
                own.have |= 1 << read;
                own.labels[read] = self.garbles.constant(group.operand(read) == ONE);
            }
            self.operands.push_back((group, own));
        } else if begins {
            let word = self.words.pop_front().unwrap_or(encode::END);
            (self.left, self.ands) = encode::of_batch(word);
            (self.first, self.ended) = (true, word == encode::END);
        }
        self.words.extend(words);
        self.clock += 1;
        (seen, requests)
    }

    fn came(&mut self, slot: u64, read: usize, label: G::Label) {
        let operands = match slot.checked_sub(self.entered) {
            Some(at) if (at as usize) < self.operands.len() => &mut self.operands[at as usize].1,
            _ => &mut self.at_hand,
        };
        operands.labels[read] = label;
        operands.have |= 1 << read;
    }

    fn enter(&mut self, group: Group, operands: &[G::Label], set: usize) {
        self.entered += 1;
        let half_gates = match self.shape.and_cells {
            AndCells::Rows => false,
            AndCells::HalfGates => true,
            AndCells::Both => self.begin.half_gates,
        };
        let due = self.clock + if group.ands { self.shape.and_latency(half_gates) } else { 1 };
        if group.ands {
            if !half_gates {
                self.busy[set] = due;
            }
            self.and_set = (set + 1) % self.busy.len();
        }
        let gates = group.commands[..group.count].iter().zip(operands.chunks_exact(2)).enumerate();
        let labels = gates.map(|(lane, (command, ends))| {
            let [a, b, out] = command.invert;
            if group.ands {
                let own =
                    if self.begin.form.numbers() { command.number.into() } else { lane as u64 };
                self.garbles.and(&ends[0], &ends[1], command.invert, group.number + own)
            } else {
                self.garbles.xor(&ends[0], &ends[1], a ^ b ^ out)
            }
        });
        let labels = labels.collect();
        self.cells.push_back((due, group, labels));
    }
}
