//! Built-in programs, against plain Rust or independent libraries.

mod ciphers;
mod common;
mod counts;
mod digits;
mod inference;
mod integers;
mod join;
mod mlp;
mod published;
mod specs;
mod structured;
mod texts;
mod verilog;
mod vip;
