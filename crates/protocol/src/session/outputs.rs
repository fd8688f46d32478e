//! Output labels of a run, kept until they are decoded, window by window.
//!
//! A run's cycles are divided into *windows*. A window ends when its outputs fill [`WINDOW_BITS`]
//! or its ANDs reach [`WINDOW_ANDS`], whichever comes first; both parties use the same windows. The
//! window of the last cycles also contains the per-run outputs. Within a window labels are ordered
//! by cycle, output and bit, the per-run outputs last. Bits that neither party learns and constants
//! have no labels.
//!
//! Memory: 16 bytes for each label of the window that is being filled, and for each label not
//! decoded yet (at most [`MAX_PENDING`] labels, or one larger window).

use super::{Learn, SessionError, contract};
use halfgate_circuit::{Bit, Bits, Circuit, Output, Party};
use halfgate_engine::{ContractError, Label};
use zeroize::{Zeroize, Zeroizing};

/// Per-cycle output bits in a window: 64 KiB of decoding data.
const WINDOW_BITS: u64 = 2048;

/// ANDs in a window if there are few outputs: 8 MiB of tables.
const WINDOW_ANDS: u64 = 1 << 18;

/// Maximum number of labels in full windows that are not decoded yet; beyond that both parties
/// wait. The labels that the evaluator returns for them and the garbler's decoding data fit into
/// what a channel buffers while it is busy sending, so the two cannot deadlock.
pub(crate) const MAX_PENDING: usize = 1 << 16;

/// The places of a circuit's output labels.
pub(crate) struct Layout<'c> {
    outputs: &'c [Output],
    learn: &'c [Learn],
    /// For each output bit, numbered across all outputs.
    places: Vec<Place>,
    /// Who learns each label of a cycle, in the order of their places.
    each: Vec<Learn>,
    /// Who learns each per-run label.
    once: Vec<Learn>,
    cycles: u64,
    /// The number of cycles in a window.
    step: u64,
}

#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Each(u32),
    Once(u32),
}

impl<'c> Layout<'c> {
    /// The layout for `cycles` cycles of `circuit`; `learn` states who learns each output.
    pub fn new(circuit: &'c Circuit, learn: &'c [Learn], cycles: u64) -> Layout<'c> {
        let mut layout = Layout {
            outputs: &circuit.outputs,
            learn,
            places: Vec::new(),
            each: Vec::new(),
            once: Vec::new(),
            cycles,
            step: cycles,
        };
        for (output, &learn) in circuit.outputs.iter().zip(learn) {
            for bit in &output.bits {
                let nobody = learn == Learn::None || bit.as_constant().is_some();
                let (list, place): (_, fn(u32) -> Place) = match output.per_cycle {
                    true => (&mut layout.each, Place::Each),
                    false => (&mut layout.once, Place::Once),
                };
                layout.places.push(if nobody { Place::Nowhere } else { place(list.len() as u32) });
                if !nobody {
                    list.push(learn);
                }
            }
        }
        if !layout.each.is_empty() {
            let bits = WINDOW_BITS.div_ceil(layout.each.len() as u64);
            let ands = WINDOW_ANDS / circuit.gates.ands().max(1);
            layout.step = bits.min(ands).clamp(1, cycles.max(1));
        }
        layout
    }

    /// Whether the window that starts with cycle `first` is the last.
    fn is_last(&self, first: u64) -> bool {
        self.cycles - first <= self.step
    }

    fn window(&self, first: u64) -> Window {
        let last = self.is_last(first);
        let cycles = if last { self.cycles - first } else { self.step };
        // A window with labels in each cycle has few cycles.
        let each = if self.each.is_empty() { 0 } else { self.each.len() * cycles as usize };
        let labels = each + if last { self.once.len() } else { 0 };
        Window {
            first,
            cycles,
            labels: vec![Label::ZERO; labels],
            present: Bits::with_len(labels),
            missing: labels,
        }
    }

    /// Who learns each label of a window, in order. The iterator continues past the window's end.
    fn learners(&self, window: &Window) -> impl Iterator<Item = Learn> + '_ {
        let cycles = if self.each.is_empty() { 0 } else { window.cycles };
        (0..cycles).flat_map(|_| self.each.iter().copied()).chain(self.once.iter().copied())
    }

    /// The labels of `window` that `party` learns, in order.
    pub fn learned_by(&self, party: Party, window: &Window) -> Zeroizing<Vec<Label>> {
        let learned = || {
            let labels = self.learners(window).zip(&window.labels);
            labels.filter(|(learn, _)| learn.by(party)).map(|(_, label)| *label)
        };
        // Full capacity at once: a vector that grows leaves copies behind.
        let mut labels = Zeroizing::new(Vec::with_capacity(learned().count()));
        labels.extend(learned());
        labels
    }

    /// The values that `party` learns in the window of `cycles` cycles from `first` on. Constants
    /// are known; `bits` are the other bits, in the order of [`learned_by`](Layout::learned_by).
    pub fn values(&self, party: Party, first: u64, cycles: u64, bits: &Bits) -> Vec<Option<Bits>> {
        let last = self.is_last(first);
        let mut next = 0..bits.len();
        let mut value = |bit: Bit| match bit.as_constant() {
            Some(constant) => constant,
            None => next.next().is_some_and(|index| bits.get(index)),
        };
        let mut values: Vec<Option<Bits>> =
            self.learn.iter().map(|learn| learn.by(party).then(Bits::new)).collect();
        let ports = |per_cycle| {
            let all = self.outputs.iter().enumerate();
            all.filter(move |(_, output)| output.per_cycle == per_cycle)
        };
        let mut put = |(port, output): (usize, &Output)| {
            if let Some(values) = &mut values[port] {
                output.bits.iter().for_each(|bit| values.push(value(bit)));
            }
        };
        if self.has_each(party) {
            (0..cycles).for_each(|_| ports(true).for_each(&mut put));
        }
        if last {
            ports(false).for_each(put);
        }
        values
    }

    /// Whether output number `port` is a per-cycle output.
    pub fn is_per_cycle(&self, port: usize) -> bool {
        self.outputs.get(port).is_some_and(|output| output.per_cycle)
    }

    /// Whether `party` learns a per-cycle output.
    pub fn has_each(&self, party: Party) -> bool {
        let mut all = self.outputs.iter().zip(self.learn);
        all.any(|(output, learn)| output.per_cycle && learn.by(party))
    }
}

/// Output labels of some cycles. Wiped on drop.
#[derive(Default)]
pub(crate) struct Window {
    /// The first cycle.
    pub first: u64,
    /// The number of cycles.
    pub cycles: u64,
    labels: Vec<Label>,
    present: Bits,
    missing: usize,
}

impl Window {
    /// The last cycle.
    pub fn last(&self) -> u64 {
        self.first + self.cycles - 1
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.labels.zeroize();
    }
}

/// The output labels of a run, in the order in which an engine gives them.
pub(crate) struct OutputLabels<'c> {
    pub layout: Layout<'c>,
    /// The window that is being filled.
    open: Window,
}

impl<'c> OutputLabels<'c> {
    /// With an empty first window.
    pub fn new(layout: Layout<'c>) -> OutputLabels<'c> {
        let open = layout.window(0);
        OutputLabels { layout, open }
    }

    /// Stores the labels of `bits`, numbered across all outputs, in `cycle`. Returns the window
    /// that this completes, unless it is the last.
    ///
    /// # Errors
    /// If the bit or the cycle does not exist, or the cycle is not in the current window.
    pub fn put(
        &mut self,
        cycle: u64,
        bits: &[u32],
        labels: &[Label],
    ) -> Result<Option<Window>, SessionError> {
        let Layout { places, each, cycles, .. } = &self.layout;
        let open = &mut self.open;
        let rows = (cycle.wrapping_sub(open.first) < open.cycles).then(|| cycle - open.first);
        for (&bit, &label) in bits.iter().zip(labels) {
            let place = match (places.get(bit as usize), rows) {
                (Some(Place::Nowhere), _) => continue,
                (Some(Place::Each(offset)), Some(row)) => {
                    row as usize * each.len() + *offset as usize
                }
                (Some(Place::Once(offset)), Some(_)) if cycle + 1 == *cycles => {
                    open.labels.len() - self.layout.once.len() + *offset as usize
                }
                (Some(_), _) => return Err(contract(ContractError::OutputCycle)),
                (None, _) => {
                    return Err(contract(ContractError::OutputBit));
                }
            };
            open.labels[place] = label;
            if !open.present.get(place) {
                open.present.set(place, true);
                open.missing -= 1;
            }
        }
        let last = self.layout.is_last(open.first);
        Ok((open.missing == 0 && !last).then(|| {
            let next = self.layout.window(open.first + open.cycles);
            std::mem::replace(open, next)
        }))
    }

    /// Checks that all labels were given.
    ///
    /// # Errors
    /// If the engine left one out.
    pub fn check_complete(&self) -> Result<(), SessionError> {
        match self.open.missing == 0 && self.layout.is_last(self.open.first) {
            true => Ok(()),
            false => Err(contract(ContractError::OutputMissing)),
        }
    }

    /// Takes the last window, which must be complete.
    pub fn take_last(&mut self) -> Window {
        std::mem::take(&mut self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Gates, Input, Wire};

    fn label(cycle: u64, bit: u32) -> Label {
        Label::from_u128(u128::from(cycle) << 32 | u128::from(bit) | 1 << 127)
    }

    /// Three per-cycle bits, the second one constant, and two per-run bits.
    fn circuit() -> Circuit {
        let wire = |i| Wire::new(i).bit();
        let each = vec![wire(0), Bit::constant(true), wire(1)];
        let output = |name: &str, bits: Vec<Bit>, per_cycle| Output {
            name: name.into(),
            bits: bits.into(),
            per_cycle,
            elements: None,
        };
        let name = "a".to_owned();
        Circuit {
            inputs: vec![Input {
                name,
                party: Party::Garbler,
                width: 2,
                per_cycle: true,
                elements: None,
                is_set: false,
            }],
            flip_flops: vec![],
            gates: Gates::new(),
            outputs: vec![
                output("once", vec![wire(1), wire(0)], false),
                output("each", each, true),
            ],
            cycles: 1,
        }
    }

    #[test]
    fn windows_follow_each_other_and_lose_nothing() {
        let circuit = circuit();
        let learn = [Learn::Evaluator, Learn::Both];
        for cycles in [1, 5, 1023, 1024, 1025, 3000] {
            let mut labels = OutputLabels::new(Layout::new(&circuit, &learn, cycles));
            let (mut next, mut closed) = (0, 0);
            for cycle in 0..cycles {
                let bits: &[u32] = if cycle + 1 == cycles { &[4, 2, 1, 0] } else { &[2, 4] };
                let given: Vec<_> = bits.iter().map(|bit| label(cycle, *bit)).collect();
                assert!(labels.check_complete().is_err());
                let Some(window) = labels.put(cycle, bits, &given).unwrap() else { continue };
                assert_eq!((window.first, window.cycles, cycle), (next, 1024, next + 1023));
                let wanted: Vec<_> =
                    (next..=cycle).flat_map(|c| [label(c, 2), label(c, 4)]).collect();
                for party in [Party::Garbler, Party::Evaluator] {
                    assert_eq!(*labels.layout.learned_by(party, &window), wanted);
                }
                (next, closed) = (cycle + 1, closed + 1);
            }
            assert_eq!(closed, (cycles - 1) / 1024, "the last window is not closed early");
            labels.check_complete().unwrap();
            let last = labels.take_last();
            let mut wanted: Vec<_> =
                (next..cycles).flat_map(|c| [label(c, 2), label(c, 4)]).collect();
            assert_eq!(*labels.layout.learned_by(Party::Garbler, &last), wanted);
            wanted.extend([label(cycles - 1, 0), label(cycles - 1, 1)]);
            assert_eq!(*labels.layout.learned_by(Party::Evaluator, &last), wanted);
        }
    }

    #[test]
    fn values_include_constants_and_are_ordered_by_cycle() {
        let circuit = circuit();
        let learn = [Learn::Evaluator, Learn::Both];
        let layout = Layout::new(&circuit, &learn, 3);
        let bools = |bits: &[u8]| bits.iter().map(|bit| *bit == 1).collect::<Bits>();
        let bits = bools(&[1, 0, 0, 0, 1, 1, 0, 1]);
        let each = bools(&[1, 1, 0, 0, 1, 0, 1, 1, 1]);
        let evaluator = layout.values(Party::Evaluator, 0, 3, &bits);
        assert_eq!(evaluator, [Some(bools(&[0, 1])), Some(each.clone())]);
        assert_eq!(layout.values(Party::Garbler, 0, 3, &bits), [None, Some(each)]);
    }

    #[test]
    fn an_engine_that_gives_outputs_that_do_not_exist_is_refused() {
        let circuit = circuit();
        let learn = [Learn::Both, Learn::Both];
        let mut labels = OutputLabels::new(Layout::new(&circuit, &learn, 2000));
        let one = [label(0, 0)];
        for (cycle, bit) in [(0, 5), (0, 0), (1024, 2), (2000, 2), (u64::MAX, 2)] {
            assert!(labels.put(cycle, &[bit], &one).is_err(), "cycle {cycle}, bit {bit}");
        }
        // A per-run output before all cycles are given.
        assert!(labels.put(1999, &[0], &one).is_err());
        labels.put(0, &[2], &one).unwrap();
    }

    #[test]
    fn windows_are_short_where_cycles_are_long_and_never_grow_with_the_cycles() {
        let mut circuit = circuit();
        let learn = [Learn::None, Learn::Both];
        assert_eq!(Layout::new(&circuit, &learn, 1 << 60).step, 1024);
        let and = halfgate_circuit::Gate::and(Wire::new(0).bit(), Wire::new(1).bit(), false);
        circuit.gates = (0..1000).map(|_| and).collect();
        assert_eq!(Layout::new(&circuit, &learn, 1 << 60).step, 262);
        assert_eq!(Layout::new(&circuit, &[Learn::None; 2], 1 << 60).step, 1 << 60);
    }
}
