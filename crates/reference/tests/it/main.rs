//! The reference, against itself written another way, and its vectors.

mod fase_leaks_delta;
mod suites;
mod vectors;
