//! Returns unused heap memory when no session is running.

/// Returns unused heap memory to the system. glibc does so by itself only at the end of a heap.
/// Without this call, the memory of many concurrent sessions would stay allocated as long as
/// anything at a higher address in the heap is in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    // SAFETY: `malloc_trim` takes no pointer, may be called by any thread at any time, and does not
    // move allocated memory.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
