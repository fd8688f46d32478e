//! The dependencies between gates, and the time that loops take.

use super::super::Netlist;
use super::Shape;

/// Dependencies between gates.
pub(super) struct Graph {
    /// For each gate, edges to the gates that it reads.
    pub(super) before: Vec<Vec<Edge>>,
    /// For each gate, edges to the gates that read it.
    pub(super) after: Vec<Vec<Edge>>,
}

/// A dependency: the gate at its other end, the number of netlist cycles between label and read,
/// and the clock cycles until the label can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) gate: u32,
    pub(super) ago: u32,
    pub(super) latency: u32,
}

impl Edge {
    /// The reader is taken at least this number of clock cycles after the gate that it reads, if a
    /// netlist cycle starts every `interval` clock cycles. Both times count from the start of the
    /// gate's own netlist cycle, so the number may be negative.
    pub(super) fn distance(&self, interval: u32) -> i64 {
        i64::from(self.latency) - i64::from(self.ago) * i64::from(interval)
    }
}

impl Graph {
    pub(super) fn new(netlist: &Netlist, shape: Shape) -> Graph {
        let gates = netlist.gates.len();
        let mut graph = Graph { before: vec![Vec::new(); gates], after: vec![Vec::new(); gates] };
        for gate in 0..gates {
            for (_, read, ago) in netlist.reads(gate) {
                let latency = shape.latency(netlist.gates[read].is_and);
                graph.before[gate].push(Edge { gate: read as u32, ago, latency });
                graph.after[read].push(Edge { gate: gate as u32, ago, latency });
            }
        }
        graph
    }

    /// The smallest interval of at least `least` in which every loop fits.
    pub(super) fn least_interval(&self, least: u32) -> u32 {
        if self.heights(least).is_some() {
            return least;
        }
        // If all gates run one after another, every loop fits.
        let all: u32 = self
            .before
            .iter()
            .map(|edges| edges.iter().map(|e| e.latency).max().unwrap_or(1))
            .sum();
        let (mut too_short, mut enough) = (least, all.max(least + 1));
        while enough - too_short > 1 {
            let middle = too_short + (enough - too_short) / 2;
            match self.heights(middle) {
                Some(_) => enough = middle,
                None => too_short = middle,
            }
        }
        enough
    }

    /// The earliest time of each gate in its netlist cycle, if slots were unlimited. Every loop
    /// must fit `interval`, else the search does not end.
    pub(super) fn soonest(&self, interval: u32) -> Vec<i64> {
        let mut soonest = vec![0i64; self.before.len()];
        // The number of passes is limited as in `heights`.
        loop {
            let mut changed = false;
            for gate in 0..self.before.len() {
                for edge in &self.before[gate] {
                    let there = soonest[edge.gate as usize] + edge.distance(interval);
                    if there > soonest[gate] {
                        soonest[gate] = there;
                        changed = true;
                    }
                }
            }
            if !changed {
                return soonest;
            }
        }
    }

    /// For each gate its height: the number of clock cycles that must follow its start. `None` if a
    /// loop does not fit `interval`.
    pub(super) fn heights(&self, interval: u32) -> Option<Vec<i64>> {
        let mut heights = vec![0i64; self.after.len()];
        // In backward order, one pass covers all paths that do not cross flip-flops. Each further
        // crossing takes one more pass, and the last pass changes nothing. If a loop does not fit,
        // passes would never end.
        let crosses = |edges: &&Vec<Edge>| edges.iter().any(|edge| edge.ago > 0);
        let passes = self.after.iter().filter(crosses).count() + 2;
        // No path is longer than all gates one after another.
        let slowest = |edges: &Vec<Edge>| edges.iter().map(|edge| i64::from(edge.latency)).max();
        let longest: i64 = self.after.iter().filter_map(slowest).sum();
        for _ in 0..passes {
            let mut changed = false;
            for gate in (0..self.after.len()).rev() {
                for edge in &self.after[gate] {
                    let height = heights[edge.gate as usize] + edge.distance(interval);
                    if height > heights[gate] {
                        heights[gate] = height;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(heights);
            }
            if heights.iter().any(|&height| height > longest) {
                return None;
            }
        }
        None
    }
}
