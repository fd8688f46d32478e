//! Accelerators as *machines*: an encoding, a lowering of programs into it, and a model of time.
//!
//! A machine never holds a label. Its model moves the *names* of wires through slots, queues and
//! latches as the hardware moves labels, and reports what is executed when; an engine that follows
//! along computes the labels.

pub mod fase;
pub mod garbledcpu;
pub mod haac;
pub mod hgp;
pub mod mobile;
pub mod overlay;
