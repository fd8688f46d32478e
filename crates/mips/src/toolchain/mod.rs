//! From C and assembly to a program, by the compiler, assembler and linker for MIPS that Debian has
//! (`gcc-mips-linux-gnu`).

mod library;

use crate::image::{Image, ImageError};
use crate::isa::{InstructionSet, Op};
use crate::lower::{LowerError, lower};
use crate::processor::Size;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use thiserror::Error;

/// The header that programs include.
pub const HEADER: &str = include_str!("halfgate.h");

const LINK: &str = include_str!("link.ld");

/// What a program begins with: it calls `program`, and ends when that returns.
const START: &str = include_str!("start.s");

/// The headers of C that need no operating system: name and text.
const INCLUDES: [(&str, &str); 5] = [
    ("limits.h", include_str!("include/limits.h")),
    ("stdbool.h", include_str!("include/stdbool.h")),
    ("stddef.h", include_str!("include/stddef.h")),
    ("stdint.h", include_str!("include/stdint.h")),
    ("string.h", include_str!("include/string.h")),
];

/// Compiler and linker have this before their names.
const PREFIX: &str = "mips-linux-gnu-";

/// For a processor without an operating system, of MIPS I; each loop, call and constant as small as may be.
const FLAGS: [&str; 17] = [
    "-nostdlib",
    "-nostdinc",
    "-ffreestanding",
    "-march=mips1",
    "-mabi=32",
    "-mno-abicalls",
    "-fno-pic",
    "-msoft-float",
    "-G0",
    "-mno-check-zero-division",
    "-fno-toplevel-reorder",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-delete-null-pointer-checks",
    "-Wall",
    "-g",
    "-gno-variable-location-views",
];

/// How to build a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Memories.
    pub size: Size,
    /// The instructions that it may have.
    pub set: InstructionSet,
    /// How many steps a run takes, for who does not say it.
    pub steps: Option<u64>,
    /// More options for the compiler, as `-DN=4`; those of optimisation too, which is `-O2` else.
    pub flags: Vec<String>,
}

/// Why there is no program.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A tool is missing.
    #[error("cannot run {tool}: {source}; `apt install gcc-mips-linux-gnu` installs it")]
    Missing {
        /// Its name.
        tool: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The compiler or another tool does not take the program; what it says stands on lines of its own.
    #[error("{tool} refuses the program:\n{printed}")]
    Refused {
        /// Its name.
        tool: String,
        /// What it said.
        printed: String,
    },
    /// It calls what is not there.
    #[error(
        "the program calls {names}, which no source defines: there is no library but <string.h> and what the \
         compiler calls for 64-bit integers and floating point\n{printed}"
    )]
    Undefined {
        /// What it calls.
        names: String,
        /// What the linker said.
        printed: String,
    },
    /// A source cannot be read.
    #[error("cannot read {file}: {source}")]
    Source {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file's name does not say what it is.
    #[error("{0}: sources are C (.c) or assembly (.s)")]
    Kind(String),
    /// The program cannot be fitted to the set.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// Temporary files cannot be written.
    #[error("cannot write to a temporary folder (in TMPDIR): {0}")]
    Folder(#[from] io::Error),
    /// What came of it is no program that can run.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Builds the program of `sources`, C or assembly, into the file `output`, and reads it.
///
/// # Errors
/// If a tool is missing or refuses the program, or it does not fit the processor. Then there is no `output`.
pub fn build(sources: &[PathBuf], options: &Options, output: &Path) -> Result<Image, BuildError> {
    let work = Work { folder: TempDir::with_prefix("halfgate-mips-")?, options };
    let notes = work.write("notes.s", &work.notes())?;
    let script = work.write("link.ld", LINK)?;
    let mut objects = vec![work.assemble(&notes, "notes.o")?];
    // Without calls a program is what stands at the start, and ends by itself.
    if options.set.has(Op::Jal) && options.set.has(Op::Jr) {
        let start = work.write("start.s", START)?;
        objects.push(work.assemble(&start, "start.o")?);
    }
    let mut calls_routines = false;
    for (number, source) in sources.iter().enumerate() {
        let name = source.display().to_string();
        let lowered = lower(&work.assembly(source)?, options.set, &name)?;
        calls_routines |= lowered.calls_routines;
        let lowered = work.write(&format!("{number}.s"), &lowered.text)?;
        objects.push(work.assemble(&lowered, &format!("{number}.o"))?);
    }
    let linked = work.link(objects, calls_routines, &script)?;
    let image = Image::read(&linked)?;
    image.check(&options.set)?;
    let bytes = fs::read(&linked)?;
    fs::write(output, bytes)?;
    Ok(image)
}

/// The assembly of `source`, as the compiler writes it, or the file's if it is assembly.
///
/// # Errors
/// As [`build`].
pub fn assembly(source: &Path, options: &Options) -> Result<String, BuildError> {
    Work { folder: TempDir::with_prefix("halfgate-mips-")?, options }.assembly(source)
}

/// A folder for what lies between a source and a program.
struct Work<'a> {
    folder: TempDir,
    options: &'a Options,
}

impl Work<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, BuildError> {
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// What the program says about the processor that it is for.
    fn notes(&self) -> String {
        let Options { size, set, steps, .. } = self.options;
        let steps = steps.map(|steps| format!("steps={steps}\\n")).unwrap_or_default();
        let Size { instructions, data } = size;
        let set = set.name;
        format!(
            ".section .halfgate,\"\",@progbits\n.ascii \"instructions={instructions}\\ndata={data}\\nset={set}\\n{steps}\"\n"
        )
    }

    fn assembly(&self, source: &Path) -> Result<String, BuildError> {
        let file = source.display().to_string();
        let text = fs::read_to_string(source);
        let text = text.map_err(|source| BuildError::Source { file: file.clone(), source })?;
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("s" | "S") => Ok(text),
            Some("c") => self.compile(source, &[]),
            _ => Err(BuildError::Kind(file)),
        }
    }

    /// The assembly of a source in C, with `more` options.
    fn compile(&self, source: &Path, more: &[&str]) -> Result<String, BuildError> {
        self.write("halfgate.h", HEADER)?;
        for (name, text) in INCLUDES {
            self.write(name, text)?;
        }
        let output = self.path("compiled.s");
        let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).to_vec();
        // The program's own folder comes first, ours last.
        arguments.extend(["-O2".into(), "-isystem".into(), self.folder.path().into()]);
        arguments.extend(self.options.flags.iter().map(OsString::from));
        arguments.extend(more.iter().map(OsString::from));
        arguments.extend(["-S".into(), source.into(), "-o".into(), output.clone().into()]);
        self.tool("gcc", &arguments)?;
        Ok(fs::read_to_string(output)?)
    }

    fn assemble(&self, source: &Path, object: &str) -> Result<PathBuf, BuildError> {
        let object = self.path(object);
        let flags = ["-march=mips1", "-mabi=32", "-EB", "-G0", "-o"];
        let mut arguments: Vec<OsString> = flags.map(OsString::from).to_vec();
        arguments.extend([object.clone().into(), source.into()]);
        self.tool("as", &arguments)?;
        Ok(object)
    }

    fn tool(&self, name: &str, arguments: &[OsString]) -> Result<(), BuildError> {
        let tool = format!("{PREFIX}{name}");
        // What it says is read, so it must not say it in the user's language.
        let mut command = Command::new(&tool);
        let run = command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output();
        let run = run.map_err(|source| BuildError::Missing { tool: tool.clone(), source })?;
        let printed = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        if !run.status.success() {
            return Err(BuildError::Refused { tool, printed });
        }
        Ok(())
    }
}
