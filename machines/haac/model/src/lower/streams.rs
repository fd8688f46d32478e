//! The streams that the machine reads: rows of instructions, and each engine's out-of-range words.

use crate::code::Stats;
use crate::instruction::{Instruction, Op, Unary};
use halfgate_compiler::spool::Spool;
use std::io;

/// Writes rows and out-of-range words, or only counts them.
pub(super) struct Streams {
    pub rows: Spool<8>,
    pub oor: Vec<Spool<4>>,
    pub stats: Stats,
    keep: bool,
}

/// Bytes of out-of-range words kept in memory, for all engines together.
const OOR_IN_MEMORY: usize = 32 << 20;

impl Streams {
    /// Streams for `engines` engines. Without `keep`, entries are counted and not stored.
    pub fn new(engines: u32, keep: bool) -> Streams {
        let share = OOR_IN_MEMORY / engines as usize;
        Streams {
            rows: Spool::new(),
            oor: (0..engines).map(|_| Spool::with_memory(share)).collect(),
            stats: Stats::default(),
            keep,
        }
    }

    /// Adds the instruction of the next place in the rows.
    #[inline]
    pub fn instruction(&mut self, instruction: Instruction) -> io::Result<()> {
        let stats = &mut self.stats;
        match instruction.op() {
            Op::Nop => stats.nops += 1,
            Op::Xor => stats.gates += 1,
            Op::And => {
                stats.gates += 1;
                stats.ands += 1;
            }
            Op::Unary if instruction.unary() == Some(Unary::Inv) => stats.invs += 1,
            Op::Unary => stats.copies += 1,
        }
        stats.live += u64::from(instruction.is_live());
        if self.keep { self.rows.push(instruction.to_bits().to_le_bytes()) } else { Ok(()) }
    }

    /// Adds the next out-of-range word of an engine.
    #[inline]
    pub fn oor(&mut self, engine: u32, word: u32, is_input: bool) -> io::Result<()> {
        self.stats.oor_reads += 1;
        self.stats.oor_input_reads += u64::from(is_input);
        if self.keep { self.oor[engine as usize].push(word.to_le_bytes()) } else { Ok(()) }
    }
}
