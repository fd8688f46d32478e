//! What may follow the name of a simulated design in an engine's text: `,KEY=VALUE…`.

use super::Options;
use halfgate_console::error::{Exit, Failure};
use halfgate_verilated::Aes;
use std::path::Path;

/// How a machine is built, of any kind.
pub struct Chosen {
    /// What computes AES.
    pub aes: Aes,
    /// Compiled for speed, without assertions.
    pub fast: bool,
}

impl Chosen {
    /// The options of a machine whose waveforms go into `trace`.
    pub fn with<S>(self, trace: Option<&Path>) -> Options<S> {
        let waveforms = trace.map(Path::to_owned);
        Options { aes: self.aes, fast: self.fast, waveforms, ..Options::default() }
    }
}

/// What follows a machine's name, of the kind that is written as `form` says; sizes go where `keys`
/// says.
///
/// # Errors
/// If a part is none of these, or a value is no number.
pub fn options<const N: usize>(
    (text, form): (&str, &str),
    parts: &[&str],
    mut keys: [(&str, &mut [&mut u32]); N],
) -> Result<Chosen, Failure> {
    let mut chosen = Chosen { aes: Aes::default(), fast: false };
    for part in parts {
        let wrong = || {
            let what =
                format!("engine rtl:{text}: {part:?} is not what may follow, which is {form}");
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
