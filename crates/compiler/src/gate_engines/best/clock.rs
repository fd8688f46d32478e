//! The machine's clock: tracks when results become available, and which bank accesses are reserved.
//! All cycles in this file are clock cycles.

/// Cycles from reading an operand in a bank to writing the result to a bank, in addition to the
/// gate's latency. They are the pipeline stages from the banks to the engine and back.
const READ_TO_WRITE: u32 = 3;

/// Accesses of a bank per cycle.
const PORTS: u8 = 2;

/// Banks per engine.
const BANKS_PER_ENGINE: u32 = 4;

/// How many cycles after the current one a gate may be issued, if its banks have no free access
/// before.
const AHEAD: u32 = 256;

/// How many cycles an idle engine may lag behind the current cycle.
const BACK: u32 = 64;

/// Events and bank reservations from the current cycle on.
pub(super) struct Clock {
    pub(super) now: u64,
    mask: usize,
    engines: u32,
    bank_mask: usize,
    /// For each cycle: places of the gates whose results become available in it.
    known: Vec<Vec<u32>>,
    /// Instructions issued so far; `slots` counts those issued in this cycle.
    position: u64,
    slots: u32,
    /// For each engine: the cycle after its newest instruction.
    free: Vec<u64>,
    /// For each cycle and bank: the reserved accesses.
    taken: Vec<u8>,
    /// Number of pending events.
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

    /// Advances to the next cycle.
    pub(super) fn tick(&mut self) {
        self.now += 1;
        // The rows form a ring: the row that fell out at the back is reused at the front.
        let row = self.row(self.now + self.mask as u64 - u64::from(BACK));
        self.taken[row..=row + self.bank_mask].fill(0);
        self.slots = 0;
    }

    /// Removes and returns the places of the gates whose results become available in this cycle.
    pub(super) fn take_known(&mut self) -> Vec<u32> {
        let known = std::mem::take(&mut self.known[self.now as usize & self.mask]);
        self.events -= known.len();
        known
    }

    /// Takes back the list from [`take_known`](Clock::take_known), and empties it, so that its
    /// memory is reused.
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

    /// Returns for how many cycles the engine whose turn it is has been idle.
    pub(super) fn behind(&self) -> u64 {
        self.now.saturating_sub(self.next_issue(0))
    }

    /// Returns the first cycle from `cycle` on in which the instruction [`fits`](Clock::fits).
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

    /// Returns the cycle in which the machine issues the next instruction if the instruction waits
    /// only for `ready` and for its engine.
    pub(super) fn next_issue(&self, ready: u64) -> u64 {
        let engine = (self.position % u64::from(self.engines)) as usize;
        let back = self.now.saturating_sub(u64::from(BACK));
        self.free[engine].max(self.position / u64::from(self.engines)).max(ready).max(back)
    }

    /// Whether the banks have free accesses for an instruction issued in `cycle`. It reads the
    /// labels at `addresses` and writes a label to `result`, `latency` cycles later.
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

    /// Whether all accesses to the bank of `address` are taken in `cycle`.
    pub(super) fn is_full(&self, cycle: u64, address: u64) -> bool {
        self.taken[self.row(cycle) + (address as usize & self.bank_mask)] >= PORTS
    }

    /// Issues the next instruction in `cycle` and reserves its bank accesses.
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

    /// Schedules the event that the result of the gate at `place` becomes available in `cycle`.
    pub(super) fn known_in(&mut self, place: u32, cycle: u64) {
        let cycle = cycle.max(self.now + 1);
        self.known[cycle as usize & self.mask].push(place);
        self.events += 1;
    }
}
