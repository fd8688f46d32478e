//! Tests of HAAC's model.

mod attached;
mod causes;
mod common;
mod model;
mod mutants;
mod packed;
mod timing;
