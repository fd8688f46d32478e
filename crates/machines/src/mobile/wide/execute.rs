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

/// What was looked at: an operand of an item or, if it has none, the item.
pub(super) struct Next {
    item: Item,
    data: Zeroizing<[u8; 32]>,
    /// The operand's slot, and what is done with it.
    read: Option<(Slot, Job)>,
    /// Units that make the operand, and those that write the slot of the result: a bit each.
    makers: u8,
    writers: u8,
    /// Cycles until an XOR has made it.
    xor: u8,
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
    next: Option<Next>,
    /// Operands that are left of an item that is being looked at.
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
#[derive(Default)]
pub(super) struct Step {
    pub job: Option<Job>,
    pub writes: Option<Slot>,
    /// All of the item that was offered is looked at.
    pub done: bool,
    /// An operand of the item that was offered is looked at.
    pub keeps: bool,
    /// What was looked at is done.
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
            next: None,
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

    /// The slot of an XOR whose operands were all read, a cycle ago and two.
    fn xors(&self) -> [Option<Slot>; 2] {
        let jobs = [self.first.as_ref().map(|(under, _)| under), self.second.as_ref()];
        jobs.map(|under| under.map(|under| under.job).filter(|job| job.last && job.what == XOR))
            .map(|job| job.map(|job| job.out))
    }

    fn busy(&self) -> u8 {
        self.units.iter().rev().fold(0, |all, unit| all << 1 | u8::from(unit.busy))
    }

    pub fn step(&self, offered: Option<&Offered>) -> Step {
        let mut step = Step::default();
        if let Some(next) = &self.next {
            self.go_on(next, &mut step);
        }
        if let Some(offered) = offered {
            step.keeps = !self.wipes() && (self.next.is_none() || step.goes);
            step.done =
                step.keeps && self.operands_left(&offered.item).is_none_or(|(_, rest)| rest == 0);
        }
        let made = self.units.iter().position(|unit| matches!(unit.made, Some((0, _))));
        step.writes = match (self.wiped, self.xors()[1]) {
            (Some(at), _) => Some(at % SLOTS),
            (_, Some(out)) => Some(out),
            _ if step.loads => step.writes,
            _ => {
                step.made = made;
                made.map(|unit| self.units[unit].out)
            }
        };
        step
    }

    /// Whether what was looked at is done now.
    fn go_on(&self, next: &Next, step: &mut Step) {
        let busy = self.busy();
        let unmade = next.makers & busy != 0 || next.xor > 0;
        let taken = next.writers & busy != 0;
        let unit = self.units.iter().position(|unit| !unit.busy);
        step.goes = match (next.item, next.read) {
            (Item::Xor { .. }, Some((_, job))) => !(unmade || (job.last && taken)),
            (Item::And { .. }, Some((_, job))) => {
                !(unmade || (job.last && (taken || unit.is_none())))
            }
            (Item::Read { .. }, _) => !unmade && !self.giving,
            (Item::Load { .. }, _) => !taken && self.xors() == [None; 2],
            _ => busy == 0 && self.first.is_none() && self.second.is_none() && !self.giving,
        };
        if !step.goes {
            return;
        }
        if let Item::Load { slot } = next.item {
            (step.loads, step.writes) = (true, Some(slot));
        }
        if let Some((_, job)) = next.read {
            step.takes = unit.filter(|_| job.what == AND && job.last);
            step.job = Some(Job { unit: step.takes.unwrap_or(0) as u8, ..job });
        }
    }

    /// Operands of an item that are not looked at yet, and those that are not after this clock: none of one that reads none.
    fn operands_left(&self, item: &Item) -> Option<(u8, u8)> {
        let all = match item {
            Item::Xor { a, c, .. } => {
                let held = self.held == Some(*a);
                B | if c.is_some() { C } else { 0 } | if held { 0 } else { A }
            }
            Item::And { xors, .. } => A | B | if *xors == 0 { 0 } else { C },
            Item::Read { .. } => A,
            _ => return None,
        };
        let left = self.left.unwrap_or(all);
        Some((left, left & (left - 1)))
    }

    /// Looks at an operand of an item, or at one that has none.
    pub fn look(&self, Offered { item, data }: &Offered, step: &Step) -> Next {
        let (what, [a, b, c], xors, out) = match *item {
            Item::Xor { a, b, c, out } => (XOR, [a, b, c.unwrap_or(0)], 0, out),
            Item::And { a, b, c, xors, out } => (AND, [a, b, c], xors, out),
            Item::Read { slot } => (READ, [slot; 3], 0, slot),
            Item::Load { slot } => (0, [0; 3], 0, slot),
            Item::Begin | Item::End => (0, [0; 3], 0, 0),
        };
        let read = self.operands_left(item).map(|(left, rest)| {
            let operand = left & !rest;
            let slot = match operand {
                B => b,
                C => c,
                _ => a,
            };
            let bit = |at: u8| xors >> at & 1;
            let to = match (what, operand) {
                (AND, B) => 2,
                (AND, C) => bit(0) << 2 | bit(1) << 1 | bit(2),
                (AND, _) => 4,
                _ => 1,
            };
            let held = what == XOR && self.held == Some(a);
            let first = self.left.is_none() && !held;
            (slot, Job { last: rest == 0, first, what, to, unit: 0, out })
        });
        let slot = read.map_or(0, |(slot, _)| slot);
        let now = step.job.filter(|job| job.last);
        let units = |slot: Slot| {
            let of = |(at, unit): (usize, &Unit)| {
                let takes = step.takes == Some(at) && now.is_some_and(|job| job.out == slot);
                u8::from((unit.busy && unit.out == slot) || takes) << at
            };
            self.units.iter().enumerate().map(of).fold(0, |all, bit| all | bit)
        };
        let xor = match now {
            Some(job) if job.what == XOR && job.out == slot => 2,
            _ => u8::from(self.xors()[0] == Some(slot)),
        };
        Next {
            item: *item,
            data: data.clone(),
            read,
            makers: units(slot),
            writers: units(out),
            xor,
        }
    }

    pub fn clock(
        &mut self,
        step: &Step,
        looked: Option<Next>,
        comes: Comes<'_>,
        evaluate: &mut dyn Evaluate,
    ) {
        self.give(comes.takes, step);
        let number = self.number;
        let next = self.next.take_if(|_| step.goes);
        self.write(step, next.as_ref());
        self.begin(step, next.as_ref());
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
        self.first = next.and_then(|Next { read, data: table, .. }| {
            let label = Zeroizing::new(self.memory[read?.0 as usize]);
            Some((Under { job: step.job?, number, table }, label))
        });
        self.keep(looked);
        if comes.clear {
            let units = self.units.len();
            let memory = std::mem::take(&mut self.memory);
            *self = Execute { memory, ..Execute::new(units) };
        }
    }

    /// What was looked at is next.
    fn keep(&mut self, looked: Option<Next>) {
        let Some(looked) = looked else {
            if let Some(next) = &mut self.next {
                next.xor = next.xor.saturating_sub(1);
            }
            return;
        };
        let (_, rest) = self.operands_left(&looked.item).unwrap_or_default();
        self.left = (rest != 0).then_some(rest);
        if rest == 0 {
            self.held = match looked.item {
                Item::Xor { out, .. } => Some(out),
                _ => None,
            };
        }
        self.next = Some(looked);
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

    fn write(&mut self, step: &Step, next: Option<&Next>) {
        if let Some(at) = self.wiped {
            self.memory[(at % SLOTS) as usize] = 0;
            self.wiped = (at + 1 < WIPES).then_some(at + 1);
            (self.point, self.number) = (0, 0);
            return;
        }
        let Some(slot) = step.writes else { return };
        let label = match (step.made, next) {
            (Some(unit), _) => self.units[unit].made.as_ref().map_or(0, |(_, label)| **label),
            (None, Some(next)) if step.loads => {
                u128::from_le_bytes(next.data[16..].try_into().expect("16 bytes"))
            }
            _ => *self.sum,
        };
        self.memory[slot as usize] = label;
    }

    /// Beginnings, ends, and the number of the next AND.
    fn begin(&mut self, step: &Step, next: Option<&Next>) {
        if step.takes.is_some() {
            self.number += 1;
        }
        let Some(Next { item, data, .. }) = next else { return };
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
