//! The machine's commands and engine names.

pub mod engine;
pub mod reproduce;
pub mod simulate;
