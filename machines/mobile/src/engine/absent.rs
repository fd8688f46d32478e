//! Replaces ports on systems other than Linux. Ports are untested on these systems, so opening a
//! port is an error, and values of these types cannot exist.

use super::host::Port;
use halfgate_engine::EngineError;

fn absent(what: &str) -> EngineError {
    EngineError::device(PortError::LinuxOnly { what: what.to_owned() })
}

/// Serial ports.
pub mod serial {
    use super::{EngineError, Port, absent};
    use std::path::Path;

    /// An open port; no value can exist.
    pub enum Serial {}

    impl Serial {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn open(path: &Path, _baud: u32) -> Result<Serial, EngineError> {
            Err(absent(&path.display().to_string()))
        }
    }

    impl Port for Serial {
        fn send(&mut self, _: &[u8]) -> Result<(), EngineError> {
            match *self {}
        }

        fn receive(&mut self, _: bool) -> Result<Vec<u8>, EngineError> {
            match *self {}
        }

        fn is_late(&self) -> bool {
            match *self {}
        }

        fn restart_timeout(&mut self) {
            match *self {}
        }
    }
}

/// SPI devices.
pub mod spi {
    use super::{EngineError, serial::Serial};
    use std::path::Path;

    /// Always fails.
    ///
    /// # Errors
    /// Always.
    pub fn open(path: &Path, hz: u32) -> Result<Serial, EngineError> {
        Serial::open(path, hz)
    }
}

/// Pseudo-terminals.
pub mod terminal {
    use super::super::model::{Clocked, Faulty, Linked};
    use super::{EngineError, absent};
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    /// What a chip behind a terminal shares with other threads: a flag that stops the chip, whether
    /// it rests, and the number of its clock cycles.
    #[derive(Default)]
    pub struct Watch {
        /// Set to stop the chip.
        pub stop: AtomicBool,
        /// Set while the chip rests: it has answered all bytes that it received. The host clears it
        /// before it sends more.
        pub rests: AtomicBool,
        /// Busy clock cycles: from the first to the last byte of each busy period.
        pub clocks: AtomicU64,
    }

    /// A pseudo-terminal; no value can exist.
    pub enum Terminal {}

    impl Terminal {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn open() -> Result<Terminal, EngineError> {
            Err(absent("a pseudo-terminal"))
        }

        /// Path of the host's side.
        pub fn path(&self) -> &Path {
            match *self {}
        }

        /// Serves a chip at the terminal.
        ///
        /// # Errors
        /// Never fails, because no terminal can exist.
        pub fn serve<C: Clocked>(
            self,
            _chip: Faulty<Linked<C>>,
            _unplug: Option<u64>,
            _watch: &Watch,
        ) -> Result<(), EngineError> {
            match self {}
        }
    }
}
