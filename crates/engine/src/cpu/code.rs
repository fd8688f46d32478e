//! The CPU engine's code for a program: chunks of kernel operations on numbered addresses.
//!
//! Addresses below [`WINDOW`](halfgate_kernels::ops::WINDOW) are the window, which XORs and ANDs
//! can address. Those above are the spill area, which only moves, inputs and outputs can address.
//!
//! Code runs in this order:
//!
//! 1. before the first cycle: [`Code::start`];
//! 2. each cycle: every chunk in order, each with its inputs, its operations, its outputs;
//! 3. between two cycles: [`Code::latch`].

pub use crate::cpu::chunk::{Chunk, Gives, Loads};
use crate::cpu::spool::{self, ChunkStore};
use halfgate_kernels::ops::Move;
use std::io;

/// A program lowered for the CPU engine.
///
/// Memory: up to [`Code::IN_MEMORY`] bytes of chunks, with further chunks in a temporary file. The
/// other fields grow with the ports and flip-flops.
#[derive(Debug)]
pub struct Code {
    /// Labels of memory that the code needs, in the window and the spill area.
    pub memory: usize,
    /// Number of addresses, from 0 on, of which the code uses any. If there is no spill area, it is
    /// at most the window.
    pub addresses: u32,
    /// Whether the body may run more than once. Code for a circuit without flip-flops and per-cycle
    /// ports, with a cycle count of 1, keeps no input for a second cycle.
    pub repeatable: bool,
    /// Steps before the first cycle.
    pub start: Start,
    /// Moves between two cycles, in order: each flip-flop takes its next value.
    pub latch: Vec<Move>,
    /// Most wires of the body alive at once, including those held between cycles.
    pub peak_live: usize,
    pub(super) chunks: ChunkStore,
}

/// Steps before the first cycle, in this order.
#[derive(Debug, Default)]
pub struct Start {
    /// Address for the label of the public constant 0, if the program needs one.
    pub constant: Option<u32>,
    /// Input bits that initialise flip-flops.
    pub inputs: Loads,
    /// Moves of the initial values to the addresses of the flip-flops.
    pub moves: Vec<Move>,
}

impl Code {
    /// Most bytes of code held in memory.
    pub const IN_MEMORY: usize = spool::IN_MEMORY;

    /// Reads the chunks in order; may be called several times.
    pub fn chunks(&self) -> Chunks<'_> {
        Chunks { store: &self.chunks, next: 0, read: Chunk::default() }
    }
}

/// A cursor over the chunks of a code: see [`Code::chunks`].
///
/// Memory: one chunk if the code is in a file.
pub struct Chunks<'a> {
    store: &'a ChunkStore,
    next: usize,
    read: Chunk,
}

impl Chunks<'_> {
    /// Returns the next chunk, or `None` after the last.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    #[allow(clippy::should_implement_trait)] // borrows the chunk, and may fail
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
