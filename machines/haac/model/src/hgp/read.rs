//! Reads a program file, front to back.

use super::chunk::{Chunk, ChunkReader};
use super::error::ReadError;
use super::header::{
    EngineCounts, Head, HeadStats, Header, MAX_ENGINES, MAX_WINDOW, Port, SUITES, init_of, shape_of,
};
use super::write::{KIND, ROLES, count, counts_words};
use crate::asm::Listing;
use crate::code::{Code, OOR_LAST, Source, Stats};
use crate::encoding::{Decoder, Encoding};
use crate::instruction::{Instruction, Op, Unary};
use crate::machine::Shape;
use halfgate_circuit::Wire;
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// A program file that was read and checked.
#[derive(Debug)]
pub struct Loaded {
    /// The file's header.
    pub header: Header,
    /// The program.
    pub code: Code,
    /// Counts of each engine.
    pub engines: Vec<EngineCounts>,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl Loaded {
    /// Returns an error unless the program was made for `shape`, the shape of the machine `name`.
    /// `file` is the name of the program's file in the message.
    ///
    /// # Errors
    /// [`ReadError::OtherMachine`].
    pub fn check_machine(&self, file: &str, name: &str, shape: Shape) -> Result<(), ReadError> {
        if self.header.shape == shape {
            return Ok(());
        }
        Err(ReadError::OtherMachine {
            name: file.to_owned(),
            made_for: self.header.made_for(),
            wanted: shape_of(name, shape),
        })
    }
}

/// Reads the file at `path`.
///
/// # Errors
/// As for [`read`].
pub fn open(path: &Path) -> Result<Loaded, ReadError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => read(BufReader::with_capacity(1 << 16, file), &name),
        Err(error) => Err(ReadError::Io { name, error }),
    }
}

/// Reads a file in one pass. `name` is its name in error messages. Checks that checksums and hash
/// are right, that nothing in the file is unknown, and that lists and counts agree. Whether each
/// operand is where its instruction expects it is left to the verifier of code.
///
/// Memory: a chunk, the ports, four bytes per input and output bit, and the in-memory shares of the
/// code's lists. All of these grow only as the file's bytes arrive.
///
/// # Errors
/// If the file is cut short, damaged, of an unknown kind or version, or inconsistent.
pub fn read(from: impl Read, name: &str) -> Result<Loaded, ReadError> {
    let mut chunks = ChunkReader::new(from, name)?;
    let head = match chunks.read_chunk()? {
        Some(Chunk { tag, payload }) if tag == *b"HEAD" => serde_json::from_slice::<Head>(payload)
            .map_err(|error| chunks.refused(format!("no header: {error}")))?,
        _ => return Err(chunks.refused("the first chunk is not a header (HEAD)")),
    };
    let mut reading = Reading::new(head).map_err(|what| chunks.refused(what))?;
    loop {
        let taken = match chunks.read_chunk()? {
            None => break,
            Some(Chunk { tag, payload }) => reading.take(tag, payload),
        };
        match taken {
            Ok(true) => {}
            Ok(false) => chunks.unknown().map_or(Ok(()), Err)?,
            Err(what) => return Err(chunks.refused(what)),
        }
    }
    let bytes = chunks.bytes() + 32 + super::chunk::OVERHEAD as u64;
    reading.finish(bytes).map_err(|what| chunks.refused(what))
}

/// A program from an assembler listing and the payloads of a file's other chunks. The statistics
/// are counted here.
pub(super) fn assembled(
    head: Head,
    chunks: &[([u8; 4], Vec<u8>)],
    listing: Listing,
) -> Result<Loaded, String> {
    let mut reading = Reading::new(head)?;
    let Listing { shape, first_output, rows, oor } = listing;
    if (shape, first_output) != (reading.code.shape, reading.code.first_output) {
        return Err("the header (;!HEAD) and the line `haac` are of different machines".to_owned());
    }
    for (tag, payload) in chunks {
        if !reading.take(*tag, payload)? {
            return Err(format!("lines ;!{} are unknown", tag.escape_ascii()));
        }
    }
    reading.list(rows, oor).map_err(spool)?;
    reading.check(0)
}

/// The chunks, in their required order.
const ORDER: [[u8; 4]; 10] = [
    *b"HEAD", *b"INPS", *b"OUTS", *b"INIT", *b"ADDR", *b"OORW", *b"ROWS", *b"RSLT", *b"NEXT",
    *b"ENGS",
];
const OORW: usize = 5;
const ROWS: usize = 6;

/// The parts of the file that have been read so far.
struct Reading {
    header: Header,
    code: Code,
    /// The decoder of rows, until all rows were read.
    decoder: Option<Decoder>,
    counts: Vec<EngineCounts>,
    /// Counts of the engines as stated in the file, in words.
    stated: Vec<u32>,
    /// The greatest address in the out-of-range words.
    furthest_oor: u32,
    /// Index in [`ORDER`] of the last chunk.
    stage: usize,
}

impl Reading {
    fn new(head: Head) -> Result<Reading, String> {
        known("kind of program", &head.kind, &[KIND])?;
        known("way to serve roles", &head.roles, &[ROLES])?;
        known("suite", &head.suite, &SUITES)?;
        let encoding: Encoding = head.encoding.parse()?;
        let (engines, window) = (head.engines, head.window);
        if !(1..=MAX_ENGINES).contains(&engines) {
            return Err(format!(
                "a machine of {engines} engines: the number must be 1 to {MAX_ENGINES}"
            ));
        }
        if !(16..=MAX_WINDOW).contains(&window) || !window.is_power_of_two() {
            return Err(format!(
                "a window of {window} labels: it must be a power of two from 16 to {MAX_WINDOW}"
            ));
        }
        let shape = Shape { engines, window };
        let program =
            hash(&head.program_hash).ok_or("the program hash is not 64 hexadecimal digits")?;
        let HeadStats(stats) = head.stats;
        let header = Header {
            machine: head.machine,
            shape,
            suite: head.suite,
            source: head.source,
            order: head.order,
            program,
            encoding,
            cycles: head.cycles,
            inputs: Vec::new(),
            outputs: Vec::new(),
            flip_flops: Vec::new(),
            stats,
        };
        let code = Code {
            shape,
            program,
            inputs: Vec::new(),
            inputs_in_memory_only: usize::try_from(head.inputs_in_memory_only)
                .map_err(|e| e.to_string())?,
            outputs: Vec::new(),
            nexts: Vec::new(),
            first_output: head.first_output,
            rows: Spool::new(),
            // The lists of all engines together take the memory of one list.
            oor: (0..engines)
                .map(|_| Spool::with_memory(Spool::<4>::IN_MEMORY / engines as usize))
                .collect(),
            stats,
        };
        let counts = vec![EngineCounts::default(); engines as usize];
        let decoder = Some(Decoder::new(encoding, shape, head.first_output, stats.rows));
        let (stated, furthest_oor) = (Vec::new(), 0);
        Ok(Reading { header, code, decoder, counts, stated, furthest_oor, stage: 0 })
    }

    /// Takes a chunk; `false` if its tag is unknown.
    fn take(&mut self, tag: [u8; 4], payload: &[u8]) -> Result<bool, String> {
        let Some(stage) = ORDER.iter().position(|known| *known == tag) else { return Ok(false) };
        let blocks = self.stage == ROWS && stage == OORW;
        if stage < self.stage && !blocks || stage == 0 {
            return Err(format!("it must come before chunks {}", ORDER[self.stage].escape_ascii()));
        }
        self.stage = stage;
        match &tag {
            b"INPS" => self.header.inputs.extend(ports(payload, true)?),
            b"OUTS" => self.header.outputs.extend(ports(payload, false)?),
            b"INIT" => {
                for word in words(payload)? {
                    let init = init_of(word).ok_or("no wire has such a number")?;
                    self.header.flip_flops.push(init);
                }
            }
            b"ADDR" => self.addresses(payload)?,
            b"OORW" => self.out_of_range(payload)?,
            b"ROWS" => self.rows(payload)?,
            b"RSLT" => self.code.outputs.extend(words(payload)?.map(source)),
            b"NEXT" => self.code.nexts.extend(words(payload)?.map(source)),
            _ => self.stated.extend(words(payload)?),
        }
        Ok(true)
    }

    fn addresses(&mut self, payload: &[u8]) -> Result<(), String> {
        let bits = self.header.input_bits() + self.header.flip_flops.len() as u64;
        for word in words(payload)? {
            if u64::from(word) >= bits {
                return Err(format!(
                    "an address is given to wire {word}, and inputs and flip-flops are {bits}"
                ));
            }
            self.code.inputs.push(Wire::new(word));
        }
        Ok(())
    }

    fn out_of_range(&mut self, payload: &[u8]) -> Result<(), String> {
        let mut words = words(payload)?;
        while let Some(engine) = words.next() {
            let list = self.code.oor.get_mut(engine as usize);
            let list = list.ok_or_else(|| format!("there is no engine {engine}"))?;
            let count = words.next().ok_or("the length of an engine's words is missing")?;
            for _ in 0..count {
                let word = words.next().ok_or("an engine's words are fewer than their number")?;
                if word & !OOR_LAST == 0 {
                    return Err("address 0 is out of range, and no wire has it".to_owned());
                }
                self.furthest_oor = self.furthest_oor.max(word & !OOR_LAST);
                list.push(word.to_le_bytes()).map_err(spool)?;
            }
        }
        Ok(())
    }

    fn rows(&mut self, payload: &[u8]) -> Result<(), String> {
        let decoder = self.decoder.as_mut().ok_or("instructions end twice")?;
        decoder.feed(payload);
        while let Some(row) = decoder.row().map_err(|error| error.to_string())? {
            for (counts, &instruction) in self.counts.iter_mut().zip(row) {
                count(counts, instruction);
                self.code.rows.push(instruction.to_bits().to_le_bytes()).map_err(spool)?;
            }
        }
        Ok(())
    }

    /// Checks that addresses fit 31 bits, and that every named address belongs to a wire.
    fn check_addresses(&self, instructions: u64) -> Result<(), String> {
        let (code, shape) = (&self.code, self.code.shape);
        let (inputs, first) = (code.inputs.len() as u64, u64::from(code.first_output));
        if first < address(shape, inputs + 1) || shape.slot(code.first_output) == 0 {
            return Err(format!(
                "the first output has address {first}, and there are {inputs} inputs"
            ));
        }
        // The address of the last output; one more if it is followed by a multiple of the window,
        // which no wire has.
        let last = first.saturating_add(address(shape, instructions));
        if last >= u64::from(OOR_LAST) {
            return Err("addresses do not fit 31 bits".to_owned());
        }
        let named = code.outputs.iter().chain(&code.nexts).filter_map(address_of);
        match named.chain([self.furthest_oor]).find(|address| u64::from(*address) > last) {
            Some(address) => Err(format!("address {address} is used, but the last one is {last}")),
            None => Ok(()),
        }
    }

    /// Stores all rows and out-of-range words, and counts them.
    fn list(&mut self, rows: Spool<8>, oor: Vec<Spool<4>>) -> std::io::Result<()> {
        let Code { shape, first_output, .. } = self.code;
        let mut stats = Stats::default();
        let mut outputs: HashSet<u32> = self.code.outputs.iter().filter_map(address_of).collect();
        outputs.extend(self.code.nexts.iter().filter_map(address_of));
        let (mut reader, mut place, mut output) = (rows.reader(), 0, first_output);
        while let Some(bits) = reader.next()? {
            let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
            count(&mut self.counts[place % shape.engines as usize], instruction);
            place += 1;
            match (instruction.op(), instruction.unary()) {
                (Op::Nop, _) => {
                    stats.nops += 1;
                    continue;
                }
                (Op::Unary, Some(Unary::Inv)) => stats.invs += 1,
                (Op::Unary, _) => stats.copies += 1,
                (op, _) => {
                    stats.gates += 1;
                    stats.ands += u64::from(op == Op::And);
                }
            }
            stats.live += u64::from(instruction.is_live());
            stats.live_outputs += u64::from(instruction.is_live() && outputs.contains(&output));
            output = shape.next_address(output);
        }
        for words in &oor {
            let mut words = words.reader();
            while let Some(word) = words.next()? {
                let address = u32::from_le_bytes(word) & !OOR_LAST;
                self.furthest_oor = self.furthest_oor.max(address);
                stats.oor_reads += 1;
                stats.oor_input_reads += u64::from(address < first_output);
            }
        }
        stats.rows = rows.len() / u64::from(shape.engines);
        let inputs = self.code.inputs.len();
        stats.inputs_loaded = inputs.saturating_sub(self.code.inputs_in_memory_only) as u64;
        (self.code.rows, self.code.oor, self.code.stats) = (rows, oor, stats);
        self.header.stats = stats;
        Ok(())
    }

    fn finish(mut self, bytes: u64) -> Result<Loaded, String> {
        let decoder = self.decoder.take().ok_or("instructions end twice")?;
        decoder.finish().map_err(|error| {
            let rows = self.code.stats.rows;
            format!("instructions do not fill exactly the {rows} rows of the header: {error}")
        })?;
        let mut counted = self.counts.iter().flat_map(counts_words);
        if !self.stated.iter().copied().eq(&mut counted) {
            return Err(
                "the counts of the engines (ENGS) are not those of their instructions".to_owned()
            );
        }
        drop(counted);
        self.check(bytes)
    }

    /// Checks that header and lists agree.
    fn check(self, bytes: u64) -> Result<Loaded, String> {
        let (header, code) = (&self.header, &self.code);
        let fits = |what: &str, stated: u64, found: u64| match stated == found {
            true => Ok(()),
            false => Err(format!("{what}: {stated} by the header, {found} in the lists")),
        };
        fits("output bits", header.output_bits(), code.outputs.len() as u64)?;
        fits("flip-flops", header.flip_flops.len() as u64, code.nexts.len() as u64)?;
        let sum = |of: fn(&EngineCounts) -> u64| self.counts.iter().map(of).sum::<u64>();
        let Stats { gates, copies, invs, ands, live, oor_reads, .. } = code.stats;
        let instructions = gates.checked_add(copies).and_then(|n| n.checked_add(invs));
        fits("instructions", instructions.unwrap_or(u64::MAX), sum(|c| c.instructions))?;
        fits("ANDs", ands, sum(|c| c.ands))?;
        fits("live instructions", live, sum(|c| c.live))?;
        fits("out-of-range reads", oor_reads, sum(|c| c.oor_words))?;
        for (engine, (counts, list)) in self.counts.iter().zip(&code.oor).enumerate() {
            fits(&format!("out-of-range words of engine {engine}"), list.len(), counts.oor_words)?;
        }
        if code.inputs_in_memory_only > code.inputs.len() {
            return Err("more inputs stay in memory than there are".to_owned());
        }
        self.check_addresses(instructions.unwrap_or(u64::MAX))?;
        Ok(Loaded { header: self.header, code: self.code, engines: self.counts, bytes })
    }
}

/// The address of wire `k`, counted from 1, skipping multiples of the window.
fn address(shape: Shape, k: u64) -> u64 {
    k.saturating_add(k.saturating_sub(1) / (u64::from(shape.window) - 1))
}

fn address_of(source: &Source) -> Option<u32> {
    match source {
        Source::Wire { address, .. } => Some(*address),
        Source::Constant(_) => None,
    }
}

fn known(what: &str, name: &str, all: &[&str]) -> Result<(), String> {
    match all.contains(&name) {
        true => Ok(()),
        false => Err(format!("unknown {what} {name:?}: this reader knows {}", all.join(", "))),
    }
}

fn ports(payload: &[u8], inputs: bool) -> Result<Vec<Port>, String> {
    let ports: Vec<Port> = serde_json::from_slice(payload).map_err(|e| format!("no ports: {e}"))?;
    match ports.iter().find(|port| port.party.is_some() != inputs) {
        Some(port) => {
            Err(format!("port {:?}: inputs are a party's, and outputs are not", port.name))
        }
        None => Ok(ports),
    }
}

fn words(payload: &[u8]) -> Result<impl Iterator<Item = u32>, String> {
    let (words, rest) = payload.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("its length is no multiple of four".to_owned());
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)))
}

fn source(word: u32) -> Source {
    match word {
        0 | 1 => Source::Constant(word == 1),
        _ => Source::Wire { address: word >> 1, invert: word & 1 == 1 },
    }
}

fn spool(error: std::io::Error) -> String {
    format!("cannot write a temporary file (in TMPDIR): {error}")
}

fn hash(text: &str) -> Option<ProgramHash> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(ProgramHash(hash))
}
