//! The mobile coprocessor (Kulp): an evaluator on a small FPGA. Its speed is limited by the serial
//! link to a phone. This crate encodes a program for the chip while tables arrive: [`lower`] turns
//! the program into steps on label slots, and [`item`] turns steps into the bytes of the link
//! (`machines/mobile/spec/link.md`).
//!
//! A body is read twice: from its end ([`reads`]), and then from its beginning ([`lower`]). It is
//! never held in memory.

pub mod frame;
mod fuse;
pub mod item;
pub mod lower;
pub mod model;
pub mod names;
pub mod published;
mod reads;
mod slots;
mod step;
#[cfg(test)]
mod tests;
pub mod transport;
pub mod wide;

pub use item::{Begin, Encoder, Item, Slot};
pub use lower::Lowering;
pub use step::Step;

/// Label slots of the chip: 128 KiB of single-port memory.
pub const SLOTS: u32 = 8192;
