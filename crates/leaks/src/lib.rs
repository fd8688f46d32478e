//! How tests find secrets that leak. Nothing here is for anything but tests.
//!
//! [`step`] single-steps a function under different secrets and compares where it goes, in code and
//! in memory. [`memory`] looks for copies of secrets in all that this process can write.
//! [`allocator`] is the allocator of tests that do so.

pub mod allocator;
pub mod memory;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub mod step;
