//! What a peer can send.

mod fuzz_seeds;
