//! Instances: garblings of the same operations side by side, each with its own Δ and its own S or
//! K.
//!
//! As in [`wide`](crate::wide), every operation runs on adjacent lanes; here a lane is an instance.
//! Lanes therefore share the number and the position of an AND, and each has a key and a Δ of its
//! own. So the low parts of round keys ([`schedule`](crate::schedule)) are in tables by AND, round
//! and lane: 22 KiB for each lane, read in order from the second-level cache.

use crate::batch::{Garbler, Offsets};
use crate::hash::{FixedKey, KeySource, Place, ReKeyed};
use crate::label::Delta;
use crate::lanes::{Lanes, Row, Table};
use crate::ops::{Ops, Segment};
use crate::schedule::{BLOCK, EPOCH_SHIFT, MASKS, MAX_LANES, RoundKeys, words_of_low};
use crate::suite::Suite;
use crate::wide::{Adjacent, Lines, UNROLLED, groups, move_lanes, xor_lanes, xor_vectors};
use std::marker::PhantomData;
use zeroize::optimization_barrier;

/// Rounds of AES-128, the whitening included.
const ROUNDS: usize = 11;

/// The progress of instances that are garbled side by side, and their secrets, which are wiped on
/// drop.
pub struct Instances {
    suite: Suite,
    /// Number of lanes: a multiple of [`MULTIPLE`](Instances::MULTIPLE).
    lanes: usize,
    /// Δ of each lane.
    deltas: Rows,
    hashing: Hashing,
    next_and: u64,
    cycle: u64,
}

enum Hashing {
    ReKeyed(Schedules),
    FixedKey {
        /// Round key r of lane l in row `r * lanes + l`.
        keys: Rows,
        sigma: bool,
    },
}

impl Instances {
    /// The number of lanes is a multiple of this, so that every kernel's vectors are full.
    pub const MULTIPLE: usize = MAX_LANES;

    /// Instances at the start of a run, each with a public start point and Δ. Lanes that are added
    /// up to a multiple of [`MULTIPLE`](Instances::MULTIPLE) have zeros for both.
    ///
    /// # Panics
    /// If the suite has no half gates.
    pub(crate) fn new(
        suite: Suite,
        instances: &[(u128, &Delta)],
        expand: fn(u128) -> RoundKeys,
    ) -> Instances {
        assert!(suite.has_half_gates(), "instances run side by side in suites with half gates");
        let lanes = instances.len().next_multiple_of(Self::MULTIPLE).max(Self::MULTIPLE);
        let mut deltas = Rows::new(lanes);
        let mut points = vec![0; lanes];
        for (lane, &(point, delta)) in instances.iter().enumerate() {
            *deltas.at(lane) = delta.label().to_bytes();
            points[lane] = point;
        }
        let hashing = match suite {
            Suite::HalfGates => Hashing::ReKeyed(Schedules::new(points, expand)),
            _ => {
                let mut keys = Rows::new(ROUNDS * lanes);
                for (lane, &point) in points.iter().enumerate() {
                    for (r, key) in expand(point).into_iter().enumerate() {
                        *keys.at(r * lanes + lane) = key.to_le_bytes();
                    }
                }
                Hashing::FixedKey { keys, sigma: suite == Suite::HalfGatesFixedKey }
            }
        };
        Instances { suite, lanes, deltas, hashing, next_and: 0, cycle: 0 }
    }

    /// The suite.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// Number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// ANDs of each instance that were garbled so far.
    pub fn ands(&self) -> u64 {
        self.next_and
    }

    /// Starts the next cycle. AND numbers continue, positions restart.
    pub fn next_cycle(&mut self) {
        self.cycle += 1;
    }
}

/// Garbles `ops` for all instances. Lane l of AND j has its table in the rows `2 * (j * lanes + l)`
/// and the next.
///
/// # Safety
/// As for [`wide::garble`](crate::wide::garble), with the lanes of `instances` in `lines`.
///
/// # Panics
/// If an operand of `ops` has no place.
#[inline(always)]
pub(crate) unsafe fn garble<L: Lanes, S: Lanes>(
    instances: &mut Instances,
    lines: Lines<'_>,
    ops: &Ops,
    tables: *mut Row,
) {
    let lanes = lines.wide.lanes;
    let mut tables: *mut Table = tables.cast();
    let (mut moved, mut xored, mut anded) = (0, 0, 0);
    for &Segment { moves, xors, ands } in ops.segments {
        // SAFETY: the counts add up, so the ranges lie within the lists; the caller promises the
        // places. All rows of keys have a row for each lane, and vectors are full.
        unsafe {
            let role = Garbler { delta: instances.deltas.as_deltas() };
            for &op in ops.moves.get_unchecked(moved..moved + moves as usize) {
                move_lanes::<L, _>(&role, lines, op);
            }
            let parts = ops.xors.get_unchecked(xored..xored + xors as usize);
            if lanes.is_multiple_of(UNROLLED * L::N) {
                parts.iter().for_each(|&op| xor_vectors::<L>(lines, op));
            } else {
                parts.iter().for_each(|&op| xor_lanes::<L>(lines, op));
            }
            for j in anded..anded + ands as usize {
                let position = u64::from(*ops.positions.get_unchecked(j));
                let gate = Adjacent::new(lines, *ops.ands.get_unchecked(j), position, tables);
                let gate = gate.at_one_position();
                match &mut instances.hashing {
                    Hashing::ReKeyed(schedules) => {
                        let hash = ReKeyed(schedules.keys(instances.next_and));
                        groups::<L, S, _, _>(&role, &hash, gate);
                    }
                    Hashing::FixedKey { keys, sigma } => {
                        let keys = KeysOfLanes { keys: keys.start(), lanes, rows: PhantomData };
                        let (cycle, sigma) = (instances.cycle, *sigma);
                        let hash = FixedKey { keys, cycle, first_position: 0, sigma };
                        groups::<L, S, _, _>(&role, &hash, gate);
                    }
                }
                instances.next_and += 1;
                tables = tables.add(lanes);
            }
        }
        moved += moves as usize;
        xored += xors as usize;
        anded += ands as usize;
    }
}

/// Δ of each lane, in rows.
struct Deltas<'a>(*const Row, PhantomData<&'a Rows>);

impl Offsets for Deltas<'_> {
    #[inline(always)]
    unsafe fn of<L: Lanes>(&self, lane: usize) -> L {
        // SAFETY: the caller promises N lanes, each of which has a row.
        unsafe { L::load(self.0.add(lane)) }
    }
}

/// Round keys of all lanes for the AND numbers of a run, made on demand.
struct Schedules {
    points: Vec<u128>,
    expand: fn(u128) -> RoundKeys,
    epoch: Option<u64>,
    block: Option<u64>,
    /// For AND i, round r and lane l, row `(i % BLOCK * ROUNDS + r) * lanes + l`: the words of
    /// `low_r` that [`Schedule`](crate::schedule::Schedule) keeps too.
    low: Rows,
    /// `high_r` of lane l in row `r * lanes + l`.
    high: Rows,
}

impl Schedules {
    fn new(points: Vec<u128>, expand: fn(u128) -> RoundKeys) -> Schedules {
        let low = Rows::new(BLOCK * ROUNDS * points.len());
        let high = Rows::new(ROUNDS * points.len());
        Schedules { points, expand, epoch: None, block: None, low, high }
    }

    /// The keys of AND number `and`.
    #[inline(always)]
    fn keys(&mut self, and: u64) -> ScheduleOfLanes<'_> {
        let block = and / BLOCK as u64;
        if self.block != Some(block) {
            self.turn(block);
        }
        let (in_block, lanes) = ((and % BLOCK as u64) as usize, self.points.len());
        let low = self.low.start().wrapping_add(in_block * ROUNDS * lanes);
        ScheduleOfLanes { low, high: self.high.start(), lanes, rows: PhantomData }
    }

    #[cold]
    fn turn(&mut self, block: u64) {
        let lanes = self.points.len();
        let first = block * BLOCK as u64;
        let epoch = first >> EPOCH_SHIFT;
        let expand = self.expand;
        for lane in 0..lanes {
            let of = |number: u128| expand(self.points[lane] ^ (number << 64));
            if self.epoch != Some(epoch) {
                let number = u128::from(epoch << EPOCH_SHIFT) * 2;
                let base = of(number);
                for j in 0..2 * BLOCK {
                    let keys = of(number + j as u128);
                    for r in 0..ROUNDS {
                        let row = self.low.at((j / 2 * ROUNDS + r) * lanes + lane);
                        words_of_low(row, j % 2, keys[r] ^ base[r]);
                    }
                }
            }
            for (r, key) in of(u128::from(first) * 2).into_iter().enumerate() {
                *self.high.at(r * lanes + lane) = key.to_le_bytes();
            }
        }
        self.epoch = Some(epoch);
        self.block = Some(block);
    }
}

/// The round keys of all lanes for one AND, as [`Keys`](crate::schedule::Keys) has those of a run.
struct ScheduleOfLanes<'a> {
    low: *const Row,
    high: *const Row,
    lanes: usize,
    rows: PhantomData<&'a Rows>,
}

impl KeySource for ScheduleOfLanes<'_> {
    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L {
        let row = r * self.lanes + group.first_key();
        // SAFETY: each round has a row for each lane, and the group has N lanes.
        unsafe {
            let low = L::load_doubled(self.low.add(row), half);
            L::load(self.high.add(row)).xor(low.and(L::splat(MASKS[r % 2])))
        }
    }
}

/// The round keys of the ciphers of all lanes.
struct KeysOfLanes<'a> {
    keys: *const Row,
    lanes: usize,
    rows: PhantomData<&'a Rows>,
}

impl KeySource for KeysOfLanes<'_> {
    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, _half: usize, group: G) -> L {
        // SAFETY: each round has a row for each lane, and the group has N lanes.
        unsafe { L::load(self.keys.add(r * self.lanes + group.first_key())) }
    }
}

/// Rows that begin with a cache line. Wiped on drop.
struct Rows(Vec<Line>);

const LINE_ROWS: usize = 4;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([Row; LINE_ROWS]);

impl Line {
    const ZERO: Line = Line([[0; 16]; LINE_ROWS]);
}

impl Rows {
    fn new(rows: usize) -> Rows {
        Rows(vec![Line::ZERO; rows.div_ceil(LINE_ROWS)])
    }

    fn at(&mut self, row: usize) -> &mut Row {
        &mut self.0[row / LINE_ROWS].0[row % LINE_ROWS]
    }

    fn start(&self) -> *const Row {
        self.0.as_ptr().cast()
    }

    fn as_deltas(&self) -> Deltas<'_> {
        Deltas(self.start(), PhantomData)
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.0.fill(Line::ZERO);
        optimization_barrier(self.0.as_slice());
    }
}
