//! The halfgate command.
fn main() {}
