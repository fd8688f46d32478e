//! Runs in parts: inputs and outputs are exchanged while the run goes on.

use super::*;
use crate::session::inputs::InputOrder;
use halfgate_circuit::builder::{Arg, Builder};
use halfgate_circuit::{Bit, int};

/// A map of additions whose second input is the other party's, and a second map of the sums. The
/// sums are given by the first map, if nothing else reads them.
pub(super) fn additions(lanes: u64, width: usize, second: bool, seed: u64) -> Case {
    let mut b = Builder::new();
    let bits = lanes as u32 * width as u32;
    let key = b.input("key", Party::Garbler, width as u32);
    let xs = b.input("x", Party::Evaluator, bits);
    let ys = b.input("y", Party::Garbler, bits);
    let add = |b: &mut Builder, of: &[Vec<Bit>]| {
        let sum = int::add(b, &of[0], &of[1]);
        int::add(b, &sum, &of[2])
    };
    let arguments = [Arg::Sliced(&xs), Arg::Sliced(&ys), Arg::Shared(&key)];
    let sums = b.map("add", lanes, &arguments, add);
    if second {
        let arguments = [Arg::Array(sums), Arg::Shared(&key)];
        let products = b.map("multiply", lanes, &arguments, |b, of| {
            int::mul(b, &of[0], &of[1])[..width].to_vec()
        });
        b.output_array("products", products);
        b.output("first", &[!sums.bits()[0], Bit::TRUE]);
    } else {
        b.output("before", &[Bit::TRUE, key[0], Bit::FALSE]);
        b.output_array("sums", sums);
        b.output("inputs", &[xs[0], !ys[bits as usize - 1]]);
    }
    structured_of(b.finish_structured().unwrap(), seed)
}

/// The parties' engines: with one thread or several.
fn engines() -> [[CpuEngine; 2]; 4] {
    let (one, several) = (engine(), threaded());
    [[one, one], [one, several], [several, one], [several, several]]
}

fn parts_of(case: &Case) -> u64 {
    let order = InputOrder::of(&case.program, 1).unwrap();
    order.parts().map_or(1, super::super::parts::Parts::count)
}

#[test]
fn runs_in_parts_give_what_they_compute() {
    for (seed, (lanes, width, second)) in
        [(1, 8, false), (3, 16, false), (70, 5, false), (100, 8, true), (64, 4, true)]
            .into_iter()
            .enumerate()
    {
        let case = additions(lanes, width, second, seed as u64);
        assert_eq!(parts_of(&case) > 2, lanes > 60, "{lanes} lanes");
        let options = options(&case);
        let learn = vec![Learn::Both; case.outputs[0].len()];
        for engines in engines() {
            for (garbled, evaluated) in [
                both_on(engines, &case, (&options, &options), ring::pair()),
                both_on(engines, &case, (&options, &options), pipe_channels()),
            ] {
                check(&case, &learn, Party::Garbler, garbled);
                check(&case, &learn, Party::Evaluator, evaluated);
            }
        }
    }
}

#[test]
fn outputs_of_parts_are_learned_by_their_learners() {
    let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
    let case = additions(90, 6, false, 5);
    for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))) {
        let named = RunOptions { learn: vec![x, y, x], ..options(&case) };
        let (garbled, evaluated) = both(&case, (&named, &named), ring::pair());
        check(&case, &named.learn, Party::Garbler, garbled);
        check(&case, &named.learn, Party::Evaluator, evaluated);
    }
}

#[test]
fn random_programs_run_in_parts() {
    let mut in_parts = 0;
    for seed in 0..60 {
        let shape = structured::random::Shape::default();
        let case = structured(seed, &shape);
        in_parts += u32::from(parts_of(&case) > 1);
        let options = options(&case);
        let engines = engines()[seed as usize % 4];
        let (garbled, evaluated) = both_on(engines, &case, (&options, &options), ring::pair());
        let learn = vec![Learn::Both; case.outputs[0].len()];
        check(&case, &learn, Party::Garbler, garbled);
        check(&case, &learn, Party::Evaluator, evaluated);
    }
    assert!(in_parts > 5, "{in_parts} of 60 programs have several parts");
}

/// A connection that is lost at any frame ends runs with several threads on both sides.
#[test]
fn a_lost_connection_ends_runs_with_several_threads() {
    let case = additions(100, 8, true, 7);
    let options = options(&case);
    let mut lost = 0;
    for frame in 0..40 {
        for faults in [(Fault::Cut { frame }, Fault::None), (Fault::None, Fault::Cut { frame })] {
            let (a, b) = pipe(faults.0, faults.1);
            let ends = (StreamChannel::new(a), StreamChannel::new(b));
            let (garbled, evaluated) =
                both_on([threaded(), threaded()], &case, (&options, &options), ends);
            let learn = vec![Learn::Both; case.outputs[0].len()];
            for (party, ended) in [(Party::Garbler, garbled), (Party::Evaluator, evaluated)] {
                match ended.is_ok() {
                    true => check(&case, &learn, party, ended),
                    false => lost += 1,
                }
            }
        }
    }
    assert!(lost > 40, "{lost} runs of 160 were lost");
    let begin = Instant::now();
    while engine_threads() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(10), "{} threads", engine_threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Threads of engines that exist, where the system lists them. They end soon after their sessions.
fn engine_threads() -> usize {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0 };
    let names = threads.flatten().map(|thread| std::fs::read_to_string(thread.path().join("comm")));
    names.flatten().filter(|name| name.starts_with("engine-")).count()
}

/// With streaming, what maps give is passed on in order while the run goes on, and the rest is
/// collected.
#[test]
fn outputs_of_parts_are_streamed() {
    let case = additions(100, 8, false, 9);
    let options = RunOptions { stream: true, ..options(&case) };
    let engine = threaded();
    let streamed = [Bits::new(), Bits::new()].map(std::sync::Mutex::new);
    let seen = |party: usize| {
        let bits = &streamed[party];
        move |event| {
            if let Event::OutputBits { output, first, bits: new } = event {
                let mut bits = bits.lock().unwrap();
                assert_eq!((output, first), (1, bits.len()));
                bits.append(&new);
            }
        }
    };
    let (garbler, evaluator) = run_local(
        &case.program,
        LocalParty::new(&engine, &case.garbler[0]).with_events(seen(0)),
        LocalParty::new(&engine, &case.evaluator[0]).with_events(seen(1)),
        &options,
    )
    .unwrap();
    for (report, streamed) in [garbler, evaluator].iter().zip(&streamed) {
        assert_eq!(*streamed.lock().unwrap(), case.outputs[0][1]);
        let [before, sums, inputs] = &report.outputs[..] else { panic!("three outputs") };
        assert_eq!(before.as_ref(), Some(&case.outputs[0][0]));
        assert_eq!(sums.as_ref(), Some(&Bits::new()));
        assert_eq!(inputs.as_ref(), Some(&case.outputs[0][2]));
    }
}

/// An engine that runs a flattening has no parts, and so has none with an engine that runs
/// functions.
#[test]
fn a_run_with_an_engine_that_flattens_has_one_part() {
    struct Flattening(CpuEngine);
    impl Engine for Flattening {
        fn name(&self) -> String {
            "flattening".to_owned()
        }
        fn prepare_flat<'p>(
            &self,
            program: &'p Program,
        ) -> Result<Box<dyn halfgate_engine::Prepared + 'p>, halfgate_engine::EngineError> {
            self.0.prepare_flat(program)
        }
    }
    let case = additions(100, 8, true, 3);
    let (options, flattening, engine) = (options(&case), Flattening(engine()), engine());
    let engines: [[&(dyn Engine + Sync); 2]; 2] = [[&flattening, &engine], [&engine, &flattening]];
    for [garblers, evaluators] in engines {
        let (mut a, mut b) = ring::pair();
        let (garbled, evaluated) = std::thread::scope(|scope| {
            let (case, options) = (&case, &options);
            let evaluator = scope.spawn(move || {
                let inputs = &case.evaluator;
                evaluate(&mut b, &case.program, evaluators, inputs, options, &mut |_| {})
            });
            let inputs = &case.garbler;
            let garbled = garble(&mut a, &case.program, garblers, inputs, options, &mut |_| {});
            drop(a);
            (garbled, evaluator.join().unwrap())
        });
        check(&case, &[Learn::Both; 2], Party::Garbler, garbled);
        check(&case, &[Learn::Both; 2], Party::Evaluator, evaluated);
    }
}

/// Two programs that differ in one function: both parties name it.
#[test]
fn a_peer_with_another_function_is_told_which() {
    let program = |changed: bool| {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 64);
        let y = b.input("y", Party::Evaluator, 64);
        let first = b.map("first", 8, &[Arg::Sliced(&x), Arg::Sliced(&y)], |b, of| {
            int::add(b, &of[0], &of[1])
        });
        let second = b.map("relu", 8, &[Arg::Array(first)], |b, of| {
            let sign = of[0][7];
            of[0].iter().map(|&bit| b.and(bit, if changed { sign } else { !sign })).collect()
        });
        b.output_array("z", second);
        structured_of(b.finish_structured().unwrap(), 1)
    };
    let (ours, theirs) = (program(false), program(true));
    let options = options(&ours);
    let (mut a, mut b) = ring::pair();
    let (garbled, evaluated) = std::thread::scope(|scope| {
        let (theirs, options) = (&theirs, &options);
        let evaluator = scope.spawn(move || {
            let inputs = &theirs.evaluator;
            evaluate(&mut b, &theirs.program, &engine(), inputs, options, &mut |_| {})
        });
        let inputs = &ours.garbler;
        let garbled = garble(&mut a, &ours.program, &engine(), inputs, options, &mut |_| {});
        drop(a);
        (garbled, evaluator.join().unwrap())
    });
    for outcome in [garbled, evaluated] {
        let text = outcome.unwrap_err().to_string();
        let named = "differ in the program's function 1: ours is \"relu\" (";
        assert!(text.contains(named), "{text}");
    }
}
