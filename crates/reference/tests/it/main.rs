//! Tests of the reference against a second implementation and against its vectors.

mod fase_leaks_delta;
mod functions;
mod suites;
mod vectors;
