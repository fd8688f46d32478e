//! What the machine offers to the command.

pub mod chip;
pub mod device;
pub mod engine;
pub mod reproduce;
pub mod simulate;
