//! The memory controller: requests and responses.

use std::collections::VecDeque;
use std::io;

use halfgate_compiler::spool::SpoolReader;

use super::{Engines, Fast, members};
use crate::code::{Code, OOR_LAST};
use crate::model::attached::{Ports, Request};
use crate::model::config::{BURST, BURST_ADDRESSES, BURST_TABLES, Config};

/// Kinds of responses.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A live label, whose address is in this half, was written.
    Written(u32),
    Wire,
    Addresses(u32),
    Instructions,
    Tables(u32),
    TablesWritten,
    Inputs,
}

#[derive(Clone, Copy)]
pub(super) struct Response {
    due: u64,
    e: u32,
    kind: Kind,
}

/// Controller and memory.
pub struct Memory<'a> {
    credit: u64,
    /// Whether a request waits for credit, and how much credit it needs.
    pub is_blocked: bool,
    needs: u64,
    responses: VecDeque<Response>,
    /// Engines that have a request, as registered.
    pub live: Engines,
    wires: Engines,
    addresses: Engines,
    pub tables: Engines,
    /// Engines for which these sets must be recomputed.
    pub wires_to_look_at: Engines,
    addresses_to_look_at: Engines,
    pub tables_to_look_at: Engines,
    /// For each kind of request, the engine that has the first turn.
    turn_live: usize,
    turn_wires: usize,
    turn_addresses: usize,
    turn_tables: usize,
    /// Engines that free places at the end of the cycle.
    live_freed: Engines,
    tables_freed: Engines,
    tables_freed_twice: Engines,
    pub instructions_requested: u64,
    pub instructions_here: u64,
    oor: Vec<SpoolReader<'a, 4>>,
    /// Bursts of words and of tables that each engine has requested or written.
    word_bursts: Vec<u64>,
    table_bursts: Vec<u64>,
    /// Whether a request was accepted in this cycle.
    has_accepted: bool,
    /// A memory with times of its own, in place of the contract's.
    pub ports: Option<Ports<'a, Response>>,
}

impl<'a> Memory<'a> {
    pub fn new(code: &'a Code) -> Memory<'a> {
        Memory {
            credit: 0,
            is_blocked: false,
            needs: 0,
            responses: VecDeque::new(),
            live: 0,
            wires: 0,
            addresses: 0,
            tables: 0,
            wires_to_look_at: !0,
            addresses_to_look_at: !0,
            tables_to_look_at: !0,
            turn_live: 0,
            turn_wires: 0,
            turn_addresses: 0,
            turn_tables: 0,
            live_freed: 0,
            tables_freed: 0,
            tables_freed_twice: 0,
            instructions_requested: 0,
            instructions_here: 0,
            oor: code.oor.iter().map(|words| words.reader()).collect(),
            word_bursts: vec![0; code.oor.len()],
            table_bursts: vec![0; code.oor.len()],
            has_accepted: false,
            ports: None,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.responses.is_empty() && self.ports.as_ref().is_none_or(|ports| ports.in_flight == 0)
    }

    /// Whether every cycle counts, because a memory with times of its own may respond or accept.
    pub fn is_watched(&self) -> bool {
        self.ports.as_ref().is_some_and(|ports| ports.in_flight > 0 || self.is_blocked)
    }

    pub fn next_response(&self) -> Option<u64> {
        self.responses.front().map(|response| response.due)
    }

    /// The cycle in which the credit covers the waiting request.
    pub fn next_credit(&self, now: u64, config: &Config) -> Option<u64> {
        let short = self.needs.saturating_sub(self.credit);
        self.is_blocked.then(|| now + short.div_ceil(config.credit_step).max(1))
    }

    /// Skips cycles in which no request is accepted.
    pub fn skip(&mut self, cycles: u64, config: &Config) {
        let more = u128::from(cycles) * u128::from(config.credit_step);
        let credit = (u128::from(self.credit) + more).min(u128::from(config.credit_cap));
        self.credit = credit as u64;
        if let Some(ports) = &mut self.ports {
            ports.skip(cycles);
        }
    }

    /// Whether the request is accepted.
    #[inline]
    fn pay(&mut self, bytes: u32, request: Request, config: &Config) -> bool {
        if let Some(ports) = &mut self.ports {
            let accepts = ports.accepts(request);
            self.is_blocked |= !accepts;
            return accepts;
        }
        let cost = u64::from(bytes) * config.credit_byte;
        if self.credit < cost {
            self.is_blocked = true;
            self.needs = cost;
            return false;
        }
        self.credit -= cost;
        true
    }
}

/// The members of a set in cyclic order, starting at `first`.
#[inline]
fn in_turn(set: Engines, first: usize) -> impl Iterator<Item = usize> {
    let later = set & (!0 << first);
    members(later).chain(members(set & !later))
}

impl Fast<'_> {
    /// Whether a refused request ends the requests of a cycle. With ports it does not.
    fn is_ended_by_refusal(&self) -> bool {
        self.memory.ports.is_none()
    }

    /// Accepts the requests of this cycle. Returns whether there were any.
    pub(super) fn requests(&mut self) -> io::Result<bool> {
        let memory = &mut self.memory;
        memory.credit = (memory.credit + self.config.credit_step).min(self.config.credit_cap);
        memory.is_blocked = false;
        self.look();
        let moved = self.accept()?;
        self.counts.memory_bound += u64::from(self.memory.is_blocked);
        Ok(moved)
    }

    /// Updates which engines have requests.
    fn look(&mut self) {
        let all = !0 >> (64 - self.config.engines);
        let memory = &mut self.memory;
        for e in members(std::mem::take(&mut memory.wires_to_look_at) & all) {
            let engine = &self.engines[e];
            let address = engine.next_word() & !OOR_LAST;
            let written =
                address < self.first_output || self.config.half_of(address) < self.halves.complete;
            let requests = engine.words_here != engine.wires_requested
                && engine.wires() < self.config.oor_wires
                && written;
            set(&mut memory.wires, e, requests);
        }
        for e in members(std::mem::take(&mut memory.addresses_to_look_at) & all) {
            let engine = &self.engines[e];
            let count = engine.words_left.min(u64::from(BURST_ADDRESSES)) as u32;
            let taken = engine.words_requested.wrapping_sub(engine.wires_requested);
            set(&mut memory.addresses, e, count > 0 && taken + count <= self.config.oor_addresses);
        }
        if self.is_evaluator {
            for e in members(std::mem::take(&mut memory.tables_to_look_at) & all) {
                let engine = &self.engines[e];
                let count = engine.tables_left.min(u64::from(BURST_TABLES)) as u32;
                let space = engine.tables_taken + count <= self.config.tables;
                set(&mut memory.tables, e, count > 0 && space);
            }
        } else if self.rows_left == 0 {
            // A single table is written when its engine has nothing left to do.
            for (e, engine) in self.engines.iter().enumerate() {
                if engine.tables == 1 && engine.is_empty() && engine.last_due < self.now {
                    memory.tables |= 1 << e;
                }
            }
        }
    }

    fn accept(&mut self) -> io::Result<bool> {
        self.memory.has_accepted = false;
        let (live, wires) = (self.memory.live, self.memory.wires);
        let (addresses, tables) = (self.memory.addresses, self.memory.tables);
        let accepted = self.accept_live(live)
            && self.accept_wires(wires)
            && self.accept_addresses(addresses)?
            && self.accept_instructions()?
            && self.accept_tables(tables);
        if accepted {
            self.accept_inputs();
        }
        Ok(self.memory.has_accepted)
    }

    fn response(&mut self, e: usize, kind: Kind) {
        let due = self.now + self.config.latency;
        let response = Response { due, e: e as u32, kind };
        self.memory.has_accepted = true;
        match &mut self.memory.ports {
            Some(ports) => ports.add(response),
            None => self.memory.responses.push_back(response),
        }
    }

    /// Accepts requests for live writes. Like all `accept_*` functions, returns whether the credit
    /// sufficed.
    fn accept_live(&mut self, requests: Engines) -> bool {
        for e in in_turn(requests, self.memory.turn_live) {
            let request = Request::Live { e, address: self.engines[e].next_live() };
            if !self.memory.pay(self.config.wire_bytes, request, &self.config) {
                if self.is_ended_by_refusal() {
                    return false;
                }
                continue;
            }
            let (address, last) = self.engines[e].pop_live();
            let half = self.config.half_of(address);
            if last {
                self.memory.live &= !(1 << e);
            }
            self.memory.live_freed |= 1 << e;
            self.memory.turn_live = self.after(e);
            self.counts.traffic.live += 1;
            self.counts.to_memory -= 1;
            self.response(e, Kind::Written(half));
        }
        true
    }

    fn accept_wires(&mut self, requests: Engines) -> bool {
        for e in in_turn(requests, self.memory.turn_wires) {
            let address = self.engines[e].next_word() & !OOR_LAST;
            let request = Request::Label { e, address };
            if !self.memory.pay(self.config.wire_bytes, request, &self.config) {
                if self.is_ended_by_refusal() {
                    return false;
                }
                continue;
            }
            let engine = &mut self.engines[e];
            engine.wires_requested = engine.wires_requested.wrapping_add(1);
            self.memory.wires_to_look_at |= 1 << e;
            self.memory.addresses_to_look_at |= 1 << e;
            self.memory.turn_wires = self.after(e);
            self.counts.traffic.oor_wires += 1;
            self.response(e, Kind::Wire);
        }
        true
    }

    fn accept_addresses(&mut self, requests: Engines) -> io::Result<bool> {
        for e in in_turn(requests, self.memory.turn_addresses) {
            let request = Request::Words { e, index: self.memory.word_bursts[e] };
            if !self.memory.pay(BURST, request, &self.config) {
                if self.is_ended_by_refusal() {
                    return Ok(false);
                }
                continue;
            }
            let count = self.request_addresses(e)?;
            self.memory.turn_addresses = self.after(e);
            self.counts.traffic.oor_address_bursts += 1;
            self.response(e, Kind::Addresses(count));
        }
        Ok(true)
    }

    /// The next burst of an engine's out-of-range words.
    fn request_addresses(&mut self, e: usize) -> io::Result<u32> {
        let engine = &mut self.engines[e];
        let count = engine.words_left.min(u64::from(BURST_ADDRESSES)) as u32;
        for _ in 0..count {
            let word = self.memory.oor[e].next()?.unwrap_or_default();
            engine.push_word(u32::from_le_bytes(word));
        }
        self.memory.addresses_to_look_at |= 1 << e;
        self.memory.word_bursts[e] += 1;
        Ok(count)
    }

    fn accept_instructions(&mut self) -> io::Result<bool> {
        let freed = self.used_bits / u64::from(8 * BURST);
        for _ in 0..self.config.instruction_grants {
            let index = self.memory.instructions_requested;
            if index - freed >= self.config.instruction_bursts || !self.ahead.has_burst(index)? {
                break;
            }
            if !self.memory.pay(BURST, Request::Instructions { index }, &self.config) {
                if self.is_ended_by_refusal() {
                    return Ok(false);
                }
                break;
            }
            self.memory.instructions_requested += 1;
            self.counts.traffic.instruction_bursts += 1;
            self.response(0, Kind::Instructions);
        }
        Ok(true)
    }

    fn accept_tables(&mut self, requests: Engines) -> bool {
        for e in in_turn(requests, self.memory.turn_tables) {
            let index = self.memory.table_bursts[e];
            let request = Request::Tables { e, index, is_write: !self.is_evaluator };
            if !self.memory.pay(BURST, request, &self.config) {
                if self.is_ended_by_refusal() {
                    return false;
                }
                continue;
            }
            self.memory.turn_tables = self.after(e);
            self.counts.traffic.table_bursts += 1;
            if self.is_evaluator {
                let count = self.request_tables(e);
                self.response(e, Kind::Tables(count));
                continue;
            }
            self.memory.table_bursts[e] += 1;
            let engine = &mut self.engines[e];
            let count = engine.tables.min(BURST_TABLES);
            engine.tables -= count;
            if engine.tables < BURST_TABLES {
                self.memory.tables &= !(1 << e);
            }
            self.memory.tables_freed |= 1 << e;
            if count == BURST_TABLES {
                self.memory.tables_freed_twice |= 1 << e;
            }
            self.counts.to_memory -= u64::from(count);
            self.response(e, Kind::TablesWritten);
        }
        true
    }

    fn request_tables(&mut self, e: usize) -> u32 {
        let engine = &mut self.engines[e];
        let count = engine.tables_left.min(u64::from(BURST_TABLES)) as u32;
        engine.tables_left -= u64::from(count);
        engine.tables_taken += count;
        self.memory.tables_to_look_at |= 1 << e;
        self.memory.table_bursts[e] += 1;
        count
    }

    fn accept_inputs(&mut self) {
        for _ in 0..self.config.loader_bursts {
            let Some(index) = self.loader.bursts.clone().next() else { return };
            if !self.memory.pay(BURST, Request::Inputs { index }, &self.config) {
                return;
            }
            self.loader.bursts.start += 1;
            self.counts.traffic.input_bursts += 1;
            self.response(0, Kind::Inputs);
        }
    }

    fn after(&self, e: usize) -> usize {
        if e + 1 == self.config.engines { 0 } else { e + 1 }
    }

    /// Ends a cycle: frees places, and takes the responses that arrive in this cycle.
    pub(super) fn ends(&mut self) -> bool {
        for e in members(std::mem::take(&mut self.memory.live_freed)) {
            self.engines[e].live_taken -= 1;
            self.wake_for_live(e);
        }
        let twice = std::mem::take(&mut self.memory.tables_freed_twice);
        for e in members(std::mem::take(&mut self.memory.tables_freed)) {
            self.engines[e].tables_taken -= 1 + u32::from(twice & 1 << e != 0);
            self.wake_for_table(e);
        }
        let mut any = false;
        while let Some(&response) = self.memory.responses.front()
            && response.due == self.now
        {
            self.memory.responses.pop_front();
            self.take_response(response.e as usize, response.kind);
            any = true;
        }
        let mut delivered = Vec::new();
        if let Some(ports) = &mut self.memory.ports {
            ports.cycle(|response| delivered.push(response));
        }
        for response in delivered {
            self.take_response(response.e as usize, response.kind);
            any = true;
        }
        if any {
            self.happens(self.now);
        }
        any
    }

    fn take_response(&mut self, e: usize, kind: Kind) {
        match kind {
            Kind::Written(half) => {
                let half = (half - self.halves.complete) as usize & 1;
                self.halves.unwritten[half] -= 1;
                self.halves.finished[half] = self.halves.finished[half].max(self.now);
            }
            Kind::Wire => {
                let engine = &mut self.engines[e];
                engine.wires_here = engine.wires_here.wrapping_add(1);
                self.wake_for_wire(e);
            }
            Kind::Addresses(count) => {
                let engine = &mut self.engines[e];
                engine.words_here = engine.words_here.wrapping_add(count);
                self.memory.wires_to_look_at |= 1 << e;
            }
            Kind::Instructions => self.memory.instructions_here += 1,
            Kind::Tables(count) => {
                self.engines[e].tables += count;
                self.wake_for_table(e);
            }
            Kind::TablesWritten => {}
            Kind::Inputs => self.loader.here += 1,
        }
    }

    /// Fills queues and window before the first cycle. Returns the bytes preloaded.
    pub(super) fn preload(&mut self) -> io::Result<u64> {
        let mut bursts = self.loader.bursts.len() as u64;
        self.loader.bursts = 0..0;
        self.loader.next = self.loader.end;
        while self.memory.instructions_requested < self.config.instruction_bursts
            && self.ahead.has_burst(self.memory.instructions_requested)?
        {
            self.memory.instructions_requested += 1;
            bursts += 1;
        }
        self.memory.instructions_here = self.memory.instructions_requested;
        loop {
            self.look();
            let (addresses, tables) = (self.memory.addresses, self.memory.tables);
            if addresses | tables == 0 {
                return Ok(bursts * u64::from(BURST));
            }
            for e in members(addresses) {
                let count = self.request_addresses(e)?;
                self.engines[e].words_here += count;
                self.memory.wires_to_look_at |= 1 << e;
            }
            for e in members(tables) {
                let count = self.request_tables(e);
                self.engines[e].tables += count;
            }
            bursts += u64::from(addresses.count_ones() + tables.count_ones());
        }
    }
}

fn set(all: &mut Engines, e: usize, is: bool) {
    *all = *all & !(1 << e) | u64::from(is) << e;
}
