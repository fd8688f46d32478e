//! Malicious sessions of honest parties.

use super::streaming::long;
use super::*;
use crate::channel::Deadline;
use crate::session::authenticated::cost::Phase;
use halfgate_circuit::Builder;
use std::sync::Mutex;

fn malicious(case: &Case) -> RunOptions {
    RunOptions { security: SecurityLevel::Malicious, ..options(case) }
}

/// Runs a case and checks its outputs.
fn run(case: &Case, options: &RunOptions, channels: (impl Channel, impl Channel)) {
    let (garbled, evaluated) = both(case, (options, options), channels);
    check(case, &options.learn, Party::Garbler, garbled);
    check(case, &options.learn, Party::Evaluator, evaluated);
}

#[test]
fn random_circuits_give_their_results_in_the_clear() {
    for (index, shape) in shapes().iter().enumerate() {
        for seed in 0..3 {
            let case = case(seed + 10 * index as u64, shape, 1);
            run(&case, &malicious(&case), ring::pair());
        }
    }
}

#[test]
fn programs_with_functions_give_the_outputs_of_their_flattening() {
    for seed in 0..16 {
        let flip_flops = if seed % 6 == 5 { 3 } else { 0 };
        let shape = structured::random::Shape { flip_flops, ..Default::default() };
        let case = structured(seed, &shape);
        run(&case, &malicious(&case), pipe_channels());
    }
}

#[test]
fn programs_that_skip_give_their_results_in_the_clear() {
    for (index, shape) in shapes().iter().enumerate() {
        let case = skipping(case(index as u64, shape, 1));
        run(&case, &malicious(&case), ring::pair());
    }
}

#[test]
fn small_state_machines_give_their_results_in_the_clear() {
    for index in 0..random::machines().len() {
        for cycles in [1, 50] {
            let case = case_of(&|| random::machines().swap_remove(index).1, 3, 1, cycles);
            run(&case, &malicious(&case), ring::pair());
        }
    }
}

#[test]
fn long_runs_give_their_results_to_all_learners_and_only_to_them() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    for (index, (x, y)) in all.iter().flat_map(|x| all.map(|y| (*x, y))).enumerate() {
        let case = long(100 + 11 * index as u64, 1);
        let options = RunOptions { learn: vec![x, y], ..malicious(&case) };
        match index % 2 {
            0 => run(&case, &options, ring::pair()),
            _ => run(&case, &options, pipe_channels()),
        }
    }
}

#[test]
fn several_runs_share_a_connection() {
    let shape = Shape { flip_flops: 5, input_bits: 30, ..Shape::default() };
    for field in OtField::ALL {
        let case = case(8, &shape, 3);
        let options = RunOptions { ot_field: Some(field), ..malicious(&case) };
        run(&case, &options, pipe_channels());
    }
}

/// More input bits than are drawn at once.
#[test]
fn long_inputs_come_in_several_draws() {
    let shape = Shape { input_bits: 20_000, gates: 30_000, ..Shape::default() };
    let case = case(5, &shape, 1);
    run(&case, &malicious(&case), ring::pair());
}

/// Both parties would wait for each other to read.
#[test]
fn more_input_bits_of_both_than_channels_buffer_are_refused() {
    let circuit = || {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 100_001);
        let y = b.input("y", Party::Evaluator, 100_001);
        let mut sums: Vec<_> = x.iter().zip(&y).map(|(&x, &y)| b.xor(x, y)).collect();
        sums[0] = b.and(x[0], y[0]);
        b.output("sums", &sums);
        b.finish().unwrap()
    };
    let case = case_of(&circuit, 1, 1, 1);
    let options = malicious(&case);
    let (garbled, evaluated) = both(&case, (&options, &options), ring::pair());
    for refused in [garbled.unwrap_err(), evaluated.unwrap_err()] {
        assert!(refused.to_string().contains("more than 100000 input bits"), "{refused}");
    }
}

/// The reports of the phases of both parties.
fn phases(reports: [&Report; 2]) -> [Vec<PhaseReport>; 2] {
    let phases = reports.map(|report| report.phases.clone());
    for phases in &phases {
        assert!(phases.iter().map(|phase| phase.phase).eq(Phase::ALL));
    }
    phases
}

/// A message is in the same phase for both parties.
#[test]
fn what_a_party_sends_in_a_phase_the_other_receives_in_it() {
    // Heartbeats are counted where they happen to come, so there must be none.
    let unhurried =
        |case: &Case| RunOptions { timeout: Duration::from_secs(100), ..malicious(case) };
    for case in [&long(7, 2), &long(100, 1)] {
        let options = unhurried(case);
        for (garbled, evaluated) in [
            both(case, (&options, &options), ring::pair()),
            both(case, (&options, &options), pipe_channels()),
        ] {
            for (garbler, evaluator) in garbled.unwrap().iter().zip(&evaluated.unwrap()) {
                let [garbler, evaluator] = phases([garbler, evaluator]);
                for (a, b) in garbler.iter().zip(&evaluator) {
                    assert_eq!(a.bytes_sent, b.bytes_received, "{}", a.phase);
                    assert_eq!(a.bytes_received, b.bytes_sent, "{}", a.phase);
                }
                // The evaluator's masked inputs do not come with the tables.
                assert_eq!(garbler[1].bytes_received, 0);
                assert!(garbler.iter().all(|phase| phase.bytes_sent > 0));
                assert!(evaluator[2].bytes_sent > 0);
            }
        }
    }
}

/// What events name, in order.
fn steps(events: &[Event]) -> Vec<String> {
    let step = |event: &Event| match event {
        Event::SetupStarted => Some("set-up".to_owned()),
        Event::Setup { .. } => Some("set up".to_owned()),
        Event::RunStarted { run } => Some(format!("run {run}")),
        Event::PhaseStarted { phase } => Some(phase.to_string()),
        Event::Progress { .. } => Some("progress".to_owned()),
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

#[test]
fn events_name_the_set_up_and_each_windows_phases() {
    let case = long(100, 1);
    let options = malicious(&case);
    let engine = engine();
    let (mut garblers, mut evaluators) = (Vec::new(), Vec::new());
    let garbler = LocalParty::new(&engine, &case.garbler[0]);
    let evaluator = LocalParty::new(&engine, &case.evaluator[0]);
    run_local(
        &case.program,
        garbler.with_events(|event| garblers.push(event)),
        evaluator.with_events(|event| evaluators.push(event)),
        &options,
    )
    .unwrap();
    for events in [garblers, evaluators] {
        let steps = steps(&events);
        assert_eq!(steps[..3], ["set-up", "set up", "run 0"]);
        let windows = steps[3..].chunks(4);
        assert!(windows.len() > 1, "{steps:?}");
        for window in windows {
            assert_eq!(window, ["correlations", "function-dependent", "online", "progress"]);
        }
    }
}

/// A channel that keeps the names of the deadlines that a session sets, and its progress.
struct Watched<C> {
    channel: C,
    kept: Arc<Mutex<(Vec<&'static str>, u64)>>,
}

impl<C: Channel> Channel for Watched<C> {
    crate::forward_channel!(
        channel:
        set_timing send_space send_commit flush recv try_recv payload tick abort close bytes_sent
        bytes_received sent_digest received_digest round_trip
    );

    fn set_deadline(&mut self, deadline: Option<Deadline>) {
        let step = deadline.map_or("none", |deadline| deadline.step);
        self.kept.lock().unwrap().0.push(step);
        self.channel.set_deadline(deadline);
    }

    fn set_progress(&mut self, ands: u64) {
        self.kept.lock().unwrap().1 = ands;
        self.channel.set_progress(ands);
    }
}

/// A server's limit of ANDs needs the progress of programs that skip, whose ANDs are known only
/// during the run. The preparation is no part of the set-up of transfers.
#[test]
fn channels_have_the_progress_and_the_deadlines_of_the_steps() {
    let shape = Shape { gates: 3000, and_percent: 80, ..Shape::default() };
    let case = skipping(case(1, &shape, 1));
    let run = Some(Duration::from_secs(60));
    let deadlines = Deadlines { run, ..Deadlines::default() };
    let options = RunOptions { deadlines, ..malicious(&case) };
    let kept = [(); 2].map(|()| Arc::default());
    let (a, b) = ring::pair();
    let [garbler, evaluator] = kept.each_ref().map(Arc::clone);
    let channels = (Watched { channel: a, kept: garbler }, Watched { channel: b, kept: evaluator });
    let (garbled, evaluated) = both(&case, (&options, &options), channels);
    for (report, kept) in [garbled, evaluated].iter().zip(kept) {
        let (steps, ands) = &*kept.lock().unwrap();
        let transfers = "set-up of oblivious transfers";
        assert_eq!(steps[..], ["handshake", transfers, "run", transfers, "run"]);
        assert_eq!(*ands, report.as_ref().unwrap()[0].counters.ands);
        assert!(*ands > 0);
    }
}
