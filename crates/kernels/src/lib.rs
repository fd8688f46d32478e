//! Half-gate kernels: portable, AES-NI, VAES; one file each, one place that chooses.

pub mod label;
pub mod ops;
pub mod suite;

pub use label::{Delta, Label};
pub use suite::Suite;
