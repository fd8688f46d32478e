//! The error messages and exit codes of the command.

use halfgate_protocol::session::{Difference, ErrorClass, SessionError};
use halfgate_protocol::text::OneLine;
use std::fmt;

/// Exit codes, one for each kind of failure. `halfgate --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The command line or the configuration file is invalid.
    Usage = 2,
    /// The circuit, program or machine file is malformed or cannot be read.
    Circuit = 3,
    /// An input value is malformed, does not fit, or is missing.
    Value = 4,
    /// The program, machine, engine, kernel, suite or order is unknown or refused.
    Unknown = 5,
    /// Cannot listen or connect.
    Network = 6,
    /// The peer has another identity than expected, or an identity file is unusable.
    Identity = 7,
    /// The peer differs in version, suite, program, order, role or outputs. Also: vectors or
    /// recorded rows disagree, or a program file is for another machine.
    Mismatch = 8,
    /// The peer disconnected, broke the protocol, or sent damaged data.
    Peer = 9,
    /// The peer sent nothing for too long.
    Timeout = 10,
    /// Cancelled by Ctrl-C.
    Cancelled = 11,
    /// A file or device of this computer failed; also any other failure.
    Local = 12,
    /// A program for the garbled processor did not finish within its steps.
    Unfinished = 13,
    /// The result is verified and printed, but the peer did not confirm the end of the run.
    Unconfirmed = 14,
}

/// The list of exit codes for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
   0  done
   2  the command line or the configuration file is invalid
   3  the circuit, program or machine file is malformed or cannot be read
   4  an input value is malformed, does not fit, or is missing
   5  unknown or refused program, machine, engine, kernel, suite or order
   6  cannot listen or connect
   7  the peer has an unexpected identity, or an identity file is unusable
   8  the peer runs another version, suite, program, order or role; or vectors or recorded rows
      disagree; or a program file is for another machine
   9  the peer failed, broke the protocol, or sent damaged data
  10  the peer sent nothing for longer than --timeout
  11  cancelled by Ctrl-C
  12  a file or device of this machine failed
  13  a program for the garbled processor did not finish within its steps
  14  the result is verified and printed, but the peer did not confirm the end of the run";

/// An error for the user: one line, and an exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    message: String,
}

impl Failure {
    /// Makes a failure with this message.
    pub fn new(exit: Exit, message: impl fmt::Display) -> Failure {
        Failure { exit, message: message.to_string() }
    }

    /// An invalid command line, as one line: what is wrong, and how to get help.
    pub fn usage(error: &clap::Error) -> Failure {
        let text = error.to_string();
        // The error comes first; usage and a pointer to help follow after an empty line.
        let text = text.split("\n\nUsage:").next().unwrap_or(&text);
        let text = text.split("\n\nFor more information").next().unwrap_or(text);
        let words: Vec<_> = text.split_whitespace().collect();
        let text = words.join(" ");
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        Failure::new(Exit::Usage, format!("{text}; see `halfgate help` or --help"))
    }

    /// Appends `advice`, which begins with its own separator, to the message.
    pub fn with_advice(mut self, advice: Option<String>) -> Failure {
        self.message.push_str(&advice.unwrap_or_default());
        self
    }

    /// For `map_err`: makes a failure with this exit code and the error's message.
    pub fn with<E: fmt::Display>(exit: Exit) -> impl Fn(E) -> Failure {
        move |error| Failure::new(exit, error)
    }
}

impl fmt::Display for Failure {
    /// The message on one line. Line breaks become spaces, and invisible characters are escaped: a
    /// peer may have chosen some of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.message).fmt(f)
    }
}

impl std::error::Error for Failure {}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        let exit = match error.class() {
            ErrorClass::Usage => Exit::Usage,
            ErrorClass::Mismatch => Exit::Mismatch,
            ErrorClass::Connection | ErrorClass::Aborted | ErrorClass::Protocol => Exit::Peer,
            ErrorClass::Timeout => Exit::Timeout,
            ErrorClass::Cancelled => Exit::Cancelled,
            ErrorClass::Internal | ErrorClass::File => Exit::Local,
        };
        let what = match &error {
            // Not every party sets the cycles: often they follow from one party's values.
            SessionError::Mismatch { what: Difference::Cycles, ours, theirs, .. } => {
                format!("{error}; use --cycles {theirs} here or --cycles {ours} there")
            }
            SessionError::Mismatch { what: Difference::Role, ours, .. } => format!(
                "both parties have the role of {ours}: one must `halfgate garble`, the other `halfgate evaluate`"
            ),
            SessionError::WeakSuite(_) => format!("{error} (--insecure-suite)"),
            error => error.to_string(),
        };
        Failure::new(exit, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_on_one_line() {
        let failure = Failure::new(Exit::Peer, "a\nb\u{1b}[2Jc\n");
        assert_eq!(failure.to_string(), "a b\\u{1b}[2Jc");
    }

    #[test]
    fn help_lists_every_code() {
        for code in 2..=14 {
            assert!(EXIT_CODES.contains(&format!("\n  {code:2}  ")), "{code}");
        }
    }
}
