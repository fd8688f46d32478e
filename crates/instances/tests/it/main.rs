//! Instances against the reference, and against each other.

mod reference;
mod together;
