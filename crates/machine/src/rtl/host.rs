//! What hosts of simulated designs share: readiness with stalls, wiping, start values and counters.

use halfgate_engine::EngineError;
use halfgate_verilated::{Error, In, Out, Simulation};
use zeroize::Zeroizing;

/// Clocks beyond those that something should take after which the machine is taken for stuck.
pub const PATIENCE: u64 = 1 << 12;

/// A host that takes what is offered always, or in three of four clocks, drawn by a xorshift generator.
pub struct Host(Option<u64>);

impl Host {
    /// One that draws from a seed, if there is one.
    pub fn new(stalls: Option<u64>) -> Host {
        Host(stalls)
    }

    /// Whether it is ready in the next clock.
    pub fn is_ready(&mut self) -> bool {
        let Some(state) = &mut self.0 else { return true };
        *state |= u64::from(*state == 0);
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 20 & 3 != 0
    }
}

/// The ports by which a machine is wiped.
pub struct Wipe {
    wipe: In,
    wiping: Out,
    /// Clocks of its memories' wiping.
    clocks: u64,
}

impl Wipe {
    /// Of a machine that wipes its memories in so many clocks, or less than [`PATIENCE`] a few times over.
    ///
    /// # Errors
    /// If the design has no such ports.
    pub fn of(sim: &Simulation, clocks: u64) -> Result<Wipe, Error> {
        let (wipe, wiping) = (sim.input("wipe_i", 1)?, sim.output("wiping_o", 1)?);
        Ok(Wipe { wipe, wiping, clocks })
    }

    /// Stops the machine, and wipes all that is secret.
    ///
    /// # Errors
    /// If the simulation fails, or the memories are never wiped.
    pub fn run(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        self.start(sim)?;
        self.wait(sim)
    }

    /// Stops the machine, which begins to wipe.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn start(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        sim.set_bit(self.wipe, true);
        sim.clock().map_err(failed)?;
        sim.set_bit(self.wipe, false);
        Ok(())
    }

    /// Waits until it is wiped.
    ///
    /// # Errors
    /// If the simulation fails, or that never comes.
    pub fn wait(&self, sim: &mut Simulation) -> Result<(), EngineError> {
        let mut waited = 0;
        while sim.is_set(self.wiping) {
            sim.clock().map_err(failed)?;
            waited += 1;
            if waited > self.clocks + PATIENCE * 16 {
                return Err(EngineError::Machine("its memories are never wiped".to_owned()));
            }
        }
        Ok(())
    }
}

/// Gives the machine values that it takes in the clock of its start, and no longer.
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

/// A counter of the run.
///
/// # Errors
/// If the design has none of that name.
pub fn counter(sim: &Simulation, name: &str) -> Result<u64, EngineError> {
    Ok(sim.get_u64(sim.output(name, 64).map_err(failed)?))
}

/// A failure of the simulation as an engine's.
pub fn failed(error: Error) -> EngineError {
    EngineError::Machine(error.to_string())
}
