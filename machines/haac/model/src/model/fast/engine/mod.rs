//! Gate engines and the instructions in their stages. [`issue`] is the issue stage, [`read`] reads
//! the window, and [`sleep`] lets engines sleep until an event.

mod entry;
mod issue;
mod read;
mod sleep;

pub use entry::{Entry, op};

use crate::model::Cause;

/// Stages from R1 to the units: R2, R3, X.
const READ_STAGES: u32 = 3;

/// Outcomes of R1 that are no [`Cause`]. `EMPTY`: R1 was empty. `OTHER`: it held an instruction,
/// but the next stage was full, or it handed an instruction on.
const EMPTY: u32 = 15;
const OTHER: u32 = 14;

/// The state of X.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Empty, or its instruction is still on its way.
    Gap,
    /// Issued in this cycle.
    Issued,
    /// Waits for an operand whose instruction is not issued, or until a cycle.
    Unissued,
    Until(u32),
    Write,
    Table,
    Live,
    /// Lost its write; tries again.
    Again,
}

/// The sleep of an engine.
#[derive(Clone, Copy)]
struct Sleep {
    since: u64,
    /// The cause of every cycle of the sleep. If `None`, each cycle has the cause that the
    /// dispatcher's action gives.
    cause: Option<Cause>,
    /// Counts of the dispatcher's actions at the start of the sleep.
    dispatched: [u64; 4],
}

/// One engine.
pub struct Engine {
    ring: Box<[Entry]>,
    /// Numbers of instructions that were pushed, entered D, entered R1, left R1, and were issued,
    /// modulo 2^32.
    pushed: u32,
    in_d: u32,
    in_r1: u32,
    left: u32,
    issued: u32,
    before: Before,
    /// Outcomes of R1 in the last cycles, four bits each, the newest lowest.
    history: u32,
    sleep: Sleep,
    /// Tables in the queue, and occupied places.
    pub tables: u32,
    pub tables_taken: u32,
    pub tables_left: u64,
    pub live_taken: u32,
    live: Box<[u32]>,
    live_first: u32,
    live_end: u32,
    /// Ring of out-of-range words, and the numbers of words that were requested, have arrived, were
    /// presented to memory, have arrived as labels, and were taken.
    words: Box<[u32]>,
    pub words_requested: u32,
    pub words_here: u32,
    pub wires_requested: u32,
    pub wires_here: u32,
    wires_taken: u32,
    pub words_left: u64,
    /// The cycle in which the last result is on the bus, and the cycle from which on the half-gate
    /// unit is empty.
    pub last_due: u64,
    busy_until: u64,
    pub causes: [u64; Cause::COUNT],
}

impl Engine {
    pub fn new(config: &super::Config, tables_left: u64, words_left: u64) -> Engine {
        let ring = (config.issue as usize + 8).next_power_of_two();
        let words = (config.oor_addresses + config.oor_wires + 1).next_power_of_two() as usize;
        Engine {
            ring: vec![Entry::default(); ring].into(),
            pushed: 0,
            in_d: 0,
            in_r1: 0,
            left: 0,
            issued: 0,
            before: Before::Gap,
            history: EMPTY << 8 | EMPTY << 4 | EMPTY,
            sleep: Sleep { since: 0, cause: None, dispatched: [0; 4] },
            tables: 0,
            tables_taken: 0,
            tables_left,
            live_taken: 0,
            live: vec![0; (config.live as usize + 1).next_power_of_two()].into(),
            live_first: 0,
            live_end: 0,
            words: vec![0; words].into(),
            words_requested: 0,
            words_here: 0,
            wires_requested: 0,
            wires_here: 0,
            wires_taken: 0,
            words_left,
            last_due: 0,
            busy_until: 0,
            causes: [0; Cause::COUNT],
        }
    }

    /// Instructions in the issue FIFO.
    #[inline]
    pub fn fifo(&self) -> u32 {
        self.pushed.wrapping_sub(self.in_d)
    }

    /// Whether no instruction is between dispatcher and units.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pushed == self.issued
    }

    /// Whether any instruction was issued.
    pub fn has_issued(&self) -> bool {
        self.last_due > 0
    }

    /// Adds an instruction. Returns whether it can move on in the next cycle.
    #[inline]
    pub fn push(&mut self, entry: Entry) -> bool {
        let mask = self.ring.len() - 1;
        self.ring[self.pushed as usize & mask] = entry;
        let moves = self.pushed == self.in_r1;
        self.pushed = self.pushed.wrapping_add(1);
        moves
    }

    #[inline]
    fn entry(&mut self, number: u32) -> &mut Entry {
        let mask = self.ring.len() - 1;
        &mut self.ring[number as usize & mask]
    }

    /// The output of the oldest instruction that has not been issued.
    pub fn oldest(&self) -> Option<u32> {
        let mask = self.ring.len() - 1;
        (!self.is_empty()).then(|| self.ring[self.issued as usize & mask].out)
    }

    /// The output of the oldest instruction that has not left R1.
    #[inline]
    fn oldest_unread(&self) -> Option<u32> {
        let mask = self.ring.len() - 1;
        (self.pushed != self.left).then(|| self.ring[self.left as usize & mask].out)
    }

    pub fn waits_for(&self) -> &'static str {
        match self.sleep.cause {
            Some(cause) => cause.name(),
            None => "instructions",
        }
    }

    #[inline]
    pub fn push_live(&mut self, address: u32) {
        let mask = self.live.len() - 1;
        self.live[self.live_end as usize & mask] = address;
        self.live_end = self.live_end.wrapping_add(1);
    }

    /// The address of the oldest live label.
    #[inline]
    pub fn next_live(&self) -> u32 {
        self.live[self.live_first as usize & (self.live.len() - 1)]
    }

    /// Removes the oldest live label. Returns its address, and whether no other label is left.
    #[inline]
    pub fn pop_live(&mut self) -> (u32, bool) {
        let address = self.next_live();
        self.live_first = self.live_first.wrapping_add(1);
        (address, self.live_first == self.live_end)
    }

    /// Occupied places in the queue of labels.
    #[inline]
    pub fn wires(&self) -> u32 {
        self.wires_requested.wrapping_sub(self.wires_taken)
    }

    pub fn push_word(&mut self, word: u32) {
        let mask = self.words.len() - 1;
        self.words[self.words_requested as usize & mask] = word;
        self.words_requested = self.words_requested.wrapping_add(1);
        self.words_left -= 1;
    }

    /// The next word to be presented to memory.
    #[inline]
    pub fn next_word(&self) -> u32 {
        self.words[self.wires_requested as usize & (self.words.len() - 1)]
    }

    #[inline]
    fn pop_wire(&mut self) -> u32 {
        let word = self.words[self.wires_taken as usize & (self.words.len() - 1)];
        self.wires_taken = self.wires_taken.wrapping_add(1);
        word
    }
}

/// Whether time `a` is after `b`. Both are modulo 2^32 and less than 2^31 apart.
#[inline]
fn is_later(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// The later of two times.
#[inline]
fn later(a: u32, b: u32) -> u32 {
    if is_later(a, b) { a } else { b }
}

/// Outcome of R1 in a cycle: a [`Cause`], whose number fits into four bits, or another outcome.
type Code = u32;

/// The cause for each code.
const CAUSES: [Cause; 16] = [
    Cause::Issue,
    Cause::Operand,
    Cause::Bank,
    Cause::Interlock,
    Cause::OorEmpty,
    Cause::Input,
    Cause::Table,
    Cause::LiveFull,
    Cause::WritePort,
    Cause::Instructions,
    Cause::Behind,
    Cause::Nop,
    Cause::Finished,
    Cause::Issue,
    Cause::Issue,
    Cause::Issue,
];
