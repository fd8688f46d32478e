//! Half-gate kernels: portable, AES-NI, VAES; one file each, one place that chooses.
//!
//! [`ops`] says what a kernel executes, [`state`] how far a run has come, and [`kernel`] how one is
//! called. [`batch`] is the garbling itself, once for all; each of `portable`, `aesni`, `vaes256`
//! and `vaes512` gives it a vector of labels ([`lanes`]); [`schedule`] makes the round keys;
//! [`rows`] is the one suite without half gates; [`choose`] picks; [`wipe`] clears what a run
//! leaves. [`transfer`] and [`transpose`] are for oblivious transfer. This crate and no other holds
//! `unsafe` kernels.

mod batch;
pub mod choose;
pub mod kernel;
pub mod label;
mod lanes;
pub mod memory;
pub mod ops;
mod portable;
mod rows;
mod schedule;
mod state;
pub mod suite;
pub mod transfer;
pub mod transpose;
pub mod wipe;

#[cfg(target_arch = "x86_64")]
mod aesni;
#[cfg(target_arch = "x86_64")]
mod vaes256;
#[cfg(target_arch = "x86_64")]
mod vaes512;

pub use choose::{KERNELS, KernelError};
pub use kernel::Kernel;
pub use label::{Delta, Label};
pub use memory::LabelMemory;
pub use state::State;
pub use suite::{Strength, Suite};
