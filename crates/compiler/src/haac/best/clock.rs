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

/// Events and reservations in the cycles from now on.
pub(super) struct Clock {
    pub(super) now: u64,
    mask: usize,
    engines: u32,
    bank_mask: usize,
    /// For each cycle: places of the gates that are known from it on.
    known: Vec<Vec<u32>>,
    /// For each cycle: places of the gates that are to be issued in it.
    granted: Vec<Vec<u32>>,
    /// For each cycle and bank the accesses that are taken.
    taken: Vec<u8>,
    /// Events to come.
    pub(super) events: usize,
}

impl Clock {
    pub(super) fn new(engines: u32, longest: u32) -> Clock {
        let cycles = (longest + READ_TO_WRITE + AHEAD + 2).next_power_of_two() as usize;
        let banks = (engines * BANKS_PER_ENGINE).next_power_of_two() as usize;
        Clock {
            now: 0,
            mask: cycles - 1,
            engines,
            bank_mask: banks - 1,
            known: vec![Vec::new(); cycles],
            granted: vec![Vec::new(); cycles],
            taken: vec![0; cycles * banks],
            events: 0,
        }
    }

    fn row(&self, cycle: u64) -> usize {
        (cycle as usize & self.mask) * (self.bank_mask + 1)
    }

    /// Goes on to the next cycle.
    pub(super) fn tick(&mut self) {
        let row = self.row(self.now);
        self.taken[row..=row + self.bank_mask].fill(0);
        self.now += 1;
    }

    /// The gates known from this cycle on.
    pub(super) fn take_known(&mut self) -> Vec<u32> {
        let known = std::mem::take(&mut self.known[self.now as usize & self.mask]);
        self.events -= known.len();
        known
    }

    /// The gates to be issued in this cycle.
    pub(super) fn take_granted(&mut self) -> Vec<u32> {
        let granted = std::mem::take(&mut self.granted[self.now as usize & self.mask]);
        self.events -= granted.len();
        granted
    }

    /// Returns a list that was taken, empty, so that it keeps its memory.
    pub(super) fn give_back(&mut self, mut list: Vec<u32>, granted: bool) {
        list.clear();
        let lists = if granted { &mut self.granted } else { &mut self.known };
        let at = self.now as usize & self.mask;
        if lists[at].is_empty() {
            lists[at] = list;
        }
    }

    /// Whether another gate may be issued in this cycle.
    pub(super) fn has_slot(&self) -> bool {
        self.granted[self.now as usize & self.mask].len() < self.engines as usize
    }

    /// Gives the gate at `place`, which reads `operands`, the first cycle in which there is a slot
    /// and its banks have room.
    pub(super) fn grant(&mut self, place: u32, operands: [u32; 2]) {
        let [a, b] = operands.map(|wire| wire as usize & self.bank_mask);
        let same = operands[0] == operands[1];
        let mut chosen = self.now;
        for cycle in self.now..self.now + u64::from(AHEAD) {
            if self.granted[cycle as usize & self.mask].len() >= self.engines as usize {
                continue;
            }
            let row = self.row(cycle);
            let fits = match a == b && !same {
                true => self.taken[row + a] + 1 < PORTS,
                false => self.taken[row + a] < PORTS && self.taken[row + b] < PORTS,
            };
            if fits {
                chosen = cycle;
                break;
            }
        }
        let row = self.row(chosen);
        self.taken[row + a] += 1;
        self.taken[row + b] += u8::from(!same);
        self.granted[chosen as usize & self.mask].push(place);
        self.events += 1;
    }

    /// The gate at `place` is issued now and drives `wire` after `latency` cycles.
    pub(super) fn issue(&mut self, place: u32, wire: u32, latency: u32) {
        let done = self.now + u64::from(latency);
        self.known[done as usize & self.mask].push(place);
        self.events += 1;
        let row = self.row(done + u64::from(READ_TO_WRITE));
        self.taken[row + (wire as usize & self.bank_mask)] += 1;
    }
}
