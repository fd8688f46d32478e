//! `halfgate disassemble` and `halfgate assemble`.

use super::{compile, program_file};
use crate::error::{Exit, Failure};
use crate::machine_args::{AssembleArgs, DisassembleArgs};
use crate::{interrupt, print};
use halfgate_machines::haac::asm::DisassembleError;
use halfgate_machines::haac::encoding::Encoding;
use halfgate_machines::hgp::{self, TextError};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};

pub(in crate::commands) fn disassemble(args: &DisassembleArgs) -> Result<(), Failure> {
    let loaded = program_file::open(&args.input)?;
    let write = |mut out: &mut dyn Write| {
        hgp::write_text(&mut out, &loaded.header, &loaded.code).map_err(|error| match error {
            DisassembleError::Io(error) => error,
            other => io::Error::new(ErrorKind::InvalidInput, other.to_string()),
        })
    };
    let Some(path) = &args.output else {
        let mut out = BufWriter::new(io::stdout().lock());
        return match write(&mut out).and_then(|()| out.flush()) {
            // Who reads no further has what it wanted.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                let what = format!("cannot disassemble {}: {error}", args.input.display());
                let code = error.kind() == ErrorKind::InvalidInput;
                Err(Failure::new(if code { Exit::Circuit } else { Exit::Local }, what))
            }
            Ok(()) => Ok(()),
        };
    };
    let cancel = interrupt::flag_for("stopping; nothing is written")?;
    hgp::file::whole(path, None, Some(&cancel), write).map_err(compile::failure)
}

pub(in crate::commands) fn assemble(args: &AssembleArgs) -> Result<(), Failure> {
    let encoding = args.encoding.as_deref().map(str::parse::<Encoding>).transpose();
    let encoding = encoding.map_err(Failure::with(Exit::Unknown))?;
    let name = args.input.display().to_string();
    let file = File::open(&args.input)
        .map_err(|error| Failure::new(Exit::Circuit, format!("cannot read {name}: {error}")))?;
    let loaded = hgp::read_text(BufReader::new(file), &name, encoding).map_err(|error| {
        let exit = if matches!(error, TextError::Io { .. }) { Exit::Local } else { Exit::Circuit };
        Failure::new(exit, error)
    })?;
    let cancel = interrupt::flag_for("stopping; nothing is written")?;
    let bytes = hgp::write(&args.output, &loaded.header, &loaded.code, Some(&cancel))
        .map_err(compile::failure)?;
    print::line(&format!(
        "{}\nfile         {}, {}",
        compile::text(&loaded.header),
        args.output.display(),
        print::bytes(bytes)
    ))
}
