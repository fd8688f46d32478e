//! Counts what the process has allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes allocated and not freed, and their maximum since [`restart`].
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn grow(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every call is passed unchanged to the system's allocator, whose contract the caller
// keeps.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `pointer` is from this allocator, which is the system's, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While the bytes move, both allocations exist.
        grow(size);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `pointer` is from this allocator, which is the system's, with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Bytes allocated and not freed.
#[cfg(target_os = "linux")]
pub fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Restarts the maximum. Returns the bytes allocated now.
pub fn restart() -> usize {
    let live = live();
    PEAK.store(live, Ordering::Relaxed);
    live
}

/// The maximum since [`restart`].
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}
