//! A simulated DRAM behind the machine's ports: `dram:NAME` in place of a memory's name.

use crate::rtl::descriptor_bytes;
use halfgate_console::error::{Exit, Failure};
use halfgate_dram::configuration::Protocol;
use halfgate_dram::{Access, Configuration, ConfigurationError, Dram, DramError};
use halfgate_haac_model::Code;
use halfgate_haac_model::issue::Sink;
use halfgate_haac_model::machine::{Machine, Memory};
use halfgate_haac_model::model::attached::{Attached, Bursts};
use halfgate_haac_model::model::config::{BURST, Config};
use halfgate_haac_model::model::layout::Layout;
use halfgate_haac_model::model::places::Places;
use halfgate_haac_model::model::rows::{Plain, RowBits, survey};
use halfgate_haac_model::model::{self, Options, exact, fast};
use halfgate_haac_model::report::Report;

/// What a memory's name begins with if it is a DRAM.
const PREFIX: &str = "dram:";

/// What follows a DRAM's name if live labels are packed.
const PACKED: &str = "+packed";

/// A DRAM, and how the machine uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The DRAM.
    pub configuration: Configuration,
    /// Whether labels that leave the window are [packed](Places::Packed).
    pub packed: bool,
}

/// Why a run with a DRAM failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// There is no simulator.
    #[error(transparent)]
    Dram(#[from] DramError),
    /// The program is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The model stopped.
    #[error(transparent)]
    Model(#[from] model::Error<E>),
}

/// A program that a memory cannot hold.
#[derive(Debug, thiserror::Error)]
#[error(
    "the program needs addresses up to {needs} bytes, and the DRAM has {has}: give a configuration \
     with more rows or ranks, or a smaller program"
)]
pub struct TooLarge {
    /// The end of the last stream.
    pub needs: u64,
    /// The DRAM's bytes.
    pub has: u64,
}

impl Attachment {
    /// The DRAM that a memory's name means, `dram:NAME` or `dram:NAME+packed`; `None` if it means
    /// none.
    ///
    /// # Errors
    /// If there is no such DRAM, or it makes no sense.
    pub fn of(memory: &str) -> Result<Option<Attachment>, ConfigurationError> {
        let Some(name) = memory.strip_prefix(PREFIX) else { return Ok(None) };
        let (name, packed) = match name.strip_suffix(PACKED) {
            Some(name) => (name, true),
            None => (name, false),
        };
        Ok(Some(Attachment { configuration: Configuration::find(name)?, packed }))
    }

    /// Whether it is an HBM2.
    pub fn is_hbm2(&self) -> bool {
        self.configuration.protocol == Protocol::HBM2
    }

    /// Checks that this build has the simulator.
    ///
    /// # Errors
    /// If it has not; the message says how to build with it.
    pub fn check_build(&self) -> Result<(), Failure> {
        match halfgate_dram::IS_BUILT_IN {
            true => Ok(()),
            false => Err(Failure::new(Exit::Unknown, DramError::NotBuilt)),
        }
    }

    /// Checks that the hardware has labels at the same places.
    ///
    /// # Errors
    /// If they are packed.
    pub fn check_labels(&self) -> Result<(), Failure> {
        if !self.packed {
            return Ok(());
        }
        let what = format!(
            "--memory: {PACKED} is a form of the machine that its models have and its SystemVerilog \
             has not: leave it out, or use a model"
        );
        Err(Failure::new(Exit::Usage, what))
    }

    /// Checks that the hardware can use it, too.
    ///
    /// # Errors
    /// If this build has no simulator, or labels are packed.
    pub fn check_hardware(&self) -> Result<(), Failure> {
        self.check_labels()?;
        self.check_build()
    }

    /// `machine` with this DRAM's bandwidth, by which programs are ordered and lowered.
    #[must_use]
    pub fn attach(&self, mut machine: Machine) -> Machine {
        // Both are at most some millions once they are divided by their common factor.
        let (bytes, cycles) =
            (self.configuration.bytes_per_second() / 1_000_000, u64::from(machine.mhz.max(1)));
        let common = common_factor(bytes, cycles);
        let packed = if self.packed { PACKED } else { "" };
        machine.memory = Memory {
            name: format!("{PREFIX}{}{packed}", self.configuration.name),
            bytes_per_cycle: ((bytes / common) as u32, (cycles / common) as u32),
            ..machine.memory
        };
        machine
    }

    /// Runs `code` on a model of `machine` with this DRAM.
    ///
    /// # Errors
    /// If there is no simulator, the DRAM is too small, or the model stops.
    pub fn run<S: Sink>(
        &self,
        code: &Code,
        machine: &Machine,
        (options, is_exact): (&Options, bool),
        sizes: &mut dyn RowBits,
        sink: &mut S,
    ) -> Result<Report, RunError<S::Error>> {
        let mut memory = Behind(Dram::new(&self.configuration, machine.mhz)?);
        let config = Config::new(machine, options.role).map_err(model::Error::Machine)?;
        let survey = survey(code, &config).map_err(model::Error::Io)?;
        let ands = survey.map_err(model::Error::Code)?.ands;
        let has = self.configuration.bytes();
        let layout = layout(code, &ands).ok_or(TooLarge { needs: u64::MAX, has })?;
        fits(&layout, has)?;
        let labels = match self.packed {
            true => Places::packed(code).map_err(model::Error::Io)?,
            false => Places::ByAddress,
        };
        let ports = machine.rtl.ports;
        let attached = Attached { memory: &mut memory, layout, ports, labels };
        Ok(match is_exact {
            true => exact::run_attached(code, machine, options, sizes, sink, attached)?,
            false => fast::run_attached(code, machine, options, sizes, sink, attached)?,
        })
    }
}

/// The DRAM that the name of a memory means, if it means one.
///
/// # Errors
/// If there is no such DRAM, or its configuration makes no sense.
pub(crate) fn requested(memory: Option<&str>) -> Result<Option<Attachment>, Failure> {
    memory.map_or(Ok(None), Attachment::of).map_err(|error| {
        let exit = match &error {
            ConfigurationError::Unknown { .. } => Exit::Unknown,
            ConfigurationError::Read { .. } => Exit::Local,
            _ => Exit::Circuit,
        };
        Failure::new(exit, format!("--memory: {error}"))
    })
}

/// Checks that a layout is in a memory of `has` bytes.
pub(crate) fn fits(layout: &Layout, has: u64) -> Result<(), TooLarge> {
    match layout.end() {
        needs if needs > has => Err(TooLarge { needs, has }),
        _ => Ok(()),
    }
}

/// Where the hardware's host has the streams, with plain instructions. Compact ones are shorter and
/// are at the start of their region.
fn layout(code: &Code, ands: &[u64]) -> Option<Layout> {
    let engines = u64::from(code.shape.engines);
    let row = Plain::new(code.shape).bits(&[]).unwrap_or_default();
    let bits = code.rows.len() / engines * u64::from(row);
    let bursts = bits.div_ceil(8 * u64::from(BURST));
    Layout::of(code, ands, descriptor_bytes(engines as usize), bursts)
}

fn common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

/// A DRAM as the models see it.
struct Behind(Dram);

/// Reads or writes.
pub(crate) fn access(is_write: bool) -> Access {
    if is_write { Access::Write } else { Access::Read }
}

impl Bursts for Behind {
    fn accepts(&self, address: u64, is_write: bool) -> bool {
        self.0.accepts(address, access(is_write))
    }

    fn add(&mut self, address: u64, is_write: bool, tag: u32) {
        self.0.add(address, access(is_write), tag);
    }

    fn cycle(&mut self, done: &mut dyn FnMut(u32)) {
        self.0.cycle(done);
    }
}
