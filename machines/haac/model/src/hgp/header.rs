//! The header of a program file.

use crate::code::Stats;
use crate::encoding::Encoding;
use crate::machine::Shape;
use halfgate_circuit::{Circuit, Init, Party, Wire};
use halfgate_compiler::{Program, ProgramHash};
use serde::{Deserialize, Serialize};

/// Suites whose programs a file may hold. Their tables have 32 bytes, as table queues and bursts
/// require.
pub const SUITES: [&str; 3] = ["half-gates", "half-gates-fixed-key", "half-gates-fase"];
/// Largest number of engines of a shape, so that a header cannot demand endless lists.
pub const MAX_ENGINES: u32 = 1 << 12;
/// Labels of the widest window that an instruction in memory can address.
pub const MAX_WINDOW: u32 = 1 << 28;

/// An input or output value of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// The party whose input it is; `None` for an output.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "party")]
    pub party: Option<Party>,
    /// Width in bits.
    pub width: u32,
    /// Whether it has a new value in each cycle.
    pub per_cycle: bool,
}

/// Counts of one engine. The host lays out the engine's stream of tables from them: one table per
/// AND, in the engine's order, two tables of 32 bytes per burst of 64, the last burst padded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineCounts {
    /// Instructions other than no-ops.
    pub instructions: u64,
    /// ANDs, which is also the number of tables.
    pub ands: u64,
    /// Words in its out-of-range stream.
    pub oor_words: u64,
    /// Live instructions.
    pub live: u64,
}

impl EngineCounts {
    /// Bursts of 64 bytes in its stream of tables.
    pub fn table_bursts(&self) -> u64 {
        self.ands.div_ceil(2)
    }
}

/// A program file's description of its program: everything except the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the description of the machine that the program was compiled for, such as
    /// `haac-16ge`. Any machine of the same shape can run the program.
    pub machine: String,
    /// Engines and window. The code depends on them.
    pub shape: Shape,
    /// The garbling suite; one of [`SUITES`].
    pub suite: String,
    /// Source of the program: a built-in program such as `dotprod:128x32`, or a file's name.
    pub source: String,
    /// Name of the gate order, such as `haac:best`.
    pub order: String,
    /// The hash that the parties compare in the handshake.
    pub program: ProgramHash,
    /// The encoding of the instructions.
    pub encoding: Encoding,
    /// Default number of cycles of a run.
    pub cycles: u64,
    /// Input values in order; their bits, in this order, are the program's first wires.
    pub inputs: Vec<Port>,
    /// Output values in order.
    pub outputs: Vec<Port>,
    /// Initial values of the flip-flops, in order.
    pub flip_flops: Vec<Init>,
    /// Counts over the code.
    pub stats: Stats,
}

impl Header {
    /// The header of `program`, named `source` and lowered with these `stats`.
    pub fn of(
        program: &Program,
        source: &str,
        machine: &str,
        shape: Shape,
        stats: Stats,
    ) -> Header {
        let Circuit { inputs, outputs, flip_flops, cycles, .. } = &program.circuit;
        let input = |i: &halfgate_circuit::Input| Port {
            name: i.name.clone(),
            party: Some(i.party),
            width: i.width,
            per_cycle: i.per_cycle,
        };
        let output = |o: &halfgate_circuit::Output| Port {
            name: o.name.clone(),
            party: None,
            width: o.bits.len() as u32,
            per_cycle: o.per_cycle,
        };
        Header {
            machine: machine.to_owned(),
            shape,
            suite: SUITES[0].to_owned(),
            source: source.to_owned(),
            order: program.order.to_string(),
            program: program.hash,
            encoding: Encoding::Plain,
            cycles: *cycles,
            inputs: inputs.iter().map(input).collect(),
            outputs: outputs.iter().map(output).collect(),
            flip_flops: flip_flops.iter().map(|f| f.init).collect(),
            stats,
        }
    }

    /// Bits of all inputs.
    pub fn input_bits(&self) -> u64 {
        self.inputs.iter().map(|port| u64::from(port.width)).sum()
    }

    /// Bits of all outputs.
    pub fn output_bits(&self) -> u64 {
        self.outputs.iter().map(|port| u64::from(port.width)).sum()
    }

    /// The machine and its shape as text.
    pub fn made_for(&self) -> String {
        shape_of(&self.machine, self.shape)
    }
}

/// `haac-16ge (16 engines, a window of 131072 labels)`.
pub fn shape_of(machine: &str, shape: Shape) -> String {
    let engines = if shape.engines == 1 { "engine" } else { "engines" };
    format!("{machine} ({} {engines}, a window of {} labels)", shape.engines, shape.window)
}

/// The header's chunk: everything except lists that grow with the circuit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub kind: String,
    pub machine: String,
    pub engines: u32,
    pub window: u32,
    pub suite: String,
    pub roles: String,
    pub source: String,
    pub order: String,
    pub program_hash: String,
    pub encoding: String,
    pub cycles: u64,
    pub first_output: u32,
    pub inputs_in_memory_only: u64,
    pub stats: HeadStats,
}

/// [`Stats`] with its field names, for serialisation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Stats")]
pub(super) struct StatsDef {
    pub rows: u64,
    pub gates: u64,
    pub ands: u64,
    pub copies: u64,
    pub invs: u64,
    pub nops: u64,
    pub live: u64,
    pub live_outputs: u64,
    pub oor_reads: u64,
    pub oor_input_reads: u64,
    pub inputs_loaded: u64,
}

/// [`Stats`] in the form of the header.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct HeadStats(#[serde(with = "StatsDef")] pub Stats);

/// The initial value of a flip-flop as a word: 0 and 1 stand for constants, k + 2 for wire k.
pub(super) fn init_word(init: Init) -> u32 {
    match init {
        Init::Constant(value) => u32::from(value),
        Init::Input(wire) => wire.number() + 2,
    }
}

/// The inverse of [`init_word`]; `None` if no circuit has a wire of that number.
pub(super) fn init_of(word: u32) -> Option<Init> {
    match word {
        0 | 1 => Some(Init::Constant(word == 1)),
        _ => (word - 2 < Wire::MAX).then(|| Init::Input(Wire::new(word - 2))),
    }
}

mod party {
    use halfgate_circuit::Party;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(party: &Option<Party>, to: S) -> Result<S::Ok, S::Error> {
        match party {
            Some(party) => to.serialize_str(&party.to_string()),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Party>, D::Error> {
        match String::deserialize(from)?.as_str() {
            "garbler" => Ok(Some(Party::Garbler)),
            "evaluator" => Ok(Some(Party::Evaluator)),
            other => Err(D::Error::custom(format!("{other:?} is no party"))),
        }
    }
}
