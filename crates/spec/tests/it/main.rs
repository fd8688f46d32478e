//! What is generated from `spec/`.

mod causes;
mod committed;
