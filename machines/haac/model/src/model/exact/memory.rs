//! The memory controller and the memory: which requests are accepted in a cycle.

use halfgate_circuit::Party;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;

use halfgate_compiler::spool::SpoolReader;

use super::engine::{Levels, OorWire};
use super::{Exact, Mutation};
use crate::code::{Code, OOR_LAST};
use crate::model::attached::{Ports, Request};
use crate::model::config::{BURST, BURST_ADDRESSES, BURST_TABLES, Config};

/// Makes memory and engines break the timing contract. Tests check that results do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disturbance {
    /// Seed of the random numbers; the same seed gives the same run.
    pub seed: u64,
    /// Largest delay of a response, in cycles. Responses of one stream stay in order.
    pub extra_latency: u32,
    /// Percentage of cycles in which memory accepts nothing.
    pub refuse_percent: u32,
    /// Percentage of cycles in which an engine may not issue.
    pub stall_percent: u32,
}

/// State of a disturbance.
pub struct Disturbed {
    settings: Disturbance,
    state: u64,
    /// For each stream, the cycle of its last response.
    last: HashMap<(u8, usize), u64>,
}

impl Disturbed {
    pub fn new(settings: Disturbance) -> Disturbed {
        Disturbed { settings, state: settings.seed, last: HashMap::new() }
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random() % 100 < u64::from(percent)
    }

    /// Engines that may not issue, as a bit mask.
    pub fn stalls(&mut self, engines: usize) -> u64 {
        let percent = self.settings.stall_percent;
        (0..engines).filter(|_| self.chance(percent)).fold(0, |mask, e| mask | 1 << e)
    }

    fn due(&mut self, due: u64, stream: (u8, usize)) -> u64 {
        let late = self.random() % (u64::from(self.settings.extra_latency) + 1);
        let last = self.last.entry(stream).or_default();
        *last = (due + late).max(*last);
        *last
    }
}

/// A response of memory.
#[derive(Clone, Debug)]
pub enum Response {
    /// A live label has been written.
    Written(super::Write),
    Wire(usize, OorWire),
    Addresses(usize, Vec<u32>),
    Instructions,
    Tables(usize, Vec<u64>),
    TablesWritten,
    Inputs(u32),
}

/// The memory, its controller, and requests in flight.
pub struct Memory<'a> {
    /// The credit counter.
    credit: u64,
    /// Responses by the cycle in which they arrive.
    pub under_way: BTreeMap<u64, Vec<Response>>,
    /// Live labels that will be read again: address and name.
    pub live: HashMap<u32, u32>,
    /// Addresses that were read for the last time in program order, with the half of the reader.
    /// Until that half is complete, other engines may still make earlier reads of them.
    pub last_reads: VecDeque<(u32, u32)>,
    oor: Vec<SpoolReader<'a, 4>>,
    oor_left: Vec<u64>,
    tables_left: Vec<u64>,
    /// For each kind of request, the engine that has the first turn in the next cycle.
    turn: [usize; 4],
    /// Whether a request waits for bandwidth in this cycle.
    blocked: bool,
    /// Bursts of tables that each engine has written.
    written: Vec<u64>,
    /// Words and tables of each engine.
    words: Vec<u64>,
    tables: Vec<u64>,
    /// A memory with times of its own, in place of the contract's.
    pub ports: Option<Ports<'a, Response>>,
}

/// Kinds of requests that engines make in turns.
const LIVE: usize = 0;
const WIRE: usize = 1;
const ADDRESSES: usize = 2;
const TABLES: usize = 3;

impl<'a> Memory<'a> {
    pub fn new(code: &'a Code, ands: &[u64], config: &Config) -> Memory<'a> {
        Memory {
            credit: 0,
            under_way: BTreeMap::new(),
            live: HashMap::new(),
            last_reads: VecDeque::new(),
            oor: code.oor.iter().map(|words| words.reader()).collect(),
            oor_left: code.oor.iter().map(|words| words.len()).collect(),
            tables_left: match config.role {
                Party::Garbler => vec![0; config.engines],
                Party::Evaluator => ands.to_vec(),
            },
            turn: [0; 4],
            blocked: false,
            written: vec![0; config.engines],
            words: code.oor.iter().map(|words| words.len()).collect(),
            tables: ands.to_vec(),
            ports: None,
        }
    }

    /// Whether the credit of this cycle covers a request of `bytes`; if so, pays for it. With a
    /// memory that has times of its own, whether that memory accepts it.
    fn accept(&mut self, bytes: u32, request: Request, config: &Config) -> bool {
        if let Some(ports) = &mut self.ports {
            let accepts = ports.accepts(request);
            self.blocked |= !accepts;
            return accepts;
        }
        let cost = u64::from(bytes) * config.credit_byte;
        if self.blocked || self.credit < cost {
            self.blocked = true;
            return false;
        }
        self.credit -= cost;
        true
    }

    /// Number of requests without a response.
    pub fn in_flight(&self) -> usize {
        let ports = self.ports.as_ref().map_or(0, |ports| ports.in_flight);
        ports + self.under_way.values().map(Vec::len).sum::<usize>()
    }

    /// The next burst of an engine's out-of-range words.
    pub fn address_burst(&mut self, e: usize) -> io::Result<Vec<u32>> {
        let mut words = Vec::new();
        while words.len() < BURST_ADDRESSES as usize {
            let Some(word) = self.oor[e].next()? else { break };
            words.push(u32::from_le_bytes(word));
        }
        self.oor_left[e] -= words.len() as u64;
        Ok(words)
    }

    /// Frees labels whose last reads were all in halves before `complete`.
    pub fn forget(&mut self, complete: u32) {
        while let Some((_, address)) = self.last_reads.pop_front_if(|read| read.0 < complete) {
            self.live.remove(&address);
        }
    }

    /// Number of the next burst of an engine's words, and of its tables to read.
    fn next_bursts(&self, e: usize) -> [u64; 2] {
        let words = (self.words[e] - self.oor_left[e]) / u64::from(BURST_ADDRESSES);
        [words, (self.tables[e] - self.tables_left[e]) / u64::from(BURST_TABLES)]
    }

    /// Number of words in the next burst.
    pub fn next_addresses(&self, e: usize) -> u32 {
        self.oor_left[e].min(u64::from(BURST_ADDRESSES)) as u32
    }

    /// Number of tables in the next burst to read.
    pub fn next_tables(&self, e: usize) -> u32 {
        self.tables_left[e].min(u64::from(BURST_TABLES)) as u32
    }

    pub fn take_tables(&mut self, e: usize, count: u32) {
        self.tables_left[e] -= u64::from(count);
    }
}

impl Exact<'_> {
    /// Engines that a disturbance keeps from issuing in this cycle.
    pub(super) fn stalled_engines(&mut self) -> u64 {
        let engines = self.engines.len();
        self.disturbance.as_mut().map_or(0, |disturbed| disturbed.stalls(engines))
    }

    /// Makes requests while the credit lasts: kinds in the order of their urgency, and within a
    /// kind the engines in turn.
    pub(super) fn request(&mut self, seen: &[Levels]) -> io::Result<()> {
        let config = &self.config;
        let memory = &mut self.memory;
        memory.credit += config.credit_step;
        if self.mutation != Some(Mutation::CreditWithoutCap) {
            memory.credit = memory.credit.min(config.credit_cap);
        }
        memory.blocked = false;
        if let Some(disturbed) = &mut self.disturbance
            && disturbed.chance(disturbed.settings.refuse_percent)
        {
            return Ok(());
        }
        self.in_turns(LIVE, |exact, e| Ok(exact.request_live(e, &seen[e])))?;
        self.in_turns(WIRE, |exact, e| Ok(exact.request_wire(e, &seen[e])))?;
        self.in_turns(ADDRESSES, |exact, e| exact.request_addresses(e, &seen[e]))?;
        self.request_instructions()?;
        self.in_turns(TABLES, |exact, e| exact.request_tables(e, &seen[e]))?;
        self.request_inputs();
        self.counts.memory_bound += u64::from(self.memory.blocked);
        Ok(())
    }

    /// Offers every engine one request, starting after the engine that was served last.
    fn in_turns(
        &mut self,
        kind: usize,
        mut request: impl FnMut(&mut Self, usize) -> io::Result<bool>,
    ) -> io::Result<()> {
        let engines = self.engines.len();
        let first = self.memory.turn[kind];
        for i in 0..engines {
            let e = (first + i) % engines;
            if request(self, e)? && self.mutation != Some(Mutation::NoRotation) {
                self.memory.turn[kind] = (e + 1) % engines;
            }
        }
        Ok(())
    }

    fn response(&mut self, stream: (u8, usize), response: Response) {
        if let Some(ports) = &mut self.memory.ports {
            ports.add(response);
            return;
        }
        let late = self.mutation == Some(Mutation::SlowMemory);
        let mut due = self.now + self.config.latency + u64::from(late);
        if let Some(disturbed) = &mut self.disturbance {
            due = disturbed.due(due, stream);
        }
        self.memory.under_way.entry(due).or_default().push(response);
        self.counts.last_progress = self.counts.last_progress.max(due);
    }

    fn request_live(&mut self, e: usize, seen: &Levels) -> bool {
        if seen.live == 0 {
            return false;
        }
        let address = self.engines[e].live[0].address;
        let request = Request::Live { e, address };
        if !self.memory.accept(self.config.wire_bytes, request, &self.config) {
            return false;
        }
        let engine = &mut self.engines[e];
        let write = engine.live.pop_front().expect("the queue was seen not to be empty");
        engine.levels.live -= 1;
        engine.levels.live_taken -= 1;
        self.counts.traffic.live += 1;
        self.response((0, e), Response::Written(write));
        true
    }

    fn request_wire(&mut self, e: usize, seen: &Levels) -> bool {
        if seen.addresses == 0 || seen.wires_taken >= self.config.oor_wires {
            return false;
        }
        let word = self.engines[e].addresses[0];
        let address = word & !OOR_LAST;
        let is_input = address < self.code.first_output;
        let written = self.config.half_of(address) < self.registered.complete
            || self.mutation == Some(Mutation::NoMemoryInterlock);
        let request = Request::Label { e, address };
        if !(is_input || written)
            || !self.memory.accept(self.config.wire_bytes, request, &self.config)
        {
            return false;
        }
        let engine = &mut self.engines[e];
        engine.addresses.pop_front();
        engine.levels.addresses -= 1;
        engine.levels.addresses_taken -= 1;
        engine.levels.wires_taken += 1;
        self.counts.traffic.oor_wires += 1;
        let last = word & OOR_LAST != 0;
        // A label that was never written has no name.
        let name = match self.memory.live.get(&address) {
            _ if is_input => address,
            Some(&name) => name,
            None => 0,
        };
        self.response((1, e), Response::Wire(e, OorWire { name, last }));
        true
    }

    fn request_addresses(&mut self, e: usize, seen: &Levels) -> io::Result<bool> {
        let count = self.memory.next_addresses(e);
        let [index, _] = self.memory.next_bursts(e);
        if count == 0
            || seen.addresses_taken + count > self.config.oor_addresses
            || !self.memory.accept(BURST, Request::Words { e, index }, &self.config)
        {
            return Ok(false);
        }
        let words = self.memory.address_burst(e)?;
        self.engines[e].levels.addresses_taken += count;
        self.counts.traffic.oor_address_bursts += 1;
        self.response((2, e), Response::Addresses(e, words));
        Ok(true)
    }

    fn request_instructions(&mut self) -> io::Result<()> {
        for _ in 0..self.config.instruction_grants {
            let index = self.dispatcher.requested;
            let space = index - self.registered.instructions_freed < self.config.instruction_bursts;
            let request = Request::Instructions { index };
            if !space
                || !self.rows.has_burst(index)?
                || !self.memory.accept(BURST, request, &self.config)
            {
                break;
            }
            self.dispatcher.requested += 1;
            self.counts.traffic.instruction_bursts += 1;
            self.response((3, 0), Response::Instructions);
        }
        Ok(())
    }

    fn request_tables(&mut self, e: usize, seen: &Levels) -> io::Result<bool> {
        match self.config.role {
            Party::Evaluator => self.read_tables(e, seen),
            Party::Garbler => Ok(self.write_tables(e, seen)),
        }
    }

    fn read_tables(&mut self, e: usize, seen: &Levels) -> io::Result<bool> {
        let count = self.memory.next_tables(e);
        let [_, index] = self.memory.next_bursts(e);
        let request = Request::Tables { e, index, is_write: false };
        if count == 0
            || seen.tables_taken + count > self.config.tables
            || !self.memory.accept(BURST, request, &self.config)
        {
            return Ok(false);
        }
        let numbers = self.table_burst(e, count)?;
        self.engines[e].levels.tables_taken += count;
        self.counts.traffic.table_bursts += 1;
        self.response((4, e), Response::Tables(e, numbers));
        Ok(true)
    }

    /// The numbers of the next `count` tables of engine `e`.
    pub(super) fn table_burst(&mut self, e: usize, count: u32) -> io::Result<Vec<u64>> {
        self.memory.take_tables(e, count);
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.extend(self.tables.next(e)?);
        }
        if self.mutation == Some(Mutation::TablesSwapped) {
            numbers.reverse();
        }
        Ok(numbers)
    }

    /// Writes whole bursts of tables, or a single table if the engine has nothing left to do.
    fn write_tables(&mut self, e: usize, seen: &Levels) -> bool {
        let last = seen.tables == 1 && seen.idle && self.registered.all_dispatched;
        let whole = seen.tables >= BURST_TABLES;
        let request = Request::Tables { e, index: self.memory.written[e], is_write: true };
        if !(last || whole) || !self.memory.accept(BURST, request, &self.config) {
            return false;
        }
        self.memory.written[e] += 1;
        let count = seen.tables.min(BURST_TABLES);
        let engine = &mut self.engines[e];
        engine.tables.drain(..count as usize);
        engine.levels.tables -= count;
        engine.levels.tables_taken -= count;
        self.counts.traffic.table_bursts += 1;
        self.response((4, e), Response::TablesWritten);
        true
    }

    fn request_inputs(&mut self) {
        for _ in 0..self.config.loader_bursts {
            let Some(index) = self.loader.next_request() else { break };
            if !self.memory.accept(BURST, Request::Inputs { index }, &self.config) {
                break;
            }
            let burst = self.loader.request().expect("there is a request");
            self.counts.traffic.input_bursts += 1;
            self.response((5, 0), Response::Inputs(burst));
        }
    }
}
