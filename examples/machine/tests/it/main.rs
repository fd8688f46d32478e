//! Tests of the toy.

mod conformance;
mod machine;
