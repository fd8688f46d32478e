//! Uses a state of a session many times. The process forks where the victim waits for its peer, and
//! each child receives another message. So one setup serves hundreds of messages, and a child's
//! memory and its end affect no other child.

use std::io::{Read, Write};
use std::sync::Mutex;

/// Seconds after which a child counts as hung and is killed.
pub const PATIENCE: u32 = 30;

/// The start of a panicking child's output.
const PANIC: &str = "panic: ";

/// How a child ended.
pub enum Ended {
    /// By [`exit`], with this text.
    Output(String),
    /// By the alarm.
    Hung,
    /// By a panic, with this message.
    Panicked(String),
    /// By something else: a signal.
    Died,
}

/// A pipe for the output of children.
pub struct ChildOutput {
    reader: std::io::PipeReader,
    writer: std::io::PipeWriter,
}

impl ChildOutput {
    pub fn new() -> ChildOutput {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        ChildOutput { reader, writer }
    }

    /// Ends the process, which must be a child, with a text of at most 4,000 bytes.
    pub fn exit(&mut self, text: &str) -> ! {
        let text = &text.as_bytes()[..text.len().min(4000)];
        // Short enough for one atomic write to a pipe, so it does not wait for a reader.
        let whole = [&(text.len() as u32).to_le_bytes(), text].concat();
        let code = if self.writer.write_all(&whole).is_ok() { 0 } else { 2 };
        // SAFETY: `_exit` has no preconditions. Nothing has to be unwound: the child has one
        // thread, and everything it owns ends with it.
        unsafe { libc::_exit(code) }
    }

    /// Forks; returns `None` in the child. The child has only this thread, and must not use
    /// anything that another thread of its parent may have locked.
    pub fn fork(&self) -> Option<Child> {
        // SAFETY: the child continues with code that takes no lock of another thread except the
        // allocator's, which the C library passes on unlocked.
        match unsafe { libc::fork() } {
            -1 => panic!("fork: {}", std::io::Error::last_os_error()),
            0 => {
                // SAFETY: `alarm` has no preconditions; its signal ends a process that does not
                // handle it.
                unsafe { libc::alarm(PATIENCE) };
                let child_output = ChildOutput {
                    reader: self.reader.try_clone().expect("a descriptor"),
                    writer: self.writer.try_clone().expect("a descriptor"),
                };
                let child_output = Mutex::new(child_output);
                std::panic::set_hook(Box::new(move |panic| {
                    child_output.lock().expect("one panic").exit(&format!("{PANIC}{panic}"));
                }));
                None
            }
            pid => Some(Child(pid)),
        }
    }
}

/// A running child.
pub struct Child(libc::pid_t);

impl Child {
    /// Kills the child, and waits until it has ended.
    pub fn kill(self) {
        // SAFETY: the child belongs to this process and was not waited for, so its id is not
        // reused.
        unsafe { libc::kill(self.0, libc::SIGKILL) };
        self.end();
    }

    /// Waits until the child has ended, and returns its status.
    fn end(&self) -> i32 {
        let mut status = 0;
        loop {
            // SAFETY: `status` is valid for writes. The child belongs to this process and was not
            // waited for.
            let pid = unsafe { libc::waitpid(self.0, &raw mut status, 0) };
            if pid == self.0 {
                return status;
            }
            let error = std::io::Error::last_os_error();
            assert_eq!(error.kind(), std::io::ErrorKind::Interrupted, "waitpid: {error}");
        }
    }

    /// Waits until the child has ended, and returns how.
    pub fn wait(self, child_output: &mut ChildOutput) -> Ended {
        let status = self.end();
        if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM {
            return Ended::Hung;
        }
        if !libc::WIFEXITED(status) || libc::WEXITSTATUS(status) != 0 {
            return Ended::Died;
        }
        let mut len = [0; 4];
        self::read(&mut child_output.reader, &mut len);
        let mut text = vec![0; u32::from_le_bytes(len) as usize];
        self::read(&mut child_output.reader, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        match text.strip_prefix(PANIC) {
            Some(message) => Ended::Panicked(message.to_owned()),
            None => Ended::Output(text),
        }
    }
}

fn read(reader: &mut std::io::PipeReader, bytes: &mut [u8]) {
    reader.read_exact(bytes).expect("a child that ended well has written something");
}

/// Limits the size of files that this process writes. Beyond it writing fails, as on a full disk.
pub fn limit_files(bytes: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for reads and writes. An ignored signal runs no code.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit), 0, "a limit of files");
        limit.rlim_cur = bytes.min(limit.rlim_max);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0, "a limit of files");
    }
}
