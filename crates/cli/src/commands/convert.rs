//! `halfgate convert`.

use crate::args::{CircuitArgs, ConvertArgs, FileFormat};
use crate::error::{Exit, Failure};
use crate::{print, source};
use halfgate_circuit::Circuit;
use halfgate_compiler::Order;
use halfgate_frontends::bristol::{self, WriteError};
use std::fs::{File, Permissions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub(super) fn execute(args: &ConvertArgs) -> Result<(), Failure> {
    let is_file = source::is_file(&args.input);
    let to = match args.to {
        Some(to) => to,
        None if is_file => other_format(Path::new(&args.input))?,
        None => FileFormat::Fashion,
    };
    let circuit = source::circuit(&CircuitArgs {
        circuit: args.input.clone(),
        parties: args.parties.clone(),
        order: Some(Order::Given.to_string()),
    })?;
    write(&circuit, to, &args.output)?;
    print::line(&format!(
        "{}: {} gates, {} ANDs",
        args.output.display(),
        print::grouped(circuit.gates.len() as u64),
        print::grouped(circuit.gates.ands())
    ))
}

/// Writes beside `output` and renames, so that nobody ever reads half a file.
fn write(circuit: &Circuit, to: FileFormat, output: &Path) -> Result<(), Failure> {
    let local = |error: std::io::Error| {
        Failure::new(Exit::Local, format!("cannot write {}: {error}", output.display()))
    };
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // A circuit is no secret: the file may be read by whom the umask lets.
    let file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(local)?;
    let mut writer = BufWriter::new(file);
    let written = match to {
        FileFormat::Bristol => bristol::write_old(circuit, &mut writer),
        FileFormat::Fashion => bristol::write_fashion(circuit, &mut writer),
    };
    written.map_err(|error| match error {
        WriteError::Io(error) => local(error),
        error => Failure::new(Exit::Circuit, error),
    })?;
    writer.flush().map_err(local)?;
    let file = writer.into_inner().map_err(|error| local(error.into_error()))?;
    file.persist(output).map_err(|error| local(error.error))?;
    Ok(())
}

/// The format that `path` is not in: the third line that is not blank is a gate, which ends in a
/// name, in the old format alone.
fn other_format(path: &Path) -> Result<FileFormat, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::new(Exit::Circuit, format!("{}: {error}", path.display()));
    // A line longer than this is no header; whatever it is, the reader will say so.
    let mut reader =
        std::io::Read::take(BufReader::new(File::open(path).map_err(unreadable)?), 1 << 20);
    let (mut line, mut seen) = (Vec::new(), 0);
    while seen < 3 {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        seen += usize::from(!line.trim_ascii().is_empty());
    }
    match line.iter().any(u8::is_ascii_alphabetic) {
        true => Ok(FileFormat::Fashion),
        false => Ok(FileFormat::Bristol),
    }
}
