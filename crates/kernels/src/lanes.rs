//! The interface of a kernel's instruction set: a vector of labels, and AES rounds on it.

use crate::label::Label;
use crate::ops::{And, Xor};

/// 16 bytes of a table or of a key schedule, at any address.
pub(crate) type Row = [u8; 16];
/// A garbled table of half gates.
pub(crate) type Table = [Row; 2];

/// A vector of `N` 128-bit labels on one instruction set. Lane k belongs to the k-th AND of a
/// group.
///
/// All methods are `unsafe` for one reason, stated once here: the processor must have the
/// instructions. Methods that take pointers state their own preconditions as well. All must be
/// inlined into a function that enables the instructions, or they are slow.
pub(crate) trait Lanes: Copy {
    /// Labels in a vector.
    const N: usize;

    /// Sets all lanes to `value`.
    unsafe fn splat(value: u128) -> Self;
    /// Sets lane k to `source[k]`.
    ///
    /// # Safety
    /// `source` must be readable for N rows.
    unsafe fn load(source: *const Row) -> Self;
    /// Sets lane k to `labels[slot(k)]`.
    ///
    /// # Safety
    /// Every slot must lie within the memory behind `labels`.
    unsafe fn gather(labels: *const Label, slot: impl Fn(usize) -> u16) -> Self;
    /// Stores lane k to `labels[slot(k)]`, for k in 0..lanes, in this order; `lanes` is at most N.
    ///
    /// # Safety
    /// As for [`gather`](Lanes::gather).
    unsafe fn scatter(self, labels: *mut Label, lanes: usize, slot: impl Fn(usize) -> u16);
    /// Sets lane k to `labels[k]`, for k in 0..lanes, and all other lanes to `labels[0]`; `lanes`
    /// is 1 to N.
    ///
    /// # Safety
    /// `labels` must be readable for that many labels.
    unsafe fn load_labels(labels: *const Label, lanes: usize) -> Self;
    /// Stores lane k to `labels[k]`, for k in 0..lanes; `lanes` is 1 to N.
    ///
    /// # Safety
    /// `labels` must be writable for that many labels.
    unsafe fn store_labels(self, labels: *mut Label, lanes: usize);
    /// Sets lane k to the even (`half` 0) or odd (1) 32-bit words of `source[k]`, each of them
    /// doubled.
    ///
    /// # Safety
    /// As for [`load`](Lanes::load).
    unsafe fn load_doubled(source: *const Row, half: usize) -> Self;
    /// Bitwise and.
    unsafe fn and(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    unsafe fn xor(self, other: Self) -> Self;
    /// XORs lane k of `value` into lane k of `self` where `flag` is set in `ands[k]`.
    ///
    /// # Safety
    /// `ands` must be readable for N ANDs.
    unsafe fn xor_flagged(self, ands: *const And, flag: u16, value: Self) -> Self;
    /// `value` where the colour bit of `self` is set, zero elsewhere; without a branch.
    unsafe fn colour_and(self, value: Self) -> Self;
    /// σ(hi‖lo) = (hi ^ lo)‖hi, lane by lane.
    unsafe fn sigma(self) -> Self;
    /// Splits 2N consecutive rows into those at even and at odd places.
    ///
    /// # Safety
    /// `source` must be readable for 2N rows.
    unsafe fn load_pairs(source: *const Row) -> (Self, Self);
    /// The reverse of [`load_pairs`](Lanes::load_pairs).
    ///
    /// # Safety
    /// `target` must be writable for 2N rows.
    unsafe fn store_pairs(even: Self, odd: Self, target: *mut Row);
    /// Starts to load the cache line at `row`, which may be any address.
    unsafe fn prefetch(row: *const Row);
    /// `AES(x) ^ x` for each of M vectors, vector m under the round keys `key(r, m)`.
    unsafe fn hash<const M: usize>(x: [Self; M], key: impl Fn(usize, usize) -> Self) -> [Self; M];
    /// `labels[c] = labels[a] ^ labels[b]`.
    ///
    /// # Safety
    /// The three slots must lie within the memory behind `labels`.
    unsafe fn xor_slots(labels: *mut Label, op: Xor);
}
