//! Tests of the files generated from `spec/`.

mod committed;
