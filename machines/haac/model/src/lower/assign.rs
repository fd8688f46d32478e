//! Assignment of instructions to engines (HAAC, section 4.1), timed by a small model. In this model
//! each engine issues one instruction per cycle, in order, once the operands are there. Banks and
//! the ends of halves are left out. Memory is included only as the time to move all bytes.

use crate::code::Stats;
use crate::instruction::Op;
use crate::machine::{Machine, Shape};
use halfgate_circuit::Party;

/// Parameters of an assignment by simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Latency of an XOR, a COPY or an INV, in clock cycles.
    pub xor: u32,
    /// Latency of an AND, in clock cycles.
    pub and: u32,
    /// How many instructions an engine may be behind the dispatcher.
    pub queue: u32,
    /// Bandwidth of memory in bytes per cycle, as a fraction.
    pub bytes_per_cycle: (u32, u32),
    /// Bytes that memory moves for one label.
    pub wire_bytes: u32,
}

impl Timing {
    /// The timing of `machine` in `role`.
    pub fn of(machine: &Machine, role: Party) -> Timing {
        Timing {
            xor: machine.latency.xor,
            and: machine.latency.and(role),
            queue: machine.queues.issue,
            bytes_per_cycle: machine.memory.bytes_per_cycle,
            wire_bytes: machine.memory.wire_bytes,
        }
    }
}

/// Largest number of rows whose issue times are kept.
const MOST_BEHIND: u32 = 1 << 10;

/// Assigns instructions, one after the other, to engines.
#[derive(Debug)]
pub(super) struct Engines {
    engines: u32,
    /// Engine of the newest instruction, and the place of the next instruction in its row.
    newest: u32,
    place: u32,
    board: Option<Board>,
    /// Whether busy engines are skipped.
    pass_over: bool,
}

/// Times of events, in clock cycles of the small model.
#[derive(Debug)]
struct Board {
    shape: Shape,
    timing: Timing,
    /// For each slot of the window, the cycle in which its label is ready. For slot 0 it is 0,
    /// since labels from memory count as always ready.
    ready: Vec<u64>,
    /// For each engine, the cycle in which it issued its newest instruction.
    issued: Vec<u64>,
    /// Values of `issued` at the start of each of the last `queue` rows (a ring), and the index of
    /// the oldest.
    behind: Vec<u64>,
    oldest: usize,
    /// The earliest cycle in which an instruction of the current row can issue.
    row: u64,
    end: u64,
}

impl Engines {
    /// Assigns to each engine in turn. With `timing`, the small model counts the cycles.
    pub fn round_robin(shape: Shape, timing: Option<Timing>) -> Engines {
        Engines {
            engines: shape.engines,
            newest: 0,
            place: 0,
            board: timing.map(|timing| Board::new(shape, timing)),
            pass_over: false,
        }
    }

    /// Assigns to the next engine, in the order of a row, that is not waiting.
    pub fn simulated(shape: Shape, timing: Timing) -> Engines {
        Engines { pass_over: true, ..Engines::round_robin(shape, Some(timing)) }
    }

    /// Assigns the next instruction to an engine, and returns the number of no-ops to put before
    /// it. `operands` and `output` are slots.
    #[inline]
    pub fn place(&mut self, op: Op, operands: [u32; 2], output: u32) -> u32 {
        match &mut self.board {
            None => {
                self.newest = self.place;
                self.place += 1;
                if self.place == self.engines {
                    self.place = 0;
                }
                0
            }
            Some(board) => {
                let nops = board.next_place(&mut self.place, self.pass_over);
                self.newest = self.place;
                board.issue(self.newest, op, operands, output);
                self.place = (self.place + 1) % self.engines;
                nops
            }
        }
    }

    /// Engine of the newest instruction.
    #[inline]
    pub fn engine(&self) -> u32 {
        self.newest
    }

    /// Number of no-ops that fill the last row.
    pub fn rest_of_row(&self) -> u32 {
        (self.engines - self.place) % self.engines
    }

    /// Cycles of the whole program, if they were counted: those of the engines or those of the
    /// memory, whichever are more.
    pub fn time(&self, stats: &Stats) -> Option<u64> {
        let board = self.board.as_ref()?;
        let Timing { bytes_per_cycle: (bytes, cycles), wire_bytes, .. } = board.timing;
        let bits = 3 + 2 * u64::from(board.shape.window.ilog2());
        let places = stats.rows * u64::from(self.engines);
        let wires = stats.live + stats.oor_reads + stats.inputs_loaded;
        let moved = (places * bits).div_ceil(8)
            + 32 * stats.ands
            + 4 * stats.oor_reads
            + u64::from(wire_bytes) * wires;
        let memory = u128::from(moved) * u128::from(cycles) / u128::from(bytes.max(1));
        Some(board.end.max(memory as u64))
    }
}

impl Board {
    fn new(shape: Shape, timing: Timing) -> Board {
        let engines = shape.engines as usize;
        let timing = Timing { queue: timing.queue.clamp(1, MOST_BEHIND), ..timing };
        Board {
            shape,
            timing,
            ready: vec![0; shape.window as usize],
            issued: vec![0; engines],
            behind: vec![0; engines * timing.queue as usize],
            oldest: 0,
            row: 0,
            end: 0,
        }
    }

    /// Moves `place` to the place of the next instruction. With `pass_over`, skips engines that are
    /// waiting. Returns the number of skipped places.
    #[inline]
    fn next_place(&mut self, place: &mut u32, pass_over: bool) -> u32 {
        let mut left_out = 0;
        loop {
            if *place == 0 {
                self.start_row(pass_over);
            }
            if !pass_over || self.issued[*place as usize] < self.row {
                return left_out;
            }
            left_out += 1;
            *place = (*place + 1) % self.shape.engines;
        }
    }

    /// Starts a row: at least one cycle after the previous row, and once each engine has free space
    /// for another instruction. With `pass_over`, also waits until at least one engine is not
    /// waiting.
    fn start_row(&mut self, pass_over: bool) {
        let engines = self.shape.engines as usize;
        let oldest = &mut self.behind[self.oldest * engines..][..engines];
        let space = oldest.iter().max().expect("there is at least one engine");
        self.row = (self.row + 1).max(*space);
        oldest.copy_from_slice(&self.issued);
        self.oldest = (self.oldest + 1) % self.timing.queue as usize;
        if pass_over {
            let first = self.issued.iter().min().expect("there is at least one engine");
            self.row = self.row.max(first + 1);
        }
    }

    #[inline]
    fn issue(&mut self, engine: u32, op: Op, operands: [u32; 2], output: u32) {
        let ready = operands.map(|slot| self.ready[slot as usize]);
        let issued = &mut self.issued[engine as usize];
        *issued = (*issued + 1).max(self.row).max(ready[0]).max(ready[1]);
        let latency = if op == Op::And { self.timing.and } else { self.timing.xor };
        let done = *issued + u64::from(latency);
        self.ready[output as usize] = done;
        self.end = self.end.max(done);
    }
}
