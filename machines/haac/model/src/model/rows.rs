//! The instruction stream from memory: the rows, and the number of bits of each row.

use std::collections::VecDeque;
use std::io;

use halfgate_compiler::spool::SpoolReader;

use super::config::{BURST, Config};
use crate::code::{Code, OOR_LAST};
use crate::instruction::{Instruction, Op};
use crate::machine::Shape;

/// The number of bits of each row in an encoding. Rows are requested in order, each once.
pub trait RowBits {
    /// Bits of the next row; 0 if it is packed together with an earlier one.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or there is no such row.
    fn bits(&mut self, row: &[Instruction]) -> io::Result<u32>;
}

/// The `plain` encoding: operation, two operand fields of the window's width, and the live bit.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    bits: u32,
}

impl Plain {
    /// The encoding for a machine's shape.
    pub fn new(shape: Shape) -> Plain {
        Plain { bits: shape.engines * (2 * shape.window.trailing_zeros() + 3) }
    }
}

impl RowBits for Plain {
    #[inline]
    fn bits(&mut self, _row: &[Instruction]) -> io::Result<u32> {
        Ok(self.bits)
    }
}

/// The results of a pass over the code before the run.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Rows.
    pub rows: u64,
    /// ANDs of each engine.
    pub ands: Vec<u64>,
    /// The lowest address that is loaded into the window.
    pub first_loaded: u32,
}

/// Why a machine cannot run code. Rows and engines count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodeError {
    /// It is for another shape of machine.
    #[error("it was lowered for {code:?}, not {machine:?}")]
    Shape {
        /// The shape of the code.
        code: Shape,
        /// The shape of the machine.
        machine: Shape,
    },
    /// Its streams do not fit together.
    #[error("its rows or its out-of-range streams do not fit its engines")]
    Streams,
    /// Its inputs are not where they should be.
    #[error(
        "its inputs do not end where its instructions begin, or more are loaded than the window holds"
    )]
    Inputs,
    /// An instruction would wait for ever, or read a wrong wire.
    #[error("row {row}, engine {engine}: {wrong}")]
    Instruction {
        /// Its row.
        row: u64,
        /// Its engine.
        engine: usize,
        /// The error in it.
        wrong: OperandError,
    },
    /// There are no addresses left.
    #[error("it has more wires than addresses of 31 bits")]
    Wires,
    /// An engine's stream is longer than its instructions need.
    #[error("engine {engine} has out-of-range words that nothing reads")]
    Unread {
        /// The engine.
        engine: usize,
    },
    /// A row is longer than the instruction queue.
    #[error("a row is longer than the instruction queue")]
    LongRow,
}

/// An error in an instruction's operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OperandError {
    /// The operation is unknown.
    #[error("{code} is no unary operation")]
    Unary {
        /// Its code.
        code: u32,
    },
    /// The slot is outside the window.
    #[error("slot {slot} is beyond the window")]
    Beyond {
        /// The slot.
        slot: u32,
    },
    /// The stream has fewer words than the instructions read.
    #[error("its out-of-range stream ends too early")]
    StreamEnds,
    /// A later instruction computes the wire.
    #[error("out-of-range address {address} is not computed yet")]
    NotYet {
        /// The address.
        address: u32,
    },
    /// The slot holds another wire, or none.
    #[error("slot {slot} does not hold a wire that may be read")]
    Unreadable {
        /// The slot.
        slot: u32,
    },
}

/// Passes over the code once: counts, and checks that every operand will become available.
///
/// # Errors
/// The outer one if a temporary file cannot be read; the inner one describes an error in the code.
pub fn survey(code: &Code, config: &Config) -> io::Result<Result<Survey, CodeError>> {
    if code.shape != config.shape {
        return Ok(Err(CodeError::Shape { code: code.shape, machine: config.shape }));
    }
    let engines = config.engines;
    if !code.rows.len().is_multiple_of(engines as u64) || code.oor.len() != engines {
        return Ok(Err(CodeError::Streams));
    }
    let Some(inputs) = Inputs::of(code) else {
        return Ok(Err(CodeError::Inputs));
    };
    let mut oor: Vec<_> = code.oor.iter().map(|words| words.reader()).collect();
    let mut reader = code.rows.reader();
    let mut ands = vec![0; engines];
    let mut out = code.first_output;
    let mut engine = 0;
    let mut index = 0u64;
    loop {
        let block = reader.next_block()?;
        if block.is_empty() {
            break;
        }
        for &bits in block {
            let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
            if !instruction.is_nop() {
                if !inputs.are_plain(instruction, out, config)
                    && let Err(wrong) =
                        operands(instruction, out, config, &inputs, &mut oor[engine])?
                {
                    let row = index / engines as u64;
                    return Ok(Err(CodeError::Instruction { row, engine, wrong }));
                }
                ands[engine] += u64::from(instruction.op() == Op::And);
                if out >= OOR_LAST - 2 {
                    return Ok(Err(CodeError::Wires));
                }
                out = config.shape.next_address(out);
            }
            index += 1;
            engine = if engine + 1 == engines { 0 } else { engine + 1 };
        }
    }
    for (engine, words) in oor.iter().enumerate() {
        if words.position() != code.oor[engine].len() {
            return Ok(Err(CodeError::Unread { engine }));
        }
    }
    Ok(Ok(Survey { rows: index / engines as u64, ands, first_loaded: inputs.first_loaded }))
}

/// The addresses of the inputs.
struct Inputs {
    first_loaded: u32,
    first_output: u32,
}

impl Inputs {
    fn of(code: &Code) -> Option<Inputs> {
        let window = u64::from(code.shape.window);
        // The address of input number i. Each lap has one address fewer than it has slots.
        let address = |i: u64| 1 + i + i / (window - 1);
        let count = code.inputs.len() as u64;
        let only = code.inputs_in_memory_only as u64;
        if only > count || address(count) != u64::from(code.first_output) {
            return None;
        }
        // The first loaded input, and so all of them, must be in the window.
        if only < count && !code.shape.in_window(address(only) as u32, code.first_output) {
            return None;
        }
        Some(Inputs { first_loaded: address(only) as u32, first_output: code.first_output })
    }
}

impl Inputs {
    /// Whether the instruction is an XOR or AND with both operands in the window, as most are.
    #[inline]
    fn are_plain(&self, instruction: Instruction, out: u32, config: &Config) -> bool {
        let half = config.half_of(out);
        let is_plain = |slot: u32| {
            let address = config.operand(slot, out);
            slot != 0
                && slot < config.shape.window
                && address < out
                && address >= self.first_loaded
                && config.half_of(address) + 1 >= half
        };
        instruction.op() != Op::Unary && is_plain(instruction.a()) && is_plain(instruction.b())
    }
}

/// Checks that the operands of one instruction can become available.
fn operands(
    instruction: Instruction,
    out: u32,
    config: &Config,
    inputs: &Inputs,
    oor: &mut SpoolReader<'_, 4>,
) -> io::Result<Result<(), OperandError>> {
    let unary = instruction.op() == Op::Unary;
    if unary && instruction.unary().is_none() {
        return Ok(Err(OperandError::Unary { code: instruction.b() }));
    }
    let fields = [instruction.a(), instruction.b()];
    for &slot in &fields[..if unary { 1 } else { 2 }] {
        if slot >= config.shape.window {
            return Ok(Err(OperandError::Beyond { slot }));
        }
        if slot == 0 {
            let Some(word) = oor.next()? else {
                return Ok(Err(OperandError::StreamEnds));
            };
            let address = u32::from_le_bytes(word) & !OOR_LAST;
            let known = address != 0
                && config.shape.slot(address) != 0
                && (address < inputs.first_output || config.half_of(address) < config.half_of(out));
            if !known {
                return Ok(Err(OperandError::NotYet { address }));
            }
        } else {
            let address = config.operand(slot, out);
            // An address that wrapped around below 0 is above every output.
            if address >= out
                || address < inputs.first_loaded
                || !config.shape.in_window(address, out)
            {
                return Ok(Err(OperandError::Unreadable { slot }));
            }
        }
    }
    Ok(Ok(()))
}

/// The rows between the dispatcher and the last requested burst.
///
/// Memory: as many rows as the instruction queue holds.
pub struct Rows<'a> {
    reader: SpoolReader<'a, 8>,
    sizes: &'a mut dyn RowBits,
    engines: usize,
    /// Instructions of the rows that were read and not dispatched.
    ahead: VecDeque<u64>,
    /// For each of these rows, the index of the bit after its end.
    ends: VecDeque<u64>,
    /// Bits of all rows read.
    bits: u64,
    ended: bool,
    /// The longest row that fits in the queue wherever in a burst it begins.
    limit: u64,
    too_long: bool,
    row: Vec<Instruction>,
}

impl<'a> Rows<'a> {
    /// The stream of `code`, with row lengths from `sizes`.
    pub fn new(code: &'a Code, sizes: &'a mut dyn RowBits, config: &Config) -> Rows<'a> {
        Rows {
            reader: code.rows.reader(),
            sizes,
            engines: config.engines,
            ahead: VecDeque::new(),
            ends: VecDeque::new(),
            bits: 0,
            ended: false,
            limit: (config.instruction_bursts - 1) * u64::from(8 * BURST) + 1,
            too_long: false,
            row: Vec::new(),
        }
    }

    /// Whether the stream has a burst with number `index`.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    #[inline]
    pub fn has_burst(&mut self, index: u64) -> io::Result<bool> {
        let bit = index * u64::from(8 * BURST);
        while self.bits <= bit && !self.ended {
            self.read()?;
        }
        Ok(self.bits > bit)
    }

    /// Whether a row was found that does not fit into the queue and could never be dispatched.
    pub fn too_long(&self) -> bool {
        self.too_long
    }

    fn read(&mut self) -> io::Result<()> {
        self.row.clear();
        for _ in 0..self.engines {
            let Some(bits) = self.reader.next()? else {
                self.ended = true;
                return Ok(());
            };
            let bits = u64::from_le_bytes(bits);
            self.ahead.push_back(bits);
            self.row.push(Instruction::from_bits(bits));
        }
        let size = u64::from(self.sizes.bits(&self.row)?);
        self.too_long |= size > self.limit;
        self.bits += size;
        self.ends.push_back(self.bits);
        Ok(())
    }

    /// The index of the bit after the next row, if that row was read.
    #[inline]
    pub fn end(&self) -> Option<u64> {
        self.ends.front().copied()
    }

    /// The instruction of the next row for `engine`. The row must have been read.
    #[inline]
    pub fn peek(&self, engine: usize) -> Instruction {
        Instruction::from_bits(self.ahead[engine])
    }

    /// Moves on to the next row.
    #[inline]
    pub fn pop(&mut self) {
        self.ends.pop_front();
        self.ahead.drain(..self.engines);
    }
}
