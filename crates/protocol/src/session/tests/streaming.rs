//! Runs of many cycles: outputs that are released during the run, and inputs supplied during the
//! run.

use super::*;
use std::sync::Mutex;

/// Some outputs in each of many cycles: several windows.
pub(super) fn long(cycles: u64, runs: u64) -> Case {
    let shape =
        Shape { gates: 40, flip_flops: 9, input_bits: 24, output_bits: 20, ..Shape::default() };
    case_over(5, &shape, runs, cycles)
}

/// A party's outputs from events and report together, as if they had not been streamed.
fn put_together(case: &Case, report: &Report, events: &[Event]) -> Vec<Option<Bits>> {
    let mut values = report.outputs.clone();
    let mut next = 0;
    for event in events {
        let Event::Outputs { first_cycle, cycles, values: new } = event else { continue };
        assert_eq!(*first_cycle, next, "windows follow each other");
        next += cycles;
        for (index, new) in new.iter().enumerate() {
            let Some(new) = new else { continue };
            assert!(case.program.circuit.outputs[index].per_cycle);
            let all = values[index].as_mut().expect("a value of an output that is learned");
            (0..new.len()).for_each(|bit| all.push(new.get(bit)));
        }
    }
    values
}

#[test]
fn long_runs_give_their_results_in_the_clear_to_all_learners() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    for (index, (x, y)) in all.iter().flat_map(|x| all.map(|y| (*x, y))).enumerate() {
        let case = long(1000 + 111 * index as u64, 1 + index as u64 % 2);
        let options = RunOptions { learn: vec![x, y], ..options(&case) };
        let ends = (&options, &options);
        let (garbled, evaluated) = match index % 2 {
            0 => both(&case, ends, ring::pair()),
            _ => both(&case, ends, pipe_channels()),
        };
        check(&case, &options.learn, Party::Garbler, garbled);
        check(&case, &options.learn, Party::Evaluator, evaluated);
    }
}

/// Flip-flops of every kind, with a body of a few gates or none.
#[test]
fn small_state_machines_give_their_results_in_the_clear() {
    for index in 0..random::machines().len() {
        for cycles in [1, 5, 1500] {
            let case = case_of(&|| random::machines().swap_remove(index).1, 3, 1, cycles);
            let options = options(&case);
            let (garbled, evaluated) = both(&case, (&options, &options), ring::pair());
            check(&case, &[], Party::Garbler, garbled);
            check(&case, &[], Party::Evaluator, evaluated);
        }
    }
}

/// More labels are pending than allowed, so the garbler has to wait.
#[test]
fn wide_outputs_in_each_cycle_do_not_deadlock_the_parties() {
    let shape = Shape {
        gates: 300,
        flip_flops: 9,
        input_bits: 40,
        output_bits: 90_000,
        ..Shape::default()
    };
    let case = case_over(6, &shape, 1, 12);
    let options = options(&case);
    for (garbled, evaluated) in [
        both(&case, (&options, &options), ring::pair()),
        both(&case, (&options, &options), pipe_channels()),
    ] {
        check(&case, &[], Party::Garbler, garbled);
        check(&case, &[], Party::Evaluator, evaluated);
    }
}

/// Both parties take their outputs and give their inputs during the run.
#[test]
fn inputs_and_outputs_stream() {
    let case = long(1500, 2);
    let circuit = &case.program.circuit;
    let mut parties = [case.garbler.clone(), case.evaluator.clone()];
    let mut held: Vec<Vec<Option<Bits>>> = vec![vec![None; circuit.inputs.len()]; 2];
    for (run, inputs) in parties.iter_mut().flat_map(|runs| runs.iter_mut().enumerate()) {
        for (index, input) in circuit.inputs.iter().enumerate().filter(|(_, i)| i.per_cycle) {
            if let Some(bits) = inputs[index].take() {
                assert_eq!(bits.len() as u64, u64::from(input.width) * case.cycles);
                held[run][index] = Some(bits);
            }
        }
    }
    let widths: Vec<_> = circuit.inputs.iter().map(|input| input.width as usize).collect();
    let requested = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&requested);
    let feed = Feed::new(move |Wanted { run, input, cycle }| {
        noted.lock().unwrap().push((run, input, cycle));
        let bits = held[run][input].as_ref().ok_or("not an input that was left out")?;
        Ok(bits.slice(cycle as usize * widths[input], widths[input]))
    });
    let options = RunOptions { stream: true, feed: Some(feed), ..options(&case) };
    let (mut a, mut b) = ring::pair();
    let engine = engine();
    let run = |role: Party, channel: &mut dyn Channel, runs: &[PartyInputs]| {
        let mut events = vec![Vec::new(); runs.len()];
        let mut run = 0;
        let mut note = |event| {
            if let Event::RunStarted { run: number } = event {
                run = number;
            }
            events[run].push(event);
        };
        let session = if role == Party::Garbler { garble } else { evaluate };
        let reports = session(channel, &case.program, &engine, runs, &options, &mut note);
        for ((report, events), clear) in reports.unwrap().iter().zip(&events).zip(&case.outputs) {
            let values = put_together(&case, report, events);
            assert_eq!(values.into_iter().map(Option::unwrap).collect::<Vec<_>>(), *clear);
            let windows = events.iter().filter(|e| matches!(e, Event::Outputs { .. })).count();
            assert!(windows >= 5, "{windows} windows");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| run(Party::Evaluator, &mut b, &parties[1]));
        run(Party::Garbler, &mut a, &parties[0]);
    });
    let requested = requested.lock().unwrap();
    let of_input = |input: usize| requested.iter().filter(move |(_, i, _)| *i == input);
    for (index, input) in circuit.inputs.iter().enumerate() {
        let count = of_input(index).count() as u64;
        assert!(count == 0 || (input.per_cycle && count == 2 * case.cycles), "{count}");
    }
    assert!(!requested.is_empty());
}

#[test]
fn a_feed_that_ends_early_ends_the_session_and_names_the_input() {
    let mut case = long(900, 1);
    let circuit = &case.program.circuit;
    let fed = circuit.inputs.iter().position(|i| i.per_cycle && i.party == Party::Garbler).unwrap();
    let name = circuit.inputs[fed].name.clone();
    let width = circuit.inputs[fed].width as usize;
    case.garbler[0][fed] = None;
    for (len, what) in [(width, "cycle 700: no more values"), (width + 1, "cycle 0: ")] {
        let feed = Feed::new(move |wanted| match wanted.cycle {
            700 => Err("no more values".to_owned()),
            _ => Ok(Bits::with_len(len)),
        });
        let fed = RunOptions { feed: Some(feed), ..options(&case) };
        let (garbled, evaluated) = both(&case, (&fed, &options(&case)), pipe_channels());
        let error = garbled.unwrap_err();
        assert_eq!(error.class(), ErrorClass::Usage);
        let text = error.to_string();
        assert!(text.contains(&format!("{name:?}")) && text.contains(what), "{text}");
        assert_eq!(evaluated.unwrap_err().class(), ErrorClass::Aborted);
    }
}

/// After a cut connection the caller has the outputs of the first cycles if it streams them, and no
/// result in any case.
#[test]
fn a_run_that_fails_has_no_result() {
    let case = long(30_000, 1);
    let options = RunOptions { stream: true, ..options(&case) };
    let clear = &case.outputs[0];
    let (a, b) = pipe(Fault::Cut { frame: 300 }, Fault::None);
    let (mut a, mut b) = (StreamChannel::new(a), StreamChannel::new(b));
    let engine = engine();
    std::thread::scope(|scope| {
        let (case, engine, options) = (&case, &engine, &options);
        let garbler = scope.spawn(move || {
            garble(&mut a, &case.program, engine, &case.garbler, options, &mut |_| {})
        });
        let mut seen = vec![Bits::new(); clear.len()];
        let mut note = |event: Event| {
            let Event::Outputs { values, .. } = event else { return };
            for (seen, new) in seen.iter_mut().zip(values) {
                let new = new.unwrap_or_default();
                (0..new.len()).for_each(|bit| seen.push(new.get(bit)));
            }
        };
        let result = evaluate(&mut b, &case.program, engine, &case.evaluator, options, &mut note);
        assert_eq!(result.unwrap_err().class(), ErrorClass::Connection);
        drop(b);
        assert_eq!(garbler.join().unwrap().unwrap_err().class(), ErrorClass::Connection);
        let len: usize = seen.iter().map(Bits::len).sum();
        assert!(len > 0, "no window was released before the cut");
        for (seen, clear) in seen.iter().zip(clear) {
            assert_eq!(*seen, clear.slice(0, seen.len()));
        }
    });
}

#[test]
fn absurd_cycles_are_refused_and_reserve_nothing() {
    let case = long(10, 1);
    for cycles in [1 << 40, 1 << 60, u64::MAX] {
        let mut options = RunOptions { cycles, ..options(&case) };
        for stream in [false, true] {
            options.stream = stream;
            for (role, runs) in
                [(Party::Garbler, &case.garbler), (Party::Evaluator, &case.evaluator)]
            {
                let (mut a, _b) = pipe_channels();
                let session = if role == Party::Garbler { garble } else { evaluate };
                let result = session(&mut a, &case.program, &engine(), runs, &options, &mut |_| {});
                let error = result.unwrap_err();
                assert_eq!(error.class(), ErrorClass::Usage, "{error}");
            }
        }
    }
}
