//! Streams that the machine reads in bursts. They are generated while they are read.

use super::BURST;
use super::error::HardwareError;
use halfgate_compiler::spool::SpoolReader;
use halfgate_engine::EngineError;
use halfgate_haac_model::code::OOR_LAST;
use halfgate_haac_model::encoding::plain;
use halfgate_haac_model::{Code, Instruction};

/// The instructions, encoded row by row.
///
/// Memory: a row, a burst, and a reader for each engine's out-of-range words.
pub(super) struct Instructions<'a> {
    code: &'a Code,
    reader: SpoolReader<'a, 8>,
    /// The encoder; `None` after the last row.
    encoder: Option<plain::Encoder>,
    bytes: Vec<u8>,
    row: Vec<Instruction>,
    oor: Vec<SpoolReader<'a, 4>>,
    output: u32,
}

impl<'a> Instructions<'a> {
    pub fn new(code: &'a Code) -> Instructions<'a> {
        Instructions {
            code,
            reader: code.rows.reader(),
            encoder: Some(plain::Encoder::new(code.shape)),
            bytes: Vec::new(),
            row: Vec::new(),
            oor: code.oor.iter().map(|words| words.reader()).collect(),
            output: code.first_output,
        }
    }

    /// All bursts of `code`.
    pub fn all(code: &Code) -> Result<Vec<u8>, EngineError> {
        let (mut bytes, mut stream) = (Vec::new(), Instructions::new(code));
        while let Some(burst) = stream.next(&mut |_, _| ())? {
            bytes.extend(burst);
        }
        Ok(bytes)
    }

    /// The next burst; the last one is padded with zeros. Calls `last_read` for each wire whose
    /// last read from memory, in program order, is by an instruction in this burst. The arguments
    /// are the wire and that instruction's output.
    pub fn next(
        &mut self,
        last_read: &mut dyn FnMut(u32, u32),
    ) -> Result<Option<[u8; BURST]>, EngineError> {
        while self.bytes.len() < BURST && self.encoder.is_some() {
            self.row(last_read)?;
        }
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let mut burst = [0; BURST];
        let count = self.bytes.len().min(BURST);
        burst[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes.drain(..count);
        Ok(Some(burst))
    }

    fn row(&mut self, last_read: &mut dyn FnMut(u32, u32)) -> Result<(), EngineError> {
        self.row.clear();
        for engine in 0..self.oor.len() {
            let Some(bits) = self.reader.next()? else { break };
            let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
            self.row.push(instruction);
            if instruction.is_nop() {
                continue;
            }
            for _ in 0..instruction.pops() {
                let Some(word) = self.oor[engine].next()? else { break };
                let word = u32::from_le_bytes(word);
                if word & OOR_LAST != 0 {
                    last_read(word & !OOR_LAST, self.output);
                }
            }
            self.output = self.code.shape.next_address(self.output);
        }
        if self.row.is_empty() {
            if let Some(encoder) = self.encoder.take() {
                encoder.finish(&mut self.bytes);
            }
            return Ok(());
        }
        let encoder = self.encoder.as_mut().expect("there is one until the last row");
        let done = encoder.row(&self.row, &mut self.bytes);
        done.map(|_| ()).map_err(|error| EngineError::machine(HardwareError::Encode(error)))
    }
}

/// An engine's out-of-range words.
pub(super) struct Words<'a>(SpoolReader<'a, 4>);

impl<'a> Words<'a> {
    pub fn new(code: &'a Code, engine: usize) -> Words<'a> {
        Words(code.oor[engine].reader())
    }

    /// All words of an engine, in bursts.
    pub fn all(code: &Code, engine: usize) -> Result<Vec<u8>, EngineError> {
        let (mut bytes, mut stream) = (Vec::new(), Words::new(code, engine));
        for _ in 0..code.oor[engine].len().div_ceil(BURST as u64 / 4) {
            bytes.extend(stream.next()?);
        }
        Ok(bytes)
    }

    /// The next sixteen words, with zeros after the last word.
    pub fn next(&mut self) -> Result<[u8; BURST], EngineError> {
        let mut burst = [0; BURST];
        for place in burst.as_chunks_mut::<4>().0 {
            let Some(word) = self.0.next()? else { break };
            *place = word;
        }
        Ok(burst)
    }
}
