//! Half-gate kernels, one file each: portable, AES-NI, and VAES on 256-bit and on 512-bit vectors.
//!
//! [`ops`] defines the operations that a kernel executes, [`state`] is the progress of a run, and
//! [`kernel`] is the interface for callers. [`batch`] has the half gate itself, written once,
//! [`wide`] runs it on many lanes at once, and [`instances`] for many garblings at once.
//! [`authenticated`] has the half gate of authenticated garbling. [`hash`] has the suites' hashes,
//! and [`leaky`] uses one for leaky ANDs. Each of `portable`, `aesni`, `vaes256` and `vaes512`
//! implements the vector of labels ([`lanes`]) that they need. [`schedule`] makes the round keys,
//! [`rows`] has the suites without half gates, [`choose`] selects a kernel, and [`wipe`] clears
//! what a run leaves in memory. [`transfer`], with `transfer512`, and [`transpose`], with
//! `transpose512`, are for oblivious transfer. No other crate has `unsafe` kernels.

mod authenticated;
mod batch;
pub mod choose;
mod hash;
mod instances;
pub mod kernel;
pub mod label;
mod lanes;
mod leaky;
pub mod memory;
pub mod ops;
mod portable;
mod rows;
mod schedule;
mod state;
pub mod suite;
pub mod transfer;
pub mod transpose;
mod wide;
pub mod wipe;

#[cfg(target_arch = "x86_64")]
mod aesni;
#[cfg(target_arch = "x86_64")]
mod transfer512;
#[cfg(target_arch = "x86_64")]
mod transpose512;
#[cfg(target_arch = "x86_64")]
mod vaes256;
#[cfg(target_arch = "x86_64")]
mod vaes512;

pub use authenticated::Step;
pub use choose::{KERNELS, KernelError};
pub use instances::Instances;
pub use kernel::Kernel;
pub use label::{Delta, Label};
pub use leaky::Bits;
pub use memory::{LabelMemory, Others, Part};
pub use state::State;
pub use suite::{Strength, Suite};
