//! In place of the simulator, in a build without it.

use crate::configuration::Configuration;
use crate::error::DramError;

/// There is none.
pub(crate) enum Simulator {}

impl Simulator {
    pub fn new(_: &Configuration) -> Result<Simulator, DramError> {
        Err(DramError::NotBuilt)
    }

    pub fn accepts(&self, _: u64, _: bool) -> bool {
        match *self {}
    }

    pub fn add(&mut self, _: u64, _: bool) {
        match *self {}
    }

    pub fn tick(&mut self, _: impl FnMut(u64, bool)) {
        match *self {}
    }
}
