//! A program on a machine's model. The labels of all instructions that the model issues are
//! computed.

use super::follow::Follower;
use super::host::{Evaluator, Garbler, Host, Launcher};
use super::modelled::{Model, Modelled};
use super::role::Units;
use super::store::Store;
use crate::dram::RunError;
use halfgate_compiler::Program;
use halfgate_engine::io::{Counters, EvaluatorIo, GarblerIo, RunKey};
use halfgate_engine::{EngineError, Prepared};
use halfgate_haac_model::code::Code;
use halfgate_haac_model::model::rows::Plain;
use halfgate_haac_model::model::{Error, Options, exact, fast};
use halfgate_kernels::{Delta, Label};

/// A program and its code.
pub(super) struct HaacProgram<'p> {
    modelled: Modelled,
    host: Host<'p>,
}

impl Prepared for HaacProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Garbler { delta, io })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Evaluator { io })
    }
}

impl<'p> HaacProgram<'p> {
    pub fn new(modelled: Modelled, program: &'p Program, code: Code) -> HaacProgram<'p> {
        let host = Host::new(&modelled.machine.name, program, code);
        HaacProgram { modelled, host }
    }

    fn run<R: Units>(&self, key: RunKey, cycles: u64, role: R) -> Result<Counters, EngineError> {
        self.host.check(key, cycles)?;
        let code = self.host.code();
        let kernel = self.modelled.kernel;
        let state = kernel.start(key.suite, key.point);
        let store = Store::new(code.shape, code.first_output);
        let ands = self.host.program().ands_per_cycle();
        let follower = Follower::new(role, (kernel, state), store, code.shape.window, ands);
        self.host.run(key, cycles, &mut Followed { modelled: &self.modelled, code, follower })
    }
}

/// A model, and the follower that computes the labels of its issues.
struct Followed<'a, R> {
    modelled: &'a Modelled,
    code: &'a Code,
    follower: Follower<R>,
}

/// The reason for which a model stopped.
fn stopped(error: Error<EngineError>) -> EngineError {
    match error {
        Error::Sink(error) => error,
        Error::Io(error) => EngineError::Spool(error),
        other => EngineError::machine(other),
    }
}

impl<R: Units> Launcher for Followed<'_, R> {
    type Side = R;

    fn side(&mut self) -> &mut R {
        &mut self.follower.role
    }

    fn set_input(&mut self, address: u32, label: Label) {
        self.follower.store.set_input(address, label);
    }

    fn launch(&mut self, _number: u64) -> Result<(), EngineError> {
        let machine = &self.modelled.machine;
        let (code, follower) = (self.code, &mut self.follower);
        let (options, mut sizes) = (Options::new(R::ROLE), Plain::new(code.shape));
        if let Some(dram) = &self.modelled.dram {
            let how = (&options, self.modelled.model == Model::Exact);
            let report = dram.run(code, machine, how, &mut sizes, follower);
            let report = report.map_err(|error| match error {
                RunError::Model(error) => stopped(error),
                other => EngineError::machine(other),
            })?;
            self.modelled.launched(report.cycles);
            return follower.finish();
        }
        let report = match self.modelled.model {
            Model::Fast => fast::run(code, machine, &options, &mut sizes, follower),
            Model::Exact => exact::run_with(
                code,
                machine,
                &options,
                &mut sizes,
                follower,
                &mut exact::NoWatch,
                self.modelled.extra,
            ),
        };
        let report = report.map_err(stopped)?;
        self.modelled.launched(report.cycles);
        follower.finish()
    }

    fn label(&self, address: u32) -> Option<Label> {
        self.follower.store.output(address)
    }

    fn clear(&mut self) {
        self.follower.next_launch();
    }
}
