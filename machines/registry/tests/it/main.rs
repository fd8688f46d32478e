//! Tests of all machines together.

mod structured;
