//! The server's values for one session, from the source in the configuration.

mod command;
mod directory;

use crate::config::Inputs;
use crate::host::{Host, Loaded, Values};
use crate::secret_file;
use halfgate_protocol::session::PartyInputs;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// The session that needs values.
pub(crate) struct Session<'s> {
    /// The peer's name.
    pub peer: &'s str,
    /// Identifies the session among all sessions of this and other processes.
    pub id: &'s str,
    /// Ends the wait for a command.
    pub cancel: &'s AtomicBool,
}

/// The lock under which files are taken from directories, so that no file is taken twice.
pub(crate) type Taking = Mutex<()>;

/// Why there are no values.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputsError {
    /// No file is left in a directory.
    #[error("{0} has no file left")]
    UsedUp(String),
    /// A file or a command failed.
    #[error("{0}")]
    Failed(String),
    /// The values do not fit the program's inputs.
    #[error("{0}")]
    Values(String),
}

/// The values for a session of `program`. A directory's file is moved away before this function
/// returns, whatever its contents.
///
/// # Errors
/// [`InputsError`]
pub(crate) fn fetch(
    host: &dyn Host,
    program: &Loaded,
    session: &Session<'_>,
    taking: &Taking,
) -> Result<PartyInputs, InputsError> {
    let given = |values| host.inputs(program, values).map_err(InputsError::Values);
    match &program.config.inputs {
        None => given(Values::None),
        Some(Inputs::File(file)) => given(Values::File(file)),
        Some(Inputs::Command { words, timeout, bytes }) => {
            let name = program.config.name.as_str();
            let written = command::run(words, *timeout, name, session)?;
            given(if *bytes { Values::Bytes(&written) } else { Values::Text(&written) })
        }
        Some(Inputs::Directory(folder)) => {
            let file = directory::take(folder, session.id, taking)?;
            let read = secret_file::read(&file.path, secret_file::MAX_VALUE_BYTES)
                .map_err(|error| InputsError::Failed(format!("{}: {error}", file.name)))?;
            given(if file.bytes { Values::Bytes(&read) } else { Values::Text(&read) })
        }
    }
}

/// Whether values seem to be available. Another session may take them in the meantime.
pub(crate) fn are_left(inputs: Option<&Inputs>) -> bool {
    match inputs {
        Some(Inputs::Directory(folder)) => directory::has_more(folder),
        _ => true,
    }
}

/// Creates the folder for used files.
///
/// # Errors
/// If the folder cannot be read or written.
pub(crate) fn prepare(inputs: &Inputs) -> std::io::Result<()> {
    match inputs {
        Inputs::Directory(folder) => directory::prepare(folder),
        _ => Ok(()),
    }
}
