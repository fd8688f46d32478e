//! Builds a program from C and assembly, with Debian's compiler, assembler and linker for MIPS
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

/// Start code. It calls `program`, and ends the run when `program` returns.
const START: &str = include_str!("start.s");

/// C headers that need no operating system: name and text.
const INCLUDES: [(&str, &str); 5] = [
    ("limits.h", include_str!("include/limits.h")),
    ("stdbool.h", include_str!("include/stdbool.h")),
    ("stddef.h", include_str!("include/stddef.h")),
    ("stdint.h", include_str!("include/stdint.h")),
    ("string.h", include_str!("include/string.h")),
];

/// Prefix of the names of the compiler and other tools.
const PREFIX: &str = "mips-linux-gnu-";

/// Compiler flags for MIPS I without an operating system, with small loops, calls and constants.
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

/// Options for building a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the memories.
    pub size: Size,
    /// The instructions that the program may use.
    pub set: InstructionSet,
    /// The number of steps of a run, unless the user of the program gives another number.
    pub steps: Option<u64>,
    /// More options for the compiler, such as `-DN=4`. The optimisation level is `-O2` unless an
    /// option sets it.
    pub flags: Vec<String>,
}

/// Why a program cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A tool is missing.
    #[error("cannot run {tool}: {source}; `apt install gcc-mips-linux-gnu` installs it")]
    Missing {
        /// The name of the tool.
        tool: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The compiler or another tool rejects the program. The message ends with the tool's output,
    /// on lines of its own.
    #[error("{tool} refuses the program:\n{printed}")]
    Refused {
        /// The name of the tool.
        tool: String,
        /// Output of the tool.
        printed: String,
    },
    /// The program calls a function that is not defined.
    #[error(
        "the program calls {names}, which no source defines: there is no library but <string.h> and what the \
         compiler calls for 64-bit integers and floating point\n{printed}"
    )]
    Undefined {
        /// Names of the functions.
        names: String,
        /// Output of the linker.
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
    /// The name of a source file has an unknown extension.
    #[error("{0}: sources are C (.c) or assembly (.s)")]
    Kind(String),
    /// The program cannot be fitted to the set.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// Temporary files cannot be written.
    #[error("cannot write to a temporary folder (in TMPDIR): {0}")]
    Folder(#[from] io::Error),
    /// The program cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The linked file is not a program that can run.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Builds a program from `sources`, C or assembly, writes it to the file `output`, and reads it.
///
/// # Errors
/// If a tool is missing or rejects the program, or the program does not fit the processor. Then
/// `output` is not written.
pub fn build(sources: &[PathBuf], options: &Options, output: &Path) -> Result<Image, BuildError> {
    let work = Work { folder: TempDir::with_prefix("halfgate-mips-")?, options };
    let notes = work.write("notes.s", &work.notes())?;
    let script = work.write("link.ld", LINK)?;
    let mut objects = vec![work.assemble(&notes, "notes.o")?];
    // Start code needs calls. In a set without calls, the program is the first code and ends the
    // run itself.
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
    write_whole(output, &bytes)
        .map_err(|error| BuildError::Output { path: output.to_owned(), error })?;
    Ok(image)
}

/// Writes a file as a whole: beside its place first, so that an error leaves what was there. A
/// device or a pipe is written to.
///
/// # Errors
/// If the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if target.metadata().is_ok_and(|found| !found.is_file()) {
        return fs::write(&target, bytes);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // A program is not secret: the umask decides who may read the file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    io::Write::write_all(&mut file, bytes)?;
    file.persist(&target).map(drop).map_err(|error| error.error)
}

/// Returns the compiler's assembly of `source`, or the file's text if it is assembly.
///
/// # Errors
/// As [`build`].
pub fn assembly(source: &Path, options: &Options) -> Result<String, BuildError> {
    Work { folder: TempDir::with_prefix("halfgate-mips-")?, options }.assembly(source)
}

/// A temporary folder for the steps of a build.
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

    /// The assembly text of the section that describes the program's processor.
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

    /// Compiles a C source to assembly, with `more` options.
    fn compile(&self, source: &Path, more: &[&str]) -> Result<String, BuildError> {
        self.write("halfgate.h", HEADER)?;
        for (name, text) in INCLUDES {
            self.write(name, text)?;
        }
        let output = self.path("compiled.s");
        let mut arguments: Vec<OsString> = FLAGS.map(OsString::from).to_vec();
        // The program's own folder is searched first, the built-in headers last.
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
        // The tool's output is parsed, so it must not be translated to the user's language.
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
