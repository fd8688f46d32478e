//! Code that hosts of simulated designs share: readiness with stalls, wiping, start values and
//! counters.

use halfgate_engine::EngineError;
use halfgate_verilated::{Error, In, Out, Simulation};
use zeroize::Zeroizing;

/// Clock cycles beyond the expected number after which the machine is considered stuck.
pub const PATIENCE: u64 = 1 << 12;

/// An error of a simulated machine that the host detects. Clocks are clock cycles of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The machine did not finish wiping its memories.
    #[error("it did not finish wiping its memories")]
    NeverWiped,
    /// The machine did not finish in the expected time.
    #[error("it is still busy after {clocks} clock cycles")]
    StillBusy {
        /// Clock cycles since its start.
        clocks: u64,
    },
    /// The machine made no progress for longer than it ever waits for anything.
    #[error("it has made no progress for {clocks} clock cycles")]
    StandsStill {
        /// Clock cycles since its last progress.
        clocks: u64,
    },
    /// The machine offers a label that the host did not expect.
    #[error("it offers a label that the host does not expect")]
    UntakenLabel,
}

/// A host that is always ready, or ready in three of four clock cycles, drawn by a xorshift
/// generator.
pub struct Host(Option<u64>);

impl Host {
    /// Creates a host that stalls, drawn from the seed `stalls`, or one that is always ready.
    pub fn new(stalls: Option<u64>) -> Host {
        Host(stalls)
    }

    /// Whether the host is ready in the next clock cycle.
    pub fn is_ready(&mut self) -> bool {
        let Some(state) = &mut self.0 else { return true };
        *state |= u64::from(*state == 0);
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 20 & 3 != 0
    }
}

/// The ports that wipe a machine.
pub struct Wipe {
    wipe: In,
    wiping: Out,
    /// Clock cycles that wiping the memories takes.
    clocks: u64,
}

impl Wipe {
    /// Finds the ports of a machine that wipes its memories in `clocks` clock cycles, or within a
    /// few times [`PATIENCE`].
    ///
    /// # Errors
    /// If the design has no such ports.
    pub fn of(sim: &Simulation, clocks: u64) -> Result<Wipe, Error> {
        let (wipe, wiping) = (sim.input("wipe_i", 1)?, sim.output("wiping_o", 1)?);
        Ok(Wipe { wipe, wiping, clocks })
    }

    /// Stops the machine and wipes all secrets.
    ///
    /// # Errors
    /// If the simulation fails, or the memories are never wiped.
    pub fn run(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        self.start(sim)?;
        self.wait(sim)
    }

    /// Stops the machine and starts wiping.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn start(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        sim.set_bit(self.wipe, true);
        sim.clock().map_err(failed)?;
        sim.set_bit(self.wipe, false);
        Ok(())
    }

    /// Waits until the machine is wiped.
    ///
    /// # Errors
    /// If the simulation fails, or the machine does not finish wiping.
    pub fn wait(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        let mut waited = 0;
        while sim.is_set(self.wiping) {
            sim.clock().map_err(failed)?;
            waited += 1;
            if waited > self.clocks + PATIENCE * 16 {
                return Err(EngineError::machine(HostError::NeverWiped));
            }
        }
        Ok(())
    }
}

/// Gives the machine its start values in the clock cycle of its start, and clears the wide values
/// in the next clock cycle.
///
/// # Errors
/// If the design has no such ports, or the simulation fails.
pub fn start(
    sim: &mut Simulation,
    wide: [&str; 4],
    values: &Zeroizing<[u128; 4]>,
    narrow: &[(&str, u32, u64)],
) -> Result<(), EngineError> {
    for (name, value) in wide.into_iter().zip(**values) {
        let port = sim.input(name, 128).map_err(failed)?;
        sim.set_u128(port, value);
    }
    for &(name, width, value) in narrow {
        let port = sim.input(name, width).map_err(failed)?;
        sim.set_u64(port, value);
    }
    let start = sim.input("start_i", 1).map_err(failed)?;
    sim.set_bit(start, true);
    sim.clock().map_err(failed)?;
    sim.set_bit(start, false);
    for name in wide {
        let port = sim.input(name, 128).map_err(failed)?;
        sim.clear(port);
    }
    Ok(())
}

/// Reads a counter of the run.
///
/// # Errors
/// If the design has no counter of that name.
pub fn counter(sim: &Simulation, name: &str) -> Result<u64, EngineError> {
    Ok(sim.get_u64(sim.output(name, 64).map_err(failed)?))
}

/// Converts a failure of the simulation to an engine's error.
pub fn failed(error: Error) -> EngineError {
    EngineError::machine(error)
}

/// Converts a failure to build a design to an engine's error. A design that fails while it is
/// loaded is an error of the machine; all other failures mean that the engine is unavailable.
pub fn built(engine: &str) -> impl Fn(Error) -> EngineError {
    move |error| match error {
        Error::Failed { .. } => failed(error),
        error => EngineError::unavailable(engine, error),
    }
}
