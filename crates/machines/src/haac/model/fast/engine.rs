//! Gate engines: what waits in their stages, who issues, who reads the window, who falls asleep.

use super::{Engines, Fast, members};
use crate::haac::code::OOR_LAST;
use crate::haac::instruction::{Instruction, Op, Unary};
use crate::haac::issue::{Issue, Sink};
use crate::haac::model::config::BANK_ACCESSES;
use crate::haac::model::{Cause, Error};

/// Flags of an [`Entry`].
pub mod op {
    use super::{Instruction, Op, Unary};

    pub const AND: u8 = 1;
    pub const UNARY: u8 = 2;
    pub const INVERT: u8 = 4;
    pub const LIVE: u8 = 8;
    /// Reads an input from the window.
    pub const INPUT: u8 = 16;

    pub fn of(instruction: Instruction) -> u8 {
        let kind = match instruction.op() {
            Op::And => AND,
            Op::Unary if instruction.unary() == Some(Unary::Inv) => UNARY | INVERT,
            Op::Unary => UNARY,
            Op::Xor | Op::Nop => 0,
        };
        kind | if instruction.is_live() { LIVE } else { 0 }
    }
}

/// An instruction between dispatcher and unit. Times are modulo 2^32.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    /// Addresses of the operands in the window, 0 for those from the out-of-range queue; once these
    /// are taken, their out-of-range words.
    pub a: u32,
    pub b: u32,
    pub out: u32,
    pub and: u32,
    /// The cycle in which it left R1; before, the first of two out-of-range words.
    left: u32,
    /// The cycle from which on all operands that are not missing are there.
    ready: u32,
    pub flags: u8,
    /// Labels that it has still to take from the out-of-range queue.
    pub pops: u8,
    /// Operands that were not issued when last looked for: 1 for `a`, 2 for `b`.
    missing: u8,
    /// Operands that came from the out-of-range queue: 1 for `a`, 2 for `b`.
    queued: u8,
    /// Operands that have won their banks: 1 for `a`, 2 for `b`.
    won: u8,
}

/// Stages between R1 and the units: R2, R3, X.
const READ_STAGES: u32 = 3;

/// What R1 handed on in a cycle, where it is no [`Cause`]: nothing as it was empty, or what comes
/// after it was full, or an instruction.
const EMPTY: u32 = 15;
const OTHER: u32 = 14;

/// What stands before the units.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or something still on its way.
    Gap,
    /// Issued in this cycle.
    Issued,
    /// Waits for an operand that is not issued, or until a cycle.
    Unissued,
    Until(u32),
    Write,
    Table,
    Live,
    /// Lost its write: tries again.
    Again,
}

/// What an engine sleeps on.
#[derive(Clone, Copy)]
struct Sleep {
    since: u64,
    /// What every cycle of it counts as; without one they count as what the dispatcher did.
    cause: Option<Cause>,
    /// What the dispatcher had done by then.
    dispatched: [u64; 4],
}

/// One engine.
pub struct Engine {
    ring: Box<[Entry]>,
    /// How many instructions were given to it, came into D, came into R1, left R1, were issued:
    /// modulo 2^32.
    pushed: u32,
    in_d: u32,
    in_r1: u32,
    left: u32,
    issued: u32,
    before: Before,
    /// What R1 did in the last cycles, four bits each, the newest lowest.
    history: u32,
    sleep: Sleep,
    /// Tables there, and places taken.
    pub tables: u32,
    pub tables_taken: u32,
    pub tables_left: u64,
    pub live_taken: u32,
    live: Box<[u32]>,
    live_first: u32,
    live_end: u32,
    /// Out-of-range words: a ring, and how many were asked for, have come, were presented to
    /// memory, have come as labels, and were taken.
    words: Box<[u32]>,
    pub words_asked: u32,
    pub words_here: u32,
    pub wires_asked: u32,
    pub wires_here: u32,
    wires_taken: u32,
    pub words_left: u64,
    /// When the last result is on the bus, and when the half-gate unit runs empty.
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
            words_asked: 0,
            words_here: 0,
            wires_asked: 0,
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

    /// Whether nothing is between dispatcher and units.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pushed == self.issued
    }

    /// Whether an instruction was issued.
    pub fn has_issued(&self) -> bool {
        self.last_due > 0
    }

    /// Takes an instruction. Gives whether it can move on in the next cycle.
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

    /// The output of the oldest instruction that was not issued.
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
    pub fn push_live(&mut self, half: u32) {
        let mask = self.live.len() - 1;
        self.live[self.live_end as usize & mask] = half;
        self.live_end = self.live_end.wrapping_add(1);
    }

    /// The half of the oldest live label, and whether it was the last.
    #[inline]
    pub fn pop_live(&mut self) -> (u32, bool) {
        let mask = self.live.len() - 1;
        let half = self.live[self.live_first as usize & mask];
        self.live_first = self.live_first.wrapping_add(1);
        (half, self.live_first == self.live_end)
    }

    /// Places in the queue of labels that are taken.
    #[inline]
    pub fn wires(&self) -> u32 {
        self.wires_asked.wrapping_sub(self.wires_taken)
    }

    pub fn push_word(&mut self, word: u32) {
        let mask = self.words.len() - 1;
        self.words[self.words_asked as usize & mask] = word;
        self.words_asked = self.words_asked.wrapping_add(1);
        self.words_left -= 1;
    }

    /// The word that is presented to memory next.
    #[inline]
    pub fn next_word(&self) -> u32 {
        self.words[self.wires_asked as usize & (self.words.len() - 1)]
    }

    #[inline]
    fn pop_wire(&mut self) -> u32 {
        let word = self.words[self.wires_taken as usize & (self.words.len() - 1)];
        self.wires_taken = self.wires_taken.wrapping_add(1);
        word
    }
}

/// Whether time `a` is after `b`, both modulo 2^32 and less than 2^31 apart.
#[inline]
fn is_later(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// The later of two times.
#[inline]
fn later(a: u32, b: u32) -> u32 {
    if is_later(a, b) { a } else { b }
}

/// Why R1 keeps its instruction; the codes of [`Cause`] fit into four bits.
type Code = u32;

impl Fast<'_> {
    /// X: who issues. Gives whether anybody did.
    pub(super) fn issue<S: Sink>(&mut self, sink: &mut S) -> Result<bool, Error<S::Error>> {
        let mut any = false;
        for e in members(self.awake) {
            let (before, cause) = self.before(e);
            self.engines[e].before = before;
            self.engines[e].causes[cause as usize] += 1;
            if before == Before::Issued {
                any = true;
                self.enter_unit(e, sink)?;
            }
        }
        if any && self.counts.first_issue.is_none() {
            self.counts.first_issue = Some(self.now);
        }
        Ok(any)
    }

    /// What stands before the units of engine `e`; if it may issue, its write is reserved.
    #[inline]
    fn before(&mut self, e: usize) -> (Before, Cause) {
        let now = self.now as u32;
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.issued as usize & (engine.ring.len() - 1)];
        if engine.left == engine.issued || now.wrapping_sub(entry.left) < READ_STAGES {
            return (Before::Gap, self.gap(e));
        }
        let mut ready = entry.ready;
        let (out, flags) = (entry.out, entry.flags);
        let (tables, tables_taken, live_taken) =
            (engine.tables, engine.tables_taken, engine.live_taken);
        if entry.missing != 0 {
            match self.look_again(e) {
                None => return (Before::Unissued, Cause::Operand),
                Some(cycle) => ready = cycle,
            }
        }
        if is_later(ready, now) {
            return (Before::Until(ready), Cause::Operand);
        }
        if u64::from(out) >= self.write_limit && !self.may_write(out) {
            return (Before::Write, Cause::Interlock);
        }
        let loading = !self.loader.is_done();
        if loading && self.config.half_of(out) > self.config.half_of(self.first_output) {
            return (Before::Write, Cause::Interlock);
        }
        let is_and = flags & op::AND != 0;
        if is_and {
            let table =
                if self.is_evaluator { tables > 0 } else { tables_taken < self.config.tables };
            if !table {
                return (Before::Table, Cause::Table);
            }
        }
        if flags & op::LIVE != 0 && live_taken >= self.config.live {
            return (Before::Live, Cause::LiveFull);
        }
        let latency = if is_and { self.config.and } else { self.config.xor };
        let most = BANK_ACCESSES - u32::from(loading);
        let write = now.wrapping_add(latency + 1);
        if !self.banks.take(out, self.config.shape.window, write, most) {
            return (Before::Again, Cause::WritePort);
        }
        (Before::Issued, Cause::Issue)
    }

    /// The cause of a gap before the units.
    #[inline]
    fn gap(&self, e: usize) -> Cause {
        match self.engines[e].history >> 8 & 15 {
            EMPTY => self.dispatched.cause(),
            code => CAUSES[code as usize],
        }
    }

    /// Looks again for operands that were not issued; gives when all are there.
    fn look_again(&mut self, e: usize) -> Option<u32> {
        let now = self.now as u32;
        let engine = &mut self.engines[e];
        let entry = engine.entry(engine.issued);
        for (bit, address) in [(1, entry.a), (2, entry.b)] {
            if entry.missing & bit != 0
                && let Some(cycle) = self.slots.ready(now, address)
            {
                entry.missing &= !bit;
                entry.ready = later(entry.ready, cycle);
            }
        }
        (entry.missing == 0).then_some(entry.ready)
    }

    /// Computes the write interlock's limit anew, from what was registered: nothing has left R1 or
    /// was dispatched in this cycle when this is asked.
    #[cold]
    fn may_write(&mut self, out: u32) -> bool {
        let next = if self.rows_left > 0 { self.next_output } else { u32::MAX };
        let oldest = |engine: &Engine| engine.oldest_unread().unwrap_or(u32::MAX);
        let oldest = self.engines.iter().map(oldest).min().unwrap_or(u32::MAX).min(next);
        self.write_limit =
            (u64::from(self.config.half_of(oldest)) + 1) * u64::from(self.config.shape.half());
        u64::from(out) < self.write_limit
    }

    /// Sleepers before the write interlock that may go on.
    pub(super) fn wake_writers(&mut self) {
        for e in members(self.wait_write) {
            let out = self.engines[e].oldest().expect("an instruction waits");
            let limit = u64::from(out) < self.write_limit || self.may_write(out);
            let first = self.config.half_of(self.first_output);
            if limit && (self.loader.is_done() || self.config.half_of(out) == first) {
                self.wake(e, self.now);
            }
        }
    }

    /// Sleepers whose operands were issued in this cycle.
    pub(super) fn find_operands(&mut self) {
        for e in members(self.wait_unissued) {
            if self.finds_operands(e) {
                self.wake(e, self.now + 1);
            }
        }
    }

    fn finds_operands(&self, e: usize) -> bool {
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.issued as usize & (engine.ring.len() - 1)];
        let is_issued = |address| self.slots.ready(self.now as u32, address).is_some();
        (entry.missing & 1 == 0 || is_issued(entry.a))
            && (entry.missing & 2 == 0 || is_issued(entry.b))
    }

    fn enter_unit<S: Sink>(&mut self, e: usize, sink: &mut S) -> Result<(), Error<S::Error>> {
        let now = self.now;
        let engine = &mut self.engines[e];
        let entry = *engine.entry(engine.issued);
        engine.issued = engine.issued.wrapping_add(1);
        let is_and = entry.flags & op::AND != 0;
        let latency = if is_and { self.config.and } else { self.config.xor };
        let due = now + u64::from(latency);
        engine.last_due = engine.last_due.max(due);
        let bit = 1u64 << e;
        let activity = &mut self.counts.activity;
        if is_and {
            activity.ands += 1;
            activity.half_gate_cycles += due - now.max(engine.busy_until);
            engine.busy_until = due;
            if self.is_evaluator {
                engine.tables -= 1;
                engine.tables_taken -= 1;
                self.memory.tables_to_look_at |= bit;
            } else {
                engine.tables_taken += 1;
                self.counts.to_memory += 1;
            }
        } else {
            activity.xors += 1;
        }
        let half = (self.config.half_of(entry.out) - self.halves.complete) as usize & 1;
        self.halves.issued[half] += 1;
        self.halves.finished[half] = self.halves.finished[half].max(due + 1);
        self.slots.issued(entry.out, due as u32);
        if entry.flags & op::LIVE != 0 {
            engine.live_taken += 1;
            self.halves.unwritten[half] += 1;
            self.counts.to_memory += 1;
            let unit = if is_and { 0 } else { 1 };
            let row = (due as usize & (self.wheel.len() - 1)) * 2 + unit;
            self.results[row * self.config.engines + e] = entry.out;
            let spoke = self.spoke(due);
            if is_and { spoke.live_and |= bit } else { spoke.live_xor |= bit }
        }
        if is_and && !self.is_evaluator {
            self.spoke(due).table |= bit;
        }
        self.counts.unissued -= 1;
        sink.issue(&entry.issue(now, e)).map_err(Error::Sink)
    }

    /// R1 and the stages before it. `loaded`: inputs below it have their place, as registered.
    pub(super) fn read(&mut self, loaded: u32) {
        let (late, others) = (self.awake & self.late, self.awake & !self.late);
        for e in members(late).chain(members(others)) {
            let mut moved = self.engines[e].before == Before::Issued;
            let code = self.read_stage(e, loaded, &mut moved);
            let engine = &mut self.engines[e];
            engine.history = engine.history << 4 | code;
            if engine.in_r1 == engine.left && engine.in_d != engine.in_r1 {
                engine.in_r1 = engine.in_r1.wrapping_add(1);
                moved = true;
            }
            if engine.in_d == engine.in_r1 && engine.pushed != engine.in_d {
                engine.in_d = engine.in_d.wrapping_add(1);
                moved = true;
                self.late &= !(u64::from(engine.fifo() < self.config.late) << e);
            }
            if !moved {
                self.may_sleep(e, code);
            }
        }
    }

    /// What R1 of engine `e` hands on.
    #[inline]
    fn read_stage(&mut self, e: usize, loaded: u32, moved: &mut bool) -> Code {
        let engine = &mut self.engines[e];
        if engine.in_r1 == engine.left {
            return EMPTY;
        }
        let here = engine.wires_here != engine.wires_taken;
        let in_flight = engine.left.wrapping_sub(engine.issued);
        let mask = engine.ring.len() - 1;
        let index = engine.left as usize & mask;
        let mut popped = false;
        if engine.ring[index].pops == 2 && here {
            engine.ring[index].left = engine.pop_wire();
            engine.ring[index].pops = 1;
            engine.ring[index].queued = 3;
            (popped, *moved) = (true, true);
            self.memory.wires_to_look_at |= 1 << e;
            self.counts.activity.oor_pops += 1;
        }
        let entry = &engine.ring[index];
        if in_flight >= READ_STAGES {
            return OTHER;
        }
        if u64::from(entry.out) >= self.read_limit {
            return Cause::Interlock as Code;
        }
        let is_loaded = |address| address < loaded || address >= self.first_output;
        if entry.flags & op::INPUT != 0 && !(is_loaded(entry.a) && is_loaded(entry.b)) {
            return Cause::Input as Code;
        }
        if entry.pops == 2 || entry.pops == 1 && (!here || popped) {
            return Cause::OorEmpty as Code;
        }
        let index = engine.left;
        self.ask(e, index);
        let done = self.engines[e].entry(index).has_all();
        self.ask_ahead(e, loaded);
        if !done {
            return Cause::Bank as Code;
        }
        self.leave_read_stage(e);
        *moved = true;
        OTHER
    }

    /// The instruction in D asks for its operands too.
    #[inline]
    fn ask_ahead(&mut self, e: usize, loaded: u32) {
        let engine = &mut self.engines[e];
        let index = engine.in_r1;
        if engine.in_d == index {
            return;
        }
        let entry = engine.entry(index);
        let (a, b, flags) = (entry.a, entry.b, entry.flags);
        let is_loaded = |address| address < loaded || address >= self.first_output;
        let waits = flags & op::INPUT != 0 && !(is_loaded(a) && is_loaded(b));
        if u64::from(entry.out) < self.read_limit && !waits {
            self.ask(e, index);
        }
    }

    /// Instruction number `index` of engine `e` asks for those of its operands that are in the
    /// window: both even if the first is refused, and what is won is kept.
    #[inline]
    fn ask(&mut self, e: usize, index: u32) {
        let access = (self.now as u32).wrapping_add(1);
        let window = self.config.shape.window;
        let entry = self.engines[e].entry(index);
        let (a, b) = (entry.a, entry.b);
        let asked = entry.wants() & !entry.won;
        let mut won = 0;
        if asked & 1 != 0 {
            won |= u8::from(self.banks.take(a, window, access, BANK_ACCESSES));
        }
        if asked & 2 != 0 {
            won |= u8::from(self.banks.take(b, window, access, BANK_ACCESSES)) << 1;
        }
        if won != 0 {
            self.counts.activity.window_reads += u64::from(won.count_ones());
            self.look_into_slots(e, index, won);
        }
    }

    /// Operands of instruction number `index` won their banks: 1 for `a`, 2 for `b`. What is not in
    /// its slot when the bank is read comes over the bus.
    #[inline]
    fn look_into_slots(&mut self, e: usize, index: u32, won: u8) {
        let now = self.now as u32;
        let engine = &mut self.engines[e];
        let mask = engine.ring.len() - 1;
        let entry = &mut engine.ring[index as usize & mask];
        let same = u8::from(entry.a == entry.b && entry.flags & op::UNARY == 0) << 1;
        let won = won | won << 1 & same;
        let mut forwarded = 0;
        if entry.won == 0 {
            entry.ready = now;
        }
        for (bit, address) in [(1, entry.a), (2, entry.b)] {
            if won & bit == 0 || address < self.first_output {
                continue;
            }
            match self.slots.ready(now, address) {
                Some(cycle) => {
                    forwarded += u64::from(is_later(cycle, now));
                    entry.ready = later(entry.ready, cycle);
                }
                None => {
                    forwarded += 1;
                    entry.missing |= bit;
                }
            }
        }
        entry.won |= won;
        self.counts.activity.forwarded += forwarded;
    }

    #[inline]
    fn leave_read_stage(&mut self, e: usize) {
        let engine = &mut self.engines[e];
        let index = engine.left as usize & (engine.ring.len() - 1);
        let entry = &mut engine.ring[index];
        let first = entry.left;
        entry.left = self.now as u32;
        if entry.won == 0 {
            entry.ready = entry.left;
        }
        if entry.pops != 0 {
            entry.pops = 0;
            let word = engine.pop_wire();
            engine.ring[index].take(word, first);
            self.memory.wires_to_look_at |= 1 << e;
            self.counts.activity.oor_pops += 1;
        }
        engine.left = engine.left.wrapping_add(1);
    }

    /// Engine `e` did not move; if nothing but an event can change that, it falls asleep.
    fn may_sleep(&mut self, e: usize, code: Code) {
        if code == Cause::Bank as Code {
            return;
        }
        let engine = &self.engines[e];
        let mut cause = None;
        match engine.before {
            Before::Issued | Before::Again => return,
            Before::Gap => {
                let steady = engine.history & 0xfff == code << 8 | code << 4 | code;
                if engine.left != engine.issued || !steady {
                    return;
                }
                if code != EMPTY {
                    cause = Some(CAUSES[code as usize]);
                }
            }
            Before::Unissued => {
                // It may have been issued by another engine in this very cycle.
                if self.finds_operands(e) {
                    return;
                }
                self.wait_unissued |= 1 << e;
                cause = Some(Cause::Operand);
            }
            Before::Until(cycle) => {
                let ahead = cycle.wrapping_sub(self.now as u32);
                if ahead <= 1 {
                    return;
                }
                self.spoke(self.now + u64::from(ahead)).wake |= 1 << e;
                cause = Some(Cause::Operand);
            }
            Before::Write => {
                self.wait_write |= 1 << e;
                cause = Some(Cause::Interlock);
            }
            Before::Table => cause = Some(Cause::Table),
            Before::Live => cause = Some(Cause::LiveFull),
        }
        if code == Cause::Interlock as Code {
            self.wait_read |= 1 << e;
        }
        if code == Cause::Input as Code {
            // The loader has moved on in this cycle already.
            let engine = &self.engines[e];
            let entry = &engine.ring[engine.left as usize & (engine.ring.len() - 1)];
            let loaded = self.loader.next;
            let is_loaded = |address| address < loaded || address >= self.first_output;
            if is_loaded(entry.a) && is_loaded(entry.b) {
                self.forget(1 << e);
                return;
            }
            self.wait_input |= 1 << e;
        }
        // What the dispatcher did six cycles ago counts for this cycle already.
        let dispatched = self.dispatched.arrived_with_this();
        self.engines[e].sleep = Sleep { since: self.now + 1, cause, dispatched };
        self.awake &= !(1 << e);
    }

    /// Engine `e` takes part again from `cycle` on: this or the next. Does nothing if it is awake.
    pub(super) fn wake(&mut self, e: usize, cycle: u64) {
        let bit = 1 << e;
        if self.awake & bit != 0 {
            return;
        }
        self.awake |= bit;
        self.forget(bit);
        let arrived = self.dispatched.arrived();
        let engine = &mut self.engines[e];
        let slept = cycle - engine.sleep.since;
        match engine.sleep.cause {
            Some(cause) => engine.causes[cause as usize] += slept,
            None => {
                for (status, cause) in super::accounts::STATUSES.into_iter().enumerate() {
                    engine.causes[cause as usize] +=
                        arrived[status] - engine.sleep.dispatched[status];
                }
            }
        }
        for _ in 0..slept.min(u64::from(READ_STAGES)) {
            engine.history = engine.history << 4 | engine.history & 15;
        }
    }

    fn forget(&mut self, set: Engines) {
        self.wait_write &= !set;
        self.wait_read &= !set;
        self.wait_input &= !set;
        self.wait_unissued &= !set;
    }

    /// Wakes engine `e` if its instruction before the units waits for a table or a place for one.
    pub(super) fn wake_for_table(&mut self, e: usize) {
        if self.engines[e].before == Before::Table {
            self.wake(e, self.now + 1);
        }
    }

    /// Wakes engine `e` if its instruction before the units waits for a place in the live queue.
    pub(super) fn wake_for_live(&mut self, e: usize) {
        if self.engines[e].before == Before::Live {
            self.wake(e, self.now + 1);
        }
    }

    /// Wakes engine `e` if its instruction in R1 takes something from the out-of-range queue.
    pub(super) fn wake_for_wire(&mut self, e: usize) {
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.left as usize & (engine.ring.len() - 1)];
        if engine.in_r1 != engine.left && entry.pops > 0 {
            self.wake(e, self.now + 1);
        }
    }
}

/// By code.
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

impl Entry {
    #[inline]
    pub fn new(
        instruction: Instruction,
        [a, b]: [u32; 2],
        out: u32,
        and: u64,
        reads_input: bool,
    ) -> Entry {
        let flags = op::of(instruction) | if reads_input { op::INPUT } else { 0 };
        let pops = instruction.pops() as u8;
        Entry { a, b, out, flags, pops, and: and as u32, ..Entry::default() }
    }

    /// Operands that need an access to a bank: 1 for `a`, 2 for `b`.
    #[inline]
    fn wants(&self) -> u8 {
        u8::from(self.a != 0) | u8::from(self.b != self.a && self.b != 0) << 1
    }

    /// Whether it has won them all.
    #[inline]
    fn has_all(&self) -> bool {
        self.wants() & !self.won == 0
    }

    /// The last out-of-range word comes; `first` is the first of two.
    fn take(&mut self, word: u32, first: u32) {
        if self.queued == 3 {
            (self.a, self.b) = (first, word);
        } else if self.flags & op::UNARY != 0 {
            (self.a, self.b, self.queued) = (word, word, 3);
        } else if self.a == 0 {
            (self.a, self.queued) = (word, 1);
        } else {
            (self.b, self.queued) = (word, 2);
        }
    }

    /// What the sink is told.
    #[inline]
    fn issue(&self, cycle: u64, e: usize) -> Issue {
        let is = |flag| self.flags & flag != 0;
        // Addresses have no bit 31.
        let is_last = |bit, word| self.queued & bit != 0 && word & OOR_LAST != 0;
        let op = match () {
            () if is(op::AND) => Op::And,
            () if is(op::UNARY) => Op::Unary,
            () => Op::Xor,
        };
        Issue {
            cycle,
            engine: e as u32,
            op,
            invert: is(op::INVERT),
            live: is(op::LIVE),
            out: self.out,
            operands: [self.a & !OOR_LAST, self.b & !OOR_LAST],
            last_from_memory: [is_last(1, self.a), is_last(2, self.b)],
            and: if is(op::AND) { u64::from(self.and) } else { 0 },
        }
    }
}
