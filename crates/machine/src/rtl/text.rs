//! Options after the name of a simulated design in an engine's text: `,KEY=VALUE…`.

use super::Options;
use halfgate_console::error::{Exit, Failure};
use halfgate_verilated::Aes;
use std::path::Path;

/// Build options of any machine.
pub struct Chosen {
    /// The AES implementation.
    pub aes: Aes,
    /// Whether to compile for speed, without assertions.
    pub fast: bool,
}

impl Chosen {
    /// The options of a machine whose waveforms are written to `trace`.
    pub fn with<S>(self, trace: Option<&Path>) -> Options<S> {
        let waveforms = trace.map(Path::to_owned);
        Options { aes: self.aes, fast: self.fast, waveforms, ..Options::default() }
    }
}

/// Parses the options after a machine's name. `form` is the syntax, for messages; sizes are stored
/// as `keys` states.
///
/// # Errors
/// If an option is unknown, or a value is not a number.
pub fn options<const N: usize>(
    (text, form): (&str, &str),
    parts: &[&str],
    mut keys: [(&str, &mut [&mut u32]); N],
) -> Result<Chosen, Failure> {
    let mut chosen = Chosen { aes: Aes::default(), fast: false };
    for part in parts {
        let wrong = || {
            let what = format!("engine rtl:{text}: {part:?} is not an option: write {form}");
            Failure::new(Exit::Unknown, what)
        };
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        match (key, value) {
            ("aes", name) => chosen.aes = name.parse::<Aes>().map_err(|_| wrong())?,
            ("build", "quick") => chosen.fast = false,
            ("build", "fast") => chosen.fast = true,
            (key, value) => {
                let found = keys.iter_mut().find(|(name, _)| *name == key);
                let (_, sizes) = found.ok_or_else(wrong)?;
                let value = value.parse::<u32>().map_err(|_| wrong())?;
                sizes.iter_mut().for_each(|size| **size = value);
            }
        }
    }
    Ok(chosen)
}
