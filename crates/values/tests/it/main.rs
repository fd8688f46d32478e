//! Tests of values as users write them.

mod fuzz_seeds;
