//! The choice of the field for transfers, by options or by the link.

use super::*;
use crate::ot::OtField;

/// Enough inputs for several messages of the extension.
fn wide(runs: u64) -> Case {
    let shape = Shape { input_bits: 40_000, gates: 40_000, output_bits: 500, ..Shape::default() };
    case(11, &shape, runs)
}

/// The bytes that the evaluator sent in a session with correct results.
fn bytes_sent(
    case: &Case,
    options: (&RunOptions, &RunOptions),
    trip: [Option<Duration>; 2],
) -> u64 {
    let (a, b) = pipe_channels();
    let (a, b) = (a.with_round_trip(trip[0]), b.with_round_trip(trip[1]));
    let (garbled, evaluated) = both(case, options, (a, b));
    let bytes = evaluated.as_ref().unwrap()[0].bytes_sent;
    check(case, &[], Party::Garbler, garbled);
    check(case, &[], Party::Evaluator, evaluated);
    bytes
}

#[test]
fn the_larger_field_of_both_parties_is_used() {
    for runs in [1, 2] {
        let case = wide(runs);
        let mut bytes = Vec::new();
        for field in OtField::ALL {
            let [requests, less] = [field, OtField::One]
                .map(|field| RunOptions { ot_field: Some(field), ..options(&case) });
            let both = bytes_sent(&case, (&requests, &requests), [None; 2]);
            assert_eq!(bytes_sent(&case, (&requests, &less), [None; 2]), both);
            assert_eq!(bytes_sent(&case, (&less, &requests), [None; 2]), both);
            bytes.push(both);
        }
        assert!(bytes.windows(2).all(|pair| pair[1] < pair[0]), "{bytes:?}");
    }
}

/// The dialling party has measured the link; the other one accepts its choice.
#[test]
fn a_slow_link_gets_a_large_field() {
    let case = wide(1);
    let requests = |field| RunOptions { ot_field: field, ..options(&case) };
    let expected = OtField::ALL.map(|field| {
        let options = requests(Some(field));
        bytes_sent(&case, (&options, &options), [None; 2])
    });
    let idle = requests(None);
    for (micros, field) in [(0, 1), (300, 2), (40_000, 3)] {
        let trip = Some(Duration::from_micros(micros));
        for trip in [[trip, None], [None, trip]] {
            assert_eq!(bytes_sent(&case, (&idle, &idle), trip), expected[field], "{trip:?}");
        }
        // A field in the options takes precedence over the measurement.
        let named = requests(Some(OtField::One));
        assert_eq!(bytes_sent(&case, (&named, &named), [trip, trip]), expected[0]);
    }
}
