//! Built-in programs, written on the circuit builder and meant to be read as examples.
