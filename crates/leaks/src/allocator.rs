//! The system's allocator, which wipes what is freed only when it is told to.
//!
//! Libraries free copies of secrets as they are. Who cannot have that takes an allocator that wipes
//! all that is freed (`zeroizing-alloc`). A test that searched memory under it alone would not see
//! what our own code leaves behind; so tests turn it on where such a library takes part.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use zeroizing_alloc::ZeroAlloc;

static WIPES: AtomicBool = AtomicBool::new(false);

/// Whether what is freed from now on is wiped.
pub fn wipe_what_is_freed(on: bool) {
    WIPES.store(on, Relaxed);
}

/// To be made a test's `#[global_allocator]`.
pub struct SwitchedAllocator;

// SAFETY: each call goes on to the system's allocator as it came, or to one that wraps it and hands
// out the same memory.
unsafe impl GlobalAlloc for SwitchedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; both are the system's allocator.
        unsafe {
            match WIPES.load(Relaxed) {
                true => ZeroAlloc(System).dealloc(memory, layout),
                false => System.dealloc(memory, layout),
            }
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; both are the system's allocator.
        unsafe {
            match WIPES.load(Relaxed) {
                true => ZeroAlloc(System).realloc(memory, layout, size),
                false => System.realloc(memory, layout, size),
            }
        }
    }
}
