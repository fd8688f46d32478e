//! The machine's time, a cycle at a time: what becomes known when, and which accesses to the
//! window's banks are taken.

/// Cycles from the access that reads an operand to the one that writes the result, on top of the
/// gate's latency: the stages from bank to engine and back.
const READ_TO_WRITE: u32 = 3;

/// Accesses that a bank takes in a cycle.
const PORTS: u8 = 2;

/// Banks an engine.
const BANKS_PER_ENGINE: u32 = 4;

/// How far ahead a gate may get a cycle because its banks are taken.
const AHEAD: u32 = 256;

/// How far behind an engine may be that has nothing to do.
const BACK: u32 = 64;

/// Events and reservations in the cycles from now on.
pub(super) struct Clock {
    pub(super) now: u64,
    mask: usize,
    engines: u32,
    bank_mask: usize,
    /// For each cycle: places of the gates that are known from it on.
    known: Vec<Vec<u32>>,
    /// Instructions so far, and in this cycle.
    position: u64,
    slots: u32,
    /// For each engine the cycle after its newest instruction.
    free: Vec<u64>,
    /// For each cycle and bank the accesses that are taken.
    taken: Vec<u8>,
    /// Events to come.
    pub(super) events: usize,
}

impl Clock {
    pub(super) fn new(engines: u32, longest: u32) -> Clock {
        let cycles = (longest + READ_TO_WRITE + 2 * AHEAD + BACK + 2).next_power_of_two() as usize;
        let banks = (engines * BANKS_PER_ENGINE).next_power_of_two() as usize;
        Clock {
            now: 0,
            mask: cycles - 1,
            engines,
            bank_mask: banks - 1,
            known: vec![Vec::new(); cycles],
            position: 0,
            slots: 0,
            free: vec![0; engines as usize],
            taken: vec![0; cycles * banks],
            events: 0,
        }
    }

    fn row(&self, cycle: u64) -> usize {
        (cycle as usize & self.mask) * (self.bank_mask + 1)
    }

    /// Goes on to the next cycle.
    pub(super) fn tick(&mut self) {
        self.now += 1;
        // The rows go round: what was far behind is far ahead.
        let row = self.row(self.now + self.mask as u64 - u64::from(BACK));
        self.taken[row..=row + self.bank_mask].fill(0);
        self.slots = 0;
    }

    /// The gates known from this cycle on.
    pub(super) fn take_known(&mut self) -> Vec<u32> {
        let known = std::mem::take(&mut self.known[self.now as usize & self.mask]);
        self.events -= known.len();
        known
    }

    /// Returns a list that was taken, empty, so that it keeps its memory.
    pub(super) fn give_back(&mut self, mut list: Vec<u32>) {
        list.clear();
        let at = self.now as usize & self.mask;
        if self.known[at].is_empty() {
            self.known[at] = list;
        }
    }

    /// Whether another gate may be issued in this cycle.
    pub(super) fn has_slot(&self) -> bool {
        self.slots < 2 * self.engines && self.next_issue(0) <= self.now
    }

    /// How many cycles the engine whose turn it is could have issued its next instruction before
    /// now.
    pub(super) fn behind(&self) -> u64 {
        self.now.saturating_sub(self.next_issue(0))
    }

    /// The first cycle from `cycle` on that [`fits`](Clock::fits).
    pub(super) fn first_fit(
        &self,
        cycle: u64,
        addresses: [Option<u64>; 2],
        result: u64,
        latency: u32,
    ) -> u64 {
        let last = self.now + u64::from(AHEAD);
        (cycle..last).find(|&cycle| self.fits(cycle, addresses, result, latency)).unwrap_or(cycle)
    }

    /// The cycle in which the machine issues the next instruction, if it waits for `ready` and for
    /// its engine alone.
    pub(super) fn next_issue(&self, ready: u64) -> u64 {
        let engine = (self.position % u64::from(self.engines)) as usize;
        let back = self.now.saturating_sub(u64::from(BACK));
        self.free[engine].max(self.position / u64::from(self.engines)).max(ready).max(back)
    }

    /// Whether the banks have room for an instruction that is issued in `cycle`, reads the labels
    /// at `addresses` and writes one to `result`, `latency` cycles later.
    pub(super) fn fits(
        &self,
        cycle: u64,
        addresses: [Option<u64>; 2],
        result: u64,
        latency: u32,
    ) -> bool {
        let banks = self.banks(addresses);
        let row = self.row(cycle);
        let more = u8::from(banks[0].is_some() && banks[0] == banks[1]);
        let to = self.row(cycle + u64::from(latency + READ_TO_WRITE))
            + (result as usize & self.bank_mask);
        self.taken[to] < PORTS
            && banks.iter().flatten().all(|bank| self.taken[row + bank] + more < PORTS)
    }

    /// Whether no other instruction can read the label at `address` in `cycle`.
    pub(super) fn is_full(&self, cycle: u64, address: u64) -> bool {
        self.taken[self.row(cycle) + (address as usize & self.bank_mask)] >= PORTS
    }

    /// Issues the next instruction in `cycle`.
    pub(super) fn take(
        &mut self,
        cycle: u64,
        addresses: [Option<u64>; 2],
        result: u64,
        latency: u32,
    ) {
        let row = self.row(cycle);
        for bank in self.banks(addresses).into_iter().flatten() {
            self.taken[row + bank] += 1;
        }
        let to = self.row(cycle + u64::from(latency + READ_TO_WRITE))
            + (result as usize & self.bank_mask);
        self.taken[to] += 1;
        let engine = (self.position % u64::from(self.engines)) as usize;
        self.free[engine] = cycle + 1;
        self.position += 1;
        self.slots += 1;
    }

    fn banks(&self, addresses: [Option<u64>; 2]) -> [Option<usize>; 2] {
        let [a, b] = addresses;
        let b = if a == b { None } else { b };
        [a, b].map(|address| address.map(|address| address as usize & self.bank_mask))
    }

    /// The label of the gate at `place` is known in `cycle`.
    pub(super) fn known_in(&mut self, place: u32, cycle: u64) {
        let cycle = cycle.max(self.now + 1);
        self.known[cycle as usize & self.mask].push(place);
        self.events += 1;
    }
}
