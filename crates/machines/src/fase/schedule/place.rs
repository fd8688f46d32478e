//! Clocks for gates, in two ways.
//!
//! [`by_clock`] fills one clock after the other with what is ready, as a list scheduler does. It makes short
//! schedules, but looks at loops only when it is done. [`by_height`] moves gates until all loops fit, and may
//! spread a netlist cycle over many intervals.

use super::super::Netlist;
use super::Shape;
use super::graph::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How often, for each gate, a gate may be moved before an interval is given up.
const MOVES: usize = 6;

/// The clock of each gate in its netlist cycle, or `None` if a loop takes longer than it has.
pub(super) fn by_clock(
    netlist: &Netlist,
    graph: &Graph,
    shape: Shape,
    interval: u32,
) -> Option<Vec<u32>> {
    let heights = graph.heights(interval)?;
    let mut table = Table::new(shape, interval);
    let gates = netlist.gates.len();
    let mut times: Vec<Option<i64>> = vec![None; gates];
    // Operands of this netlist cycle that are still to be made.
    let now = |gate: usize| graph.before[gate].iter().filter(|edge| edge.ago == 0);
    let mut missing: Vec<usize> = (0..gates).map(|gate| now(gate).count()).collect();
    // Gates whose operands have a clock: first by that clock, then, when it has come, by height.
    let mut later: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::new();
    let mut ready: BinaryHeap<(i64, Reverse<u32>)> = BinaryHeap::new();
    later.extend(
        (0..gates as u32)
            .filter(|&gate| missing[gate as usize] == 0)
            .map(|gate| Reverse((0, gate))),
    );
    let mut clock = 0;
    let mut left = gates;
    let mut put_off = Vec::new();
    while left > 0 {
        while let Some(&Reverse((due, gate))) = later.peek() {
            if due > clock {
                break;
            }
            later.pop();
            ready.push((heights[gate as usize], Reverse(gate)));
        }
        while !table.is_full(clock) {
            let Some((height, Reverse(gate))) = ready.pop() else { break };
            let is_and = netlist.gates[gate as usize].is_and;
            if !table.has_room(is_and, clock) {
                put_off.push((height, Reverse(gate)));
                continue;
            }
            table.add(gate, is_and, clock);
            times[gate as usize] = Some(clock);
            left -= 1;
            for edge in graph.after[gate as usize].iter().filter(|edge| edge.ago == 0) {
                let reader = edge.gate as usize;
                missing[reader] -= 1;
                if missing[reader] == 0 {
                    let due = now(reader).filter_map(|edge| {
                        times[edge.gate as usize].map(|time| time + i64::from(edge.latency))
                    });
                    later.push(Reverse((due.max().unwrap_or(0), edge.gate)));
                }
            }
        }
        ready.extend(put_off.drain(..));
        clock += 1;
    }
    let in_time = |gate: usize| {
        let at = |gate: usize| times[gate].expect("all have one by now");
        let mut edges = graph.before[gate].iter();
        edges.all(|edge| at(gate) >= at(edge.gate as usize) + edge.distance(interval))
    };
    (0..gates).all(in_time).then(|| times.iter().flatten().map(|&time| time as u32).collect())
}

/// The same, or `None` if none was found for all.
pub(super) fn by_height(
    netlist: &Netlist,
    graph: &Graph,
    shape: Shape,
    interval: u32,
) -> Option<Vec<u32>> {
    let heights = graph.heights(interval)?;
    let mut table = Table::new(shape, interval);
    let gates = netlist.gates.len();
    let mut times: Vec<Option<i64>> = vec![None; gates];
    let mut previous: Vec<i64> = vec![i64::MIN; gates];
    // The gate that most depends on goes first; of two, the earlier one.
    let mut waiting: BinaryHeap<(i64, Reverse<u32>)> =
        (0..gates).map(|gate| (heights[gate], Reverse(gate as u32))).collect();
    let mut budget = gates * MOVES + 64;
    while let Some((_, Reverse(gate))) = waiting.pop() {
        budget = budget.checked_sub(1)?;
        let gate = gate as usize;
        let is_and = netlist.gates[gate].is_and;
        let earliest = graph.before[gate].iter().filter_map(|edge| {
            times[edge.gate as usize].map(|time| time + edge.distance(interval))
        });
        let earliest = earliest.max().unwrap_or(0).max(0);
        let free =
            (earliest..earliest + i64::from(interval)).find(|&time| table.has_room(is_and, time));
        // A gate that was moved goes on, or two would change places for ever.
        let time = free.unwrap_or_else(|| earliest.max(previous[gate].saturating_add(1)));
        previous[gate] = time;
        if free.is_none() {
            let victim = table.victim(is_and, time, |other| heights[other as usize]);
            if let Some(victim) = victim {
                let old = times[victim as usize].take().expect("a gate in the table has a time");
                table.remove(victim, netlist.gates[victim as usize].is_and, old);
                waiting.push((heights[victim as usize], Reverse(victim)));
            }
        }
        table.add(gate as u32, is_and, time);
        times[gate] = Some(time);
        // What reads it and comes too early now has to move.
        for edge in &graph.after[gate] {
            let reader = edge.gate as usize;
            let Some(at) = times[reader] else { continue };
            if reader != gate && at < time + edge.distance(interval) {
                times[reader] = None;
                table.remove(edge.gate, netlist.gates[reader].is_and, at);
                waiting.push((heights[reader], Reverse(edge.gate)));
            }
        }
    }
    times.into_iter().map(|time| time.map(|time| time as u32)).collect()
}

/// One gate after the other, each when its operands of this netlist cycle are there and a unit is.
pub(super) fn one_by_one(netlist: &Netlist, graph: &Graph, shape: Shape) -> Vec<u32> {
    let mut times: Vec<u32> = Vec::with_capacity(netlist.gates.len());
    for gate in 0..netlist.gates.len() {
        let now = graph.before[gate].iter().filter(|edge| edge.ago == 0);
        let ready = now.map(|edge| times[edge.gate as usize] + edge.latency).max().unwrap_or(0);
        let free = times.last().map_or(0, |last| last + shape.every);
        times.push(ready.max(free).next_multiple_of(shape.every));
    }
    times
}

/// The slots of a kernel.
struct Table {
    shape: Shape,
    interval: i64,
    /// For each word the gates in it.
    words: Vec<Vec<u32>>,
    /// For each word how many of these are ANDs.
    ands: Vec<u32>,
}

impl Table {
    fn new(shape: Shape, interval: u32) -> Table {
        let words = vec![Vec::new(); interval as usize];
        Table { shape, interval: interval.into(), words, ands: vec![0; interval as usize] }
    }

    fn word(&self, time: i64) -> usize {
        (time % self.interval) as usize
    }

    fn is_full(&self, time: i64) -> bool {
        let [.., slots] = self.shape.slots();
        self.words[self.word(time)].len() as u32 >= slots
    }

    fn has_room(&self, is_and: bool, time: i64) -> bool {
        let word = self.word(time);
        let (all, ands) = (self.words[word].len() as u32, self.ands[word]);
        let [and_slots, other_slots, slots] = self.shape.slots();
        let kind = match is_and {
            true => ands < and_slots && (word as u32).is_multiple_of(self.shape.every),
            false => all - ands < other_slots,
        };
        kind && all < slots
    }

    /// The gate that has to go for another: of those whose slot it could have, the one with the least height.
    fn victim(&self, is_and: bool, time: i64, height: impl Fn(u32) -> i64) -> Option<u32> {
        let word = self.word(time);
        // Where slots are of a kind, one of the same kind must go.
        let shared = self.shape.xors == 0;
        let candidates = self.words[word].iter().copied();
        candidates
            .filter(|&gate| shared || self.is_and(word, gate) == is_and)
            .min_by_key(|&gate| height(gate))
    }

    /// ANDs are at the front of a word.
    fn is_and(&self, word: usize, gate: u32) -> bool {
        let place = self.words[word].iter().position(|&found| found == gate);
        place.is_some_and(|place| (place as u32) < self.ands[word])
    }

    fn add(&mut self, gate: u32, is_and: bool, time: i64) {
        let word = self.word(time);
        if is_and {
            self.words[word].insert(0, gate);
            self.ands[word] += 1;
        } else {
            self.words[word].push(gate);
        }
    }

    fn remove(&mut self, gate: u32, is_and: bool, time: i64) {
        let word = self.word(time);
        self.words[word].retain(|&found| found != gate);
        self.ands[word] -= u32::from(is_and);
    }
}
