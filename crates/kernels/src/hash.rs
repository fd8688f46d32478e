//! How a suite keys and tweaks the hash of a vector of ANDs.

use crate::lanes::Lanes;
use crate::schedule::{Keys, MASKS, MAX_LANES, RoundKeys, STRIDE};

/// The place of a vector's ANDs, as far as hashes depend on it.
pub(crate) trait Place: Copy {
    /// The position of AND k, counted from the state's first position.
    ///
    /// # Safety
    /// The vector must have an AND k.
    unsafe fn position(self, k: usize) -> u64;
    /// Place of the first AND's key among those of the hash.
    fn first_key(self) -> usize;
}

/// How a suite keys and tweaks its hash.
pub(crate) trait Hash {
    /// The cipher's input for the labels `x` of the ANDs' first (`half` 0) or second (`half` 1)
    /// inputs.
    unsafe fn input<L: Lanes, G: Place>(&self, x: L, half: usize, group: G) -> L;
    /// The difference of the cipher's inputs for labels that differ by `delta`.
    unsafe fn difference<L: Lanes>(&self, delta: L) -> L;
    /// Round key r for inputs of `half`.
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L;
}

/// Where the round keys of a hash are.
pub(crate) trait KeySource {
    /// See [`Hash::key`].
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L;
}

impl KeySource for Keys<'_> {
    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L {
        debug_assert!(group.first_key() + L::N <= STRIDE);
        // SAFETY: a group starts before BLOCK and has at most STRIDE - BLOCK lanes.
        unsafe {
            let low = L::load_doubled(self.low[r].as_ptr().add(group.first_key()), half);
            L::splat(self.high[r]).xor(low.and(L::splat(MASKS[r % 2])))
        }
    }
}

impl KeySource for &RoundKeys {
    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, _half: usize, _group: G) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { L::splat(self[r]) }
    }
}

/// `half-gates`: H(x,k) = AES_k(σ(x)) ^ σ(x).
pub(crate) struct ReKeyed<K>(pub K);

impl<K: KeySource> Hash for ReKeyed<K> {
    #[inline(always)]
    unsafe fn input<L: Lanes, G: Place>(&self, x: L, _half: usize, _group: G) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { x.sigma() }
    }

    #[inline(always)]
    unsafe fn difference<L: Lanes>(&self, delta: L) -> L {
        // SAFETY: as above.
        unsafe { delta.sigma() }
    }

    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.0.key(r, half, group) }
    }
}

/// `half-gates-fixed-key`: H(x,T) = π(σ(x)^T) ^ σ(x) ^ T. `half-gates-fase` is the same without
/// σ.
pub(crate) struct FixedKey<K> {
    pub keys: K,
    pub cycle: u64,
    pub first_position: u64,
    pub sigma: bool,
}

impl<K: KeySource> Hash for FixedKey<K> {
    #[inline(always)]
    unsafe fn input<L: Lanes, G: Place>(&self, x: L, half: usize, group: G) -> L {
        let mut tweaks = [[0; 16]; MAX_LANES];
        debug_assert!(L::N <= tweaks.len());
        for (k, tweak) in tweaks[..L::N].iter_mut().enumerate() {
            // SAFETY: a group has N positions.
            let g = self.first_position + unsafe { group.position(k) };
            // In 64 bits: wider sums take vectors longer.
            let number = u128::from(g << 1 | half as u64);
            *tweak = (u128::from(self.cycle) << 64 | number).to_le_bytes();
        }
        // SAFETY: the caller promises the instructions; N tweaks were filled in.
        unsafe {
            let x = if self.sigma { x.sigma() } else { x };
            x.xor(L::load(tweaks.as_ptr()))
        }
    }

    #[inline(always)]
    unsafe fn difference<L: Lanes>(&self, delta: L) -> L {
        // SAFETY: the caller promises the instructions.
        unsafe { if self.sigma { delta.sigma() } else { delta } }
    }

    #[inline(always)]
    unsafe fn key<L: Lanes, G: Place>(&self, r: usize, half: usize, group: G) -> L {
        // SAFETY: the caller's promise.
        unsafe { self.keys.key(r, half, group) }
    }
}
