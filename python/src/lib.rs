//! The Rust half of the Python package: `halfgate._halfgate`.
//!
//! Reading order: [`graph`] (a traced function), [`tracer`] (how Python writes it), [`operation`]
//! and [`convert`] (one element), [`value`], [`lower`] (from a graph to a circuit), [`program`]
//! (compiled), [`options`], [`packed`] (inputs and outputs), [`session`], [`ahead`] (files made
//! before the inputs are known), [`engines`] and [`sources`] (simulated machines), [`running`] and
//! [`raise`] (threads, signals and exceptions).

mod ahead;
mod convert;
mod dtype;
mod engines;
mod graph;
mod ledger;
mod lower;
mod operation;
mod options;
mod packed;
mod program;
mod raise;
mod report;
mod running;
mod session;
mod sources;
mod tracer;
mod value;
mod wording;

use halfgate::protocol::session::OtField;
use halfgate::protocol::session::authenticated::cost::{Cost, PhaseCost};
use halfgate_circuit::Party;
use pyo3::prelude::*;

/// Native half of the package.
#[pymodule]
mod _halfgate {
    #[pymodule_export]
    use super::ahead::{Ahead, used_preprocessing};
    #[pymodule_export]
    use super::dtype::DType;
    #[pymodule_export]
    use super::engines::engines;
    #[pymodule_export]
    use super::options::Options;
    #[pymodule_export]
    use super::packed::{repack, unpack};
    #[pymodule_export]
    use super::program::Program;
    #[pymodule_export]
    use super::session::{Port, Session, connect, keygen};
    #[pymodule_export]
    use super::tracer::{Traced, Tracer};
    use super::*;

    /// The built-in programs: name, parameters and a description.
    #[pyfunction]
    fn built_in_programs() -> Vec<(String, String, String)> {
        let programs = halfgate_programs::all().iter();
        let entry = |program: &halfgate_programs::ProgramInfo| {
            (program.name.to_owned(), program.usage(), program.summary.to_owned())
        };
        programs.map(entry).collect()
    }

    /// Traffic of a malicious run on a link with this round trip: for each phase its name, the
    /// bytes that the garbler and the evaluator send, and the rounds.
    #[pyfunction]
    fn malicious_cost(ands: u64, round_trip: f64) -> Vec<(String, u64, u64, u64)> {
        let round_trip = std::time::Duration::try_from_secs_f64(round_trip).ok();
        let cost = Cost::of(ands, OtField::for_round_trip(round_trip));
        let phase = |of: &PhaseCost| {
            let [garbler, evaluator] =
                [Party::Garbler, Party::Evaluator].map(|party| of.bytes(party));
            (of.phase.to_string(), garbler, evaluator, of.rounds * cost.windows)
        };
        cost.phases.iter().map(phase).collect()
    }
}
