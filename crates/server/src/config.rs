//! The server's configuration: a TOML file, checked as far as possible without reading the files
//! that it names.
//!
//! `docs/serve.md` documents every key. Paths are relative to the folder of the configuration.
//! Errors name the line and the key; unknown keys are rejected.

mod entries;

use crate::limits::Limits;
use entries::{File, InputsEntry, LimitsEntry, PeerEntry, ProgramEntry};
use halfgate_circuit::Party;
use halfgate_protocol::net::any_host;
use halfgate_protocol::session::{OtMode, SecurityLevel};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {what}", .file.display(), Line(*.line))]
pub struct ConfigError {
    /// The configuration file.
    pub file: PathBuf,
    /// The line, from 1; 0 if it is no particular line.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

struct Line(usize);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, ":{}", self.0) }
    }
}

/// A configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The path of the file.
    pub file: PathBuf,
    /// The address where peers connect.
    pub listen: String,
    /// The server's private key file.
    pub identity: PathBuf,
    /// The address of health and metrics, if configured.
    pub metrics: Option<Metrics>,
    /// Maximum number of concurrent sessions.
    pub sessions: usize,
    /// Maximum number of connections that have sent nothing yet, and of those in a handshake.
    pub unknown_peers: usize,
    /// The idle timeout.
    pub timeout: Duration,
    /// The peers that may connect.
    pub peers: Vec<Peer>,
    /// The programs that may be run.
    pub programs: Vec<Program>,
}

/// The address of health and metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// The address.
    pub address: String,
    /// Whether other computers may reach the address.
    pub beyond_loopback: bool,
    /// The line of the address in the file.
    pub line: usize,
}

/// A peer.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer {
    /// The name, for logs and the environment of commands.
    pub name: String,
    /// A public key file, a public key line, or a fingerprint.
    pub key: String,
    /// The line of the key in the file.
    pub line: usize,
    /// The programs that the peer may run.
    pub programs: BTreeSet<String>,
    /// The peer's limits.
    pub limits: Limits,
}

/// An offered program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The name by which a peer may request it.
    pub name: String,
    /// The line where its entry begins.
    pub line: usize,
    /// A circuit file, a program for the garbled processor, or a built-in program. A name with a
    /// '.' or a '/' is a file.
    pub circuit: String,
    /// The server's role.
    pub role: Party,
    /// The source of the server's values; `None` if it has no inputs.
    pub inputs: Option<Inputs>,
    /// The folder for the outputs that the server learns.
    pub results: Option<PathBuf>,
    /// Who learns each output, in the format of `--learn`.
    pub learn: Vec<String>,
    /// How often the body runs; `None` for the circuit's own number.
    pub cycles: Option<u64>,
    /// The suite's name.
    pub suite: Option<String>,
    /// Against whom sessions are secure; `None` for the host's default.
    pub security: Option<SecurityLevel>,
    /// Against whom the oblivious transfers are secure.
    pub ot: OtMode,
    /// Options for reading the circuit.
    pub options: CircuitOptions,
}

/// Options for reading a circuit, with the names of options of `halfgate garble`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CircuitOptions {
    /// `--parties`
    pub parties: Option<String>,
    /// `--order`
    pub order: Option<String>,
    /// `--as-given`
    pub as_given: bool,
    /// `--outputs`
    pub outputs: Option<String>,
    /// `--top`
    pub top: Option<String>,
    /// `--parameter`
    pub parameter: Vec<String>,
    /// `--source`
    pub source: Vec<PathBuf>,
    /// `--privacy`
    pub privacy: Option<String>,
    /// `--shallow`
    pub shallow: bool,
    /// `--match-paper`
    pub match_paper: bool,
}

/// The source of the server's values for a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Inputs {
    /// The same file for each session.
    File(PathBuf),
    /// The standard output of a command.
    Command {
        /// The command and its arguments, run without a shell.
        words: Vec<String>,
        /// Its timeout.
        timeout: Duration,
        /// Whether it writes raw bytes.
        bytes: bool,
    },
    /// A file from this folder, which is used once.
    Directory(PathBuf),
}

/// Maximum length of the name of a peer or a program.
const MAX_NAME: usize = 64;

/// Maximum values of `sessions` and `strangers`.
const MAX_SESSIONS: u64 = 1024;
const MAX_UNKNOWN_PEERS: u64 = 4096;

/// The longest time that a configuration may give: some 30 years.
const MAX_SECONDS: u64 = 1_000_000_000;

impl Config {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`Config::parse`].
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
            file: path.to_owned(),
            line: 0,
            what: format!("the configuration cannot be read: {error}"),
        })?;
        Config::parse(path, &text)
    }

    /// Reads the `text` of the file at `path`.
    ///
    /// # Errors
    /// If the text is invalid; the error has the line.
    pub fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
        let at = At { file: path, text };
        let file: File = toml::from_str(text).map_err(|error| {
            at.error(error.span().map_or(0, |span| span.start), error.message())
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let limits = at.limits(&file.limits, &Limits::default())?;
        let programs: Vec<Program> =
            file.program.iter().map(|entry| at.program(folder, entry)).collect::<Result<_, _>>()?;
        at.unique("program", file.program.iter().map(|entry| &entry.get_ref().name))?;
        let peers: Vec<Peer> = file
            .peer
            .iter()
            .map(|entry| at.peer(entry, &limits, &programs))
            .collect::<Result<_, _>>()?;
        at.unique("peer", file.peer.iter().map(|entry| &entry.get_ref().name))?;
        if peers.is_empty() || programs.is_empty() {
            let what = "at least one [[peer]] and one [[program]] are expected";
            return Err(ConfigError { file: path.to_owned(), line: 0, what: what.to_owned() });
        }
        let metrics = file.metrics.as_ref().map(|address| Metrics {
            address: address.get_ref().clone(),
            beyond_loopback: file.metrics_beyond_loopback,
            line: at.line(address.span().start),
        });
        let sessions = at.number("sessions", file.sessions.as_ref(), 64, MAX_SESSIONS)?;
        let unknown_peers =
            at.number("strangers", file.unknown_peers.as_ref(), 128, MAX_UNKNOWN_PEERS)?;
        let timeout = at.number("timeout", file.timeout.as_ref(), 30, MAX_SECONDS)?;
        Ok(Config {
            file: path.to_owned(),
            listen: at.listen(&file.listen)?,
            identity: folder.join(file.identity.get_ref()),
            metrics,
            sessions: sessions as usize,
            unknown_peers: unknown_peers as usize,
            timeout: Duration::from_secs(timeout),
            peers,
            programs,
        })
    }

    /// An error in this configuration.
    pub fn error(&self, line: usize, what: impl fmt::Display) -> ConfigError {
        ConfigError { file: self.file.clone(), line, what: what.to_string() }
    }
}

/// The text of a configuration, to locate errors.
struct At<'a> {
    file: &'a Path,
    text: &'a str,
}

impl At<'_> {
    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    fn error(&self, offset: usize, what: impl fmt::Display) -> ConfigError {
        // Put on one line the messages of the TOML parser and values from the file.
        let what = what.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        ConfigError { file: self.file.to_owned(), line: self.line(offset), what }
    }

    fn number(
        &self,
        key: &str,
        given: Option<&Spanned<u64>>,
        default: u64,
        most: u64,
    ) -> Result<u64, ConfigError> {
        let Some(given) = given else { return Ok(default) };
        match *given.get_ref() {
            number if (1..=most).contains(&number) => Ok(number),
            number => {
                let what = format!("{key} = {number}: a number from 1 to {most} is expected");
                Err(self.error(given.span().start, what))
            }
        }
    }

    fn name(&self, what: &str, name: &Spanned<String>) -> Result<String, ConfigError> {
        let text = name.get_ref();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let fits = (1..=MAX_NAME).contains(&text.len()) && !text.starts_with(['.', '-']);
        if fits && text.chars().all(is_plain) {
            return Ok(text.clone());
        }
        let what = format!(
            "name = {text:?}: the name of a {what} is 1 to {MAX_NAME} letters, digits, '_', '-' and \
             '.', and does not begin with '-' or '.'"
        );
        Err(self.error(name.span().start, what))
    }

    fn unique<'n>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'n Spanned<String>>,
    ) -> Result<(), ConfigError> {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name.get_ref()) {
                let what = format!("name = {:?}: two {what}s have this name", name.get_ref());
                return Err(self.error(name.span().start, what));
            }
        }
        Ok(())
    }

    fn listen(&self, listen: &Spanned<String>) -> Result<String, ConfigError> {
        let text = listen.get_ref();
        match text.rsplit_once(':').map(|(_, port)| port.parse::<u16>()) {
            Some(Ok(_)) => Ok(any_host(text)),
            _ => {
                let what = format!("listen = {text:?}: HOST:PORT or :PORT is expected");
                Err(self.error(listen.span().start, what))
            }
        }
    }

    fn limits(&self, entry: &LimitsEntry, default: &Limits) -> Result<Limits, ConfigError> {
        let Limits { sessions, rate, deadline, .. } = *default;
        let number = |key, given: &Option<Spanned<u64>>, default, most| {
            self.number(key, given.as_ref(), default, most)
        };
        let most = |key, given: &Option<Spanned<u64>>, default| match given {
            None => Ok(default),
            given => number(key, given, 1, u64::MAX).map(Some),
        };
        Ok(Limits {
            sessions: number("sessions", &entry.sessions, sessions.into(), MAX_SESSIONS)? as u32,
            rate: number("rate", &entry.rate, rate.into(), 1_000_000)? as u32,
            ands: most("ands", &entry.ands, default.ands)?,
            bytes: most("bytes", &entry.bytes, default.bytes)?,
            deadline: Duration::from_secs(number(
                "deadline",
                &entry.deadline,
                deadline.as_secs(),
                MAX_SECONDS,
            )?),
        })
    }

    fn peer(
        &self,
        entry: &Spanned<PeerEntry>,
        limits: &Limits,
        programs: &[Program],
    ) -> Result<Peer, ConfigError> {
        let entry = entry.get_ref();
        let name = self.name("peer", &entry.name)?;
        for program in &entry.programs {
            if programs.iter().all(|known| known.name != *program.get_ref()) {
                let named: Vec<_> = programs.iter().map(|known| known.name.as_str()).collect();
                let what = format!(
                    "peer {name}: programs: there is no program {:?}; there is {}",
                    program.get_ref(),
                    named.join(", ")
                );
                return Err(self.error(program.span().start, what));
            }
        }
        Ok(Peer {
            name,
            key: entry.key.get_ref().clone(),
            line: self.line(entry.key.span().start),
            programs: entry.programs.iter().map(|name| name.get_ref().clone()).collect(),
            limits: self.limits(&entry.limits, limits)?,
        })
    }

    fn program(
        &self,
        folder: &Path,
        entry: &Spanned<ProgramEntry>,
    ) -> Result<Program, ConfigError> {
        let line = self.line(entry.span().start);
        let entry = entry.get_ref();
        let name = self.name("program", &entry.name)?;
        let choice = |key: &str, given: &Spanned<String>, all: [&str; 2]| {
            all.iter().position(|one| one == given.get_ref()).ok_or_else(|| {
                let (text, [a, b]) = (given.get_ref(), all);
                let what = format!("program {name}: {key} = {text:?}: {a:?} or {b:?} is expected");
                self.error(given.span().start, what)
            })
        };
        let role = [Party::Garbler, Party::Evaluator]
            [choice("role", &entry.role, ["garbler", "evaluator"])?];
        let ot = match &entry.ot {
            None => OtMode::default(),
            Some(ot) => [OtMode::Malicious, OtMode::SemiHonest]
                [choice("ot", ot, ["malicious", "semi-honest"])?],
        };
        let levels = SecurityLevel::ALL.map(SecurityLevel::name);
        let security = entry.security.as_ref();
        let security =
            security.map(|level| Ok(SecurityLevel::ALL[choice("security", level, levels)?]));
        if let Some(outputs) = &entry.outputs {
            choice("outputs", outputs, ["every-cycle", "last"])?;
        }
        let inputs = entry.inputs.as_ref();
        let inputs = inputs.map(|inputs| self.inputs(folder, &name, inputs)).transpose()?;
        let text = |given: &Option<Spanned<String>>| given.as_ref().map(|t| t.get_ref().clone());
        Ok(Program {
            line,
            circuit: file_or_name(folder, entry.circuit.get_ref()),
            role,
            inputs,
            results: entry.results.as_ref().map(|results| folder.join(results.get_ref())),
            learn: entry.learn.clone().map(|learn| learn.0).unwrap_or_default(),
            cycles: match &entry.cycles {
                None => None,
                cycles => Some(self.number("cycles", cycles.as_ref(), 1, 1 << 62)?),
            },
            suite: text(&entry.suite),
            security: security.transpose()?,
            ot,
            options: CircuitOptions {
                parties: text(&entry.parties),
                order: text(&entry.order),
                as_given: entry.as_given,
                outputs: text(&entry.outputs),
                top: entry.top.clone(),
                parameter: entry.parameter.clone(),
                source: entry.source.iter().map(|source| folder.join(source)).collect(),
                privacy: text(&entry.privacy),
                shallow: entry.shallow,
                match_paper: entry.match_paper,
            },
            name,
        })
    }

    fn inputs(
        &self,
        folder: &Path,
        program: &str,
        entry: &Spanned<InputsEntry>,
    ) -> Result<Inputs, ConfigError> {
        let (start, entry) = (entry.span().start, entry.get_ref());
        let wrong =
            |what: &str| Err(self.error(start, format!("program {program}: inputs: {what}")));
        let is_command = entry.command.is_some();
        if !is_command && (entry.timeout.is_some() || entry.bytes) {
            return wrong("timeout and bytes are for a command");
        }
        match (&entry.file, &entry.command, &entry.directory) {
            (Some(file), None, None) => Ok(Inputs::File(folder.join(file))),
            (None, Some(words), None) if words.first().is_some_and(|word| !word.is_empty()) => {
                let timeout = self.number("timeout", entry.timeout.as_ref(), 10, 3600)?;
                let mut words = words.clone();
                // A path is relative to the configuration's folder; a plain name is looked up in
                // PATH.
                if words[0].contains('/') {
                    words[0] = folder.join(&words[0]).display().to_string();
                }
                let timeout = Duration::from_secs(timeout);
                Ok(Inputs::Command { words, timeout, bytes: entry.bytes })
            }
            (None, Some(_), None) => wrong("command = [] names no command"),
            (None, None, Some(directory)) => Ok(Inputs::Directory(folder.join(directory))),
            _ => wrong("one of file, command and directory is expected"),
        }
    }
}

/// The circuit's path in the configuration's folder if `text` is a path, otherwise the name of a
/// built-in program.
fn file_or_name(folder: &Path, text: &str) -> String {
    match text.contains(['/', '.']) {
        true => folder.join(text).display().to_string(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
