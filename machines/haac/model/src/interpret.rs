//! Evaluates lowered code in the clear, for 64 sets of values at once. Like the machine, it reads
//! window slots and queue heads, and knows no wire addresses except those in out-of-range words.

use crate::code::{Code, OOR_LAST, Source};
use crate::instruction::{Instruction, Op, Unary};
use halfgate_circuit::{Circuit, Init};
use halfgate_compiler::spool::SpoolReader;
use std::collections::HashMap;
use std::io;
use thiserror::Error;

/// Why code could not be evaluated.
#[derive(Debug, Error)]
pub enum InterpretError {
    /// The number of values is not the number of inputs of the code, or of the circuit.
    #[error("{found} values for {expected} inputs: give one for each")]
    Inputs {
        /// Number of inputs.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// An instruction takes an operand from an empty out-of-range queue.
    #[error("place {place}: engine {engine} has no out-of-range word left")]
    QueueEmpty {
        /// The instruction's place, counted from 0 through the rows from left to right.
        place: u64,
        /// Its engine.
        engine: u32,
    },
    /// Out-of-range words are left after the code has run.
    #[error("engine {engine} has out-of-range words left at the end")]
    QueueLeft {
        /// The engine.
        engine: u32,
    },
    /// A wire is read from memory, but was never written there or was already freed.
    #[error("wire {address} is read from memory, which does not have it")]
    NotInMemory {
        /// The wire's address.
        address: u32,
    },
    /// The encoding is no instruction of the machine.
    #[error("place {place}: {instruction:?} is no instruction of the machine")]
    Unknown {
        /// The instruction's place, counted from 0 through the rows from left to right.
        place: u64,
        /// The instruction.
        instruction: Instruction,
    },
    /// A temporary file could not be read.
    #[error("cannot read back a temporary file (in TMPDIR): {0}")]
    Spool(#[from] io::Error),
}

/// The results of one launch of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    /// Output bits, as in [`Code::outputs`].
    pub outputs: Vec<u64>,
    /// Next bits of flip-flops.
    pub nexts: Vec<u64>,
}

/// Runs `code` once on values for [`Code::inputs`]; bit `j` of each belongs to set `j`.
///
/// Memory: the window, and the labels in memory until their last reads.
///
/// # Errors
/// If the code does something that no machine can do, or the number of inputs is wrong.
pub fn launch(code: &Code, inputs: &[u64]) -> Result<Values, InterpretError> {
    if inputs.len() != code.inputs.len() {
        return Err(InterpretError::Inputs { expected: code.inputs.len(), found: inputs.len() });
    }
    let shape = code.shape;
    let mut window = vec![0; shape.window as usize];
    let mut memory = HashMap::new();
    let mut address = 1;
    for (index, &value) in inputs.iter().enumerate() {
        memory.insert(address, value);
        if index >= code.inputs_in_memory_only {
            window[shape.slot(address) as usize] = value;
        }
        address = shape.next_address(address);
    }
    let mut output = code.first_output;
    let mut queues: Vec<_> = code.oor.iter().map(|queue| queue.reader()).collect();
    let mut rows = code.rows.reader();
    let mut place = 0;
    while let Some(bits) = rows.next()? {
        let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
        let engine = (place % u64::from(shape.engines)) as u32;
        let mut operand = |slot: u32, memory: &mut HashMap<u32, u64>| match slot {
            0 => pop(&mut queues[engine as usize], memory)?
                .ok_or(InterpretError::QueueEmpty { place, engine }),
            _ => Ok(window[slot as usize]),
        };
        let value = match (instruction.op(), instruction.unary()) {
            (Op::Nop, _) => None,
            (Op::Xor, _) => Some(
                operand(instruction.a(), &mut memory)? ^ operand(instruction.b(), &mut memory)?,
            ),
            (Op::And, _) => Some(
                operand(instruction.a(), &mut memory)? & operand(instruction.b(), &mut memory)?,
            ),
            (Op::Unary, Some(Unary::Copy)) => Some(operand(instruction.a(), &mut memory)?),
            (Op::Unary, Some(Unary::Inv)) => Some(!operand(instruction.a(), &mut memory)?),
            (Op::Unary, None) => return Err(InterpretError::Unknown { place, instruction }),
        };
        if let Some(value) = value {
            window[shape.slot(output) as usize] = value;
            if instruction.is_live() {
                memory.insert(output, value);
            }
            output = shape.next_address(output);
        }
        place += 1;
    }
    for (engine, queue) in (0..).zip(&mut queues) {
        if queue.next()?.is_some() {
            return Err(InterpretError::QueueLeft { engine });
        }
    }
    let value = |source: &Source| match *source {
        Source::Constant(value) => Ok(if value { !0 } else { 0 }),
        Source::Wire { address, invert } => {
            let value = memory.get(&address).ok_or(InterpretError::NotInMemory { address })?;
            Ok(if invert { !value } else { *value })
        }
    };
    Ok(Values {
        outputs: code.outputs.iter().map(value).collect::<Result<_, InterpretError>>()?,
        nexts: code.nexts.iter().map(value).collect::<Result<_, InterpretError>>()?,
    })
}

/// The label at the head of a queue; `None` if it is empty.
fn pop(
    queue: &mut SpoolReader<'_, 4>,
    memory: &mut HashMap<u32, u64>,
) -> Result<Option<u64>, InterpretError> {
    let Some(word) = queue.next()?.map(u32::from_le_bytes) else { return Ok(None) };
    let address = word & !OOR_LAST;
    let value = match word & OOR_LAST {
        0 => memory.get(&address).copied(),
        _ => memory.remove(&address),
    };
    value.map(Some).ok_or(InterpretError::NotInMemory { address })
}

/// Runs `code`, lowered from `circuit`, for `cycles` cycles. Values have the form of
/// [`evaluate_lanes`](halfgate_circuit::clear::evaluate_lanes), in lanes of 64.
///
/// # Errors
/// As [`launch`], or if the values do not fit the circuit.
pub fn run(
    code: &Code,
    circuit: &Circuit,
    inputs: &[Vec<u64>],
    cycles: u64,
) -> Result<Vec<Vec<u64>>, InterpretError> {
    let mut outputs: Vec<Vec<u64>> = circuit.outputs.iter().map(|_| Vec::new()).collect();
    let mut state: Vec<u64> = Vec::new();
    for cycle in 0..cycles {
        let mut wires = Vec::with_capacity(circuit.first_gate_wire());
        for (port, values) in circuit.inputs.iter().zip(inputs) {
            let width = port.width as usize;
            let first = if port.per_cycle { cycle as usize * width } else { 0 };
            wires.extend(values.iter().skip(first).take(width));
        }
        if wires.len() != circuit.input_bits() {
            let expected = circuit.input_bits();
            return Err(InterpretError::Inputs { expected, found: wires.len() });
        }
        if cycle == 0 {
            let init = |init| match init {
                Init::Constant(value) => u64::from(value).wrapping_neg(),
                Init::Input(wire) => wires[wire.index()],
            };
            state = circuit.flip_flops.iter().map(|f| init(f.init)).collect();
        }
        wires.append(&mut state);
        let named: Vec<u64> = code.inputs.iter().map(|wire| wires[wire.index()]).collect();
        let values = launch(code, &named)?;
        let mut bits = values.outputs.into_iter();
        for (port, output) in circuit.outputs.iter().zip(&mut outputs) {
            let bits = bits.by_ref().take(port.bits.len());
            if port.per_cycle || cycle + 1 == cycles {
                output.extend(bits);
            } else {
                bits.for_each(drop);
            }
        }
        state = values.nexts;
    }
    Ok(outputs)
}
