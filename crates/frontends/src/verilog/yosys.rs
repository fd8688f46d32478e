//! Running Yosys.

use super::error::Error;
use super::netlist::Netlist;
use super::{COSTS, GATES, Options, script};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The modules before a top module is chosen, and after that.
const BEFORE: &str = "before.txt";
const AFTER: &str = "after.txt";

/// The module that has a top module with parameters in it.
const WRAPPER: &str = "halfgate_top_with_parameters";

/// A design, read.
pub(super) struct Netlists {
    pub(super) as_written: Netlist,
    /// None if this Yosys has no ABC, or nobody wants it.
    pub(super) by_abc: Option<Netlist>,
}

/// A design and a folder to work in.
pub(super) struct Run {
    program: OsString,
    /// The folder's files go when this does.
    folder: TempDir,
    /// What reads the design and chooses its top.
    read: String,
    file: String,
    top: Option<String>,
}

impl Run {
    /// What it takes to read `path` with `options`.
    pub(super) fn new(path: &Path, options: &Options) -> Result<Run, Error> {
        let file = path.display().to_string();
        let paths: Vec<&Path> =
            std::iter::once(path).chain(options.files.iter().map(PathBuf::as_path)).collect();
        // Yosys reports what it cannot read by its own words; the system's are better.
        for path in &paths {
            fs::File::open(path)
                .map_err(|error| Error::Unreadable(path.display().to_string(), error))?;
        }
        let program = std::env::var_os("HALFGATE_YOSYS").unwrap_or("yosys".into());
        let folder = TempDir::with_prefix("halfgate-verilog-")?;
        if folder.path().to_string_lossy().contains(char::is_whitespace) {
            return Err(Error::Blank(std::env::temp_dir().display().to_string()));
        }
        let mut run = Run { program, folder, read: String::new(), file, top: options.top.clone() };
        let (gates, costs) = (run.path("gates.v"), run.path("costs.lib"));
        fs::write(&gates, GATES)?;
        fs::write(&costs, COSTS)?;
        let mut read = String::new();
        let by_slang = paths.iter().any(|path| extension_is(path, "sv"))
            && paths.iter().all(|path| is_one_word(path))
            && run.has_slang();
        if by_slang {
            read.push_str(&slang(&paths, options)?);
        }
        for path in paths.iter().filter(|_| !by_slang) {
            let language = if extension_is(path, "sv") { " -sv" } else { "" };
            let _ = writeln!(read, "read_verilog -icells{language} {}", quoted(path)?);
        }
        let _ = writeln!(read, "read_verilog -nooverwrite -lib {}", quoted(&gates)?);
        // What slang has read is elaborated, with parameters.
        let parameters = if by_slang { &[] } else { options.parameters.as_slice() };
        // `tee` knows no quotes, and the folder's name has no blanks.
        let (before, after) = (run.path(BEFORE), run.path(AFTER));
        let (before, after) = (before.display(), after.display());
        let hierarchy = run.hierarchy(parameters)?;
        run.read = format!("{read}tee -q -o {before} ls\n{hierarchy}tee -q -o {after} ls\n");
        Ok(run)
    }

    /// What chooses the top module, makes it with its parameters, and drops what it has not in it.
    fn hierarchy(&self, parameters: &[(String, String)]) -> Result<String, Error> {
        let Some(top) = &self.top else {
            return match parameters.first() {
                None => Ok("hierarchy -check -auto-top\n".to_owned()),
                Some((name, _)) => Err(Error::Argument {
                    what: "a parameter is set, so the top module must be named (--top)",
                    value: name.clone(),
                    wanted: "a parameter of a known module",
                }),
            };
        };
        let top = module(top)?;
        if parameters.is_empty() {
            return Ok(format!("hierarchy -check -top {top}\n"));
        }
        // As an instance would have them: `hierarchy -chparam` takes no negative numbers, and all others for
        // unsigned ones.
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

    /// Refuses a design of which Yosys had to choose one of several modules.
    fn check_top(&self) -> Result<(), Error> {
        if self.top.is_some() {
            return Ok(());
        }
        let modules = |name: &str| -> Result<Vec<String>, Error> {
            let list = fs::read_to_string(self.path(name))?;
            let names = list.lines().filter_map(|line| line.strip_prefix("  "));
            // Of one with parameters, the second part.
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

    /// The netlists that come of the design, with its logic as written and, unless only that is wanted, by ABC.
    pub(super) fn synthesise(&self, only_as_written: bool) -> Result<Netlists, Error> {
        let [as_written, by_abc] = ["as-written.json", "by-abc.json"].map(|name| self.path(name));
        let at = |name| quoted(&self.path(name));
        let elaborate = script::ELABORATE.replace("{gates}", &at("gates.v")?);
        let mut text = format!("{}{elaborate}write_json {}\n", self.read, quoted(&as_written)?);
        if !only_as_written {
            let logic = script::LOGIC_BY_ABC.replace("{costs}", &at("costs.lib")?);
            let _ = writeln!(text, "{logic}write_json {}", quoted(&by_abc)?);
        }
        let script = self.path("script.ys");
        fs::write(&script, text)?;
        let said = self.run(&script)?;
        let netlist = |path: &Path| Netlist::parse(&fs::read(path)?, &self.file);
        let by_abc = match said.status.success() && !only_as_written {
            true => Some(by_abc),
            false if said.status.success() => None,
            // ABC is a program of its own, which not every Yosys comes with.
            false => match self.failure(&said) {
                Error::NoAbc { .. } if as_written.exists() => None,
                error => return Err(error),
            },
        };
        self.check_top()?;
        let by_abc = by_abc.as_deref().map(netlist).transpose()?;
        Ok(Netlists { as_written: netlist(&as_written)?, by_abc })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    fn run(&self, script: &Path) -> Result<Output, Error> {
        let mut command = Command::new(&self.program);
        command.args(["-Q", "-q", "-s"]).arg(script).stdin(Stdio::null());
        command.output().map_err(|source| Error::NoYosys { program: self.program(), source })
    }

    /// Whether this Yosys has the slang front end.
    fn has_slang(&self) -> bool {
        let mut command = Command::new(&self.program);
        let command = command.args(["-Q", "-p", "help read_slang"]).stdin(Stdio::null());
        command.output().is_ok_and(|said| {
            said.status.success()
                && !String::from_utf8_lossy(&said.stdout).contains("No such command")
        })
    }

    /// Why Yosys gave up: its own words, which have file and line.
    fn failure(&self, said: &Output) -> Error {
        let text = String::from_utf8_lossy(&said.stderr);
        let error = text.lines().find(|line| line.contains("ERROR: "));
        match error {
            Some(line) if line.contains("ABC: execution of command") => {
                Error::NoAbc { program: self.program() }
            }
            Some(line) if line.contains("no top module") || is_missing_top(line) => {
                Error::NoModule { file: self.file.clone(), top: self.top.clone() }
            }
            Some(line) => {
                let line = line.replace("ERROR: ", "").trim().to_owned();
                let has_place = line.starts_with(&self.file);
                Error::Refused(if has_place { line } else { format!("{}: {line}", self.file) })
            }
            None => Error::Failed {
                program: self.program(),
                status: said.status.to_string(),
                said: text.lines().last().unwrap_or("nothing").to_owned(),
            },
        }
    }
}

fn is_missing_top(line: &str) -> bool {
    line.contains("Module `") && line.contains("not found!") && !line.contains("referenced")
}

/// Slang reads all files of a design at once, and needs top and parameters for that.
fn slang(paths: &[&Path], options: &Options) -> Result<String, Error> {
    let mut line = String::from("read_slang -j 1 --ignore-assertions");
    if let Some(top) = &options.top {
        let _ = write!(line, " --top {}", module(top)?);
    }
    for (name, value) in &options.parameters {
        let (name, value) = parameter(name, value)?;
        let _ = write!(line, " -G {name}={value}");
    }
    for path in paths {
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

/// Whether slang, which knows no quotes here, can be given `path`.
fn is_one_word(path: &Path) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
    path.to_str().is_some_and(|text| !text.starts_with('-') && text.chars().all(plain))
}

/// `value`, which must not mean anything else to Yosys than what it is.
fn checked<'a>(what: &'static str, value: &'a str, wanted: &'static str) -> Result<&'a str, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '-');
    let good = !value.is_empty() && value.chars().all(plain);
    match good {
        true => Ok(value),
        false => Err(Error::Argument { what, value: value.to_owned(), wanted }),
    }
}

/// `path` for a script.
fn quoted(path: &Path) -> Result<String, Error> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(['"', '\n', '\r', '*', '?', '[']) && !text.starts_with('-'));
    let text = text.ok_or_else(|| Error::FileName(path.display().to_string()))?;
    Ok(format!("\"{text}\""))
}

fn extension_is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}
