//! `mobile_wide_execute`, with `mobile_wide_issue` and `mobile_wide_ands`.

use super::Comes;
use super::SLOTS;
use super::items::Offered;
use crate::Slot;
use crate::item::{Begin, Item};
use crate::model::{And, Evaluate};
use zeroize::{Zeroize, Zeroizing};

/// Number of clock cycles in which labels are wiped, each label twice. It equals the capacity of
/// the link's queue in bytes.
const WIPES: u32 = 4096;
/// Number of AES rounds; and (`LATE`) the round from which a unit may take another AND.
const ROUNDS: u8 = 10;
const LATE: u8 = 6;

/// An operand that is read, and its use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Whether this is the item's last operand.
    pub last: bool,
    /// Whether this is the item's first operand. Then the sums start from 0.
    pub first: bool,
    /// Kind of item: 0 is an XOR, 1 an AND, 2 a load, 3 a read, 4 the beginning of a netlist cycle.
    pub what: u8,
    /// Sums to which the operand is XORed: 4 is operand a, 2 is operand b, 1 is the result.
    pub to: u8,
    /// The AND unit, for the last operand of an AND.
    pub unit: u8,
    /// Slot of the result.
    pub out: Slot,
}

const XOR: u8 = 0;
const AND: u8 = 1;
const LOAD: u8 = 2;
const READ: u8 = 3;
const BEGIN: u8 = 4;

/// A job in progress, with the bytes that follow its item.
#[derive(Clone)]
struct Under {
    job: Job,
    data: Zeroizing<[u8; 32]>,
}

/// Whether the job completes an XOR or a load. No AND unit computes these results.
fn is_sum(job: &Job) -> bool {
    job.last && matches!(job.what, XOR | LOAD)
}

/// A decoded operand; or, for an item without operands, the decoded item.
pub(super) struct Next {
    item: Item,
    data: Zeroizing<[u8; 32]>,
    /// Slot of the operand. Loads and netlist cycles do not use it.
    read: Slot,
    job: Option<Job>,
    /// ANDs in progress that compute the operand; and (`writers`) those that write the result's
    /// slot. Each unit has two bits.
    makers: u16,
    writers: u16,
    /// Number of clock cycles until the operand is written, if an XOR or a load computes it.
    sum: u8,
}

/// A unit has up to two ANDs: one in its rounds and one whose result waits, or one in its last
/// rounds and the next one.
#[derive(Clone, Default)]
struct Unit {
    /// Whether the unit cannot take another AND yet.
    held: bool,
    /// Slots of both results; then the indices in `outs` of the next AND and of the older AND.
    outs: [Option<Slot>; 2],
    next: usize,
    older: usize,
    /// `comes` is an AND whose blocks are ready, `rounds` an AND in progress with the number of its
    /// round, and `result` an AND that is done.
    comes: Option<Zeroizing<u128>>,
    rounds: Option<(u8, Zeroizing<u128>)>,
    result: Option<Zeroizing<u128>>,
}

impl Unit {
    /// Runs a clock cycle. `gone` means that the result is taken.
    fn clock(&mut self, gone: bool) {
        let round = self.rounds.as_ref().map_or(0, |(round, _)| *round);
        if round >= LATE && (self.outs.contains(&None) || gone) {
            self.held = false;
        }
        if gone {
            self.result = None;
            self.outs[self.older] = None;
            self.older ^= 1;
        }
        if round < ROUNDS {
            if let Some((round, _)) = &mut self.rounds {
                *round += 1;
            }
        } else if self.result.is_none() {
            self.result = self.rounds.take().map(|(_, label)| label);
        }
        if let Some(label) = self.comes.take() {
            assert!(self.rounds.is_none(), "the unit has one");
            self.rounds = Some((1, label));
        }
    }

    fn take(&mut self, out: Slot) {
        self.held = true;
        self.outs[self.next] = Some(out);
        self.next ^= 1;
    }
}

pub(super) struct Execute {
    memory: Zeroizing<Vec<u128>>,
    wiped: Option<u32>,
    over: bool,
    next: Option<Next>,
    /// Operands of the current item that are not decoded yet, one bit each.
    left: Option<u8>,
    /// Slot of the previous result, if an XOR computed it.
    held: Option<Slot>,
    /// Job of the previous clock cycle with the label that was read; and (`second`) the job of the
    /// clock cycle before that.
    first: Option<(Under, Zeroizing<u128>)>,
    second: Option<Under>,
    units: Vec<Unit>,
    point: u128,
    number: u64,
    operands: Zeroizing<[u128; 2]>,
    sum: Zeroizing<u128>,
    giving: bool,
    /// The label that is being sent, and the number of its bytes that were sent.
    given: Option<(Zeroizing<u128>, u32)>,
}

/// Decisions of a clock cycle. They depend only on the registers.
#[derive(Default)]
pub(super) struct Step {
    pub job: Option<Job>,
    pub writes: Option<Slot>,
    /// Whether all operands of the offered item are decoded.
    pub done: bool,
    /// Whether an operand of the offered item is decoded.
    pub keeps: bool,
    /// Whether the decoded operand is issued.
    goes: bool,
    takes: Option<usize>,
    /// The unit whose result is written.
    made: Option<usize>,
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

    /// Slot of the result that the job of two clock cycles ago completes, if it is an XOR or a
    /// load.
    fn sums(&self) -> Option<Slot> {
        self.second.as_ref().map(|under| under.job).filter(is_sum).map(|job| job.out)
    }

    /// One bit for each AND in progress for which `holds` is true. `holds` is called with the unit,
    /// the AND's index in the unit, and the slot of its result.
    fn ands(&self, holds: impl Fn(usize, usize, Option<Slot>) -> bool) -> u16 {
        let mut all = 0;
        for (at, unit) in self.units.iter().enumerate() {
            for (of, out) in unit.outs.iter().enumerate() {
                all |= u16::from(holds(at, of, *out)) << (2 * at + of);
            }
        }
        all
    }

    fn busy(&self) -> u16 {
        self.ands(|_, _, out| out.is_some())
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
        let made = self.units.iter().position(|unit| unit.result.is_some());
        step.writes = match (self.wiped, self.sums()) {
            (Some(at), _) => Some(at % SLOTS),
            (_, Some(out)) => Some(out),
            _ => {
                step.made = made;
                made.and_then(|unit| self.units[unit].outs[self.units[unit].older])
            }
        };
        step
    }

    /// Decides whether the decoded operand is issued in this clock cycle.
    fn go_on(&self, next: &Next, step: &mut Step) {
        let busy = self.busy();
        let unmade = next.makers & busy != 0 || next.sum > 0;
        let taken = next.writers & busy != 0;
        let unit = self.units.iter().position(|unit| !unit.held);
        step.goes = match next.job {
            Some(job) if job.what == XOR => !(unmade || (job.last && taken)),
            Some(job) if job.what == AND => !(unmade || (job.last && (taken || unit.is_none()))),
            Some(job) if job.what == READ => !unmade && !self.giving,
            Some(job) if job.what == LOAD => !taken,
            _ => busy == 0 && self.first.is_none() && self.second.is_none() && !self.giving,
        };
        if !step.goes {
            return;
        }
        if let Some(job) = next.job {
            step.takes = unit.filter(|_| job.what == AND && job.last);
            step.job = Some(Job { unit: step.takes.unwrap_or(0) as u8, ..job });
        }
    }

    /// Operands of an item that are not decoded before this clock cycle, and those that are not
    /// decoded after it. `None` if the item has no operands.
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

    /// Decodes the next operand of an item, or an item without operands.
    pub fn look(&self, Offered { item, data }: &Offered, step: &Step) -> Next {
        let (what, [a, b, c], xors, out) = match *item {
            Item::Xor { a, b, c, out } => (XOR, [a, b, c.unwrap_or(0)], 0, out),
            Item::And { a, b, c, xors, out } => (AND, [a, b, c], xors, out),
            Item::Read { slot } => (READ, [slot; 3], 0, slot),
            Item::Load { slot } => (LOAD, [slot; 3], 0, slot),
            Item::Begin | Item::End => (BEGIN, [0; 3], 0, 0),
        };
        let (left, rest) = self.operands_left(item).unwrap_or((A, 0));
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
        let job = Job { last: rest == 0, first, what, to, unit: 0, out };
        let now = step.job.filter(|job| job.last);
        let ands = |slot: Slot| {
            self.ands(|at, of, out| {
                let comes = step.takes == Some(at) && self.units[at].next == of;
                out == Some(slot) || (comes && now.is_some_and(|job| job.out == slot))
            })
        };
        let before = self.first.as_ref().map(|(under, _)| under.job).filter(is_sum);
        let sum = match now.filter(is_sum) {
            Some(job) if job.out == slot => 2,
            _ => u8::from(before.is_some_and(|job| job.out == slot)),
        };
        Next {
            item: *item,
            data: data.clone(),
            read: slot,
            job: (!matches!(item, Item::End)).then_some(job),
            makers: ands(slot),
            writers: ands(out),
            sum,
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
        let next = self.next.take_if(|_| step.goes);
        self.write(step);
        for (at, unit) in self.units.iter_mut().enumerate() {
            unit.clock(step.made == Some(at));
        }
        if let Some(under) = self.second.take().filter(|under| under.job.last) {
            match under.job.what {
                AND => self.go(&under, evaluate),
                BEGIN => self.begin(&under.data),
                _ => (),
            }
        }
        if let Some(at) = step.takes {
            self.units[at].take(step.job.expect("it is read for").out);
        }
        if let Some((under, label)) = self.first.take() {
            self.gather(under.job, &label);
            self.second = Some(under);
        }
        self.over |= next.as_ref().is_some_and(|next| matches!(next.item, Item::End));
        self.first = next.and_then(|Next { read, data, .. }| {
            let label = Zeroizing::new(self.memory[read as usize]);
            Some((Under { job: step.job?, data }, label))
        });
        self.keep(looked);
        if comes.clear {
            let units = self.units.len();
            let memory = std::mem::take(&mut self.memory);
            *self = Execute { memory, ..Execute::new(units) };
        }
    }

    /// Stores the decoded operand for the next clock cycle.
    fn keep(&mut self, looked: Option<Next>) {
        let Some(looked) = looked else {
            if let Some(next) = &mut self.next {
                next.sum = next.sum.saturating_sub(1);
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

    /// XORs the operand's label to the sums that the job selects.
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

    /// Begins an AND whose operands are complete.
    fn go(&mut self, under: &Under, evaluate: &mut dyn Evaluate) {
        let begin = Begin { is_grr3: false, number: 0, cycle: 0, point: self.point };
        let [a, b] = *self.operands;
        let (number, table) = (self.number, &under.data[..]);
        let label = evaluate.and(&And { begin, number, a, b, table }) ^ *self.sum;
        self.units[usize::from(under.job.unit)].comes = Some(Zeroizing::new(label));
        self.number += 1;
    }

    fn write(&mut self, step: &Step) {
        if let Some(at) = self.wiped {
            self.memory[(at % SLOTS) as usize] = 0;
            self.wiped = (at + 1 < WIPES).then_some(at + 1);
            (self.point, self.number) = (0, 0);
            return;
        }
        let Some(slot) = step.writes else { return };
        let label = match (step.made, &self.second) {
            (Some(unit), _) => self.units[unit].result.as_ref().map_or(0, |label| **label),
            (None, Some(under)) if under.job.what == LOAD => {
                u128::from_le_bytes(under.data[16..].try_into().expect("16 bytes"))
            }
            _ => *self.sum,
        };
        self.memory[slot as usize] = label;
    }

    /// Begins a netlist cycle: sets the start point and the number of the first AND.
    fn begin(&mut self, data: &[u8; 32]) {
        let whole =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte));
        (self.number, self.point) = (whole(&data[1..6]) as u64, whole(&data[10..26]));
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
