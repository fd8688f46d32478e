//! Programs for the garbled processor, as circuits to run.

use crate::circuit_args::CircuitArgs;
use crate::error::{Exit, Failure};
use crate::print;
use crate::progress::Reading;
use halfgate_frontends::verilog;
use halfgate_mips::core::Core;
use halfgate_mips::image::Image;
use halfgate_mips::interface;
use halfgate_mips::privacy::{Bound, Privacy, PrivacyError};
use std::path::Path;

/// Whether `spec` names a program for the garbled processor, or the interface of one.
pub fn is_one(spec: &str) -> bool {
    let path = Path::new(spec);
    Image::is_one(path) || spec.ends_with(".json") && interface::is_one(path)
}

/// Whether `args` name a program that is the garbler's secret.
pub fn is_secret(args: &CircuitArgs) -> bool {
    is_one(&args.circuit) && args.privacy.unwrap_or_default().is_secret()
}

/// Reads the program that `spec` names, or its interface without the program.
///
/// # Errors
/// If the file cannot be read, or is not such a program.
pub fn image(spec: &str) -> Result<Image, Failure> {
    let path = Path::new(spec);
    let image = if Image::is_one(path) { Image::read(path) } else { interface::read(path) };
    image.map_err(Failure::with(Exit::Circuit))
}

/// Returns the circuit of the program that `args` name, and whether its gates are skipped.
///
/// # Errors
/// If the program cannot be read, its set does not suit the requested privacy, or Yosys is missing.
pub fn circuit(args: &CircuitArgs) -> Result<Bound, Failure> {
    if args.parties.is_some() || args.outputs.is_some() || args.verilog.is_used() {
        let what = "--parties, --outputs, --top, --parameter and --source are for circuit files: in a \
                    program, the owners of inputs are fixed";
        return Err(Failure::new(Exit::Usage, what));
    }
    let image = image(&args.circuit)?;
    let privacy = args.privacy.unwrap_or_default();
    // One step is enough to inspect the processor. With a circuit per step, all steps are needed.
    let steps_to_inspect = (privacy != Privacy::PublicPerStep).then_some(1);
    let steps = args.steps.or(image.steps).or(steps_to_inspect);
    let report = &mut |what: &str| print::note(&format!("{}: {what}", args.circuit));
    // This check comes before the processor is read, which takes a while.
    let core = steps.ok_or(PrivacyError::NoSteps).and_then(|_| privacy.core(&image));
    let core = core.map(|core| Core { shallow: args.shallow, ..core });
    let core = core.and_then(|core| {
        let (store, mut shown) = (verilog::store(), Reading::start(&args.circuit));
        let progress = &mut |stage| shown.begins(stage);
        let reading = &mut verilog::Reading { store: store.as_ref(), progress };
        Ok(core.circuit_with(reading)?)
    });
    let bound = core.and_then(|core| privacy.circuit_on(&core, &image, steps, report));
    bound.map_err(|error| {
        let exit = match &error {
            PrivacyError::Core(_) | PrivacyError::Build(_) => Exit::Local,
            PrivacyError::NotRestricted { .. }
            | PrivacyError::NoProgram
            | PrivacyError::NoSteps => Exit::Usage,
        };
        Failure::new(exit, format!("{}: {error}", args.circuit))
    })
}

/// The circuit options and the cycles of a run of `cycles` steps. If `circuit` names a program for
/// the garbled processor, and each step has its own circuit, all steps are one cycle.
pub fn steps_of(circuit: &CircuitArgs, cycles: Option<u64>) -> (CircuitArgs, Option<u64>) {
    if !is_one(&circuit.circuit) {
        return (circuit.clone(), cycles);
    }
    let one_cycle = circuit.privacy == Some(Privacy::PublicPerStep);
    let circuit = CircuitArgs { steps: cycles, ..circuit.clone() };
    (circuit, cycles.filter(|_| !one_cycle))
}
