//! Three ways to assign times to gates.
//!
//! [`by_clock`] fills one clock cycle after another with ready gates, as a list scheduler does. It
//! makes short schedules, but checks loops only at the end. [`by_height`] moves gates until all
//! loops fit, and may spread a netlist cycle over many intervals. [`afresh`] places all gates anew
//! in several passes. If a pass places a gate too early for a loop, the next pass starts that gate
//! later. This way suits chains that are longer than an interval: the other two find no free slots
//! for them after most gates are placed.

use super::super::Netlist;
use super::Shape;
use super::graph::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum number of moves, per gate. After that the search gives up the interval.
const MOVES: usize = 6;

/// Maximum number of passes. After that the search gives up the interval.
const ROUNDS: usize = 30;

/// Returns the time of each gate in its netlist cycle, or `None` if a loop does not fit.
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
    // For each gate, the number of its operands from the same netlist cycle that have no time yet.
    let now = |gate: usize| graph.before[gate].iter().filter(|edge| edge.ago == 0);
    let mut missing: Vec<usize> = (0..gates).map(|gate| now(gate).count()).collect();
    // Gates whose operands have times. Before their operands are ready they are in `later`, sorted
    // by that time; then in `ready`, sorted by height.
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
            if !table.has_space(is_and, clock) {
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

/// Returns the time of each gate, or `None` if the maximum number of moves is reached.
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
    // Gates of the greatest height go first, and of two equal ones the earlier gate.
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
            (earliest..earliest + i64::from(interval)).find(|&time| table.has_space(is_and, time));
        // A gate that was moved gets a later time than before, so that two gates do not evict each
        // other forever.
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
        // Readers that are now too early must move.
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

/// Returns the time of each gate, or `None` if a pass finds no slot or the maximum number of passes
/// is reached.
pub(super) fn afresh(
    netlist: &Netlist,
    graph: &Graph,
    shape: Shape,
    interval: u32,
) -> Option<Vec<u32>> {
    let heights = graph.heights(interval)?;
    let mut earliest = graph.soonest(interval);
    // Gates on the longest paths go first, at any position on the path.
    let mut urgent: Vec<usize> = (0..netlist.gates.len()).collect();
    urgent.sort_by_key(|&gate| Reverse((earliest[gate] + heights[gate], heights[gate])));
    let order = after_operands(graph, &urgent);
    for _ in 0..ROUNDS {
        let mut free = Free::new(shape, interval);
        let mut times = vec![0; order.len()];
        for &gate in &order {
            let now = graph.before[gate].iter().filter(|edge| edge.ago == 0);
            let ready = now.map(|edge| times[edge.gate as usize] + i64::from(edge.latency));
            let from = ready.max().unwrap_or(0).max(earliest[gate]);
            times[gate] = free.take(netlist.gates[gate].is_and, from)?;
        }
        let mut is_in_time = true;
        for (gate, edges) in graph.before.iter().enumerate() {
            for edge in edges {
                let there = times[edge.gate as usize] + edge.distance(interval);
                if times[gate] < there {
                    is_in_time = false;
                    earliest[gate] = there.max(earliest[gate]);
                }
            }
        }
        if is_in_time {
            return Some(times.into_iter().map(|time| time as u32).collect());
        }
    }
    None
}

/// Returns the order `gates`, changed so that each gate comes after the gates that it reads in its
/// own netlist cycle.
fn after_operands(graph: &Graph, gates: &[usize]) -> Vec<usize> {
    let mut order = Vec::with_capacity(gates.len());
    let mut is_there = vec![false; gates.len()];
    let mut waiting = Vec::new();
    for &gate in gates {
        waiting.push(gate);
        while let Some(&gate) = waiting.last() {
            let now = graph.before[gate].iter().filter(|edge| edge.ago == 0);
            let missing = now.map(|edge| edge.gate as usize).find(|&read| !is_there[read]);
            match missing {
                Some(read) if !is_there[gate] => waiting.push(read),
                _ => {
                    waiting.pop();
                    if !std::mem::replace(&mut is_there[gate], true) {
                        order.push(gate);
                    }
                }
            }
        }
    }
    order
}

/// The slots of a kernel, with a search structure that finds the next word with a free slot.
struct Free {
    table: Table,
    /// For XORs and copies (0) and for ANDs (1). Each word has a pointer: to itself if it has a
    /// free slot, else to a later word.
    next: [Vec<usize>; 2],
}

impl Free {
    fn new(shape: Shape, interval: u32) -> Free {
        // The entry after the last word marks the end of the search.
        let all: Vec<usize> = (0..=interval as usize).collect();
        Free { table: Table::new(shape, interval), next: [all.clone(), all] }
    }

    /// Takes the first free slot at time `from` or later. `None` if no word has a free slot.
    fn take(&mut self, is_and: bool, from: i64) -> Option<i64> {
        let (interval, word) = (self.table.interval, self.table.word(from));
        let end = interval as usize;
        let found = match self.find(is_and, word) {
            found if found < end => found,
            _ => self.find(is_and, 0),
        };
        if found == end {
            return None;
        }
        let time = from + (found as i64 - word as i64).rem_euclid(interval);
        self.table.ands[found] += u32::from(is_and);
        self.table.counts[found] += 1;
        Some(time)
    }

    fn find(&mut self, is_and: bool, word: usize) -> usize {
        let kind = usize::from(is_and);
        let (end, mut at) = (self.table.interval as usize, word);
        loop {
            while self.next[kind][at] != at {
                // Path halving: afterwards each entry on the path points twice as far.
                self.next[kind][at] = self.next[kind][self.next[kind][at]];
                at = self.next[kind][at];
            }
            if at == end || self.table.has_space(is_and, at as i64) {
                return at;
            }
            self.next[kind][at] = at + 1;
        }
    }
}

/// Places one gate after another. Each gate starts when its operands from this netlist cycle, and a
/// unit, are ready.
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
    /// The gates in each word.
    words: Vec<Vec<u32>>,
    /// For each word, the number of its gates, and the number of ANDs among them.
    counts: Vec<u32>,
    ands: Vec<u32>,
}

impl Table {
    fn new(shape: Shape, interval: u32) -> Table {
        let words = vec![Vec::new(); interval as usize];
        let none = vec![0; interval as usize];
        Table { shape, interval: interval.into(), words, counts: none.clone(), ands: none }
    }

    fn word(&self, time: i64) -> usize {
        (time % self.interval) as usize
    }

    fn is_full(&self, time: i64) -> bool {
        let [.., slots] = self.shape.slots();
        self.counts[self.word(time)] >= slots
    }

    fn has_space(&self, is_and: bool, time: i64) -> bool {
        let word = self.word(time);
        let (all, ands) = (self.counts[word], self.ands[word]);
        let [and_slots, other_slots, slots] = self.shape.slots();
        let kind = match is_and {
            true => ands < and_slots && (word as u32).is_multiple_of(self.shape.every),
            false => all - ands < other_slots,
        };
        kind && all < slots
    }

    /// Selects the gate to evict: the gate of least height among those whose slot fits.
    fn victim(&self, is_and: bool, time: i64, height: impl Fn(u32) -> i64) -> Option<u32> {
        let word = self.word(time);
        // If slots are for one kind of gate, only a gate of the same kind frees a slot.
        let shared = self.shape.xors == 0;
        let candidates = self.words[word].iter().copied();
        candidates
            .filter(|&gate| shared || self.is_and(word, gate) == is_and)
            .min_by_key(|&gate| height(gate))
    }

    /// Whether a gate of a word is an AND; ANDs are at the front of the word.
    fn is_and(&self, word: usize, gate: u32) -> bool {
        let place = self.words[word].iter().position(|&found| found == gate);
        place.is_some_and(|place| (place as u32) < self.ands[word])
    }

    fn add(&mut self, gate: u32, is_and: bool, time: i64) {
        let word = self.word(time);
        self.counts[word] += 1;
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
        self.counts[word] -= 1;
        self.ands[word] -= u32::from(is_and);
    }
}
