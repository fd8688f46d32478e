//! What the machine offers to the command.

mod counts;
pub mod engine;
mod labels;
pub mod reproduce;
pub mod simulate;
