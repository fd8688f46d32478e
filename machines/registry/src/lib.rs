//! The list of machines, and functions that find a machine. No other file names all machines. To
//! add a machine, add a line here and a line to this package's `Cargo.toml`.

mod any;

pub use any::{CPU, OnCpu, engine};

use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::{Engine, EngineError};
use halfgate_machine::{EngineRequest, Kind, Machine};
use std::path::Path;

/// All machines.
pub const MACHINES: &[&dyn Machine] = &[
    &halfgate_haac::Haac,
    &halfgate_fase::Fase,
    &halfgate_garbledcpu::GarbledCpu,
    &halfgate_overlay::Overlay,
    &halfgate_mobile::Mobile,
];

/// The configuration that the machine commands use by default.
pub const DEFAULT: &str = "haac-16ge";

/// Returns the machine called `name`.
///
/// # Errors
/// If no machine has this name. The message lists all names.
pub fn by_name(name: &str) -> Result<&'static dyn Machine, Failure> {
    let found = MACHINES.iter().copied().find(|machine| machine.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = MACHINES.iter().map(|machine| machine.name()).collect();
        Failure::new(
            Exit::Unknown,
            format!("unknown machine {name:?}: there is {}", names.join(", ")),
        )
    })
}

/// Returns the machine that has the configuration `name`, or that reads the description in the
/// file `name`.
///
/// # Errors
/// If there is no such machine. The message lists all configurations.
pub fn with_configuration(name: &str) -> Result<&'static dyn Machine, Failure> {
    let mut machines = MACHINES.iter().copied();
    if let Some(found) = machines.clone().find(|machine| machine.is_named(name)) {
        return Ok(found);
    }
    let is_description = Path::new(name).extension().is_some_and(|end| end == "toml");
    let reader = machines.find(|machine| is_description && machine.reads_any_description());
    reader.ok_or_else(|| {
        let what = match configurations() {
            Ok(names) => format!(
                "there is no machine {name:?}: there are {}; or give the path of a description (.toml)",
                names.join("; ")
            ),
            Err(failure) => failure.to_string(),
        };
        Failure::new(Exit::Unknown, what)
    })
}

/// Returns the names of all configurations.
///
/// # Errors
/// If the description that a machine ships is invalid.
pub fn configurations() -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for machine in MACHINES {
        names.extend(machine.configurations()?.into_iter().map(|found| found.name));
    }
    Ok(names)
}

/// Returns the machine that has program files.
///
/// # Errors
/// If no machine has program files.
pub fn with_program_files() -> Result<&'static dyn Machine, Failure> {
    let found = MACHINES.iter().copied().find(|machine| machine.has_program_files());
    found.ok_or_else(|| Failure::new(Exit::Unknown, "no machine has program files"))
}

/// Makes the engine that `whole` names (`model:NAME…`, `rtl:NAME…`, or a device), for one party or
/// both. `None` if no machine has this prefix.
///
/// # Errors
/// If there is no such machine, if a key or value is unknown, or if the engine does not support
/// the role, has no waveforms for `trace`, or cannot be built.
fn machines_engine(
    whole: &str,
    kernel: Option<&str>,
    roles: &[Party],
    trace: Option<&Path>,
) -> Option<Result<Box<dyn Engine>, Failure>> {
    let (prefix, text) = whole.split_once(':')?;
    let configuration = text.split(',').next().unwrap_or_default();
    let (kind, machine) = match prefix {
        "model" => (Kind::Model, with_configuration(configuration)),
        "rtl" => (Kind::Rtl, with_configuration(configuration)),
        _ => {
            let is_device = |machine: &&&dyn Machine| {
                let mut forms = machine.engines().iter();
                forms.any(|form| form.kind == Kind::Device && form.prefix() == prefix)
            };
            (Kind::Device, Ok(*MACHINES.iter().find(is_device)?))
        }
    };
    if trace.is_some() && kind != Kind::Rtl {
        return Some(Err(no_waveforms(whole)));
    }
    let requested = EngineRequest { kind, whole, text, kernel, roles, trace };
    Some(machine.and_then(|machine| machine.engine(&requested)))
}

/// Advice to append to an engine's error: the option of the command that avoids the error, if there
/// is one.
pub fn advice(error: &EngineError) -> Option<String> {
    let machine = match error {
        EngineError::Limit { engine, .. } => {
            let configuration = engine.split_once(':').map(|(_, name)| name);
            configuration.and_then(|name| with_configuration(name).ok())
        }
        _ => None,
    };
    halfgate_machine::advice(machine, error)
}

/// The error of an engine that cannot write waveforms.
pub fn no_waveforms(engine: &str) -> Failure {
    let what = format!("--trace: engine {engine} has no waveforms; use an engine rtl:MACHINE");
    Failure::new(Exit::Usage, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_engine::{Exceeded, Resource};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_those_of_folders_and_prefixes_of_configurations() {
        let names: BTreeSet<_> = MACHINES.iter().map(|machine| machine.name()).collect();
        assert_eq!(names.len(), MACHINES.len());
        for machine in MACHINES {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(machine.name());
            assert!(folder.join("Cargo.toml").is_file(), "{}", folder.display());
            for found in machine.configurations().unwrap() {
                assert!(found.name.starts_with(machine.name()), "{}", found.name);
            }
        }
        assert!(with_configuration(DEFAULT).is_ok());
    }

    #[test]
    fn the_option_that_makes_an_engine_larger_is_named() {
        let bank = Resource::BankWords { bank: 1 };
        for (engine, resource, needed, printed) in [
            ("rtl:fase-2", Resource::KernelWords, 300, "; rtl:fase-2,kernel=512 makes it larger, "),
            ("rtl:fase-paper-1", Resource::Slots, 5, "; rtl:fase-paper-1,slots=8 makes it larger"),
            ("rtl:garbledcpu-2", bank, 9, "; rtl:garbledcpu-2,bank=16 makes it larger, up to "),
            ("rtl:fase-2", Resource::KernelWords, 1 << 40, "; --engine cpu has no such limit"),
            ("model:fase-2", Resource::KernelWords, 300, "; --engine cpu has no such limit"),
            ("rtl:nothing", Resource::KernelWords, 300, "; --engine cpu has no such limit"),
        ] {
            let exceeded = Exceeded { resource, needed, available: 4 };
            let advice = advice(&EngineError::Limit { engine: engine.to_owned(), exceeded });
            let advice = advice.expect("there always is an option");
            assert!(advice.starts_with(printed), "{engine}: {advice}");
        }
    }

    #[test]
    fn a_configuration_has_one_machine() {
        for (name, machine) in [
            ("haac-16ge", "haac"),
            ("some/folder/mine.toml", "haac"),
            ("fase-paper-2", "fase"),
            ("garbledcpu-folded", "garbledcpu"),
            ("some/folder/overlay-mine.toml", "overlay"),
            ("mobile", "mobile"),
            ("mobile-wide", "mobile"),
        ] {
            let own: Vec<_> = MACHINES.iter().filter(|machine| machine.is_named(name)).collect();
            assert!(own.len() <= 1, "{name}");
            assert_eq!(with_configuration(name).unwrap().name(), machine, "{name}");
        }
        // The message lists all machines, even if the unknown name begins like those of one
        // machine.
        for unknown in
            ["haacs", "haac", "haac-17", "fase-99", "garbledcpu-9", "overlay-x", "mobile-"]
        {
            let error = with_configuration(unknown).err().unwrap();
            assert_eq!(error.exit, Exit::Unknown, "{unknown}");
            for name in configurations().unwrap() {
                assert!(error.to_string().contains(&name), "{unknown}: {error}");
            }
        }
    }

    #[test]
    fn prefixes_of_devices_are_no_others() {
        assert!(machines_engine("cpu", None, &[], None).is_none());
        assert!(machines_engine("nonsense:x", None, &[], None).is_none());
        let error = machines_engine("model:nonsense", None, &[], None).unwrap().err().unwrap();
        assert_eq!(error.exit, Exit::Unknown);
        let error =
            machines_engine("mobile:sim,chip=none", None, &[], None).unwrap().err().unwrap();
        assert_eq!(error.exit, Exit::Unknown);
        let path = Path::new("x.fst");
        let error = machines_engine("model:mobile", None, &[], Some(path)).unwrap().err().unwrap();
        assert!(error.to_string().contains("no waveforms"), "{error}");
    }
}
