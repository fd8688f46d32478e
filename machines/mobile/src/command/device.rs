//! Engines of the coprocessor at a port: `mobile:PORT`, such as `mobile:/dev/ttyUSB0`, and
//! `mobile:sim`, a simulated chip behind a pseudo-terminal.

use super::engine::{self as named, FORMS};
use crate::engine::device::{BAUD, SPI_HZ, Serve};
use crate::engine::terminal::{Terminal, Watch};
use crate::engine::{self, Clocked, DeviceEngine, Faulty, Link, Linked, Modelled, wide};
use crate::rtl::{Options, RtlMobile, WideDevice};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{EngineError, kernels};
use halfgate_machine::rtl::failed;
use halfgate_machine::{building, evaluates_only};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Prefix of the engine's name, before the port.
pub const PREFIX: &str = "mobile:";

/// The kind of a simulated chip.
#[derive(Clone, Copy)]
enum Kind {
    /// The chip with the small core, in SystemVerilog.
    Rtl,
    /// The model of the chip with the small core.
    Model,
    /// The chip with the wide core, in SystemVerilog.
    Wide,
}

impl Kind {
    /// Clock of the simulated chip's board, in MHz.
    fn mhz(self) -> f64 {
        match self {
            Kind::Rtl | Kind::Model => engine::MHZ,
            Kind::Wide => wide::MHZ,
        }
    }
}

/// A simulated chip with its link, and the faults of both.
pub struct Chip {
    options: Options,
    kind: Kind,
    /// One in this many bytes is lost, duplicated or altered, if `Some`.
    faults: Option<u64>,
    /// The chip is unplugged after this many bytes, if `Some`.
    unplug: Option<u64>,
}

/// Returns the engine whose name is `mobile:` followed by `text`.
///
/// # Errors
/// If the engine would have to garble, a key or value is unknown, or there is no coprocessor at the
/// port.
pub fn engine(text: &str, kernel: Option<&str>, roles: &[Party]) -> Result<DeviceEngine, Failure> {
    let name = format!("{PREFIX}{text}");
    evaluates_only(&name, roles)?;
    let (place, keys) = text.split_once(',').unwrap_or((text, ""));
    if place == "sim" {
        let chip = Chip::of(&name, keys)?;
        let mhz = chip.options.link.mhz;
        return Ok(DeviceEngine::simulated(&name, chip.serve(kernel)?).with_mhz(mhz));
    }
    // A chip at a port has no kernel, but an unknown kernel name is an error for every engine.
    if let Some(name) = kernel {
        kernels::by_name(name).map_err(Failure::with(Exit::Unknown))?;
    }
    let path = Path::new(place);
    let is_spi =
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"spidev"));
    if is_spi {
        let mut hz = SPI_HZ;
        for part in keys.split(',').filter(|part| !part.is_empty()) {
            let mhz = part.strip_prefix("mhz=").and_then(number::<u32>);
            let found = mhz.and_then(|mhz| mhz.checked_mul(1_000_000));
            hz = found.ok_or_else(|| unknown(&name, part))?;
        }
        return DeviceEngine::at_spi(path, hz).map_err(Failure::with(Exit::Local));
    }
    let mut baud = BAUD;
    for part in keys.split(',').filter(|part| !part.is_empty()) {
        let value = part.strip_prefix("baud=").and_then(number);
        baud = value.ok_or_else(|| unknown(&name, part))?;
    }
    DeviceEngine::at(path, baud).map_err(Failure::with(Exit::Local))
}

/// Parses a number that is not 0.
fn number<T: FromStr + Default + PartialOrd>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number| *number > T::default())
}

fn unknown(name: &str, part: &str) -> Failure {
    let what = format!("engine {name:?}: there is no {part:?}; it is written {}", FORMS[2].form);
    Failure::new(Exit::Unknown, what)
}

impl Chip {
    /// Parses the settings of a simulated chip, `KEY=VALUE,…`. `name` is shown in error messages.
    ///
    /// # Errors
    /// If a key or value is unknown.
    pub fn of(name: &str, keys: &str) -> Result<Chip, Failure> {
        let mut chip =
            Chip { options: Options::default(), kind: Kind::Rtl, faults: None, unplug: None };
        let (mut link, mut aes) = ("spi", None);
        for part in keys.split(',').filter(|part| !part.is_empty()) {
            let wrong = || unknown(name, part);
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            match (key, value) {
                ("chip", "rtl") => chip.kind = Kind::Rtl,
                ("chip", "model") => chip.kind = Kind::Model,
                ("chip", "wide") => chip.kind = Kind::Wide,
                ("aes", form) => {
                    chip.options.form = named::form(form).ok_or_else(wrong)?;
                    aes = Some(part);
                }
                ("link", found) if named::link(found, 1.0).is_some() => link = found,
                ("faults", count) => chip.faults = Some(number(count).ok_or_else(wrong)?),
                ("unplug", count) => chip.unplug = Some(number(count).ok_or_else(wrong)?),
                _ => return Err(wrong()),
            }
        }
        if let (Kind::Wide, Some(part)) = (chip.kind, aes) {
            return Err(unknown(name, part));
        }
        // The link sets the byte rate. The rate is converted to clock cycles of this chip.
        let mhz = chip.kind.mhz();
        chip.options.link = named::link(link, mhz).expect("it is one");
        Ok(chip)
    }

    /// Returns the function that serves the chip at a terminal. Builds the RTL if the chip needs
    /// it.
    ///
    /// # Errors
    /// If the RTL cannot be built, or the processor cannot run the model's `kernel`.
    pub fn serve(self, kernel: Option<&str>) -> Result<Serve, Failure> {
        let kernel = match kernel {
            Some(name) => kernels::by_name(name).map_err(Failure::with(Exit::Unknown))?,
            None => kernels::best(),
        };
        let how = (self.options.link, self.faults, self.unplug);
        let name = "mobile:sim";
        match self.kind {
            Kind::Model => {
                let form = self.options.form;
                Ok(Arc::new(move |terminal, watch| {
                    serve(Modelled::new(form, kernel), how, terminal, watch)
                }))
            }
            Kind::Rtl => {
                let rtl = RtlMobile::new(self.options);
                let build = || rtl.build().map(drop);
                building::building(name, "evaluator", || rtl.is_built(), build)?;
                Ok(Arc::new(move |terminal, watch| serve(rtl.chip()?, how, terminal, watch)))
            }
            Kind::Wide => {
                let design = WideDevice::design();
                let build = || design.build().map(drop).map_err(failed);
                building::building(name, "evaluator", || design.is_built().map_err(failed), build)?;
                Ok(Arc::new(move |terminal, watch| serve(WideDevice::new()?, how, terminal, watch)))
            }
        }
    }
}

fn serve<C: Clocked>(
    chip: C,
    (link, faults, unplug): (Link, Option<u64>, Option<u64>),
    terminal: Terminal,
    watch: &Watch,
) -> Result<(), EngineError> {
    // The seed is constant, so the same faults occur in each run.
    let seed = 1;
    let chip = Faulty::new(Linked::new(chip, link)?, seed, faults.unwrap_or(u64::MAX));
    terminal.serve(chip, unplug, watch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_as_fast_whatever_the_chip_and_the_order_of_keys() {
        for (keys, mhz, rate) in [
            ("", engine::MHZ, 3.75e6),
            ("chip=wide", wide::MHZ, 3.75e6),
            ("link=uart3,chip=wide", wide::MHZ, 0.3e6),
            ("chip=wide,link=uart12", wide::MHZ, 1.2e6),
            ("link=uart3,chip=model", engine::MHZ, 0.3e6),
        ] {
            let link =
                Chip::of("mobile:sim", keys).unwrap_or_else(|_| panic!("{keys}")).options.link;
            assert_eq!(link.mhz, mhz, "{keys}");
            let found = link.mhz * 1e6 / link.clocks;
            assert!((found / rate - 1.0).abs() < 1e-9, "{keys}: {found} bytes a second");
        }
    }
}
