//! The host's implementation of the machine's memory. Its size does not grow with the program; the
//! program's code is in temporary files.

use super::error::Refused;
use super::image::Image;
use super::stream::{Instructions, Words};
use super::tables::Tables;
use super::{BURST, LABEL};
use crate::engine::host::{EngineTables, LiveLabels, TABLE};
use halfgate_engine::EngineError;
use halfgate_engine::Label;
use halfgate_haac_model::Code;
use halfgate_haac_model::model::layout::Region;
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Largest number of instruction bursts that are held because they were not read in order.
const OUT_OF_TURN: usize = 1 << 10;

/// Memory of one run, cleared between launches.
///
/// Memory: inputs, live wires that are still to be read, and the tables in [`EngineTables`].
pub(super) struct Memory<'a> {
    image: &'a Image,
    code: &'a Code,
    pub descriptor: Vec<u8>,
    instructions: Instructions<'a>,
    /// The number of the burst that is encoded next, and earlier bursts that were not read yet.
    next: u64,
    unread: VecDeque<(u64, [u8; BURST])>,
    oor: Vec<(Words<'a>, u64)>,
    inputs: Zeroizing<Vec<Label>>,
    live: LiveLabels,
    tables: EngineTables<'a>,
    /// For each engine, number of tables read or written.
    passed: Vec<u64>,
    /// The first access that memory refused.
    refused: Option<Refused>,
    /// A byte in which a bit is flipped, for tests.
    pub wrong: Option<(Region, u64)>,
}

impl<'a> Memory<'a> {
    pub fn new(image: &'a Image, code: &'a Code, descriptor: Vec<u8>) -> Memory<'a> {
        Memory {
            image,
            code,
            descriptor,
            instructions: Instructions::new(code),
            next: 0,
            unread: VecDeque::new(),
            oor: words(code),
            inputs: Zeroizing::new(vec![Label::ZERO; code.first_output as usize]),
            live: LiveLabels::new(code.shape),
            tables: EngineTables::new(code, image.survey.ands.clone()),
            passed: vec![0; code.oor.len()],
            refused: None,
            wrong: None,
        }
    }

    /// Begins the next launch.
    pub fn clear(&mut self) {
        self.instructions = Instructions::new(self.code);
        self.next = 0;
        self.unread.clear();
        self.oor = words(self.code);
        self.live.clear();
        self.tables.clear();
        self.passed.fill(0);
    }

    pub fn set_input(&mut self, address: u32, label: Label) {
        self.inputs[address as usize] = label;
    }

    pub fn label(&self, address: u32) -> Option<Label> {
        match self.inputs.get(address as usize) {
            Some(label) => (self.code.shape.slot(address) != 0).then_some(*label),
            None => self.live.get(address),
        }
    }

    /// Number of tables passed from or to the caller in this launch.
    pub fn tables_passed(&self) -> u64 {
        self.tables.passed()
    }

    /// Ends the launch: passes all remaining tables to the caller.
    pub fn finish<S: Tables>(&mut self, side: &mut S) -> Result<(), EngineError> {
        side.finish(&mut self.tables)
    }

    /// The first access that memory refused.
    pub fn refused(&self) -> Option<Refused> {
        self.refused
    }

    fn refuse(&mut self, what: Refused) -> Result<bool, EngineError> {
        self.refused.get_or_insert(what);
        Ok(false)
    }

    /// Reads 16 or 64 bytes; `false` if they cannot be read.
    pub fn read<S: Tables>(
        &mut self,
        side: &mut S,
        address: u64,
        bytes: &mut [u8],
    ) -> Result<bool, EngineError> {
        let Some((region, offset)) = self.image.layout.find(address, bytes.len() as u64) else {
            return self.refuse(Refused::Nowhere { bytes: bytes.len(), address });
        };
        let read = match region {
            Region::Labels => return self.read_labels((offset / LABEL as u64) as u32, bytes),
            _ if bytes.len() != BURST || !offset.is_multiple_of(BURST as u64) => false,
            Region::Descriptor => {
                bytes.copy_from_slice(&self.descriptor[offset as usize..][..BURST]);
                true
            }
            Region::Instructions => self.read_instructions(offset / BURST as u64, bytes)?,
            Region::Oor(engine) => {
                let (words, read) = &mut self.oor[engine];
                let in_turn = *read == offset;
                if in_turn {
                    bytes.copy_from_slice(&words.next()?);
                    *read += BURST as u64;
                }
                in_turn
            }
            Region::Tables(engine) => {
                let count = self.tables_in(engine, offset);
                self.passed[engine] += count as u64;
                bytes.fill(0);
                count > 0 && side.read(&mut self.tables, engine, bytes, count)?
            }
        };
        if let Some((part, at)) = self.wrong
            && part == region
            && let Some(byte) = at.checked_sub(offset).and_then(|at| bytes.get_mut(at as usize))
        {
            *byte ^= 1;
        }
        match read {
            true => Ok(true),
            false => self.refuse(Refused::OutOfTurn { region, offset }),
        }
    }

    /// Number of tables in the burst at an offset, if this burst is the next of the engine's
    /// stream.
    fn tables_in(&self, engine: usize, offset: u64) -> usize {
        let passed = self.passed[engine];
        let left = self.image.survey.ands[engine] - passed;
        if offset == passed * TABLE as u64 { left.min(2) as usize } else { 0 }
    }

    fn read_instructions(&mut self, index: u64, bytes: &mut [u8]) -> Result<bool, EngineError> {
        let (live, first_output) = (&mut self.live, self.image.first_output);
        while self.next <= index && self.unread.len() < OUT_OF_TURN {
            let burst = self.instructions.next(&mut |address, reader| {
                if address >= first_output {
                    live.free(address, reader);
                }
            })?;
            let Some(burst) = burst else { break };
            self.unread.push_back((self.next, burst));
            self.next += 1;
        }
        let found = self.unread.iter().position(|(number, _)| *number == index);
        let Some((_, burst)) = found.and_then(|place| self.unread.remove(place)) else {
            return Ok(false);
        };
        bytes.copy_from_slice(&burst);
        Ok(true)
    }

    fn read_labels(&mut self, first: u32, bytes: &mut [u8]) -> Result<bool, EngineError> {
        // A burst of inputs may extend beyond the last input.
        let burst = bytes.len() == BURST;
        for (address, place) in (first..).zip(bytes.as_chunks_mut::<LABEL>().0) {
            let label = match self.label(address) {
                Some(label) => label,
                None if burst => Label::ZERO,
                None => {
                    return self.refuse(Refused::NoLabel { wire: address });
                }
            };
            *place = label.to_u128().to_le_bytes();
        }
        Ok(true)
    }

    /// Writes 16 or 64 bytes; `false` if they cannot be written.
    pub fn write<S: Tables>(
        &mut self,
        side: &mut S,
        address: u64,
        bytes: &[u8],
    ) -> Result<bool, EngineError> {
        let wrong = Refused::Write { bytes: bytes.len(), address };
        let written = match self.image.layout.find(address, bytes.len() as u64) {
            Some((Region::Labels, offset)) if bytes.len() == LABEL => {
                let address = (offset / LABEL as u64) as u32;
                let own = address >= self.image.first_output;
                if own && let Some(bytes) = bytes.first_chunk() {
                    self.live.write(address, Label::from_u128(u128::from_le_bytes(*bytes)));
                    self.live.advance(address);
                }
                own
            }
            Some((Region::Tables(engine), offset)) => match bytes.first_chunk() {
                Some(burst) => {
                    let count = self.tables_in(engine, offset);
                    self.passed[engine] += count as u64;
                    count > 0 && side.written(&mut self.tables, engine, burst, count)?
                }
                None => false,
            },
            _ => false,
        };
        if written { Ok(true) } else { self.refuse(wrong) }
    }
}

fn words(code: &Code) -> Vec<(Words<'_>, u64)> {
    (0..code.oor.len()).map(|engine| (Words::new(code, engine), 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::host::Garbler;
    use halfgate_circuit::Party;
    use halfgate_circuit::random;
    use halfgate_compiler::{Order, Program, compile};
    use halfgate_engine::Delta;
    use halfgate_engine::testing::{MemoryGarbler, seeded_labels};
    use halfgate_haac_model::encoding::plain::Decoder;
    use halfgate_haac_model::lower::{Lowering, lower};
    use halfgate_haac_model::machine::Shape;
    use halfgate_haac_model::model::config::Config;
    use halfgate_haac_model::model::rows::survey;
    use halfgate_haac_model::{Description, Overrides};

    const SHAPE: Shape = Shape { engines: 3, window: 64 };

    fn program() -> Program {
        let shape = random::Shape { gates: 900, ..random::Shape::default() };
        compile(random::circuit(3, &shape), Order::Given).expect("compiles")
    }

    fn image(code: &Code) -> Image {
        let description = Description::built_in("haac-4ge").expect("built in");
        let mut machine = description.machine(&Overrides::default()).expect("possible");
        machine.shape = SHAPE;
        let config = Config::new(&machine, Party::Garbler).expect("possible");
        Image::new("haac", code, survey(code, &config).expect("reads").expect("fits"))
            .expect("fits")
    }

    #[test]
    fn the_machine_reads_the_code() {
        let program = program();
        let code = lower(&program, SHAPE, Lowering::BEST).expect("fits");
        let image = image(&code);
        let mut memory = Memory::new(&image, &code, image.descriptor(Party::Garbler));
        let delta = Delta::new(Label::from_u128(9));
        let mut io = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        let side = &mut Garbler { delta: &delta, io: &mut io };

        // Bursts are read out of order, as two ports may do, each burst once.
        let start = image.layout.start(Region::Instructions);
        let bursts = (0..).take_while(|k| image.layout.find(start + 64 * k, 64).is_some()).count();
        let mut stream = vec![[0; BURST]; bursts];
        for k in 0..bursts as u64 {
            let k = if (k ^ 1) < bursts as u64 { k ^ 1 } else { k };
            assert!(memory.read(side, start + 64 * k, &mut stream[k as usize]).unwrap());
        }
        let mut again = [0; BURST];
        assert!(!memory.read(side, start, &mut again).unwrap());
        let mut decoder = Decoder::new(SHAPE, image.survey.rows);
        decoder.feed(stream.as_flattened());
        let mut rows = code.rows.reader();
        while let Some(row) = decoder.row().expect("decodes") {
            for instruction in row {
                let wanted = rows.next().unwrap().expect("as many rows");
                assert_eq!(instruction.to_bits(), u64::from_le_bytes(wanted));
            }
        }
        assert_eq!(rows.next().unwrap(), None);

        // An engine's words can be read in order only.
        let start = image.layout.start(Region::Oor(1));
        let mut burst = [0; BURST];
        assert!(!memory.read(side, start + 64, &mut burst).unwrap());
        assert!(memory.read(side, start, &mut burst).unwrap());
        let first = code.oor[1].reader().next().unwrap().expect("there is one");
        assert_eq!(burst[..4], first);
        let refused = memory.refused();
        assert!(matches!(refused, Some(Refused::OutOfTurn { .. })), "{refused:?}");
    }

    #[test]
    fn labels_live_as_long_as_they_are_read() {
        let program = program();
        let code = lower(&program, SHAPE, Lowering::BEST).expect("fits");
        let image = image(&code);
        let mut memory = Memory::new(&image, &code, image.descriptor(Party::Garbler));
        let delta = Delta::new(Label::from_u128(9));
        let mut io = MemoryGarbler::new(seeded_labels(1), Label::ZERO);
        let side = &mut Garbler { delta: &delta, io: &mut io };
        let at = |address: u32| image.layout.start(Region::Labels) + 16 * u64::from(address);
        let label = 0x0123_4567_89ab_cdef_u128.to_le_bytes();

        memory.set_input(1, Label::from_u128(5));
        let mut read = [0; LABEL];
        assert!(memory.read(side, at(1), &mut read).unwrap());
        assert_eq!(read, 5_u128.to_le_bytes());
        assert!(!memory.write(side, at(1), &label).unwrap(), "inputs are not written");
        let live = code.first_output + 1;
        assert!(!memory.read(side, at(live), &mut read).unwrap(), "not there yet");
        assert!(memory.write(side, at(live), &label).unwrap());
        assert!(memory.read(side, at(live), &mut read).unwrap());
        assert_eq!(read, label);
        assert_eq!(memory.label(live), Some(Label::from_u128(u128::from_le_bytes(label))));
        // Addresses beyond all regions; in the instructions; an access of another size.
        assert!(!memory.write(side, 1 << 39, &label).unwrap());
        let code_at = image.layout.start(Region::Instructions);
        assert!(!memory.write(side, code_at, &[0; BURST]).unwrap());
        assert!(!memory.write(side, at(live), &[0; BURST]).unwrap());
        memory.clear();
        assert_eq!(memory.label(live), None);
    }
}
