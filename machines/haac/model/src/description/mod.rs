//! Descriptions of machines: named configurations in TOML, either built in or from a user's file.
//! A description is checked before its numbers set the length of any list.
//!
//! [`Description::find`] reads a description. [`Description::machine`] makes a [`Machine`] of it,
//! with a user's changes ([`Overrides`]). The built-in descriptions are in
//! `machines/haac/spec/machines/`. Comments there document each key; the private module `check` has
//! the allowed values.

mod build;
mod check;
mod error;
mod overrides;
mod raw;

pub use crate::machine::queue_bytes;
pub use error::DescriptionError;
pub use overrides::{Overrides, parse_window};

use crate::machine::{Forwarding, Latency, Machine, Memory, Queues, Rtl, Silicon};
use std::io::Read;
use std::path::Path;

/// The built-in descriptions: name and text. To add one, write its file and list it here.
const BUILT_IN: [(&str, &str); 4] = [
    ("haac-16ge", include_str!("../../../spec/machines/haac-16ge.toml")),
    ("haac-16ge-1mb", include_str!("../../../spec/machines/haac-16ge-1mb.toml")),
    ("haac-4ge", include_str!("../../../spec/machines/haac-4ge.toml")),
    ("haac-1ge", include_str!("../../../spec/machines/haac-1ge.toml")),
];

/// The longest description that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// A machine as its file describes it. Every number is possible by itself. Numbers that depend on
/// each other (queues and their memory, banks and engines) are checked by
/// [`machine`](Description::machine), since an override may change them.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The description's origin, for errors: a path, or the name of a built-in description.
    origin: String,
    /// The name, such as `haac-16ge`.
    name: String,
    /// The machine described in one line.
    about: String,
    engines: u32,
    /// In labels.
    window: u32,
    banks_per_engine: u32,
    forwarding: Forwarding,
    latency: Latency,
    queues: Queues,
    /// Bytes of memory for all queues.
    queue_memory: u32,
    /// In the order of their names; never empty.
    memories: Vec<Memory>,
    /// Name of the memory that is attached by default.
    default_memory: String,
    rtl: Rtl,
    mhz: u32,
    silicon: Silicon,
}

impl Description {
    /// Names of the built-in descriptions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|&(name, _)| name)
    }

    /// The built-in description `name`.
    ///
    /// # Errors
    /// If no built-in description has that name; the error lists their names.
    pub fn built_in(name: &str) -> Result<Description, DescriptionError> {
        match BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            Some((name, text)) => Description::parse(name, text),
            None => Err(DescriptionError::Unknown {
                name: name.to_owned(),
                known: Description::names().collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// The built-in description `name_or_path`, or the one in that file: a path has a `/` or ends
    /// in `.toml`.
    ///
    /// # Errors
    /// If there is no such description, the file cannot be read, or as
    /// [`parse`](Description::parse).
    pub fn find(name_or_path: &str) -> Result<Description, DescriptionError> {
        if name_or_path.contains('/') || name_or_path.ends_with(".toml") {
            Description::read(Path::new(name_or_path))
        } else {
            Description::built_in(name_or_path)
        }
    }

    /// The description in a file.
    ///
    /// # Errors
    /// If it cannot be read, is longer than 64 KiB, or as [`parse`](Description::parse).
    pub fn read(path: &Path) -> Result<Description, DescriptionError> {
        let origin = path.display().to_string();
        let failed = |source| DescriptionError::Read { origin: origin.clone(), source };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(failed)?;
        let length = file.take(LONGEST + 1).read_to_string(&mut text).map_err(failed)?;
        if length as u64 > LONGEST {
            return Err(DescriptionError::TooLong { origin, longest: LONGEST });
        }
        Description::parse(&origin, &text)
    }

    /// The description `text`, read from `origin`.
    ///
    /// # Errors
    /// If the text is not TOML, has unknown or missing keys, or a value that no machine can have.
    /// The error has the line, or the key, the value and the allowed values.
    pub fn parse(origin: &str, text: &str) -> Result<Description, DescriptionError> {
        raw::parse(origin, text)?.into_description(origin)
    }

    /// The description's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The machine in one line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Names of the memories that can be attached.
    pub fn memories(&self) -> impl Iterator<Item = &str> {
        self.memories.iter().map(|memory| memory.name.as_str())
    }

    /// The machine, with `overrides` in place of the description's values.
    ///
    /// # Errors
    /// If engines, window, banks, queues and memory do not fit together, or no memory has the
    /// requested name.
    pub fn machine(&self, overrides: &Overrides) -> Result<Machine, DescriptionError> {
        build::machine(self, overrides)
    }
}

#[cfg(test)]
mod tests;
