//! Tools with which tests find leaked secrets. Only tests use this crate.
//!
//! [`step`] single-steps a function under different secrets and compares its paths through code and
//! memory. [`memory`] searches all memory that this process can write for copies of secrets.
//! [`allocator`] is the allocator of tests that search memory.

pub mod allocator;
pub mod memory;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub mod step;
