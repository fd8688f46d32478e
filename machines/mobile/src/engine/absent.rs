//! What stands for ports where the system is not Linux: nobody has tried a chip there, so opening
//! one is an error, and no value of these types exists.

use super::host::Port;
use halfgate_engine::EngineError;

fn absent(what: &str) -> EngineError {
    EngineError::device(PortError::LinuxOnly { what: what.to_owned() })
}

/// Serial ports.
pub mod serial {
    use super::{EngineError, Port, absent};
    use std::path::Path;

    /// An open port: there is none.
    pub enum Serial {}

    impl Serial {
        /// Opens no port.
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

    /// Opens no device.
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

    /// What a chip did behind a terminal, for who waits for it.
    #[derive(Default)]
    pub struct Watch {
        /// The chip is to stop.
        pub stop: AtomicBool,
        /// Clocks from a first byte to a last one, rests left out.
        pub clocks: AtomicU64,
    }

    /// A pseudo-terminal: there is none.
    pub enum Terminal {}

    impl Terminal {
        /// Opens none.
        ///
        /// # Errors
        /// Always.
        pub fn open() -> Result<Terminal, EngineError> {
            Err(absent("a pseudo-terminal"))
        }

        /// Its path.
        pub fn path(&self) -> &Path {
            match *self {}
        }

        /// Serves a chip at it.
        ///
        /// # Errors
        /// None: there is no terminal.
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
