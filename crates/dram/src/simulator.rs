//! The simulator.

use crate::configuration::Configuration;
use crate::error::DramError;
use crate::ini;
use dramsim3::MemorySystem;
use std::io::Write;

/// A memory in the simulator, at the clock of its commands.
pub(crate) struct Simulator(MemorySystem);

impl Simulator {
    /// The simulator reads its configuration from a file, which is gone afterwards.
    pub fn new(configuration: &Configuration) -> Result<Simulator, DramError> {
        let mut file = tempfile::NamedTempFile::new().map_err(DramError::File)?;
        file.write_all(ini::text(configuration).as_bytes()).map_err(DramError::File)?;
        let folder = std::env::temp_dir();
        // Paths of temporary files have no zero bytes.
        let system = MemorySystem::new(file.path(), folder);
        Ok(Simulator(system.map_err(|_| DramError::File(std::io::ErrorKind::InvalidInput.into()))?))
    }

    pub fn accepts(&self, address: u64, is_write: bool) -> bool {
        self.0.can_add(address, is_write)
    }

    pub fn add(&mut self, address: u64, is_write: bool) {
        self.0.add(address, is_write);
    }

    pub fn tick(&mut self, done: impl FnMut(u64, bool)) {
        self.0.tick(done);
    }
}
