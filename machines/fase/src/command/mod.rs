//! The machine's commands and engine names.

mod counts;
pub mod engine;
mod labels;
pub mod reproduce;
pub mod simulate;
