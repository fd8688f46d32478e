//! Reads programs from the linker's output.

use super::types::{Element, Types};
use super::{Image, ImageError, Owner, Port};
use crate::core::Core;
use crate::isa::{InstructionSet, Op};
use crate::processor::{DATA_START, Size};
use crate::word::Word;
use halfgate_circuit::Party;
use object::elf::{EM_MIPS, FileHeader32, SHF_ALLOC, SHF_EXECINSTR};
use object::read::elf::ElfFile;
use object::{BigEndian, Object, ObjectSection, ObjectSymbol, SectionFlags};
use std::fs;
use std::io::Read;
use std::path::Path;

type File<'a> = ElfFile<'a, FileHeader32<BigEndian>>;

/// The section that describes the processor of the program. Each line is `name=value`.
pub(crate) const SECTION: &str = ".halfgate";

/// Sections whose variables are ports.
const PORTS: [(&str, Owner); 3] = [
    (".garbler", Owner::Input(Party::Garbler)),
    (".evaluator", Owner::Input(Party::Evaluator)),
    (".output", Owner::Output),
];

/// Limit on the bytes of a program. Real programs are far smaller, because memories have some
/// thousand words.
const MOST_BYTES: u64 = 64 << 20;

pub(super) fn begins_as_one(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::metadata(path).is_ok_and(|data| data.is_file())
        && fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    read && start == *b"\x7fELF"
}

pub(super) fn read(path: &Path) -> Result<Image, ImageError> {
    let file = path.display().to_string();
    let failed = |source| ImageError::File { file: file.clone(), source };
    let mut bytes = Vec::new();
    let opened = fs::File::open(path).map_err(failed)?;
    opened.take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    parse(&bytes, &file)
}

pub(super) fn parse(bytes: &[u8], name: &str) -> Result<Image, ImageError> {
    let wrong = |why: String| ImageError::Format { file: name.to_owned(), why };
    let file = File::parse(bytes).map_err(|error| wrong(error.to_string()))?;
    if file.elf_header().e_machine.get(BigEndian) != EM_MIPS {
        return Err(wrong("it is for another processor than a big-endian MIPS".to_owned()));
    }
    let (size, set, steps) = processor(&file).map_err(wrong)?;
    let mut instructions = Vec::new();
    let mut data = vec![0; size.data as usize];
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        let (allocated, code) = (sh_flags.contains(SHF_ALLOC), sh_flags.contains(SHF_EXECINSTR));
        if !allocated || section.size() == 0 {
            continue;
        }
        let title = section.name().unwrap_or("").to_owned();
        let contents = section.data().map_err(|error| wrong(error.to_string()))?;
        let start = if code { 0 } else { u64::from(DATA_START) };
        let first = section.address().checked_sub(start).filter(|first| *first < 1 << 20);
        let Some(first) = first else {
            return Err(wrong(format!("its section {title} is outside both memories")));
        };
        let fits = |words: u64, space: u32| {
            let what = if code { "its instructions" } else { "its data" };
            match words > u64::from(space) {
                true => Err(ImageError::Space {
                    file: name.to_owned(),
                    what,
                    words: u32::try_from(words).unwrap_or(u32::MAX),
                    space,
                }),
                false => Ok(()),
            }
        };
        if code {
            if !instructions.is_empty() || first != 0 {
                return Err(wrong(
                    "its instructions are in several places, or not at address 0".to_owned(),
                ));
            }
            instructions = contents.chunks(4).map(|bytes| Word(word(bytes))).collect();
            drop_padding(&mut instructions);
            fits(instructions.len() as u64, size.instructions)?;
        } else {
            fits((first + section.size()).div_ceil(4), size.data)?;
            // Bytes that are all zero are not stored in the file.
            for (at, &byte) in contents.iter().enumerate() {
                let at = first as usize + at;
                data[at / 4] |= u32::from(byte) << (8 * (3 - at % 4));
            }
        }
    }
    if instructions.is_empty() {
        return Err(wrong("it has no instructions".to_owned()));
    }
    let types = Types::of(&file);
    let ports = ports(&file, &types).map_err(wrong)?;
    let places = (0..instructions.len()).map(|index| types.place(4 * index as u64)).collect();
    let image = Image { size, set, instructions, data, ports, places, steps };
    image.check_ports().map_err(wrong)?;
    Ok(image)
}

/// Removes words that do nothing from the end, but keeps the delay slot of the last instruction.
fn drop_padding(instructions: &mut Vec<Word>) {
    let behind = instructions.iter().rposition(|&word| word != Word::NOP).map_or(0, |last| {
        let slot = instructions[last].op().is_some_and(Op::has_delay_slot);
        last + 1 + usize::from(slot)
    });
    instructions.truncate(behind);
}

/// Reads the processor for which the file was built, and the number of steps if it is declared.
fn processor(file: &File) -> Result<(Size, InstructionSet, Option<u64>), String> {
    let section = file.section_by_name(SECTION);
    let Some(section) = section else {
        return Err(format!("it has no section {SECTION}: `halfgate mips build` makes programs"));
    };
    let text = section.data().map_err(|error| error.to_string())?;
    let text =
        std::str::from_utf8(text).map_err(|_| format!("its section {SECTION} is not text"))?;
    let value = |wanted: &str| {
        let lines = text.lines().map(|line| line.trim_matches('\0'));
        let found = lines.filter_map(|line| line.split_once('=')).find(|(name, _)| *name == wanted);
        found.map(|(_, value)| value).ok_or(format!("its section {SECTION} has no line {wanted}="))
    };
    let words = |wanted: &str| {
        let words = value(wanted)?.parse().ok();
        let words = words.filter(|&words| Core::has_memory_of(words));
        words.ok_or(format!("its section {SECTION} has no valid memory size in its line {wanted}="))
    };
    let size = Size { instructions: words("instructions")?, data: words("data")? };
    let set = InstructionSet::named(value("set")?).map_err(|error| error.to_string())?;
    let steps = value("steps")
        .ok()
        .map(|steps| steps.parse().map_err(|_| "its number of steps is not a number"));
    Ok((size, set, steps.transpose()?))
}

fn ports(file: &File, types: &Types) -> Result<Vec<Port>, String> {
    let mut ports: Vec<Port> = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition() && symbol.size() > 0) {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let Some(section) = section else { continue };
        let title = section.name().unwrap_or("");
        let Some(&(_, owner)) = PORTS.iter().find(|(name, _)| *name == title) else { continue };
        let name = symbol.name().map_err(|error| error.to_string())?.to_owned();
        let (address, bytes) = (symbol.address(), symbol.size());
        let whole = Element { bytes: bytes as u32, signed: false };
        let found = types
            .element(&name)
            .filter(|found| (1..=8).contains(&found.bytes) && bytes % u64::from(found.bytes) == 0);
        let element =
            found.unwrap_or(if bytes > 8 { Element { bytes: 1, signed: false } } else { whole });
        let count = bytes as u32 / element.bytes;
        let (address, bytes, signed) = (address as u32, element.bytes, element.signed);
        ports.push(Port { name, owner, address, count, bytes, signed });
    }
    ports.sort_by_key(|port| (port.owner, port.address));
    Ok(ports)
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().enumerate().fold(0, |word, (at, &byte)| word | u32::from(byte) << (24 - 8 * at))
}
