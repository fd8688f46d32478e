//! Finds, reads and checks a configuration.

use crate::check;
use crate::configuration::{Configuration, ConfigurationError};
use std::path::Path;

/// The built-in memories, as name and text.
const BUILT_IN: [(&str, &str); 2] = [
    ("ddr4-4400", include_str!("../configurations/ddr4-4400.toml")),
    ("hbm2", include_str!("../configurations/hbm2.toml")),
];

/// Largest number of bytes of a file that is read.
const LONGEST: u64 = 1 << 16;

impl Configuration {
    /// The names of the built-in memories.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The built-in memory of this name, or the one in the file of this path.
    ///
    /// # Errors
    /// If there is none, or it makes no sense.
    pub fn find(name: &str) -> Result<Configuration, ConfigurationError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Configuration::parse(text, name);
        }
        let path = Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") {
            let known: Vec<_> = Configuration::names().collect();
            let known = known.join(", ");
            return Err(ConfigurationError::Unknown { name: name.to_owned(), known });
        }
        let read = |source| ConfigurationError::Read { origin: name.to_owned(), source };
        let length = std::fs::metadata(path).map_err(read)?.len();
        if length > LONGEST {
            let why = format!("it has {length} bytes, and at most {LONGEST} are read");
            return Err(read(std::io::Error::new(std::io::ErrorKind::InvalidData, why)));
        }
        Configuration::parse(&std::fs::read_to_string(path).map_err(read)?, name)
    }

    /// Reads and checks a text; `origin` names it in errors.
    ///
    /// # Errors
    /// If it is no configuration, or makes no sense.
    pub fn parse(text: &str, origin: &str) -> Result<Configuration, ConfigurationError> {
        let found: Configuration = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
            let message = error.message().to_owned();
            ConfigurationError::Syntax { origin: origin.to_owned(), line, message }
        })?;
        check::check(&found, origin)?;
        Ok(found)
    }
}
