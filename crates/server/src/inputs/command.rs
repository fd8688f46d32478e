//! A command that writes a session's values.

use super::{InputsError, Session};
use crate::secret_file::{MAX_VALUE_BYTES, read_all};
use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// How often a wait checks whether the session is cancelled.
const STEP: Duration = Duration::from_millis(50);

/// Runs the command `words` and returns its standard output if it succeeds within `timeout`. Its
/// environment holds only PATH and the variables that identify the session. Its standard error is
/// discarded.
pub(super) fn run(
    words: &[String],
    timeout: Duration,
    program: &str,
    session: &Session<'_>,
) -> Result<Zeroizing<Vec<u8>>, InputsError> {
    let failed = |what: String| InputsError::Failed(format!("command {:?}: {what}", words[0]));
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or("/usr/bin:/bin".into()))
        .env("HALFGATE_PEER", session.peer)
        .env("HALFGATE_PROGRAM", program)
        .env("HALFGATE_SESSION", session.id)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    in_a_group(&mut command);
    let child = command.spawn().map_err(|error| failed(format!("it cannot be run: {error}")))?;
    let mut child = Group { child, ended: false };
    let Some(mut stdout) = child.child.stdout.take() else {
        return Err(failed("it has no standard output".to_owned()));
    };
    let (done, result) = channel();
    // This thread ends when all writers of the pipe are gone, at the latest when the group is
    // killed.
    std::thread::spawn(move || drop(done.send(read_all(&mut stdout, MAX_VALUE_BYTES))));
    let begin = Instant::now();
    let written = loop {
        match result.recv_timeout(STEP) {
            Ok(written) => break written.map_err(|error| failed(error.to_string()))?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(failed("reading its output failed".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if session.cancel.load(Ordering::Relaxed) {
            return Err(failed("cancelled".to_owned()));
        }
        if begin.elapsed() >= timeout {
            let limit = timeout.as_secs();
            return Err(failed(format!("it did not end within its timeout of {limit} s")));
        }
    };
    loop {
        let status = child.child.try_wait().map_err(|error| failed(error.to_string()))?;
        child.ended = status.is_some();
        match status {
            Some(status) if status.success() => return Ok(written),
            Some(status) => return Err(failed(format!("it failed: {status}"))),
            None if begin.elapsed() >= timeout => {
                let limit = timeout.as_secs();
                return Err(failed(format!("it did not end within its timeout of {limit} s")));
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// A command with all processes it started. Dropping it kills the group unless the command has
/// ended.
struct Group {
    child: Child,
    /// Whether the command was waited for. Then its process id may belong to another process.
    ended: bool,
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            let _ = kill(&mut self.child);
            let _ = self.child.wait();
        }
    }
}

#[cfg(unix)]
fn in_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_a_group(_command: &mut Command) {}

#[cfg(unix)]
fn kill(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process_group};
    match Pid::from_raw(child.id().cast_signed()) {
        Some(group) => Ok(kill_process_group(group, Signal::KILL)?),
        None => child.kill(),
    }
}

#[cfg(not(unix))]
fn kill(child: &mut Child) -> io::Result<()> {
    child.kill()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn shell(text: &str, timeout: u64, cancel: bool) -> Result<String, String> {
        let words = ["sh", "-c", text].map(str::to_owned);
        let cancel = AtomicBool::new(cancel);
        let session = Session { peer: "alice", id: "5-17", cancel: &cancel };
        let written = run(&words, Duration::from_secs(timeout), "aes", &session);
        let written = written.map_err(|error| error.to_string())?;
        Ok(String::from_utf8(written.to_vec()).unwrap())
    }

    #[test]
    fn a_command_knows_its_session_and_nothing_else() {
        let text = "echo $HALFGATE_PEER $HALFGATE_PROGRAM $HALFGATE_SESSION";
        assert_eq!(shell(text, 60, false).unwrap(), "alice aes 5-17\n");
        // The shell adds a few variables.
        let names = shell("env | cut -d = -f 1 | sort", 60, false).unwrap();
        for name in names.lines() {
            assert!(
                ["HALFGATE_", "PATH", "PWD", "SHLVL", "_"]
                    .iter()
                    .any(|ours| name.starts_with(ours)),
                "{names}"
            );
        }
        assert_eq!(shell("cat", 60, false).unwrap(), "");
    }

    #[test]
    fn a_command_that_fails_or_hangs_gives_nothing() {
        let error = shell("echo 5; exit 3", 60, false).unwrap_err();
        assert!(error.contains("\"sh\"") && error.contains('3') && !error.contains('5'), "{error}");
        let begin = Instant::now();
        // The command's child holds its output open, and is killed too.
        let error = shell("sleep 1000 & echo 5; exit 0", 1, false).unwrap_err();
        assert!(error.contains("within its timeout of 1 s"), "{error}");
        assert!(shell("sleep 1000", 1000, true).unwrap_err().contains("cancelled"));
        assert!(begin.elapsed() < Duration::from_secs(60));
        let words = ["/nowhere/at/all".to_owned()];
        let cancel = AtomicBool::new(false);
        let session = Session { peer: "alice", id: "5-17", cancel: &cancel };
        let error = run(&words, Duration::from_secs(1), "aes", &session).unwrap_err();
        assert!(error.to_string().contains("cannot be run"), "{error}");
    }
}
