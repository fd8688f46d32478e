//! What a call passes to a function.

use crate::id::{Bit, Wire};

/// One or more consecutive inputs of a call. Bits are wires, perhaps inverted, never constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The same bits in each lane and each step; of a fold's state, the bits of step 0.
    Shared(Vec<Bit>),
    /// A regular slice in each lane or step: in run `l`, bit `j` is the wire
    /// `first + l * run_stride + j * bit_stride`.
    Sliced {
        /// Number of inputs.
        width: u32,
        /// Bit 0 of run 0.
        first: Wire,
        /// Distance from a bit to the same bit of the next run.
        run_stride: u32,
        /// Distance from a bit to the next bit of the same run.
        bit_stride: u32,
    },
    /// Any bits in each lane or step: in run `l`, bit `j` is `bits[l * width + j]`.
    Listed {
        /// Number of inputs.
        width: u32,
        /// The bits of run 0, then those of run 1, and so on.
        bits: Vec<Bit>,
    },
}

impl Argument {
    /// Returns the argument that passes, in run `l`, the bits `bits[l * width..][..width]`: sliced
    /// if the wires are regular, else listed.
    pub fn of_runs(width: u32, bits: Vec<Bit>) -> Argument {
        regular(width as usize, &bits).unwrap_or(Argument::Listed { width, bits })
    }

    /// Calls `change` with each bit that `runs` runs take, and returns the argument that passes
    /// what it returns. A slice whose bits change becomes another slice or, if they are not regular
    /// any more, a list.
    pub fn with_bits(&self, runs: u64, change: impl Fn(Bit) -> Bit) -> Argument {
        let all = |bits: &[Bit]| bits.iter().map(|&bit| change(bit)).collect();
        match self {
            Argument::Shared(bits) => Argument::Shared(all(bits)),
            Argument::Listed { width, bits } => Argument::of_runs(*width, all(bits)),
            Argument::Sliced { width, run_stride, .. } => {
                // A slice that all runs share stays as short as it is.
                let runs = if *run_stride == 0 { 1 } else { runs };
                let runs = (0..runs).flat_map(|run| (0..*width as usize).map(move |j| (run, j)));
                let bits = runs.map(|(run, j)| self.bit(run, j));
                if bits.clone().all(|bit| change(bit) == bit) {
                    return self.clone();
                }
                let bits = bits.map(&change).collect();
                match run_stride {
                    0 => Argument::Shared(bits),
                    _ => Argument::of_runs(*width, bits),
                }
            }
        }
    }

    /// Number of inputs.
    pub fn width(&self) -> usize {
        match self {
            Argument::Shared(bits) => bits.len(),
            Argument::Sliced { width, .. } | Argument::Listed { width, .. } => *width as usize,
        }
    }

    /// The lowest and the highest wire that a slice can read in `runs` runs.
    ///
    /// # Panics
    /// If the argument has no wires, which no valid slice is.
    pub fn interval(&self, runs: u64) -> (u32, u32) {
        let number = |bit: Bit| bit.wire().expect("a slice has wires").number();
        (number(self.bit(0, 0)), number(self.bit(runs - 1, self.width() - 1)))
    }

    /// Bit `j` of the argument in run `l`, of a valid call.
    #[inline]
    pub fn bit(&self, l: u64, j: usize) -> Bit {
        match self {
            Argument::Shared(bits) => bits[j],
            Argument::Sliced { first, run_stride, bit_stride, .. } => {
                let wire = u64::from(first.number())
                    + l * u64::from(*run_stride)
                    + j as u64 * u64::from(*bit_stride);
                Wire::new(wire as u32).bit()
            }
            Argument::Listed { width, bits } => bits[l as usize * *width as usize + j],
        }
    }
}

/// Returns the sliced argument with these bits, if they are regular.
fn regular(width: usize, bits: &[Bit]) -> Option<Argument> {
    if width == 0 || !bits.len().is_multiple_of(width) {
        return None;
    }
    let wire = |bit: Bit| bit.wire().filter(|_| !bit.is_inverted()).map(Wire::number);
    let first = wire(*bits.first()?)?;
    let stride = |index: usize| match bits.get(index) {
        Some(&bit) => wire(bit)?.checked_sub(first),
        None => Some(0),
    };
    let bit_stride = if width > 1 { stride(1)? } else { 0 };
    let run_stride = stride(width)?;
    let argument =
        Argument::Sliced { width: width as u32, first: Wire::new(first), run_stride, bit_stride };
    let last = u64::from(first)
        + (bits.len() / width - 1) as u64 * u64::from(run_stride)
        + (width - 1) as u64 * u64::from(bit_stride);
    let fits = last < u64::from(Wire::MAX);
    let equal = |(run, bits): (usize, &[Bit])| {
        let mut bits = bits.iter().enumerate();
        bits.all(|(j, &bit)| argument.bit(run as u64, j) == bit)
    };
    (fits && bits.chunks(width).enumerate().all(equal)).then_some(argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wires(numbers: &[u32]) -> Vec<Bit> {
        numbers.iter().map(|&number| Wire::new(number).bit()).collect()
    }

    #[test]
    fn regular_wires_become_a_slice_and_others_a_list() {
        let regular = [
            (1, vec![4]),
            (2, vec![4, 5, 6, 7, 8, 9]),
            (2, vec![4, 8, 5, 9, 6, 10]),
            (3, vec![7, 7, 7]),
            (2, vec![1, 2, 1, 2]),
        ];
        for (width, numbers) in regular {
            let bits = wires(&numbers);
            let argument = Argument::of_runs(width, bits.clone());
            assert!(matches!(argument, Argument::Sliced { .. }), "{numbers:?}");
            assert_eq!(argument.width(), width as usize);
            for (i, &bit) in bits.iter().enumerate() {
                let (run, j) = (i / width as usize, i % width as usize);
                assert_eq!(argument.bit(run as u64, j), bit, "{numbers:?}");
            }
        }
        for numbers in [vec![4, 5, 6, 8], vec![5, 4, 6, 5], vec![4, 5, 2, 3]] {
            let argument = Argument::of_runs(2, wires(&numbers));
            assert_eq!(argument, Argument::Listed { width: 2, bits: wires(&numbers) });
        }
        let inverted = vec![!Wire::new(3).bit(), Wire::new(4).bit()];
        assert!(matches!(Argument::of_runs(1, inverted), Argument::Listed { .. }));
    }
}
