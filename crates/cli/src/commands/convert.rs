//! `halfgate convert`.

mod losses;

use crate::args::{ConvertArgs, FileFormat};
use halfgate_circuit::Circuit;
use halfgate_circuit::structured::StructuredCircuit;
use halfgate_compiler::Order;
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{print, source};
use halfgate_frontends::{self as frontends, Format, hgc};
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::Path;

pub(super) fn execute(args: &ConvertArgs) -> Result<(), Failure> {
    let to = match args.to {
        Some(FileFormat::Hgc) => Format::Hgc,
        Some(FileFormat::Bristol) => Format::Bristol,
        Some(FileFormat::Fashion) => Format::Fashion,
        Some(FileFormat::Scd) => Format::Scd,
        Some(FileFormat::Hscd) => Format::Hscd,
        None => format_for(args)?,
    };
    let input = CircuitArgs {
        privacy: None,
        shallow: false,
        match_paper: args.match_paper.clone(),
        steps: None,
        circuit: args.input.clone(),
        parties: args.parties.clone(),
        order: Some(Order::Given.to_string()),
        as_given: true,
        outputs: None,
        verilog: args.verilog.clone(),
    };
    // Only HGC has functions. They are written out for other formats.
    let circuit = match to {
        Format::Hgc => Converted::Structured(source::structured(&input)?),
        _ => Converted::Flat(source::circuit(&input)?),
    };
    let summary = format!("{}: {}", args.output.display(), circuit.summary());
    let is_stream = is_stream(&args.output);
    if is_stream {
        write_into(&circuit, to, &args.output)?;
    } else {
        write(&circuit, to, &args.output)?;
    }
    if let Converted::Flat(circuit) = &circuit {
        losses::note(circuit, to);
    }
    // A stream may be standard output, where the line would become part of the circuit.
    if is_stream {
        print::note(&summary);
        return Ok(());
    }
    print::line(&summary)
}

/// A circuit to write.
enum Converted {
    /// As HGC.
    Structured(StructuredCircuit),
    /// In another format.
    Flat(Circuit),
}

impl Converted {
    /// The size of the circuit in words.
    fn summary(&self) -> String {
        let sizes =
            |gates, ands| format!("{} gates, {} ANDs", print::grouped(gates), print::grouped(ands));
        let circuit = match self {
            Converted::Flat(circuit) => {
                return sizes(circuit.gates.len() as u64, circuit.gates.ands());
            }
            Converted::Structured(circuit) => circuit,
        };
        let size = circuit.size();
        let sizes = sizes(size.gates, size.ands);
        if circuit.body.calls.is_empty() {
            return sizes;
        }
        let functions = print::grouped(circuit.functions.len() as u64);
        format!("{sizes} when its {functions} functions are written out")
    }

    fn write(&self, to: Format, writer: &mut impl Write) -> Result<(), frontends::WriteError> {
        match self {
            Converted::Structured(circuit) => Ok(hgc::write_structured(circuit, writer)?),
            Converted::Flat(circuit) => frontends::write(circuit, to, writer),
        }
    }
}

/// The format to write if the user names none.
fn format_for(args: &ConvertArgs) -> Result<Format, Failure> {
    match args.output.extension().and_then(|extension| extension.to_str()) {
        Some("hgc") => return Ok(Format::Hgc),
        Some("scd") => return Ok(Format::Scd),
        Some("hscd") => return Ok(Format::Hscd),
        // A Bristol file with this extension would not be read as one.
        Some("aby") => return Err(only_read(args, Format::Aby)),
        Some("v" | "sv") => return Err(only_read(args, Format::Verilog)),
        _ if !source::is_file(&args.input) => return Ok(Format::Fashion),
        _ => {}
    }
    match frontends::detect(&args.input).map_err(Failure::with(Exit::Circuit))? {
        Format::Fashion => Ok(Format::Bristol),
        _ => Ok(Format::Fashion),
    }
}

fn only_read(args: &ConvertArgs, format: Format) -> Failure {
    let error = frontends::WriteError::OnlyRead(format);
    Failure::new(Exit::Usage, format!("{}: {error}", args.output.display()))
}

/// Whether `output` is a device or a pipe, which a file cannot replace.
fn is_stream(output: &Path) -> bool {
    output.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn write_into(circuit: &Converted, to: Format, output: &Path) -> Result<(), Failure> {
    let stream = OpenOptions::new().write(true).open(output).map_err(|e| local(output, &e))?;
    write_to(circuit, to, stream, output).map(drop)
}

/// Writes a temporary file beside `output`, or beside the target of a link, and renames it, so that
/// no one reads half a file.
fn write(circuit: &Converted, to: Format, output: &Path) -> Result<(), Failure> {
    let target = output.canonicalize().unwrap_or_else(|_| output.to_path_buf());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // A circuit is not secret: the umask decides who may read the file.
    let mut builder = tempfile::Builder::new();
    set_mode(&mut builder);
    let file = builder.tempfile_in(folder).map_err(|error| local(output, &error))?;
    let file = write_to(circuit, to, file, output)?;
    file.persist(&target).map_err(|error| local(output, &error.error))?;
    Ok(())
}

#[cfg(unix)]
fn set_mode(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
}

#[cfg(not(unix))]
fn set_mode(_: &mut tempfile::Builder<'_, '_>) {}

/// Writes to `file` and returns it; error messages use the name `output`.
fn write_to<W: Write>(
    circuit: &Converted,
    to: Format,
    file: W,
    output: &Path,
) -> Result<W, Failure> {
    let mut writer = BufWriter::new(file);
    circuit.write(to, &mut writer).map_err(|error| {
        let exit = if error.as_io().is_some() { Exit::Local } else { Exit::Circuit };
        Failure::new(exit, format!("{}: {error}", output.display()))
    })?;
    writer.into_inner().map_err(|error| local(output, error.error()))
}

fn local(output: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Local, format!("cannot write {}: {error}", output.display()))
}
