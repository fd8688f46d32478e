//! `halfgate run`: both parties in this process.

use crate::failures::failure;
use crate::inputs::Given;
use crate::report::{self, Session};
use crate::session_args::RunArgs;
use crate::stream::Stream;
use crate::{logging, options, ports};
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Progress;
use halfgate_console::source::cycles;
use halfgate_console::{interrupt, print, source};
use halfgate_protocol::session::{Event, LocalParty, run_local};
use halfgate_registry::{CPU, OnCpu};
use std::path::Path;
use std::sync::Mutex;

/// The party whose engine is traced, if any: the only one with an rtl: engine.
fn traced(trace: Option<&Path>, names: [&str; 2]) -> Result<Option<usize>, Failure> {
    if trace.is_none() {
        return Ok(None);
    }
    let circuits = names.map(|name| name.starts_with("rtl:"));
    match circuits {
        [true, true] => Err(Failure::new(
            Exit::Usage,
            "--trace has the waveforms of one machine: only one party may run on rtl:",
        )),
        // A name that is not an rtl: engine gets its own error.
        [first, _] => Ok(Some(usize::from(!first))),
    }
}

pub(super) fn execute(args: &RunArgs) -> Result<(), Failure> {
    let common = &ports::with_steps(&args.common)?;
    let names = [&args.garbler_engine, &args.evaluator_engine]
        .map(|own| own.as_ref().unwrap_or(&common.engine));
    options::check_security(common, &names.map(String::as_str))?;
    let traced = traced(common.trace.as_deref(), names.map(String::as_str))?;
    let is_cpu = |party: usize| names[party] == CPU.0;
    let engine = |party: usize, role| {
        let trace = common.trace.as_deref().filter(|_| traced == Some(party));
        let on = OnCpu {
            kernel: common.kernel.as_deref(),
            // They are for the engine cpu if only one of the two is a machine.
            threads: common.threads.filter(|_| is_cpu(party) || !is_cpu(1 - party)),
            is_shared: true,
        };
        halfgate_registry::engine(names[party], on, &[role], trace)
    };
    // Some engines only garble; report that before a circuit is built.
    let evaluator_engine = engine(1, Party::Evaluator)?;
    let garbler_engine = engine(0, Party::Garbler)?;
    options::suite(&common.suite.name, common.suite.insecure_suite)?;
    let program = source::program(&common.circuit)?;
    logging::program(&common.circuit.circuit, &program);
    let circuit = &program.circuit;

    let spec = &common.circuit.circuit;
    let mut stdin = Some(std::io::stdin().lock());
    let garbler = Given::read(&args.values.garbler, spec, circuit, Party::Garbler, &mut stdin)?;
    let evaluator =
        Given::read(&args.values.evaluator, spec, circuit, Party::Evaluator, &mut stdin)?;
    drop(stdin);
    let given = garbler.cycles()?.or(evaluator.cycles()?);
    let cycles = cycles(common.cycles, given, circuit)?;
    let garbler = garbler.bits(circuit, cycles)?;
    let evaluator = evaluator.bits(circuit, cycles)?;

    let cancel = interrupt::flag()?;
    let options = options::session(common, &circuit.outputs, cycles, &cancel)?;
    let mut progress = Progress::start();
    // Each party prints what it learns; outputs that both learn are printed by the garbler.
    let stream = Mutex::new(Stream::of(&circuit.outputs, common.json));
    let by_garbler: Vec<bool> = (0..circuit.outputs.len())
        .map(|output| options.learn.get(output).is_none_or(|learn| learn.by(Party::Garbler)))
        .collect();
    let print = |event: Event, is_other: bool| {
        let Ok(mut stream) = stream.lock() else { return };
        match event {
            Event::Outputs { first_cycle, cycles, mut values } => {
                for (value, &by_garbler) in values.iter_mut().zip(&by_garbler) {
                    *value = value.take().filter(|_| !(is_other && by_garbler));
                }
                stream.print(first_cycle, cycles, &values);
            }
            Event::OutputBits { output, first, bits } if !(is_other && by_garbler[output]) => {
                stream.print_bits(output, first, &bits);
            }
            _ => {}
        }
    };
    let reports = run_local(
        &program,
        LocalParty::new(&*garbler_engine, &garbler).with_events(|event| match event {
            Event::Outputs { .. } | Event::OutputBits { .. } => print(event, false),
            event => progress.event(event),
        }),
        LocalParty::new(&*evaluator_engine, &evaluator).with_events(|event| print(event, true)),
        &options,
    );
    drop(progress);
    stream.into_inner().map_or(Ok(()), Stream::check)?;
    let (mut report, other) = reports.map_err(failure)?;
    // Both parties are here, so the outputs of either are shown.
    for (own, other) in report.outputs.iter_mut().zip(other.outputs) {
        if let (Some(own), Some(other)) = (&own, &other)
            && own != other
        {
            let what = "the two parties decoded different outputs; please report this";
            return Err(Failure::new(Exit::Local, what));
        }
        *own = own.take().or(other);
    }
    ports::check_finished(&common.circuit, &circuit.outputs, &report.outputs)?;
    let session = Session {
        program: &program,
        suite: options.suite,
        party: None,
        runs: 1,
        simulated: vec![
            (Party::Garbler, garbler_engine.simulated()),
            (Party::Evaluator, evaluator_engine.simulated()),
        ],
        links: vec![
            (Party::Garbler, garbler_engine.traffic()),
            (Party::Evaluator, evaluator_engine.traffic()),
        ],
    };
    let results = [session.result(report)];
    match common.json {
        true => report::print_json(&results, None),
        false => print::line(&report::text(&results)),
    }
}
