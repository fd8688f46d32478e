//! Wipes memory that held secrets, where dropping a `Zeroizing` is not enough: growing vectors,
//! buffers of bytes, and the stack.
//!
//! Tests check in the release profile too that these writes are in the optimised program
//! (`scripts/constant-time.sh`).

use std::fmt;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use zeroize::{Zeroize, optimization_barrier};

/// Reserves capacity for `additional` more items and wipes the old allocation. A vector that grows
/// by itself leaves its old contents in memory.
pub fn reserve<T: Copy + Zeroize>(vec: &mut Vec<T>, additional: usize) {
    let wanted = vec.len() + additional;
    if wanted > vec.capacity() {
        let mut larger = Vec::with_capacity(wanted.max(2 * vec.capacity()));
        larger.extend_from_slice(vec);
        std::mem::replace(vec, larger).zeroize();
    }
}

/// Bytes that are wiped when they are dropped or grow, at the speed of a memory fill.
#[derive(Default)]
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// Makes a buffer of `len` zeros.
    pub fn new(len: usize) -> Buffer {
        Buffer(vec![0; len])
    }

    /// Makes an empty buffer with capacity for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Buffer {
        Buffer(Vec::with_capacity(capacity))
    }

    /// Extends the buffer with zeros, or shortens it.
    pub fn resize(&mut self, len: usize) {
        self.reserve(len.saturating_sub(self.0.len()));
        self.0.resize(len, 0);
    }

    /// Appends bytes.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// Empties the buffer. The old bytes stay in memory until they are overwritten or the buffer is
    /// dropped.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn reserve(&mut self, additional: usize) {
        let wanted = self.0.len() + additional;
        if wanted > self.0.capacity() {
            let mut larger = Buffer::with_capacity(wanted.max(2 * self.0.capacity()));
            larger.0.extend_from_slice(&self.0);
            *self = larger;
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.0.resize(self.0.capacity(), 0);
        self.0.fill(0);
        optimization_barrier(self.0.as_slice());
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.0.len())
    }
}

/// Bytes of stack that are wiped below the caller. Sessions use some tens of KiB.
const STACK: usize = 128 << 10;

/// Calls `f`, then wipes the stack that it used. Moved locals, spilled registers and copies made by
/// the compiler may hold secrets there, and no destructor sees them. The result of `f` is not
/// wiped. If `f` panics, nothing is wiped.
pub fn stack_after<T>(f: impl FnOnce() -> T) -> T {
    let result = call(f);
    wipe_stack();
    result
}

/// Calls `f` with its stack 16 KiB below the caller's. Code that works on labels spills them to the
/// stack. If a value, such as an error, were built later at the same addresses, its unused bytes
/// would carry spilled labels out of the stack that [`stack_after`] wipes. Later values are built
/// in the gap instead, where `f` left nothing. Costs next to nothing.
pub fn far_below<T>(f: impl FnOnce() -> T) -> T {
    far(f)
}

/// Bytes between the caller's stack and `f`'s: more than calls that build errors use.
const GAP: usize = 16 << 10;

#[inline(never)]
fn far<T>(f: impl FnOnce() -> T) -> T {
    let gap = [const { MaybeUninit::<u8>::uninit() }; GAP];
    // The gap must exist; it is never written.
    black_box(&gap);
    call(f)
}

/// Wipes the stack below the caller's frame.
pub fn stack() {
    wipe_stack();
}

/// Gives `f` a frame of its own below the caller's, so that its locals are where [`wipe_stack`]
/// writes.
#[inline(never)]
fn call<T>(f: impl FnOnce() -> T) -> T {
    f()
}

#[inline(never)]
fn wipe_stack() {
    let space = [0_u8; STACK];
    optimization_barrier(&space);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_keeps_the_bytes() {
        let mut vec = vec![1_u32, 2, 3];
        for more in [0, 1, 100, 5000] {
            reserve(&mut vec, more);
            assert!(vec.capacity() >= 3 + more && vec == [1, 2, 3]);
        }
        let mut buffer = Buffer::with_capacity(2);
        for byte in 0..200 {
            buffer.extend_from_slice(&[byte]);
        }
        assert!((0..200).eq(buffer.iter().copied()));
        buffer.resize(1000);
        assert_eq!((buffer[199], buffer[200], buffer.len()), (199, 0, 1000));
        buffer.resize(2);
        assert_eq!(buffer[..], [0, 1]);
        assert_eq!(format!("{buffer:?}"), "Buffer(2 bytes)");
    }

    #[test]
    fn the_stack_may_be_wiped_at_any_depth() {
        assert_eq!(stack_after(|| far_below(|| stack_after(|| 3)) + 4), 7);
    }
}
