//! What a launch finds in memory, and what it leaves there, as plain bytes. Test benches in other
//! languages load and compare these.

use super::image::Image;
use super::stream::{Instructions, Words};
use super::{BURST, LABEL};
use crate::engine::host::{EngineTables, TABLE};
use halfgate_circuit::{Party, Wire};
use halfgate_engine::testing::{MemoryEvaluator, Outputs};
use halfgate_engine::{EngineError, Label};
use halfgate_haac_model::Code;
use halfgate_haac_model::code::Source;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::config::Config;
use halfgate_haac_model::model::layout::Region;
use halfgate_haac_model::model::rows::survey;

/// Consecutive bytes of memory.
pub struct Piece {
    /// Their meaning.
    pub what: String,
    /// The address of the first.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Memory of one launch.
///
/// Memory: all of the program's code, tables and inputs.
pub struct Contents {
    /// The address of the launch descriptor.
    pub descriptor: u64,
    /// The value of the register `config`.
    pub config: u32,
    /// The first address above everything that the machine reads or writes.
    pub end: u64,
    /// What memory holds before the launch.
    pub before: Vec<Piece>,
    /// What the machine must have written after the launch.
    pub after: Vec<Piece>,
}

/// The labels of a launch, as another engine computed them.
pub struct Labels<'a> {
    /// The label of an input bit.
    pub inputs: &'a dyn Fn(Wire) -> Label,
    /// The labels of output bits.
    pub outputs: &'a Outputs,
    /// All tables in program order.
    pub tables: &'a [u8],
    /// The offset that an inverted output adds: delta for the garbler, zero for the evaluator.
    pub offset: Label,
}

impl Contents {
    /// The memory of the first launch of `code`, which has no flip-flops, on `machine` in `role`.
    ///
    /// # Errors
    /// If the machine cannot run the code, or a temporary file fails.
    pub fn new(
        machine: &Machine,
        code: &Code,
        role: Party,
        labels: &Labels<'_>,
    ) -> Result<Contents, EngineError> {
        let unavailable = |error| EngineError::unavailable(&machine.name, error);
        let config = Config::new(machine, role).map_err(unavailable)?;
        let survey = survey(code, &config)?
            .map_err(|error| EngineError::machine(super::error::HardwareError::Code(error)))?;
        let image = Image::new(&machine.name, code, survey)?;
        let at = |region| image.layout.start(region);
        let piece = |what: String, region, bytes| Piece { what, address: at(region), bytes };

        let instructions = Instructions::all(code)?;
        let mut before = vec![
            piece("descriptor".to_owned(), Region::Descriptor, image.descriptor(role)),
            piece("instructions".to_owned(), Region::Instructions, instructions),
            piece("inputs".to_owned(), Region::Labels, inputs(code, labels.inputs)),
        ];
        for engine in 0..code.oor.len() {
            let bytes = Words::all(code, engine)?;
            before.push(piece(format!("words of engine {engine}"), Region::Oor(engine), bytes));
        }
        let mut after = Vec::new();
        let tables = if role == Party::Garbler { &mut after } else { &mut before };
        for (engine, bytes) in
            streams(code, &image.survey.ands, labels.tables)?.into_iter().enumerate()
        {
            tables.push(piece(format!("tables of engine {engine}"), Region::Tables(engine), bytes));
        }
        for ((_, bit), label) in labels.outputs {
            let Source::Wire { address, invert } = code.outputs[*bit as usize] else { continue };
            let label = *label ^ labels.offset.masked(invert);
            after.push(Piece {
                what: format!("output {bit}"),
                address: at(Region::Labels) + LABEL as u64 * u64::from(address),
                bytes: label.to_u128().to_le_bytes().to_vec(),
            });
        }
        for piece in &mut before {
            // Reads are of whole bursts.
            piece.bytes.resize(piece.bytes.len().next_multiple_of(BURST), 0);
        }
        before.retain(|piece| !piece.bytes.is_empty());
        Ok(Contents {
            descriptor: at(Region::Descriptor),
            config: super::image::config(code.shape, role),
            end: image.layout.end(),
            before,
            after,
        })
    }
}

/// The labels of all inputs, from address 0 on.
fn inputs(code: &Code, label: &dyn Fn(Wire) -> Label) -> Vec<u8> {
    let mut bytes = vec![0; LABEL * code.first_output as usize];
    let mut address = 1;
    for wire in &code.inputs {
        let place = &mut bytes[LABEL * address as usize..][..LABEL];
        place.copy_from_slice(&label(*wire).to_u128().to_le_bytes());
        address = code.shape.next_address(address);
    }
    bytes
}

/// The tables of each engine, in its order.
fn streams(code: &Code, ands: &[u64], tables: &[u8]) -> Result<Vec<Vec<u8>>, EngineError> {
    let mut io = MemoryEvaluator::new(|_, _| Label::ZERO, Label::ZERO, tables);
    let mut engines = EngineTables::new(code, ands.to_vec());
    let mut all = Vec::new();
    for (engine, count) in ands.iter().enumerate() {
        let mut bytes = Vec::with_capacity(TABLE * *count as usize);
        for _ in 0..*count {
            bytes.extend(engines.pull(engine, &mut io)?);
        }
        all.push(bytes);
    }
    Ok(all)
}
