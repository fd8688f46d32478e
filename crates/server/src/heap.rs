//! What the heap keeps when nobody is served.

/// Gives memory that no value uses back to the system. glibc does so by itself only at the end of a
/// heap, so the memory of many sessions at a time would stay for as long as one of them has left
/// anything behind theirs.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    // SAFETY: `malloc_trim` takes no pointer, may be called by any thread at any time, and leaves
    // what is allocated where it is.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
