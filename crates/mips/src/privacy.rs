//! Privacy modes: how much of a program stays private, and what is garbled for it.
//!
//! | mode | the evaluator learns of the program |
//! |---|---|
//! | private | sizes of memories, places of inputs and outputs |
//! | semi-private | the same, and the restricted set to which it was fitted |
//! | public, public-per-step, public-skip | all of it |
//!
//! What is garbled in each step:
//!
//! - *private*: a processor with all instructions. The program is the garbler's input.
//! - *semi-private*: a processor with the instructions of the set. The program is the garbler's
//!   input.
//! - *public*: the instructions and registers that the program uses. The program is a constant of
//!   the circuit.
//! - *public-per-step*: the part that the step's instruction needs. [`unroll`](crate::unroll) makes
//!   one circuit of all steps before the run.
//! - *public-skip*: the part of the public mode's processor that the step needs, decided during the
//!   run by [`skip`](halfgate_compiler::skip).
//!
//! Both parties know the number of steps, on which they agree before the run. A program that ends
//! earlier idles until then. Errors that depend on secrets are not reported during the run:
//! addresses wrap, and unknown instructions do nothing. Only the output `status` shows whether the
//! program trapped.

use crate::bind::{Knows, bind, secrets};
use crate::core::{Core, CoreError};
use crate::image::Image;
use crate::isa::InstructionSet;
use crate::known::Counter;
use crate::unroll::unroll;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bits, Circuit};
use halfgate_compiler::Skips;
use halfgate_compiler::skip::Known;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The privacy mode of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Privacy {
    /// The whole program is private.
    #[default]
    Private,
    /// The program is private, except for the restricted set to which it was fitted.
    SemiPrivate,
    /// The program is public.
    Public,
    /// The program is public, and each step has its own circuit.
    PublicPerStep,
    /// The program is public; both parties skip unneeded gates, step by step.
    PublicSkip,
}

/// The circuit that two parties run, and its rules for skipping gates.
#[derive(Debug)]
pub struct Bound {
    /// The circuit.
    pub circuit: Circuit,
    /// Present if gates are skipped.
    pub skips: Option<Skips>,
}

/// Why a program cannot be bound to a circuit.
#[derive(Debug, Error)]
pub enum PrivacyError {
    /// The program was not fitted to a restricted set.
    #[error(
        "it was built for the set {set:?}: semi-private runs need a restricted set, alu-shift or alu; \
         build it for one (--set), or run it as private"
    )]
    NotRestricted {
        /// The set's name.
        set: &'static str,
    },
    /// The image is only an interface, without the program.
    #[error(
        "a public run needs the program, but this file has only the addresses of its inputs and outputs"
    )]
    NoProgram,
    /// The number of steps is not given.
    #[error(
        "it is unknown how many steps the run takes: add --steps, or build the program with --steps"
    )]
    NoSteps,
    /// The circuit of the processor cannot be made.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The circuit is too large.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Privacy {
    /// Returns the processor that is garbled for `image`.
    ///
    /// # Errors
    /// If the mode does not fit the program's set or needs the program itself.
    pub fn core(self, image: &Image) -> Result<Core, PrivacyError> {
        let full = InstructionSet::named("full").expect("a set of spec/mips.toml");
        match self {
            Privacy::Private => Ok(Core::new(image.size, full)),
            Privacy::SemiPrivate if image.set.name == "alu" || image.set.name == "alu-shift" => {
                Ok(Core::new(image.size, image.set))
            }
            Privacy::SemiPrivate => Err(PrivacyError::NotRestricted { set: image.set.name }),
            _ if image.instructions.is_empty() => Err(PrivacyError::NoProgram),
            Privacy::Public | Privacy::PublicPerStep | Privacy::PublicSkip => {
                Ok(image.application())
            }
        }
    }

    /// Returns the circuit that two parties run for `image`, and its rules for skipping gates. It
    /// has `steps` steps, by default as many as the program declares. In mode public-per-step,
    /// `report` receives a message about branches on secrets.
    ///
    /// # Errors
    /// If the mode does not fit the program, the number of steps is not given, or the processor's
    /// circuit cannot be made.
    pub fn circuit(
        self,
        image: &Image,
        steps: Option<u64>,
        report: &mut dyn FnMut(&str),
    ) -> Result<Bound, PrivacyError> {
        let (core, steps) = (self.core(image)?, steps.or(image.steps));
        let steps = steps.ok_or(PrivacyError::NoSteps)?;
        self.circuit_on(&core.circuit()?, image, Some(steps), report)
    }

    /// Like [`circuit`](Privacy::circuit), on the processor whose circuit is `core`. It must be the
    /// circuit of [`core`](Privacy::core), or an equivalent one.
    ///
    /// # Errors
    /// As [`circuit`](Privacy::circuit).
    pub fn circuit_on(
        self,
        core: &Circuit,
        image: &Image,
        steps: Option<u64>,
        report: &mut dyn FnMut(&str),
    ) -> Result<Bound, PrivacyError> {
        let steps = steps.or(image.steps).ok_or(PrivacyError::NoSteps)?;
        if self == Privacy::PublicPerStep {
            let unrolled = unroll(core, image, steps)?;
            if !unrolled.secret_branches.is_empty() {
                let places: Vec<String> =
                    unrolled.secret_branches.iter().map(|&branch| image.place(branch)).collect();
                report(&format!(
                    "branches on secrets, at {}: in {} steps the instruction is one of several, and all are garbled",
                    places.join(", "),
                    unrolled.secret_steps
                ));
            }
            return Ok(Bound { circuit: unrolled.circuit, skips: None });
        }
        let skips = (self == Privacy::PublicSkip).then(|| {
            let counter = Counter::of(image, core);
            Skips { known: counter.map(|counter| Arc::new(counter) as Arc<dyn Known>) }
        });
        Ok(Bound { circuit: bind(core, image, self.knows(), steps)?, skips })
    }

    /// Returns the values of the inputs that contain the program, in the order of the circuit's
    /// inputs. The list is empty if the program is a constant.
    pub fn secrets(self, image: &Image) -> Vec<(&'static str, Bits)> {
        match self.knows() {
            Knows::Both => Vec::new(),
            Knows::Garbler => {
                let [instructions, constants] = secrets(image);
                let all = [
                    (crate::bind::INSTRUCTIONS, instructions),
                    (crate::bind::CONSTANTS, constants),
                ];
                all.into_iter().filter(|(_, bits)| !bits.is_empty()).collect()
            }
        }
    }

    /// Whether the program is the garbler's secret. Then the evaluator cannot know what it helps to
    /// compute.
    pub fn is_secret(self) -> bool {
        matches!(self.knows(), Knows::Garbler)
    }

    fn knows(self) -> Knows {
        match self {
            Privacy::Public | Privacy::PublicPerStep | Privacy::PublicSkip => Knows::Both,
            Privacy::Private | Privacy::SemiPrivate => Knows::Garbler,
        }
    }
}

const NAMES: [(&str, Privacy); 5] = [
    ("private", Privacy::Private),
    ("semi-private", Privacy::SemiPrivate),
    ("public", Privacy::Public),
    ("public-per-step", Privacy::PublicPerStep),
    ("public-skip", Privacy::PublicSkip),
];

impl fmt::Display for Privacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = NAMES.iter().find(|(_, privacy)| privacy == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

impl FromStr for Privacy {
    type Err = String;

    fn from_str(text: &str) -> Result<Privacy, String> {
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, privacy)| privacy).ok_or_else(|| {
            "take private, semi-private, public, public-per-step or public-skip".to_owned()
        })
    }
}
