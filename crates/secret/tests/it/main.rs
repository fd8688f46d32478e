//! Tests of secret values against Rust's own types.

mod common;
mod fixed;
mod floats;
mod function_mistakes;
mod functions;
mod integers;
mod lists;
mod values;
