//! The system's allocator, which wipes freed memory only when tests turn that on.
//!
//! Libraries free copies of secrets without wiping them. A program that must not leave such copies
//! uses an allocator that wipes all freed memory (`zeroizing-alloc`). But a test that searches
//! memory under that allocator does not see the secrets that our own code leaves behind. So tests
//! turn wiping on only where such a library takes part.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use zeroizing_alloc::ZeroAlloc;

static WIPES: AtomicBool = AtomicBool::new(false);

/// Turns wiping of freed memory on or off, for all frees from now on.
pub fn wipe_what_is_freed(on: bool) {
    WIPES.store(on, Relaxed);
}

/// The allocator; a test declares it as its `#[global_allocator]`.
pub struct SwitchedAllocator;

// SAFETY: each call is forwarded unchanged to the system's allocator, or to one that wraps it and
// returns the same memory.
unsafe impl GlobalAlloc for SwitchedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller makes the same promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller makes the same promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller makes the same promise; both are the system's allocator.
        unsafe {
            match WIPES.load(Relaxed) {
                true => ZeroAlloc(System).dealloc(memory, layout),
                false => System.dealloc(memory, layout),
            }
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller makes the same promise; both are the system's allocator.
        unsafe {
            match WIPES.load(Relaxed) {
                true => ZeroAlloc(System).realloc(memory, layout, size),
                false => System.realloc(memory, layout, size),
            }
        }
    }
}
