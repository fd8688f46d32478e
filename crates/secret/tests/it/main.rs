//! Secret values, against Rust's own.

mod common;
mod fixed;
mod floats;
mod integers;
mod lists;
mod values;
