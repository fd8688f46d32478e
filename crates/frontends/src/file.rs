//! Reads and writes files of any format.

use crate::error::ReadError;
use crate::format::Format;
use crate::scd::Outputs;
use crate::{aby, bristol, hgc, scd, verilog};
use halfgate_circuit::structured::{FlattenError, StructuredCircuit};
use halfgate_circuit::{Circuit, Party};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Options for reading a file of any format. The defaults are those of each format.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The owner of each input, for Bristol and ABY files ([`bristol::Options::parties`]). For
    /// Verilog, the owners of those inputs whose owner the file does not state.
    pub parties: Option<Vec<Party>>,
    /// The cycles whose outputs are revealed, for SCD and HSCD ([`scd::Options::outputs`]) and for
    /// Verilog.
    pub outputs: Option<Outputs>,
    /// Keep the file's gates and their numbers. (Verilog has no such gates. Those of HGC are always
    /// kept.)
    pub as_given: bool,
    /// Only for Verilog ([`verilog::Options::top`]).
    pub top: Option<String>,
    /// Only for Verilog ([`verilog::Options::parameters`]).
    pub parameters: Vec<(String, String)>,
    /// Only for Verilog ([`verilog::Options::files`]).
    pub files: Vec<PathBuf>,
}

/// Detects the format of the file at `path`. If the name ends in `.hgc`, `.scd`, `.hscd`, `.aby`,
/// `.v` or `.sv`, the name decides, otherwise the first lines of the file.
///
/// # Errors
/// If the file cannot be read.
pub fn detect(path: impl AsRef<Path>) -> Result<Format, ReadError> {
    let path = path.as_ref();
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    match read {
        Ok(_) => Ok(format(path, &start)),
        Err(source) => Err(ReadError::Io { file: path.display().to_string(), source }),
    }
}

/// Bytes of a file that are examined to detect the format. Only headers of Fashion files with
/// thousands of inputs are longer.
const START: u64 = 1 << 16;

/// Reads the circuit in the file at `path`. The format is found as by [`detect`]. A circuit that
/// calls functions is flattened.
///
/// # Errors
/// As for the format's reader. Also if the file cannot be opened, the options do not suit the
/// format, or the flattening is too large.
pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Circuit, ReadError> {
    open_with(path, options, &mut verilog::Reading { store: None, progress: &mut |_| {} })
}

/// Like [`open`]. `reading` is used for a design in Verilog.
///
/// # Errors
/// As for [`open`].
pub fn open_with(
    path: impl AsRef<Path>,
    options: &Options,
    reading: &mut verilog::Reading<'_>,
) -> Result<Circuit, ReadError> {
    let path = path.as_ref();
    match open_any(path, options, reading)? {
        Opened::Flat(circuit) => Ok(circuit),
        Opened::Structured(circuit) => circuit.into_circuit().map_err(|source| match source {
            FlattenError::Spool(error) => ReadError::Spool(error),
            source => ReadError::Flatten { file: path.display().to_string(), source },
        }),
    }
}

/// Like [`open_with`], but keeps functions and calls. Only HGC files and designs in Verilog have
/// any.
///
/// # Errors
/// As for [`open`], but the circuit is not flattened.
pub fn open_structured_with(
    path: impl AsRef<Path>,
    options: &Options,
    reading: &mut verilog::Reading<'_>,
) -> Result<StructuredCircuit, ReadError> {
    Ok(match open_any(path.as_ref(), options, reading)? {
        Opened::Flat(circuit) => circuit.into(),
        Opened::Structured(circuit) => circuit,
    })
}

/// A circuit as its format stores it.
enum Opened {
    Flat(Circuit),
    /// Of an HGC file or a design in Verilog; it may have no calls.
    Structured(StructuredCircuit),
}

fn open_any(
    path: &Path,
    options: &Options,
    reading: &mut verilog::Reading<'_>,
) -> Result<Opened, ReadError> {
    let name = &path.display().to_string();
    let refused = |source| ReadError::Io { file: name.clone(), source };
    let mut file = File::open(path).map_err(refused)?;
    let mut start = Vec::new();
    // The file is read once, from its beginning, so it may be a pipe.
    (&mut file).take(START).read_to_end(&mut start).map_err(refused)?;
    let format = format(path, &start);
    options.suit(format, name)?;
    if format == Format::Verilog {
        let circuit = open_verilog(path, options, reading)?;
        within_reason(name, circuit.input_bits(), file_length(path, options))?;
        return Ok(Opened::Structured(circuit));
    }
    let length = Cell::new(0);
    let counted = Counted { reader: io::Cursor::new(start).chain(file), bytes: &length };
    let reader = BufReader::with_capacity(1 << 16, counted);

    let &Options { outputs, as_given, .. } = options;
    let circuit = match format {
        Format::Hgc => {
            let circuit = hgc::read_structured(reader, name)?;
            within_reason(name, circuit.input_bits(), length.get())?;
            return Ok(Opened::Structured(circuit));
        }
        Format::Aby => {
            let parties = options.parties.clone();
            aby::read(reader, name, &aby::Options { parties, as_given })
        }
        // The Bristol reader distinguishes its two formats by itself.
        Format::Bristol | Format::Fashion => {
            let parties = options.parties.clone();
            let options = bristol::Options { format: None, parties, as_given };
            bristol::read(reader, name, &options)
        }
        Format::Scd => scd::read(reader, name, &scd::Options { outputs, as_given }),
        Format::Hscd => scd::read_hex(reader, name, &scd::Options { outputs, as_given }),
        Format::Verilog => unreachable!("read above"),
    }?;
    within_reason(name, circuit.input_bits(), length.get())?;
    Ok(Opened::Flat(circuit))
}

fn open_verilog(
    path: &Path,
    options: &Options,
    reading: &mut verilog::Reading<'_>,
) -> Result<StructuredCircuit, ReadError> {
    let Options { parties, outputs, top, parameters, files, .. } = options.clone();
    let options = verilog::Options { top, parameters, files, parties, outputs, as_written: false };
    Ok(verilog::read_structured_with(path, &options, reading)?)
}

/// Returns the total size of a design's files in bytes. A file that can no longer be examined
/// counts as empty; Yosys has already read the files.
fn file_length(path: &Path, options: &Options) -> u64 {
    let paths = verilog::files(path, &options.files).unwrap_or_default().into_iter();
    paths.filter_map(|path| path.metadata().ok()).map(|found| found.len()).sum()
}

/// Checks that a circuit, read from the file `name` of `bytes` bytes, does not have too many input
/// bits for a file of this length.
fn within_reason(name: &str, bits: usize, bytes: u64) -> Result<(), ReadError> {
    // A file must name every input bit that is read, which takes more than one byte per bit.
    let bits = bits as u64;
    let allowed = UNREAD_INPUTS + bytes;
    if bits > allowed {
        return Err(ReadError::Inputs { file: name.to_owned(), bits, bytes, allowed });
    }
    Ok(())
}

/// Number of input bits that are allowed in addition to one per byte of the file.
const UNREAD_INPUTS: u64 = 1 << 20;

/// A reader that counts bytes.
struct Counted<'a, R> {
    reader: R,
    bytes: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }
}

impl Options {
    fn suit(&self, format: Format, file: &str) -> Result<(), ReadError> {
        let for_verilog =
            self.top.is_some() || !self.parameters.is_empty() || !self.files.is_empty();
        let (option, why) = match format {
            Format::Verilog => return Ok(()),
            _ if for_verilog => {
                ("a top module, parameters or more files are given", "which has no modules")
            }
            Format::Hgc if self.outputs.is_some() => {
                ("cycles of outputs are given", "which states of which cycles its outputs are")
            }
            Format::Hgc | Format::Scd | Format::Hscd if self.parties.is_some() => {
                ("owners are given", "which states the owners of its inputs")
            }
            Format::Bristol | Format::Fashion | Format::Aby if self.outputs.is_some() => {
                ("cycles of outputs are given", "which has only one cycle")
            }
            _ => return Ok(()),
        };
        Err(ReadError::Option { file: file.to_string(), option, format, why })
    }
}

/// Returns the format of a file called `path` that begins with `start`.
fn format(path: &Path, start: &[u8]) -> Format {
    const EXTENSIONS: [(&str, Format); 6] = [
        ("hgc", Format::Hgc),
        ("scd", Format::Scd),
        ("hscd", Format::Hscd),
        ("aby", Format::Aby),
        ("v", Format::Verilog),
        ("sv", Format::Verilog),
    ];
    let extension = path.extension().unwrap_or_default();
    let is_meant = |&(wanted, _): &(&str, Format)| extension.eq_ignore_ascii_case(wanted);
    if let Some((_, format)) = EXTENSIONS.into_iter().find(is_meant) {
        return format;
    }
    let words = |line: &'_ [u8]| -> Vec<Vec<u8>> {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        // Comments do not indicate the format.
        let is_comment = |word: &&[u8]| word.starts_with(b"#") || word.starts_with(b"//");
        words.take_while(|word| !is_comment(word)).map(<[u8]>::to_vec).collect()
    };
    let mut lines = start.split(|&byte| byte == b'\n').map(words).filter(|line| !line.is_empty());
    match lines.next().as_deref() {
        Some([word]) if word.len() == 8 && word.iter().all(u8::is_ascii_hexdigit) => Format::Hscd,
        Some([magic, ..]) if magic == hgc::MAGIC.as_bytes() => Format::Hgc,
        // In an ABY file, the first line that is not a comment lists the inputs of a party.
        Some([letter, ..]) if letter == b"S" || letter == b"C" => Format::Aby,
        Some(sizes) if sizes.len() == 7 => Format::Scd,
        // Only in the old format the third line is a gate, which ends with its name.
        _ => match lines.nth(1) {
            Some(third) if !third.iter().flatten().any(u8::is_ascii_alphabetic) => Format::Fashion,
            _ => Format::Bristol,
        },
    }
}

/// Errors in writing a circuit.
#[derive(Debug, Error)]
pub enum WriteError {
    /// An error in writing an HGC file.
    #[error(transparent)]
    Hgc(#[from] hgc::WriteError),
    /// An error in writing a Bristol file.
    #[error(transparent)]
    Bristol(#[from] bristol::WriteError),
    /// An error in writing an SCD or HSCD file.
    #[error(transparent)]
    Netlist(#[from] scd::WriteError),
    /// The format can only be read.
    #[error("{0} is read, not written: write HGC, SCD or a Bristol format")]
    OnlyRead(Format),
}

impl WriteError {
    /// The operating system's error, if that is the cause.
    pub fn as_io(&self) -> Option<&io::Error> {
        match self {
            WriteError::Hgc(hgc::WriteError::Io(error))
            | WriteError::Bristol(bristol::WriteError::Io(error))
            | WriteError::Netlist(scd::WriteError::Io(error)) => Some(error),
            _ => None,
        }
    }
}

/// Writes `circuit` in `format`.
///
/// # Errors
/// If the format cannot express the circuit, or if writing fails.
pub fn write(circuit: &Circuit, format: Format, to: &mut impl Write) -> Result<(), WriteError> {
    match format {
        Format::Hgc => hgc::write(circuit, to)?,
        Format::Bristol => bristol::write_old(circuit, to)?,
        Format::Fashion => bristol::write_fashion(circuit, to)?,
        Format::Scd => scd::write(circuit, to)?,
        Format::Hscd => scd::write_hex(circuit, to)?,
        Format::Aby | Format::Verilog => return Err(WriteError::OnlyRead(format)),
    }
    Ok(())
}
