//! Output labels of a run, kept until they are decoded, window by window.
//!
//! A run's cycles are divided into *windows*. A window ends when its outputs fill 2,048 bits or its
//! ANDs reach 2^18, whichever comes first; both parties use the same windows. The window of the
//! last cycles also contains the per-run outputs. Within a window labels are ordered by cycle,
//! output and bit, the per-run outputs last. Bits that neither party learns and constants have no
//! labels.
//!
//! If a run has [parts](super::parts), a window ends with each part that gives outputs
//! which a party learns. The last window also contains the outputs that no part gives.
//!
//! Memory: 16 bytes for each label of the window that is being filled, and for each label not
//! decoded yet (at most [`MAX_PENDING`] labels, or one larger window).

use super::layout::{Layout, Places};
use super::{Learn, SessionError, contract};
use halfgate_circuit::{Bits, Party};
use halfgate_engine::{ContractError, Label};
use zeroize::{Zeroize, Zeroizing};

/// Maximum number of labels in full windows that are not decoded yet; beyond that both parties
/// wait. The labels that the evaluator returns for them and the garbler's decoding data fit into
/// what a channel buffers while it is busy sending, so the two cannot deadlock.
pub(crate) const MAX_PENDING: usize = 1 << 16;

/// Output labels of some cycles. Wiped on drop.
#[derive(Default)]
pub(crate) struct Window {
    /// The first cycle, or the first part if the run has several.
    pub first: u64,
    /// The number of cycles, or of parts.
    pub cycles: u64,
    /// The places of the window's bits, if the run has several parts.
    places: Places,
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

/// Windows of labels.
impl Layout<'_> {
    fn window(&self, first: u64) -> Window {
        let (places, cycles, labels) = match self.parts {
            Some(parts) => {
                let (places, cycles) = self.places_of_parts(parts, first);
                let labels = places.len;
                (places, cycles, labels)
            }
            None => {
                let is_last = self.cycles - first <= self.step;
                let cycles = if is_last { self.cycles - first } else { self.step };
                // A window with labels in each cycle has few cycles.
                let each = if self.each.is_empty() { 0 } else { self.each.len * cycles as usize };
                (Places::default(), cycles, each + if is_last { self.once.len } else { 0 })
            }
        };
        Window {
            first,
            cycles,
            places,
            labels: vec![Label::ZERO; labels],
            present: Bits::with_len(labels),
            missing: labels,
        }
    }

    /// The place of a bit in a window, when it is given in `cycle`; `None` if nobody learns it.
    ///
    /// # Errors
    /// If there is no such bit, or it is not given in this window or cycle.
    fn place(&self, window: &Window, bit: u32, cycle: u64) -> Result<Option<usize>, ContractError> {
        let Some(learn) = self.learn.get(self.port(bit)) else {
            return Err(ContractError::OutputBit);
        };
        if self.parts.is_some() {
            return match window.places.of(bit) {
                None if *learn != Learn::None => Err(ContractError::OutputCycle),
                place => Ok(place),
            };
        }
        let row = cycle.wrapping_sub(window.first);
        if row >= window.cycles {
            return Err(ContractError::OutputCycle);
        }
        if let Some(place) = self.each.of(bit) {
            return Ok(Some(row as usize * self.each.len + place));
        }
        match self.once.of(bit) {
            Some(_) if cycle + 1 != self.cycles => Err(ContractError::OutputCycle),
            place => Ok(place.map(|place| window.labels.len() - self.once.len + place)),
        }
    }

    /// Who learns each label of a window, in order.
    fn learners<'w>(&'w self, window: &'w Window) -> Box<dyn Iterator<Item = Learn> + 'w> {
        if self.parts.is_some() {
            return Box::new(window.places.learners());
        }
        let cycles = if self.each.is_empty() { 0 } else { window.cycles };
        Box::new((0..cycles).flat_map(|_| self.each.learners()).chain(self.once.learners()))
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

    /// The cycle to which `bits` belong that an engine gives in `cycle`. If the run has several
    /// parts, this is a part instead: the last one of the current window, if the window has any of
    /// the bits.
    pub fn part(&self, cycle: u64, bits: &[u32]) -> u64 {
        match self.layout.parts {
            Some(_) if bits.iter().any(|bit| self.open.places.of(*bit).is_some()) => {
                self.open.last()
            }
            _ => cycle,
        }
    }

    /// Stores the labels of `bits`, numbered across all outputs, in `cycle`. Returns the window
    /// that this completes, unless it is the last.
    ///
    /// # Errors
    /// If a bit or the cycle does not exist, or a bit is not given in this window or cycle.
    pub fn put(
        &mut self,
        cycle: u64,
        bits: &[u32],
        labels: &[Label],
    ) -> Result<Option<Window>, SessionError> {
        let open = &mut self.open;
        for (&bit, &label) in bits.iter().zip(labels) {
            let place = self.layout.place(open, bit, cycle).map_err(contract)?;
            let Some(place) = place else { continue };
            open.labels[place] = label;
            if !open.present.get(place) {
                open.present.set(place, true);
                open.missing -= 1;
            }
        }
        let last = self.layout.is_last((open.first, open.cycles));
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
        let Window { first, cycles, missing, .. } = self.open;
        match missing == 0 && self.layout.is_last((first, cycles)) {
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
    use halfgate_circuit::{Bit, Circuit, Gates, Input, Output, Wire};

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
            let mut labels = OutputLabels::new(Layout::new(&circuit, &learn, cycles, None));
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
        let layout = Layout::new(&circuit, &learn, 3, None);
        let bools = |bits: &[u8]| bits.iter().map(|bit| *bit == 1).collect::<Bits>();
        let bits = bools(&[1, 0, 0, 0, 1, 1, 0, 1]);
        let each = bools(&[1, 1, 0, 0, 1, 0, 1, 1, 1]);
        let values = |party| {
            let mut values = Vec::new();
            layout.add_values((party, false), (0, 3), &bits, &mut values, &mut |_| {});
            values
        };
        let evaluator = values(Party::Evaluator);
        assert_eq!(evaluator, [Some(bools(&[0, 1])), Some(each.clone())]);
        assert_eq!(values(Party::Garbler), [None, Some(each)]);
    }

    #[test]
    fn an_engine_that_gives_outputs_that_do_not_exist_is_refused() {
        let circuit = circuit();
        let learn = [Learn::Both, Learn::Both];
        let mut labels = OutputLabels::new(Layout::new(&circuit, &learn, 2000, None));
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
        assert_eq!(Layout::new(&circuit, &learn, 1 << 60, None).step, 1024);
        let and = halfgate_circuit::Gate::and(Wire::new(0).bit(), Wire::new(1).bit(), false);
        circuit.gates = (0..1000).map(|_| and).collect();
        assert_eq!(Layout::new(&circuit, &learn, 1 << 60, None).step, 262);
        assert_eq!(Layout::new(&circuit, &[Learn::None; 2], 1 << 60, None).step, 1 << 60);
    }
}
