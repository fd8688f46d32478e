//! `halfgate disassemble` and `halfgate assemble`.

use super::{compile, program_file};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{interrupt, print};
use halfgate_haac_model::asm::DisassembleError;
use halfgate_haac_model::encoding::Encoding;
use halfgate_haac_model::hgp::{self, TextError};
use halfgate_machine::args::{AssembleArgs, DisassembleArgs};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};

pub fn disassemble(args: &DisassembleArgs) -> Result<(), Failure> {
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
            // A reader that closes the pipe early has read what it needs.
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

pub fn assemble(args: &AssembleArgs) -> Result<(), Failure> {
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
