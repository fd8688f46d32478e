//! The CPU engine's code for a program: chunks of kernel operations on numbered addresses.
//!
//! Addresses below [`WINDOW`](halfgate_kernels::ops::WINDOW) are the window that XORs and ANDs
//! can name; those above are the spill area, which only moves, inputs and outputs name.
//!
//! How code runs:
//!
//! 1. before the first cycle: [`Code::start`];
//! 2. each cycle: every chunk in order, and in each its inputs, its operations, its outputs;
//! 3. between two cycles: [`Code::latch`].

pub use crate::cpu::chunk::{Chunk, Gives, Loads};
use crate::cpu::spool::{self, ChunkStore};
use halfgate_kernels::ops::Move;
use std::io;

/// A program lowered for the CPU engine.
///
/// Memory: the chunks up to [`Code::IN_MEMORY`] bytes, a temporary file beyond; what else is
/// here grows with the ports and flip-flops.
#[derive(Debug)]
pub struct Code {
    /// Labels of memory that the code needs: the window and the spill area.
    pub memory: usize,
    /// Whether the body may run more than once. Code for a circuit without flip-flops, per-cycle
    /// ports or a cycle count above 1 keeps no input for a second cycle.
    pub repeatable: bool,
    /// What is done before the first cycle.
    pub start: Start,
    /// Moves in order between two cycles: each flip-flop takes its next value.
    pub latch: Vec<Move>,
    /// The most wires of the body that were alive at once, those held between cycles included.
    pub peak_live: usize,
    pub(super) chunks: ChunkStore,
}

/// What is done before the first cycle, in this order.
#[derive(Debug, Default)]
pub struct Start {
    /// Where the label of the public constant 0 goes, if the program needs one.
    pub constant: Option<u32>,
    /// Input bits that initialise flip-flops.
    pub inputs: Loads,
    /// The initial values, to where the flip-flops are kept.
    pub moves: Vec<Move>,
}

impl Code {
    /// Bytes of code that are held in memory.
    pub const IN_MEMORY: usize = spool::IN_MEMORY;

    /// Reads the chunks in order, as often as wanted.
    pub fn chunks(&self) -> Chunks<'_> {
        Chunks { store: &self.chunks, next: 0, read: Chunk::default() }
    }
}

/// A cursor over a code's chunks: see [`Code::chunks`].
///
/// Memory: one chunk, if the code is in a file.
pub struct Chunks<'a> {
    store: &'a ChunkStore,
    next: usize,
    read: Chunk,
}

impl Chunks<'_> {
    /// The next chunk, or `None` after the last.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    #[allow(clippy::should_implement_trait)] // lends the chunk, and may fail
    pub fn next(&mut self) -> io::Result<Option<&Chunk>> {
        let index = self.next;
        if index >= self.store.len() {
            return Ok(None);
        }
        self.next += 1;
        self.store.get(index, &mut self.read).map(Some)
    }

    /// Goes back to the first chunk.
    pub fn rewind(&mut self) {
        self.next = 0;
    }
}
