//! What the machine offers to the command.

pub mod engine;
pub mod reproduce;
pub mod simulate;
