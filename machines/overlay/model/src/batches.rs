//! Batches: independent gates of one kind, at most as many as there are cells of this kind.

use halfgate_circuit::Circuit;

/// Cells of an overlay: gates of each kind that are garbled in parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells {
    /// AND cells, 1 or more.
    pub ands: u32,
    /// XOR cells, 1 or more.
    pub xors: u32,
}

/// A batch: consecutive gates in [`Batches::order`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch {
    /// Index of the batch's first gate in the order.
    pub first: u32,
    /// Number of gates.
    pub gates: u32,
    /// Whether the gates are ANDs; otherwise XORs and copies.
    pub ands: bool,
    /// Whether this is the last batch of its kind in its layer.
    pub last: bool,
}

/// A circuit's body in batches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batches {
    /// Gates, as positions in the body, in the order in which they are sent.
    pub order: Vec<u32>,
    /// The batches, as ranges of `order`.
    pub batches: Vec<Batch>,
}

impl Batches {
    /// Splits the whole body into batches layer by layer, XORs before ANDs, as the paper's host
    /// does.
    ///
    /// Memory: sixteen bytes per gate of the body.
    pub fn by_layers(circuit: &Circuit, cells: Cells) -> Batches {
        Batches::by_windows(circuit, cells, circuit.gates.len().max(1))
    }

    /// Splits the body into windows of `window` gates in the body's own order, and each window into
    /// batches layer by layer. If gates are close to their readers in the body's order, most
    /// results are read in the window that computes them.
    ///
    /// Memory: four bytes per gate of the body, and twelve per gate of a window.
    ///
    /// # Panics
    /// If `window` is 0, or there are no cells of one kind.
    pub fn by_windows(circuit: &Circuit, cells: Cells, window: usize) -> Batches {
        assert!(
            window > 0 && cells.ands > 0 && cells.xors > 0,
            "a window and cells hold something"
        );
        let mut found =
            Batches { order: Vec::with_capacity(circuit.gates.len()), batches: Vec::new() };
        // For each gate of the window: twice the gate's layer within the window, plus one for an
        // AND.
        let mut steps: Vec<u32> = Vec::new();
        let (mut first, mut first_wire) = (0, circuit.first_gate_wire());
        for gate in circuit.gates.iter() {
            let inside = gate.operands().filter_map(|wire| wire.index().checked_sub(first_wire));
            let before = inside.map(|at| steps[at] / 2).max().unwrap_or(0);
            steps.push(2 * (before + 1) + u32::from(gate.is_and()));
            if steps.len() == window {
                found.window(first, &steps, cells);
                (first, first_wire) = (first + steps.len() as u32, first_wire + steps.len());
                steps.clear();
            }
        }
        found.window(first, &steps, cells);
        found
    }

    /// Appends the batches of a window whose first gate is `first`. Gates are sorted by their
    /// steps; gates of the same step keep the body's order.
    fn window(&mut self, first: u32, steps: &[u32], cells: Cells) {
        let mut begins = vec![0_u32; steps.iter().max().map_or(0, |&last| last as usize + 2)];
        for &step in steps {
            begins[step as usize + 1] += 1;
        }
        for step in 1..begins.len() {
            begins[step] += begins[step - 1];
        }
        let start = self.order.len() as u32;
        for (step, ends) in begins.windows(2).enumerate() {
            let ands = step % 2 == 1;
            let most = if ands { cells.ands } else { cells.xors };
            for at in (ends[0]..ends[1]).step_by(most as usize) {
                let gates = most.min(ends[1] - at);
                let last = at + gates == ends[1];
                self.batches.push(Batch { first: start + at, gates, ands, last });
            }
        }
        self.order.resize(self.order.len() + steps.len(), 0);
        for (at, &step) in steps.iter().enumerate() {
            let place = &mut begins[step as usize];
            self.order[(start + *place) as usize] = first + at as u32;
            *place += 1;
        }
    }

    /// Reorders the gates of each batch so that neighbours are in different groups of `lanes`
    /// gates, because neighbours may read the same labels.
    ///
    /// # Panics
    /// If `lanes` is 0.
    pub fn spread(&mut self, lanes: u32) {
        let mut apart = Vec::new();
        for batch in &self.batches {
            let gates = &mut self.order[batch.first as usize..][..batch.gates as usize];
            let groups = gates.len().div_ceil(lanes as usize);
            apart.clear();
            for group in 0..groups {
                apart.extend(gates[group..].iter().step_by(groups));
            }
            gates.copy_from_slice(&apart);
        }
    }

    /// Gates of a batch, as positions in the body.
    pub fn gates(&self, batch: Batch) -> &[u32] {
        &self.order[batch.first as usize..][..batch.gates as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Layers, random};

    /// Checks that each gate is in exactly one batch, after the batches of its operands, and that
    /// the batch has the gate's kind and a valid size.
    fn check(circuit: &Circuit, batches: &Batches, cells: Cells) {
        let gates: Vec<_> = circuit.gates.iter().collect();
        let mut done = vec![None; gates.len()];
        let mut next = 0;
        for (number, &batch) in batches.batches.iter().enumerate() {
            assert_eq!(batch.first, next);
            next += batch.gates;
            assert!(
                batch.gates > 0 && batch.gates <= if batch.ands { cells.ands } else { cells.xors }
            );
            for &gate in batches.gates(batch) {
                assert_eq!(gates[gate as usize].is_and(), batch.ands);
                assert!(done[gate as usize].replace(number).is_none(), "gate {gate} twice");
                for wire in gates[gate as usize].operands() {
                    if let Some(at) = wire.index().checked_sub(circuit.first_gate_wire()) {
                        assert!(
                            done[at].is_some_and(|before| before < number),
                            "gate {gate} too early"
                        );
                    }
                }
            }
        }
        assert_eq!(next as usize, gates.len());
    }

    #[test]
    fn batches_hold_every_gate_after_what_it_reads() {
        for seed in 0..40 {
            let shape = random::Shape { gates: 300, flip_flops: 3, ..Default::default() };
            let circuit = random::circuit(seed, &shape);
            let cells = Cells { ands: 1 + seed as u32 % 5, xors: 1 + seed as u32 % 3 };
            let layers = Batches::by_layers(&circuit, cells);
            check(&circuit, &layers, cells);
            let ands = layers.batches.iter().filter(|batch| batch.ands).count() as u64;
            assert_eq!(ands, Layers::of(&circuit).batches(cells.ands.into()));
            for window in [1, 7, 64, 299, 300, 1000] {
                check(&circuit, &Batches::by_windows(&circuit, cells, window), cells);
            }
        }
    }
}
