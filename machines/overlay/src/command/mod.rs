//! What the machine offers to the command.

pub mod args;
pub mod engine;
pub mod layers;
pub mod reproduce;
pub mod simulate;
pub mod stream;
