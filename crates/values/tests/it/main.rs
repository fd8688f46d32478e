//! Values as people write them.

mod fuzz_seeds;
