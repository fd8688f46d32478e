//! Tests of secret values against Rust's own types.

mod common;
mod fixed;
mod floats;
mod integers;
mod lists;
mod values;
