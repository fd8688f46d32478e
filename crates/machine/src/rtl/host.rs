//! What hosts of simulated designs share: readiness with stalls, wiping, start values and counters.

use halfgate_engine::EngineError;
use halfgate_verilated::{Error, In, Out, Simulation};
use zeroize::Zeroizing;

/// Clocks beyond those that something should take after which the machine is taken for stuck.
pub const PATIENCE: u64 = 1 << 12;

/// What a host finds wrong with a simulated machine. Clocks are those of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// It was told to wipe itself.
    #[error("its memories are never wiped")]
    NeverWiped,
    /// By then it should have come to its end.
    #[error("it is still at work after {clocks} clocks")]
    StillBusy {
        /// Clocks since its start.
        clocks: u64,
    },
    /// Nothing that it waits for takes so long.
    #[error("it has stood still for {clocks} clocks")]
    StandsStill {
        /// Clocks since it did something.
        clocks: u64,
    },
    /// It holds a label out for the host to take.
    #[error("it gives a label out that nobody takes")]
    UntakenLabel,
}

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
                return Err(EngineError::machine(HostError::NeverWiped));
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
    EngineError::machine(error)
}

/// What kept a design from being built, as an engine's error. A design that fails as it is loaded
/// went wrong; all else is missing here.
pub fn built(engine: &str) -> impl Fn(Error) -> EngineError {
    move |error| match error {
        Error::Failed { .. } => failed(error),
        error => EngineError::unavailable(engine, error),
    }
}
