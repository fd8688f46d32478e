//! A memory with times of its own behind the machine's ports, in place of the contract's latency
//! and bandwidth: section 8 of `machine.md`. Both models use it.

use super::layout::{Layout, Region};
use super::places::Places;
use std::collections::VecDeque;

/// A memory that takes bursts and says when each is done. Bursts are done in any order.
pub trait Bursts {
    /// Whether it takes the burst with this address in this cycle.
    fn accepts(&self, address: u64, is_write: bool) -> bool;

    /// Takes a burst that it accepts.
    fn add(&mut self, address: u64, is_write: bool, tag: u32);

    /// Advances by a cycle. Calls `done` with the tag of each burst that is done in it.
    fn cycle(&mut self, done: &mut dyn FnMut(u32));
}

/// A memory at a machine's ports, and where the machine's streams are in it.
pub struct Attached<'m> {
    /// The memory.
    pub memory: &'m mut (dyn Bursts + 'm),
    /// Where the streams are.
    pub layout: Layout,
    /// Number of ports. Engine e uses port e mod ports; burst k of instructions and inputs port
    /// k mod ports.
    pub ports: u32,
    /// Where labels are.
    pub labels: Places,
}

/// A request of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// A live label of an engine is written.
    Live { e: usize, address: u32 },
    /// An out-of-range label is read for an engine.
    Label { e: usize, address: u32 },
    /// Burst number `index` of an engine's out-of-range words.
    Words { e: usize, index: u64 },
    /// Burst number `index` of an engine's tables.
    Tables { e: usize, index: u64, is_write: bool },
    /// Burst number `index` of the instructions.
    Instructions { index: u64 },
    /// The burst with input labels of addresses `4 index` and following.
    Inputs { index: u32 },
}

/// The ports, with the responses that are due at them.
pub(super) struct Ports<'m, R> {
    attached: Attached<'m>,
    /// Starts of instructions and labels, and by engine those of words and tables.
    starts: [u64; 2],
    engines: Vec<[u64; 2]>,
    /// For each port, its reads and its writes.
    ports: Vec<[Port<R>; 2]>,
    /// Whether the burst with a tag is done, and tags that are free.
    is_done: Vec<bool>,
    free: Vec<u32>,
    /// Requests without a response.
    pub in_flight: usize,
    /// The responses of instructions and of inputs, in order, with tags and whether they have
    /// arrived: their bursts use all ports.
    striped: [VecDeque<(u32, bool, R)>; 2],
    /// The request that [`Ports::accepts`] accepted last.
    accepted: Place,
    /// Cycles since anything was taken or delivered.
    pub idle_cycles: u64,
}

/// Where a request goes.
#[derive(Clone, Copy, Default)]
struct Place {
    port: usize,
    address: u64,
    is_write: bool,
    /// Which of the striped streams it belongs to.
    stripe: Option<usize>,
}

struct Port<R> {
    /// Requests in order, with their tags and responses. Those of striped streams are kept there.
    queue: VecDeque<(u32, Result<R, usize>)>,
    /// Whether it has taken a request in this cycle.
    is_taken: bool,
}

/// Places of the reads and writes of a port.
const READS: usize = 0;
const WRITES: usize = 1;

impl<'m, R> Ports<'m, R> {
    pub fn new(attached: Attached<'m>, engines: usize) -> Ports<'m, R> {
        let layout = &attached.layout;
        let port = || Port { queue: VecDeque::new(), is_taken: false };
        Ports {
            starts: [layout.start(Region::Instructions), layout.start(Region::Labels)],
            engines: (0..engines)
                .map(|e| [layout.start(Region::Oor(e)), layout.start(Region::Tables(e))])
                .collect(),
            ports: (0..attached.ports.max(1)).map(|_| [port(), port()]).collect(),
            is_done: Vec::new(),
            free: Vec::new(),
            in_flight: 0,
            striped: [VecDeque::new(), VecDeque::new()],
            accepted: Place::default(),
            idle_cycles: 0,
            attached,
        }
    }

    /// Where a request goes.
    fn place(&self, request: Request) -> Place {
        let [instructions, labels] = self.starts;
        let label = |address: u32| labels + 16 * self.attached.labels.of(address);
        let (port, address, is_write, stripe) = match request {
            Request::Live { e, address } => (e as u64, label(address), true, None),
            Request::Label { e, address } => (e as u64, label(address), false, None),
            Request::Words { e, index } => (e as u64, self.engines[e][0] + 64 * index, false, None),
            Request::Tables { e, index, is_write } => {
                (e as u64, self.engines[e][1] + 64 * index, is_write, None)
            }
            Request::Instructions { index } => (index, instructions + 64 * index, false, Some(0)),
            Request::Inputs { index } => (index.into(), label(4 * index), false, Some(1)),
        };
        let port = (port % self.ports.len() as u64) as usize;
        Place { port, address, is_write, stripe }
    }

    /// Whether a request is accepted in this cycle. If so, [`Ports::add`] must follow.
    pub fn accepts(&mut self, request: Request) -> bool {
        let place = self.place(request);
        let side = &self.ports[place.port][if place.is_write { WRITES } else { READS }];
        let accepts = !side.is_taken && self.attached.memory.accepts(place.address, place.is_write);
        if accepts {
            self.accepted = place;
        }
        accepts
    }

    /// Adds the accepted request, which will be answered by `response`.
    pub fn add(&mut self, response: R) {
        let Place { port, address, is_write, stripe } = self.accepted;
        let tag = self.free.pop().unwrap_or_else(|| {
            self.is_done.push(false);
            self.is_done.len() as u32 - 1
        });
        self.attached.memory.add(address, is_write, tag);
        let side = &mut self.ports[port][if is_write { WRITES } else { READS }];
        side.is_taken = true;
        self.in_flight += 1;
        self.idle_cycles = 0;
        let response = match stripe {
            Some(stripe) => {
                self.striped[stripe].push_back((tag, false, response));
                Err(stripe)
            }
            None => Ok(response),
        };
        side.queue.push_back((tag, response));
    }

    /// Ends a cycle: memory advances, and each port delivers its next read and its next
    /// acknowledgement, if they are done. Bursts of striped streams wait for earlier ones.
    pub fn cycle(&mut self, mut deliver: impl FnMut(R)) {
        let Ports { attached, ports, striped, is_done, free, in_flight, idle_cycles, .. } = self;
        attached.memory.cycle(&mut |tag| is_done[tag as usize] = true);
        *idle_cycles += 1;
        for side in ports.iter_mut().flatten() {
            side.is_taken = false;
            let done = side.queue.pop_front_if(|(tag, _)| is_done[*tag as usize]);
            let Some((tag, response)) = done else { continue };
            is_done[tag as usize] = false;
            free.push(tag);
            *idle_cycles = 0;
            match response {
                Ok(response) => {
                    *in_flight -= 1;
                    deliver(response);
                }
                Err(stripe) => {
                    let is_it =
                        |(other, arrived, _): &&mut (u32, bool, R)| *other == tag && !*arrived;
                    if let Some(entry) = striped[stripe].iter_mut().find(is_it) {
                        entry.1 = true;
                    }
                }
            }
        }
        for stripe in striped {
            while let Some((.., response)) = stripe.pop_front_if(|(_, arrived, _)| *arrived) {
                *in_flight -= 1;
                deliver(response);
            }
        }
    }

    /// Ends cycles in which nothing is in flight.
    pub fn skip(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.cycle(|_| ()));
    }

    /// Whether memory has not moved for so long that it never will.
    pub fn is_dead(&self) -> bool {
        self.idle_cycles > PATIENCE
    }
}

/// Cycles without a response after which a memory counts as dead. Refreshes take under a thousand.
const PATIENCE: u64 = 1 << 16;
