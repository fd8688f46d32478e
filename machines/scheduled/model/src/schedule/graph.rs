//! What depends on what, and how long loops take.

use super::super::Netlist;
use super::Shape;

/// Which gates read which.
pub(super) struct Graph {
    /// For each gate the gates that it reads: gate, netlist cycles ago, clocks until its label is there.
    pub(super) before: Vec<Vec<Edge>>,
    /// The same from the side of the gate that is read.
    pub(super) after: Vec<Vec<Edge>>,
}

/// A dependency, on or of `gate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) gate: u32,
    pub(super) ago: u32,
    pub(super) latency: u32,
}

impl Edge {
    /// Clocks that the reader must come after the gate that it reads, if a netlist cycle takes `interval`.
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

    /// The least interval, not below `least`, in which every loop has the clocks that it takes.
    pub(super) fn least_interval(&self, least: u32) -> u32 {
        if self.heights(least).is_some() {
            return least;
        }
        // With all gates one after the other, every loop fits.
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

    /// The clock of its netlist cycle before which each gate cannot run, whatever slots there are, in an interval
    /// that every loop fits in.
    pub(super) fn soonest(&self, interval: u32) -> Vec<i64> {
        let mut soonest = vec![0i64; self.before.len()];
        // As many passes as for heights are enough.
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

    /// How many clocks must follow each gate in a netlist cycle of this interval; `None` if a loop takes
    /// longer than it has.
    pub(super) fn heights(&self, interval: u32) -> Option<Vec<i64>> {
        let mut heights = vec![0i64; self.after.len()];
        // Backwards, one pass does for all that is not through flip-flops, each more for one more of these, and
        // a last one changes nothing. A loop that is too short never ends.
        let crosses = |edges: &&Vec<Edge>| edges.iter().any(|edge| edge.ago > 0);
        let passes = self.after.iter().filter(crosses).count() + 2;
        // No path is longer than all gates one after the other.
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
