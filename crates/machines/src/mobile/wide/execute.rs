//! `mobile_wide_execute`, with `mobile_wide_issue` and `mobile_wide_ands`.

use super::Comes;
use super::SLOTS;
use super::items::Offered;
use crate::mobile::Slot;
use crate::mobile::item::{Begin, Item};
use crate::mobile::model::{And, Evaluate};
use zeroize::{Zeroize, Zeroizing};

/// Cycles in which labels are wiped, all of them twice: as many as there are bytes in the queue of the link.
const WIPES: u32 = 4096;
/// Cycles from that in which an AND's operands are there to that in which its result is.
const HASHES: u8 = 12;

/// What is done with an operand that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// It is the last one of its item.
    pub last: bool,
    /// It is the first one: what was made before is forgotten.
    pub first: bool,
    /// The item is 0: an XOR, 1: an AND, 3: a label that is read.
    pub what: u8,
    /// It is added to: 4: operand a, 2: operand b, 1: the sum.
    pub to: u8,
    /// The unit of an AND.
    pub unit: u8,
    /// The slot of the result.
    pub out: Slot,
}

const XOR: u8 = 0;
const AND: u8 = 1;
const READ: u8 = 3;

/// A job, with what an AND wants later.
#[derive(Clone)]
struct Under {
    job: Job,
    number: u64,
    table: Zeroizing<[u8; 32]>,
}

#[derive(Clone, Default)]
struct Unit {
    busy: bool,
    out: Slot,
    /// Cycles until its result is there, and that.
    made: Option<(u8, Zeroizing<u128>)>,
}

pub(super) struct Execute {
    memory: Zeroizing<Vec<u128>>,
    wiped: Option<u32>,
    over: bool,
    /// Operands that are left of an item that has begun.
    left: Option<u8>,
    /// Where the result before went, if it is an XOR's.
    held: Option<Slot>,
    /// What was begun a cycle ago, with the label that was read, and two.
    first: Option<(Under, Zeroizing<u128>)>,
    second: Option<Under>,
    units: Vec<Unit>,
    point: u128,
    number: u64,
    operands: Zeroizing<[u128; 2]>,
    sum: Zeroizing<u128>,
    giving: bool,
    /// The label that goes out, and how many bytes of it are gone.
    given: Option<(Zeroizing<u128>, u32)>,
}

/// What is decided in a clock from what the registers say.
pub(super) struct Step {
    pub job: Option<Job>,
    pub writes: Option<Slot>,
    /// The item that was offered is done with.
    pub done: bool,
    read: Slot,
    rest: u8,
    goes: bool,
    takes: Option<usize>,
    /// The unit whose result is written.
    made: Option<usize>,
    loads: bool,
}

const B: u8 = 1;
const C: u8 = 2;
const A: u8 = 4;

impl Execute {
    pub fn new(units: usize) -> Execute {
        assert!((1..=8).contains(&units), "one to eight units");
        Execute {
            memory: Zeroizing::new(vec![0; SLOTS as usize]),
            wiped: Some(0),
            over: false,
            left: None,
            held: None,
            first: None,
            second: None,
            units: vec![Unit::default(); units],
            point: 0,
            number: 0,
            operands: Zeroizing::default(),
            sum: Zeroizing::default(),
            giving: false,
            given: None,
        }
    }

    pub fn wipes(&self) -> bool {
        self.wiped.is_some()
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    pub fn gives(&self) -> Option<u8> {
        self.given.as_ref().map(|(label, gone)| (**label >> (8 * gone)) as u8)
    }

    /// XORs on their way, of which only the last operand counts.
    fn xors(&self) -> impl Iterator<Item = &Job> {
        let jobs = [self.first.as_ref().map(|(under, _)| under), self.second.as_ref()];
        jobs.into_iter().flatten().map(|under| &under.job).filter(|job| job.last && job.what == XOR)
    }

    pub fn step(&self, offered: Option<&Offered>) -> Step {
        let mut step = Step {
            job: None,
            writes: None,
            done: false,
            read: 0,
            rest: 0,
            goes: false,
            takes: None,
            made: None,
            loads: false,
        };
        if let Some(offered) = offered.filter(|_| !self.wipes()) {
            self.issue(offered.item, &mut step);
        }
        let sums = self.second.as_ref().filter(|under| under.job.last && under.job.what == XOR);
        let made = self.units.iter().position(|unit| matches!(unit.made, Some((0, _))));
        step.writes = match (self.wiped, sums) {
            (Some(at), _) => Some(at % SLOTS),
            (_, Some(under)) => Some(under.job.out),
            _ if step.loads => step.writes,
            _ => {
                step.made = made;
                made.map(|unit| self.units[unit].out)
            }
        };
        step
    }

    /// What is begun of an item.
    fn issue(&self, item: Item, step: &mut Step) {
        let taken = |out: Slot| self.units.iter().any(|unit| unit.busy && unit.out == out);
        let unmade = |slot: Slot| taken(slot) || self.xors().any(|job| job.out == slot);
        let (what, [a, b, c], xors, out) = match item {
            Item::Xor { a, b, c, out } => {
                (XOR, [a, b, c.unwrap_or(0)], if c.is_some() { 4 } else { 0 }, out)
            }
            Item::And { a, b, c, xors, out } => (AND, [a, b, c], xors, out),
            Item::Read { slot } => (READ, [slot; 3], 0, slot),
            Item::Load { slot } => {
                step.goes = !taken(slot) && self.xors().next().is_none();
                (step.loads, step.done) = (step.goes, step.goes);
                if step.loads {
                    step.writes = Some(slot);
                }
                return;
            }
            Item::Begin | Item::End => {
                let busy = self.units.iter().any(|unit| unit.busy);
                let quiet = self.first.is_none() && self.second.is_none();
                step.goes = quiet && !busy && !self.giving;
                step.done = step.goes;
                return;
            }
        };
        let held = what == XOR && self.held == Some(a);
        let all = match what {
            READ => A,
            _ => B | if xors == 0 { 0 } else { C } | if held { 0 } else { A },
        };
        let left = self.left.unwrap_or(all);
        step.rest = left & (left - 1);
        let last = step.rest == 0;
        let operand = left & !step.rest;
        step.read = match operand {
            B => b,
            C => c,
            _ => a,
        };
        let unit = self.units.iter().position(|unit| !unit.busy);
        step.goes = !unmade(step.read)
            && match what {
                XOR => !(last && taken(out)),
                AND => !(last && (taken(out) || unit.is_none())),
                _ => !self.giving,
            };
        if !step.goes {
            return;
        }
        step.done = last;
        step.takes = unit.filter(|_| what == AND && last);
        let to = match (what, operand) {
            (AND, B) => 2,
            (AND, C) => {
                let bit = |at: u8| xors >> at & 1;
                bit(0) << 2 | bit(1) << 1 | bit(2)
            }
            (AND, _) => 4,
            _ => 1,
        };
        step.job = Some(Job {
            last,
            first: self.left.is_none() && !held,
            what,
            to,
            unit: step.takes.unwrap_or(0) as u8,
            out,
        });
    }

    pub fn clock(
        &mut self,
        step: &Step,
        item: Option<Offered>,
        comes: Comes<'_>,
        evaluate: &mut dyn Evaluate,
    ) {
        self.give(comes.takes, step);
        let number = self.number;
        let read = Zeroizing::new(self.memory[step.read as usize]);
        self.write(step, item.as_ref());
        self.begin(step, item.as_ref());
        for unit in &mut self.units {
            if let Some((left, _)) = &mut unit.made {
                *left = left.saturating_sub(1);
            }
        }
        if let Some(unit) = step.made {
            self.units[unit] = Unit::default();
        }
        let second = self.second.take();
        if let Some(under) = second.filter(|under| under.job.last && under.job.what == AND) {
            self.go(&under, evaluate);
        }
        if let Some(at) = step.takes {
            let out = step.job.expect("it is read for").out;
            self.units[at] = Unit { busy: true, out, made: None };
        }
        if let Some((under, label)) = self.first.take() {
            self.gather(under.job, &label);
            self.second = Some(under);
        }
        // The table of an AND is behind its item, which is done with when the last operand is read.
        self.first = step.job.map(|job| {
            let table = item.map_or_else(Zeroizing::default, |item| item.data);
            (Under { job, number, table }, read)
        });
        if comes.clear {
            let units = self.units.len();
            let memory = std::mem::take(&mut self.memory);
            *self = Execute { memory, ..Execute::new(units) };
        }
    }

    /// The operand's label is there.
    fn gather(&mut self, job: Job, label: &u128) {
        if job.first {
            self.operands.zeroize();
            self.sum.zeroize();
        }
        let add = |bit: u8| if job.to & bit == 0 { 0 } else { *label };
        self.operands[0] ^= add(4);
        self.operands[1] ^= add(2);
        *self.sum ^= add(1);
    }

    /// An AND's operands are there.
    fn go(&mut self, under: &Under, evaluate: &mut dyn Evaluate) {
        let begin = Begin { is_grr3: false, number: 0, cycle: 0, point: self.point };
        let [a, b] = *self.operands;
        let table = &under.table[..];
        let label = evaluate.and(&And { begin, number: under.number, a, b, table }) ^ *self.sum;
        self.units[usize::from(under.job.unit)].made = Some((HASHES - 1, Zeroizing::new(label)));
    }

    fn write(&mut self, step: &Step, item: Option<&Offered>) {
        if let Some(at) = self.wiped {
            self.memory[(at % SLOTS) as usize] = 0;
            self.wiped = (at + 1 < WIPES).then_some(at + 1);
            (self.point, self.number) = (0, 0);
            return;
        }
        let Some(slot) = step.writes else { return };
        let label = match (step.made, item) {
            (Some(unit), _) => self.units[unit].made.as_ref().map_or(0, |(_, label)| **label),
            (None, Some(item)) if step.loads => {
                u128::from_le_bytes(item.data[16..].try_into().expect("16 bytes"))
            }
            _ => *self.sum,
        };
        self.memory[slot as usize] = label;
    }

    /// Registers of items in their order.
    fn begin(&mut self, step: &Step, item: Option<&Offered>) {
        if !step.goes {
            return;
        }
        self.left = (step.rest != 0).then_some(step.rest);
        if step.takes.is_some() {
            self.number += 1;
        }
        let Some(Offered { item, data }) = item else { return };
        self.held = match item {
            Item::Xor { out, .. } => Some(*out),
            _ => None,
        };
        match item {
            Item::End => self.over = true,
            Item::Begin => {
                let whole = |bytes: &[u8]| {
                    bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte))
                };
                (self.number, self.point) = (whole(&data[1..6]) as u64, whole(&data[10..26]));
            }
            _ => (),
        }
    }

    fn give(&mut self, takes: bool, step: &Step) {
        if let Some((_, gone)) = self.given.as_mut().filter(|_| takes) {
            *gone += 1;
            if *gone == 16 {
                (self.given, self.giving) = (None, false);
            }
        }
        if let Some(under) = &self.second
            && under.job.last
            && under.job.what == READ
        {
            self.given = Some((self.sum.clone(), 0));
        }
        self.giving |= step.job.is_some_and(|job| job.what == READ);
    }
}
