//! What is generated from `spec/`.

mod committed;
