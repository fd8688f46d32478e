//! HAAC: the model.

mod causes;
mod common;
mod model;
mod mutants;
mod packed;
mod timing;
