//! A connection that is cut, damaged or stalled at any frame: the error names the fault, and
//! results verified before it are kept.

use super::*;

/// Returns why a session ended early and how many runs it kept. Checks that these are correct: all
/// runs with the last one unconfirmed, or the runs before the one that failed.
fn early(case: &Case, party: Party, outcome: Outcome) -> (ErrorClass, String, usize) {
    let (finished, end) = match outcome {
        Ok(reports) => {
            assert_eq!(reports.len(), case.outputs.len());
            let end = reports.last().and_then(|last| last.unconfirmed.clone());
            (reports, end.expect("a session that ended early says why"))
        }
        Err(SessionError::Unfinished { finished, error }) => (finished, Unconfirmed::from(&*error)),
        Err(error) => (Vec::new(), Unconfirmed::from(&error)),
    };
    let runs = finished.len();
    for (report, clear) in finished.into_iter().zip(&case.outputs) {
        let outputs: Vec<_> = report.outputs.into_iter().flatten().collect();
        assert_eq!(&outputs, clear, "{party}");
    }
    (end.class, end.reason, runs)
}

/// The number of frames that a party sends at the end of its last run: the garbler decoding data
/// and `Done`, the evaluator `Done`.
const LAST: [u64; 2] = [2, 1];

#[test]
fn a_connection_cut_anywhere_leaves_what_was_verified() {
    for runs in [1, 2] {
        let (case, options, frames) = small(runs as u64);
        assert!(frames[0] > 6 && frames[1] > 4, "{frames:?}");
        for frame in 0..frames[0] {
            let begin = Instant::now();
            let (garbled, evaluated) =
                over_pipe(&case, &options, (Fault::Cut { frame }, Fault::None));
            let (class, text, kept) = early(&case, Party::Garbler, garbled);
            assert_eq!(class, ErrorClass::Connection, "frame {frame}: {text}");
            // The evaluator has decoded its outputs before it sends these.
            assert_eq!(kept == runs, frame >= frames[0] - LAST[0], "frame {frame}: {kept}");
            let (class, text, kept) = early(&case, Party::Evaluator, evaluated);
            assert_eq!(class, ErrorClass::Connection, "frame {frame}: {text}");
            assert_eq!(kept == runs, frame == frames[0] - 1, "frame {frame}: {kept}");
            assert!(begin.elapsed() < 2 * options.timeout);
        }
        for frame in 0..frames[1] {
            let (garbled, evaluated) =
                over_pipe(&case, &options, (Fault::None, Fault::Cut { frame }));
            for (party, outcome) in [(Party::Garbler, garbled), (Party::Evaluator, evaluated)] {
                let (class, text, kept) = early(&case, party, outcome);
                assert_eq!(class, ErrorClass::Connection, "frame {frame}: {text}");
                assert_eq!(kept == runs, frame == frames[1] - 1, "{party} {frame}: {kept}");
            }
        }
    }
}

#[test]
fn a_party_that_learns_nothing_has_nothing_to_keep() {
    let (case, options, frames) = small(1);
    let outputs = case.program.circuit.outputs.len();
    for (learn, party) in [(Learn::Evaluator, Party::Garbler), (Learn::Garbler, Party::Evaluator)] {
        let options = RunOptions { learn: vec![learn; outputs], ..options.clone() };
        for frame in frames[1] - 2..frames[1] {
            let faults = (Fault::None, Fault::Cut { frame });
            let (garbled, evaluated) = over_pipe(&case, &options, faults);
            let outcome = if party == Party::Garbler { garbled } else { evaluated };
            match outcome {
                Err(error) => assert_eq!(error.class(), ErrorClass::Connection, "{party}: {error}"),
                // The evaluator sends one frame less if it returns no labels: nothing was cut.
                Ok(reports) => {
                    assert_eq!((party, frame), (Party::Garbler, frames[1] - 1));
                    assert_eq!(reports[0].unconfirmed, None);
                }
            }
        }
    }
}

#[test]
fn every_damaged_frame_is_noticed() {
    for runs in [1, 2] {
        let (case, options, frames) = small(runs as u64);
        // Bits in the CRC, the length, the kind, the number and the check, and two bits of the
        // payload.
        for bit in [0, 31, 33, 50, 57, 66, 80, 115, 127, 130, 8 * 16 + 12_345] {
            for (index, party) in [Party::Garbler, Party::Evaluator].into_iter().enumerate() {
                for frame in 0..frames[index] {
                    let fault = Fault::Flip { frame, bit };
                    let (receiver, sender) = match party {
                        Party::Garbler => {
                            let (a, b) = over_pipe(&case, &options, (fault, Fault::None));
                            (b, a)
                        }
                        Party::Evaluator => {
                            let (a, b) = over_pipe(&case, &options, (Fault::None, fault));
                            (a, b)
                        }
                    };
                    let (class, text, kept) = early(&case, party.other(), receiver);
                    assert_eq!(class, ErrorClass::Protocol, "{frame} {bit}: {text}");
                    assert!(text.contains("damaged frame"), "{text}");
                    let last = frame == frames[index] - 1;
                    assert_eq!(kept == runs, last, "{party} {frame} {bit}");
                    // The sender of the very last frame cannot learn that it was damaged.
                    if party == Party::Evaluator && last {
                        continue;
                    }
                    let (class, text, _) = early(&case, party, sender);
                    assert_eq!(class, ErrorClass::Aborted, "{frame} {bit}: {text}");
                }
            }
        }
    }
}

#[test]
fn a_stalled_peer_ends_both_sides_after_the_timeout() {
    let (case, options, frames) = small(1);
    let garblers = (0..frames[0]).map(|frame| (frame, (Fault::Stall { frame }, Fault::None)));
    let evaluators = (0..frames[1]).map(|frame| (frame, (Fault::None, Fault::Stall { frame })));
    std::thread::scope(|scope| {
        for (frame, faults) in garblers.chain(evaluators) {
            let (case, options) = (&case, &options);
            scope.spawn(move || {
                let begin = Instant::now();
                let (garbled, evaluated) = over_pipe(case, options, faults);
                let (class, text, _) = early(case, Party::Garbler, garbled);
                assert_eq!(class, ErrorClass::Timeout, "frame {frame}: {text}");
                // Nothing responds to the evaluator's last frame, so the evaluator cannot know.
                if faults.1 != (Fault::Stall { frame: frames[1] - 1 }) {
                    let (class, text, _) = early(case, Party::Evaluator, evaluated);
                    assert_eq!(class, ErrorClass::Timeout, "frame {frame}: {text}");
                }
                assert!(begin.elapsed() < options.timeout * 4, "frame {frame}");
            });
        }
    });
}
