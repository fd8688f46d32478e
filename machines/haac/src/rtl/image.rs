//! The contents of the machine's memory: a descriptor, and streams. The sizes and checksums of the
//! streams are computed before a launch.

use super::BURST;
use super::error::Beyond;
use super::stream::{Instructions, Words};
use crate::rtl::registers::{
    CONFIG_ENGINES, CONFIG_EVALUATOR, CONFIG_WINDOW_BITS, DESCRIPTOR_MAGIC, ENGINE_ANDS,
    ENGINE_BYTES, ENGINE_OOR, ENGINE_OOR_CRC, ENGINE_OOR_WORDS, ENGINE_TABLES, HEADER_BYTES,
    HEADER_CRC, HEADER_FIRST_LOADED, HEADER_FIRST_OUTPUT, HEADER_INSTRUCTION_BURSTS,
    HEADER_INSTRUCTION_CRC, HEADER_INSTRUCTIONS, HEADER_LABELS, HEADER_MACHINE, HEADER_MAGIC,
    HEADER_ROWS, HEADER_VERSION, VERSION, VERSION_ISA, VERSION_REGISTERS,
};
use crc_fast::{CrcAlgorithm, Digest};
use halfgate_circuit::Party;
use halfgate_engine::EngineError;
use halfgate_haac_model::machine::Shape;
use halfgate_haac_model::model::layout::{Layout, Region};
use halfgate_haac_model::model::rows::Survey;
use halfgate_haac_model::{Code, isa};

/// The parts of a program's memory that are the same in all launches.
///
/// Memory: a few numbers per engine.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub layout: Layout,
    pub shape: Shape,
    pub first_output: u32,
    pub survey: Survey,
    bursts: u64,
    crc: u32,
    oor: Vec<(u64, u32)>,
}

impl Image {
    /// The image of `code` for the engine named `engine`. Passes over the code once.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or the program exceeds the machine's limits.
    pub fn new(engine: &str, code: &Code, survey: Survey) -> Result<Image, EngineError> {
        let (mut instructions, mut bursts, mut crc) = (Instructions::new(code), 0, crc32c());
        while let Some(burst) = instructions.next(&mut |_, _| ())? {
            crc.update(&burst);
            bursts += 1;
        }
        let mut oor = Vec::new();
        for engine in 0..code.oor.len() {
            let words = code.oor[engine].len();
            let (mut stream, mut crc) = (Words::new(code, engine), crc32c());
            for _ in 0..words.div_ceil(BURST as u64 / 4) {
                crc.update(&stream.next()?);
            }
            oor.push((words, crc.finalize() as u32));
        }
        let descriptor = descriptor_bytes(oor.len());
        let counts = [survey.rows, bursts].into_iter().chain(survey.ands.iter().copied());
        let fits = counts.chain(oor.iter().map(|o| o.0)).all(|n| u32::try_from(n).is_ok());
        match Layout::of(code, &survey.ands, descriptor, bursts).filter(|_| fits) {
            Some(layout) => Ok(Image {
                layout,
                shape: code.shape,
                first_output: code.first_output,
                survey,
                bursts,
                crc: crc.finalize() as u32,
                oor,
            }),
            None => Err(EngineError::program(engine, Beyond::Launch)),
        }
    }

    /// The launch descriptor for the machine in `role`.
    pub fn descriptor(&self, role: Party) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES];
        let version = VERSION_REGISTERS.at(VERSION) | VERSION_ISA.at(isa::VERSION);
        let streams = &self.layout;
        for (part, value) in [
            (HEADER_MAGIC, DESCRIPTOR_MAGIC.into()),
            (HEADER_VERSION, version.into()),
            (HEADER_MACHINE, config(self.shape, role).into()),
            (HEADER_ROWS, self.survey.rows),
            (HEADER_FIRST_OUTPUT, self.first_output.into()),
            (HEADER_FIRST_LOADED, self.survey.first_loaded.min(self.first_output).into()),
            (HEADER_INSTRUCTION_BURSTS, self.bursts),
            (HEADER_INSTRUCTION_CRC, self.crc.into()),
            (HEADER_INSTRUCTIONS, streams.start(Region::Instructions)),
            (HEADER_LABELS, streams.start(Region::Labels)),
        ] {
            part.put(&mut bytes, value);
        }
        for (e, ((words, crc), ands)) in self.oor.iter().zip(&self.survey.ands).enumerate() {
            let mut entry = [0; ENGINE_BYTES];
            for (part, value) in [
                (ENGINE_OOR, streams.start(Region::Oor(e))),
                (ENGINE_TABLES, streams.start(Region::Tables(e))),
                (ENGINE_OOR_WORDS, *words),
                (ENGINE_ANDS, *ands),
                (ENGINE_OOR_CRC, (*crc).into()),
            ] {
                part.put(&mut entry, value);
            }
            bytes.extend(entry);
        }
        bytes.resize(bytes.len().next_multiple_of(BURST), 0);
        seal(&mut bytes);
        bytes
    }
}

/// Bytes of the launch descriptor of a machine with this number of engines.
pub(crate) fn descriptor_bytes(engines: usize) -> u64 {
    (HEADER_BYTES + engines * ENGINE_BYTES).next_multiple_of(BURST) as u64
}

/// Writes the checksum into a descriptor.
pub(super) fn seal(descriptor: &mut [u8]) {
    HEADER_CRC.put(descriptor, 0);
    let mut crc = crc32c();
    crc.update(descriptor);
    HEADER_CRC.put(descriptor, crc.finalize());
}

/// The value of the register `config` in a machine of this shape and role.
pub(super) fn config(shape: Shape, role: Party) -> u32 {
    CONFIG_ENGINES.at(shape.engines)
        | CONFIG_WINDOW_BITS.at(shape.slot_bits())
        | CONFIG_EVALUATOR.at((role == Party::Evaluator).into())
}

fn crc32c() -> Digest {
    Digest::new(CrcAlgorithm::Crc32Iscsi)
}
