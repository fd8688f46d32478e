//! Runs Yosys: one process per design, which executes one step at a time.

use super::error::Error;
use super::sources::{self, Sources};
use super::{COSTS, GATES, Options, script};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use tempfile::TempDir;

/// Files that Yosys writes: the modules before and after the top module is chosen, the ports of the
/// top module, and all instances of modules.
const BEFORE: &str = "before.txt";
const AFTER: &str = "after.txt";
const PORTS: &str = "ports.il";
const INSTANCES: &str = "instances.il";
/// A file that Yosys writes: the files that it has read, as a makefile rule.
const READ: &str = "read.d";

/// The wrapper module that instantiates a top module with parameters.
const WRAPPER: &str = "halfgate_top_with_parameters";

/// The line that Yosys prints after each step.
const DONE: &str = "halfgate-step-is-done";

/// A program of Yosys, and its properties.
pub(super) struct Tool {
    program: OsString,
    /// The version that the program prints. Empty if it prints none.
    pub(super) version: String,
    /// Path of the program, its size and its modification time. The version alone is not enough: a
    /// script with this name may start the same Yosys with other options.
    pub(super) identity: String,
    pub(super) has_slang: bool,
}

impl Tool {
    /// Finds the program that `HALFGATE_YOSYS` names, or else `yosys`.
    pub(super) fn find() -> Result<Tool, Error> {
        let program = std::env::var_os("HALFGATE_YOSYS").unwrap_or("yosys".into());
        let mut command = Command::new(&program);
        let command = command.args(["-p", "help read_slang"]).stdin(Stdio::null());
        let printed = command.output().map_err(|source| Error::NoYosys {
            program: program.to_string_lossy().into_owned(),
            source,
        })?;
        let text = String::from_utf8_lossy(&printed.stdout);
        // The version is a line of the framed banner, or the last line if there is no banner.
        let mut lines = text.lines().map(|line| line.trim_matches(['|', ' ']));
        let version = lines.rfind(|line| line.starts_with("Yosys ")).unwrap_or("");
        let has_slang = printed.status.success() && !text.contains("No such command");
        let (version, identity) = (version.to_owned(), identity(&program));
        Ok(Tool { program, version, identity, has_slang })
    }

    /// Creates a working folder. A YoWASP Yosys does not see the system's `/tmp`.
    fn folder(&self) -> Result<TempDir, Error> {
        let other = Path::new("/var/tmp");
        let is_unseen = self.version.contains("YoWASP") && std::env::temp_dir().starts_with("/tmp");
        Ok(match is_unseen && other.is_dir() {
            true => TempDir::with_prefix_in("halfgate-verilog-", other)?,
            false => TempDir::with_prefix("halfgate-verilog-")?,
        })
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }
}

/// Identifies the file of `program`, which is searched for on the path, as the system does.
fn identity(program: &OsStr) -> String {
    let named = Path::new(program);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let path = match named.components().count() {
        1 => std::env::split_paths(&folders)
            .map(|folder| folder.join(named))
            .find(|path| path.is_file()),
        _ => Some(named.to_owned()),
    };
    let path = path.unwrap_or_else(|| named.to_owned());
    let found = std::fs::metadata(&path).ok();
    let written = found.as_ref().and_then(|found| found.modified().ok());
    format!("{path:?} {:?} {written:?}", found.map(|found| found.len()))
}

/// A design that Yosys will read, with a working folder.
pub(super) struct Run<'a> {
    tool: &'a Tool,
    /// The working folder, which is deleted when this value is dropped.
    folder: TempDir,
    /// Commands that read the design and choose its top module.
    read: String,
    /// Name of the design in messages.
    file: String,
    top: Option<String>,
    /// Whether the design has SystemVerilog files but Yosys has no slang.
    lacks_slang: bool,
}

impl<'a> Run<'a> {
    /// Prepares the commands and files to read `sources` with `options`.
    pub(super) fn new(
        tool: &'a Tool,
        sources: &Sources,
        options: &Options,
    ) -> Result<Run<'a>, Error> {
        let file = sources.0[0].path.display().to_string();
        let folder = tool.folder()?;
        if folder.path().to_string_lossy().contains(char::is_whitespace) {
            return Err(Error::Blank(std::env::temp_dir().display().to_string()));
        }
        let top =
            match (&options.top, options.parameters.first()) {
                // Parameters need a known top module, so it is determined here.
                (None, Some(_)) => Some(sources.top().map_err(|tops| Error::UnclearTop {
                    file: file.clone(),
                    tops: tops.join(", "),
                })?),
                (top, _) => top.clone(),
            };
        let wants_slang = sources.has_system_verilog();
        let by_slang = wants_slang && tool.has_slang && sources.paths().all(is_one_word);
        let lacks_slang = wants_slang && !tool.has_slang;
        let read = String::new();
        let mut run = Run { tool, folder, read, file, top, lacks_slang };
        let (gates, costs) = (run.path("gates.v"), run.path("costs.lib"));
        fs::write(&gates, GATES)?;
        fs::write(&costs, COSTS)?;
        let mut read = String::new();
        if by_slang {
            read.push_str(&slang(sources, run.top.as_deref(), &options.parameters)?);
        }
        // With parameters, `-defer` makes Yosys elaborate a module only with these: with its
        // default parameters it may be much larger. A design that is taken as written is read
        // without `-defer`. Yosys then elaborates both versions, but keeps the design's order of
        // gates.
        let defers = !options.parameters.is_empty() && !options.as_written;
        let defer = if defers { " -defer" } else { "" };
        for path in sources.paths().filter(|_| !by_slang) {
            let language = if sources::is_system_verilog(path) { " -sv" } else { "" };
            let _ = writeln!(read, "read_verilog -icells{language}{defer} {}", quoted(path)?);
        }
        let _ = writeln!(read, "read_verilog -nooverwrite -lib {}", quoted(&gates)?);
        // Slang applies the parameters itself.
        let parameters = if by_slang { &[] } else { options.parameters.as_slice() };
        // `tee` and `dump` do not support quotes. None are needed, because the folder's name has no
        // blanks.
        let (before, after, ports) = (run.path(BEFORE), run.path(AFTER), run.path(PORTS));
        let (before, after, ports) = (before.display(), after.display(), ports.display());
        let instances = script::instances(&run.path(INSTANCES).display().to_string());
        let hierarchy = run.hierarchy(parameters)?;
        run.read = format!(
            "{read}tee -q -o {before} ls\n{hierarchy}tee -q -o {after} ls\n\
             dump -o {ports} A:top/i:*\n{instances}"
        );
        Ok(run)
    }

    /// Returns the commands that choose the top module, elaborate it with its parameters, and
    /// remove modules that it does not use.
    fn hierarchy(&self, parameters: &[(String, String)]) -> Result<String, Error> {
        let Some(top) = &self.top else {
            return Ok("hierarchy -check -auto-top\n".to_owned());
        };
        let top = module(top)?;
        if parameters.is_empty() {
            return Ok(format!("hierarchy -check -top {top}\n"));
        }
        // A wrapper module instantiates the top module with its parameters, because `hierarchy
        // -chparam` rejects negative numbers and treats all other numbers as unsigned.
        let given: Result<Vec<String>, Error> = parameters
            .iter()
            .map(|(name, value)| {
                parameter(name, value).map(|(name, value)| format!(".{name}({value})"))
            })
            .collect();
        let (given, wrapper) = (given?.join(", "), self.path("top.v"));
        fs::write(&wrapper, format!("module {WRAPPER}; {top} #({given}) top (); endmodule\n"))?;
        let wrapper = quoted(&wrapper)?;
        Ok(format!(
            "read_verilog {wrapper}\nhierarchy -check -top {WRAPPER}\ndelete {WRAPPER}\nhierarchy -check -auto-top\n"
        ))
    }

    /// Rejects a design if Yosys had to choose between several top modules.
    fn check_top(&self) -> Result<(), Error> {
        if self.top.is_some() {
            return Ok(());
        }
        let modules = |name: &str| -> Result<Vec<String>, Error> {
            let list = fs::read_to_string(self.path(name))?;
            let names = list.lines().filter_map(|line| line.strip_prefix("  "));
            // The name of a module with parameters has several parts, of which the second is the
            // base name.
            let base = |name: &str| match name.strip_prefix("$paramod") {
                Some(rest) => rest.split('\\').nth(1).unwrap_or(rest).to_owned(),
                None => name.to_owned(),
            };
            Ok(names.map(base).collect())
        };
        let after = modules(AFTER)?;
        let lost: Vec<String> =
            modules(BEFORE)?.into_iter().filter(|name| !after.contains(name)).collect();
        match lost.is_empty() {
            true => Ok(()),
            false => Err(Error::SeveralTops { file: self.file.clone(), others: lost.join(", ") }),
        }
    }

    /// Starts Yosys, reads the design and chooses its top module.
    pub(super) fn start(self) -> Result<Session<'a>, Error> {
        let mut command = Command::new(&self.tool.program);
        command.args(["-Q", "-q", "-E"]).arg(self.path(READ)).args(["-s", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|source| Error::NoYosys { program: self.tool.name(), source })?;
        let stderr = child.stderr.take().map(BufReader::new).expect("it is piped");
        let mut session = Session { run: self, child, stderr, steps: 0, is_last: false };
        let read = session.run.read.clone();
        session.step(&read)?;
        session.run.check_top()?;
        Ok(session)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the error for a failure of Yosys. The message is that of Yosys, which names file and
    /// line.
    fn failure(&self, text: &str, status: ExitStatus) -> Error {
        let error = text.lines().find(|line| line.contains("ERROR: "));
        match error {
            Some(line) if line.contains("ABC: execution of command") => {
                Error::NoAbc { program: self.tool.name() }
            }
            Some(line) if line.contains("no top module") || is_missing_top(line) => {
                Error::NoModule { file: self.file.clone(), top: self.top.clone() }
            }
            Some(line) => {
                let line = line.replace("ERROR: ", "").trim().to_owned();
                let has_place = line.starts_with(&self.file);
                let line = if has_place { line } else { format!("{}: {line}", self.file) };
                match self.lacks_slang {
                    true => Error::NoSlang { refused: line, program: self.tool.name() },
                    false => Error::Refused(line),
                }
            }
            None => Error::Failed {
                program: self.tool.name(),
                status: status.to_string(),
                printed: text.lines().last().unwrap_or("nothing").to_owned(),
            },
        }
    }
}

/// A running process of Yosys, which holds a design and waits for the next step.
pub(super) struct Session<'a> {
    run: Run<'a>,
    child: Child,
    stderr: BufReader<ChildStderr>,
    steps: u32,
    /// Whether this is the last step. An ABC that is built into Yosys reads the same standard input
    /// and waits for its end, so standard input is closed after the last step.
    is_last: bool,
}

impl Session<'_> {
    /// Name of the design in messages.
    pub(super) fn file(&self) -> &str {
        &self.run.file
    }

    /// Returns the inputs of the top module in RTLIL.
    pub(super) fn inputs(&self) -> Result<String, Error> {
        Ok(fs::read_to_string(self.run.path(PORTS))?)
    }

    /// Returns the instances of modules in RTLIL.
    pub(super) fn instances(&self) -> Result<String, Error> {
        Ok(fs::read_to_string(self.run.path(INSTANCES))?)
    }

    /// Ends Yosys. Returns the files that Yosys has read, if it lists them.
    pub(super) fn finish(mut self) -> Option<Vec<PathBuf>> {
        drop(self.child.stdin.take());
        let done = self.child.wait().is_ok_and(|status| status.success());
        let rule = fs::read_to_string(self.run.path(READ)).ok().filter(|_| done)?;
        // A blank in a name is escaped by a backslash.
        let (_, names) = rule.split_once(':')?;
        let names = names.replace("\\ ", "\0");
        Some(names.split_whitespace().map(|name| name.replace('\0', " ").into()).collect())
    }

    /// Returns the working folder. Files in it do not belong to the design.
    pub(super) fn folder(&self) -> PathBuf {
        self.run.folder.path().to_owned()
    }

    /// The path of a file in the working folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.run.path(name)
    }

    /// Returns the path of a file in the working folder, quoted for a script.
    pub(super) fn quoted(&self, name: &str) -> Result<String, Error> {
        quoted(&self.run.path(name))
    }

    /// Says that the next step is the last one.
    pub(super) fn next_is_last(&mut self) {
        self.is_last = true;
    }

    /// Runs the commands in `text`, and waits until they are done.
    pub(super) fn step(&mut self, text: &str) -> Result<(), Error> {
        self.steps += 1;
        // The commands go through a file, because a full pipe could block both processes.
        let path = self.run.path(&format!("step-{}.ys", self.steps));
        fs::write(&path, text)?;
        // `script` does not support quotes. None are needed, because the folder's name has no
        // blanks.
        let step = format!("script {}\nlog -stderr {DONE}\n", path.display());
        let stdin = self.child.stdin.as_mut().expect("open until the end");
        // If Yosys has died, the code below reports the reason.
        let _ = stdin.write_all(step.as_bytes()).and_then(|()| stdin.flush());
        if self.is_last {
            drop(self.child.stdin.take());
        }
        let mut printed = String::new();
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.stderr.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&line);
            if line.trim_end() == DONE {
                return Ok(());
            }
            printed.push_str(&line);
        }
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        match status.success() && self.is_last {
            true => Ok(()),
            false => Err(self.run.failure(&printed, status)),
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // Yosys is idle between steps, so killing it leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_missing_top(line: &str) -> bool {
    line.contains("Module `") && line.contains("not found!") && !line.contains("referenced")
}

/// Returns the command for slang, which reads all files of a design at once. It includes the top
/// module and the parameters.
fn slang(
    sources: &Sources,
    top: Option<&str>,
    parameters: &[(String, String)],
) -> Result<String, Error> {
    let mut line = String::from("read_slang -j 1 --ignore-assertions");
    if let Some(top) = top {
        let _ = write!(line, " --top {}", module(top)?);
    }
    for (name, value) in parameters {
        let (name, value) = parameter(name, value)?;
        let _ = write!(line, " -G {name}={value}");
    }
    for path in sources.paths() {
        let _ = write!(line, " {}", path.display());
    }
    Ok(line + "\n")
}

fn module(name: &str) -> Result<&str, Error> {
    checked("the top module", name, "a module's name")
}

fn parameter<'a>(name: &'a str, value: &'a str) -> Result<(&'a str, &'a str), Error> {
    let wanted = "a number or a Verilog constant such as 8'hff";
    Ok((
        checked("a parameter's name", name, "a name")?,
        checked("a parameter's value", value, wanted)?,
    ))
}

/// Whether `path` can be passed to slang, which does not support quotes here.
fn is_one_word(path: &Path) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
    path.to_str().is_some_and(|text| !text.starts_with('-') && text.chars().all(plain))
}

/// Returns `value` if it contains no character that is special to Yosys.
fn checked<'a>(what: &'static str, value: &'a str, wanted: &'static str) -> Result<&'a str, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '-');
    let good = !value.is_empty() && value.chars().all(plain);
    match good {
        true => Ok(value),
        false => Err(Error::Argument { what, value: value.to_owned(), wanted }),
    }
}

/// Quotes `path` for a script.
fn quoted(path: &Path) -> Result<String, Error> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(['"', '\n', '\r', '*', '?', '[']) && !text.starts_with('-'));
    let text = text.ok_or_else(|| Error::FileName(path.display().to_string()))?;
    Ok(format!("\"{text}\""))
}
