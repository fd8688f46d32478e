//! A program for the processor: the initial contents of its memories, and the addresses of its
//! inputs and outputs.
//!
//! A program is an ELF file as the linker writes it, so tools for ELF files work on it. The section
//! `.halfgate` describes the processor for which it was built. Variables in the sections
//! `.garbler`, `.evaluator` and `.output` are its ports.

mod elf;
mod types;

use crate::core::Core;
use crate::isa::InstructionSet;
use crate::processor::{Access, DATA_START, Processor, Size, Status};
use crate::word::Word;
use halfgate_circuit::{Element, ElementType, Party};
use std::fmt;
use std::io;
use std::path::Path;
use thiserror::Error;
use zeroize::Zeroize;

/// A program.
///
/// A program may be one party's secret. So its instructions and data are wiped on drop, and
/// `Debug` omits them.
#[derive(Clone)]
pub struct Image {
    /// The sizes of the memories for which it was built.
    pub size: Size,
    /// The instruction set for which it was built.
    pub set: InstructionSet,
    /// The instructions. Unused words of instruction memory after them are left out.
    pub instructions: Vec<Word>,
    /// The initial contents of all of data memory.
    pub data: Vec<u32>,
    /// Inputs, in order of their addresses, and then outputs.
    pub ports: Vec<Port>,
    /// For each instruction, `file:line` of its source, if known.
    pub places: Vec<Option<String>>,
    /// The number of steps of a run, if the program declares it.
    pub steps: Option<u64>,
}

/// Owner of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Owner {
    /// An input of this party.
    Input(Party),
    /// An output.
    Output,
}

/// A variable that is an input or an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Name of the variable.
    pub name: String,
    /// Owner of the port.
    pub owner: Owner,
    /// The address of the port's first byte.
    pub address: u32,
    /// Number of elements: one, unless it is an array.
    pub count: u32,
    /// Bytes per element.
    pub bytes: u32,
    /// Whether elements are signed numbers.
    pub signed: bool,
}

/// Why a file is not a program that can run.
#[derive(Debug, Error)]
pub enum ImageError {
    /// The file cannot be read.
    #[error("cannot read {file}: {source}")]
    File {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is no valid ELF file for a MIPS.
    #[error("{file} is no program for the processor: {why}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The program is larger than a memory.
    #[error(
        "{file}: {what} take {words} words, and the memory has {space}: build it for a larger one (--memory)"
    )]
    Space {
        /// The file.
        file: String,
        /// `its instructions` or `its data`.
        what: &'static str,
        /// Words that the program needs.
        words: u32,
        /// Words that the memory has.
        space: u32,
    },
    /// An instruction is not in the set.
    #[error(
        "{place}: `{word}` at address {address:#x} is not in the set {set:?}: `halfgate mips lower` rewrites programs"
    )]
    Outside {
        /// File and line.
        place: String,
        /// The instruction.
        word: Word,
        /// The address of the instruction.
        address: u32,
        /// The set's name.
        set: &'static str,
    },
}

/// Forbidden behaviour of a program, found by running it in the clear.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The program did not end within the limit of steps.
    #[error(
        "the program did not finish in {0} steps: give it more with --steps, unless it has an endless loop"
    )]
    Steps(u64),
    /// The program accessed an address outside data memory.
    #[error(
        "{place}: step {step} {what} address {address:#x}, and data memory goes from {from:#x} to {to:#x}"
    )]
    Outside {
        /// File and line.
        place: String,
        /// Number of the step.
        step: u64,
        /// `reads from` or `writes to`.
        what: &'static str,
        /// The address.
        address: u32,
        /// The lowest valid address.
        from: u32,
        /// The highest valid address.
        to: u32,
    },
    /// The program accessed a half word or word at an address that is not a multiple of its size.
    #[error(
        "{place}: step {step} {what} address {address:#x}, which is no multiple of {alignment}"
    )]
    Alignment {
        /// File and line.
        place: String,
        /// Number of the step.
        step: u64,
        /// `reads from` or `writes to`.
        what: &'static str,
        /// The address.
        address: u32,
        /// The alignment that the access needs.
        alignment: u32,
    },
    /// The program ran past its last instruction.
    #[error(
        "step {step} is at address {address:#x}, behind the last instruction: a program ends with halfgate_end()"
    )]
    Lost {
        /// Number of the step.
        step: u64,
        /// The address.
        address: u32,
    },
}

/// Result of a run in the clear.
#[derive(Clone, Debug)]
pub struct Run {
    /// The state at the end.
    pub processor: Processor,
    /// Number of steps, including the final `syscall` or `break`.
    pub steps: u64,
    /// Whether and how it ended.
    pub status: Status,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Image { size, set, ports, steps, .. } = self;
        f.debug_struct("Image")
            .field("size", size)
            .field("set", &set.name)
            .field("ports", ports)
            .field("steps", steps)
            .finish_non_exhaustive()
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.instructions.iter_mut().for_each(|word| word.0.zeroize());
        self.data.zeroize();
    }
}

impl Image {
    /// Reads the program in the file at `path`.
    ///
    /// # Errors
    /// If the file is not a program.
    pub fn read(path: &Path) -> Result<Image, ImageError> {
        elf::read(path)
    }

    /// Parses the bytes of a program file. Error messages call the file `name`.
    ///
    /// # Errors
    /// If the bytes are not a program.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Image, ImageError> {
        elf::parse(bytes, name)
    }

    /// Whether the file at `path` starts like an ELF file.
    pub fn is_one(path: &Path) -> bool {
        elf::begins_as_one(path)
    }

    /// The inputs of both parties, in the order in which callers pass their values.
    pub fn inputs(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(|port| port.owner != Owner::Output)
    }

    /// The inputs of a party, or the outputs.
    pub fn ports_of(&self, owner: Owner) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(move |port| port.owner == owner)
    }

    /// The source of instruction `index`, for messages.
    pub fn place(&self, index: u32) -> String {
        let place = self.places.get(index as usize).cloned().flatten();
        place.unwrap_or_else(|| format!("address {:#x}", 4 * index))
    }

    /// Checks that all instructions are in `set`. `nop` is in every set.
    ///
    /// # Errors
    /// With the first instruction that is not in `set`.
    pub fn check(&self, set: &InstructionSet) -> Result<(), ImageError> {
        for (index, &word) in self.instructions.iter().enumerate() {
            let good = word == Word::NOP || word.op().is_some_and(|op| set.has(op));
            if !good {
                let (address, set) = (4 * index as u32, set.name);
                return Err(ImageError::Outside {
                    place: self.place(index as u32),
                    word,
                    address,
                    set,
                });
            }
        }
        Ok(())
    }

    /// The smallest processor for this program. It has only the instructions and registers that the
    /// program uses.
    pub fn application(&self) -> Core {
        let used = self.instructions.iter().filter(|&&word| word != Word::NOP);
        let set = InstructionSet::of(used.clone().filter_map(|word| word.op()));
        let registers = used.flat_map(|word| word.reads().into_iter().chain([word.writes()]));
        let registers = registers.flatten().fold(1, |mask, register| mask | 1 << register);
        Core { size: self.size, set, registers, shallow: false }
    }

    /// The contents of the whole instruction memory.
    pub fn instruction_memory(&self) -> Vec<Word> {
        let mut words = self.instructions.clone();
        words.resize(self.size.instructions as usize, Word::NOP);
        words
    }

    /// Returns the initial contents of data memory with `values` in the inputs. `values` has a list
    /// of elements for each input.
    ///
    /// # Panics
    /// If `values` does not have one list per input, or a list does not have one value per element
    /// of its port.
    pub fn data_with(&self, values: &[Vec<u64>]) -> Vec<u32> {
        let mut data = self.data.clone();
        assert_eq!(self.inputs().count(), values.len(), "a list for each input");
        for (port, values) in self.inputs().zip(values) {
            assert_eq!(
                values.len(),
                port.count as usize,
                "a value for each element of {}",
                port.name
            );
            for (element, &value) in values.iter().enumerate() {
                for bit in 0..8 * port.bytes {
                    let (word, place) = port.bit(element as u32, bit);
                    let mask = 1 << place;
                    data[word] = data[word] & !mask | if value >> bit & 1 == 1 { mask } else { 0 };
                }
            }
        }
        data
    }

    /// Runs the program in the clear on `values`, in the form of [`data_with`](Image::data_with),
    /// for at most `most` steps.
    ///
    /// # Errors
    /// If the program does something forbidden or does not end.
    pub fn run(&self, values: &[Vec<u64>], most: u64) -> Result<Run, Fault> {
        let mut processor =
            Processor::new(self.set, self.instruction_memory(), self.data_with(values));
        for step in 0..most {
            let status = processor.status();
            if status != Status::Running {
                return Ok(Run { processor, steps: step + 1, status });
            }
            let at = processor.pc;
            if at as usize >= self.instructions.len() {
                return Err(Fault::Lost { step, address: 4 * at });
            }
            if let Some(access) = processor.step() {
                self.check_access(access, step, at)?;
            }
        }
        Err(Fault::Steps(most))
    }

    /// Checks that ports lie within data memory, do not overlap, and have different names.
    pub(crate) fn check_ports(&self) -> Result<(), String> {
        let memory_end = u64::from(DATA_START) + 4 * self.data.len() as u64;
        for port in &self.ports {
            let bytes = u64::from(port.count) * u64::from(port.bytes);
            let inside =
                port.address >= DATA_START && u64::from(port.address) + bytes <= memory_end;
            if bytes == 0 || !inside {
                return Err(format!("{} lies outside data memory", port.name));
            }
        }
        let end = |port: &Port| port.address + port.bits() / 8;
        for (at, port) in self.ports.iter().enumerate() {
            let is_input = |port: &Port| port.owner != Owner::Output;
            for other in &self.ports[at + 1..] {
                let (one, two) = (&port.name, &other.name);
                if one == two {
                    return Err(format!("two of its ports are named {one}"));
                }
                let overlap = port.address < end(other) && other.address < end(port);
                if overlap && is_input(port) && is_input(other) {
                    return Err(format!("{one} and {two} lie in the same place"));
                }
            }
        }
        Ok(())
    }

    fn check_access(&self, access: Access, step: u64, at: u32) -> Result<(), Fault> {
        let Access { address, alignment, store } = access;
        let what = if store { "writes to" } else { "reads from" };
        let (from, to) = (DATA_START, DATA_START + 4 * self.data.len() as u32 - 1);
        if !(from..=to).contains(&address) {
            return Err(Fault::Outside { place: self.place(at), step, what, address, from, to });
        }
        if address % alignment != 0 {
            return Err(Fault::Alignment { place: self.place(at), step, what, address, alignment });
        }
        Ok(())
    }
}

impl Port {
    /// Number of bits of all elements.
    pub fn bits(&self) -> u32 {
        8 * self.bytes * self.count
    }

    /// The type of the port's elements.
    pub fn elements(&self) -> ElementType {
        let element = if self.signed { Element::Signed } else { Element::Unsigned };
        ElementType { element, width: 8 * self.bytes }
    }

    /// Returns the position of bit `bit` of element `element`: the index of a word of data memory,
    /// and the index of a bit in that word. The highest byte of an element comes first.
    pub fn bit(&self, element: u32, bit: u32) -> (usize, u32) {
        let byte = self.address - DATA_START + element * self.bytes + (self.bytes - 1 - bit / 8);
        ((byte / 4) as usize, 8 * (3 - byte % 4) + bit % 8)
    }

    /// Reads the elements from `data`.
    pub fn values(&self, data: &[u32]) -> Vec<u64> {
        let element = |element| {
            (0..8 * self.bytes).fold(0, |value, bit| {
                let (word, place) = self.bit(element, bit);
                value | u64::from(data[word] >> place & 1) << bit
            })
        };
        (0..self.count).map(element).collect()
    }
}
