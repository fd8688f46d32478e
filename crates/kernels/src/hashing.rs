//! Hashes of any labels under the keys of consecutive ANDs, without operations: H of `half-gates`.

use crate::hash::{Hash, Place, ReKeyed};
use crate::label::{Delta, Label};
use crate::lanes::Lanes;
use crate::schedule::BLOCK;
use crate::state::{Hashing, State};

/// Vectors that are hashed side by side, to keep the processor's AES units busy through the latency
/// of a round.
const VECTORS: usize = 4;

/// Labels of one input of consecutive ANDs, and where their hashes go. The slices have one length.
pub(crate) struct Inputs<'a> {
    pub half: usize,
    pub labels: &'a [Label],
    pub hashes: &'a mut [Label],
    /// Δ, and where sums of the hashes of both labels go.
    pub sums: Option<(&'a Delta, &'a mut [Label])>,
}

/// Hashes labels in vectors of type `L`.
///
/// # Safety
/// The processor must have the instructions of `L`. The slices of `inputs` must have one length.
/// The state must be of `half-gates`.
#[inline(always)]
pub(crate) unsafe fn run<L: Lanes>(state: &mut State, inputs: Inputs<'_>) {
    // The half is a constant in all loops, so that a round key takes no branch.
    // SAFETY: the caller makes the same promise.
    unsafe {
        match inputs.half {
            0 => blocks::<L, 0>(state, inputs),
            _ => blocks::<L, 1>(state, inputs),
        }
    }
}

/// Hashes the labels of each block of the key schedule, and counts ANDs.
#[inline(always)]
unsafe fn blocks<L: Lanes, const HALF: usize>(state: &mut State, inputs: Inputs<'_>) {
    let Hashing::ReKeyed(schedule) = &mut state.hashing else {
        unreachable!("the suite was checked")
    };
    let count = inputs.labels.len();
    let mut part = Part {
        labels: inputs.labels.as_ptr(),
        hashes: inputs.hashes.as_mut_ptr(),
        sums: inputs.sums.map(|(delta, sums)| (delta.label().to_u128(), sums.as_mut_ptr())),
        first_key: 0,
    };
    let mut done = 0;
    while done < count {
        let in_block = (state.next_and % BLOCK as u64) as usize;
        let end = count.min(done + BLOCK - in_block);
        let hash = ReKeyed(schedule.keys(state.next_and));
        part.first_key = in_block;
        state.next_and += (end - done) as u64;
        // SAFETY: `done` plus the lanes of the vectors never exceeds `end`, and the slices have as
        // many labels.
        unsafe {
            while end - done >= VECTORS * L::N {
                vectors::<L, _, HALF, VECTORS>(&hash, part, L::N);
                part = part.after(VECTORS * L::N);
                done += VECTORS * L::N;
            }
            while done < end {
                let lanes = L::N.min(end - done);
                vectors::<L, _, HALF, 1>(&hash, part, lanes);
                part = part.after(lanes);
                done += lanes;
            }
        }
    }
}

/// Hashes M vectors, each of which has `lanes` labels: N, or fewer if M is 1.
///
/// # Safety
/// The processor must have the instructions of `L`, and `part` must have the labels.
#[inline(always)]
unsafe fn vectors<L: Lanes, H: Hash, const HALF: usize, const M: usize>(
    hash: &H,
    part: Part,
    lanes: usize,
) {
    // SAFETY: the caller's promise. These are loops, not `map`: see `Lanes::hash` of the kernels.
    unsafe {
        let mut x = [L::splat(0); M];
        for (m, x) in x.iter_mut().enumerate() {
            let label = L::load_labels(part.labels.add(m * L::N), lanes);
            *x = hash.input(label, HALF, part.after(m * L::N));
        }
        let key = |r, m| hash.key(r, HALF, part.after(m * L::N));
        let h = L::hash(x, key);
        for (m, &h) in h.iter().enumerate() {
            h.store_labels(part.hashes.add(m * L::N), lanes);
        }
        if let Some((delta, sums)) = part.sums {
            let difference = hash.difference(L::splat(delta));
            for x in &mut x {
                *x = x.xor(difference);
            }
            for (m, (&h, &other)) in h.iter().zip(&L::hash(x, key)).enumerate() {
                h.xor(other).store_labels(sums.add(m * L::N), lanes);
            }
        }
    }
}

/// Labels from some place on, with their hashes, sums and Δ.
#[derive(Clone, Copy)]
struct Part {
    labels: *const Label,
    hashes: *mut Label,
    sums: Option<(u128, *mut Label)>,
    first_key: usize,
}

impl Part {
    /// The part without the first `count` labels.
    #[inline(always)]
    fn after(self, count: usize) -> Part {
        Part {
            labels: self.labels.wrapping_add(count),
            hashes: self.hashes.wrapping_add(count),
            sums: self.sums.map(|(delta, sums)| (delta, sums.wrapping_add(count))),
            first_key: self.first_key + count,
        }
    }
}

impl Place for Part {
    /// The re-keyed hash uses no positions.
    #[inline(always)]
    unsafe fn position(self, _: usize) -> u64 {
        0
    }

    #[inline(always)]
    fn first_key(self) -> usize {
        self.first_key
    }
}
