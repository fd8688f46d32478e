//! Tests of the reference against a second implementation and against its vectors.

mod fase_leaks_delta;
mod suites;
mod vectors;
