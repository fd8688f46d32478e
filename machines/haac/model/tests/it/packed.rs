//! Checks that the lengths of rows in the models equal those in the stream of an encoder, to the
//! bit.

use crate::common::{Checker, Random, RandomCode, Recipe, paper_machine, random_code};
use halfgate_circuit::Party;
use halfgate_haac_model::encoding::{Decoder, Encoder, Encoding, burst_bytes};
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::machine::{Machine, Shape};
use halfgate_haac_model::model::packed::Packed;
use halfgate_haac_model::model::rows::RowBits;
use halfgate_haac_model::model::{Options, exact, fast};
use halfgate_haac_model::{Code, Instruction};

const ENGINES: [u32; 8] = [1, 2, 3, 4, 5, 8, 16, 32];

/// Random code, whose last group is often incomplete.
fn case(engines: u32, seed: u64) -> RandomCode {
    let mut random = Random(seed);
    random_code(
        seed,
        &Recipe {
            shape: Shape { engines, window: 256 },
            inputs: 40,
            instructions: random.below(700) as u32,
            and_percent: 30,
            unary_percent: 5,
            nop_percent: [0, 20][random.below(2) as usize],
            far_percent: 3,
            near: 60,
            outputs: 9,
        },
    )
}

fn rows(code: &Code) -> Vec<Vec<Instruction>> {
    let mut reader = code.rows.reader();
    let mut list = Vec::new();
    while let Some(bits) = reader.next().unwrap() {
        list.push(Instruction::from_bits(u64::from_le_bytes(bits)));
    }
    list.chunks(code.shape.engines as usize).map(<[_]>::to_vec).collect()
}

fn encode(code: &Code, encoding: Encoding) -> (Vec<u8>, u64) {
    let mut encoder = Encoder::new(encoding, code.shape, code.first_output);
    let (mut bytes, mut bits) = (Vec::new(), 0);
    for row in rows(code) {
        bits += u64::from(encoder.row(&row, &mut bytes).unwrap());
    }
    bits += u64::from(encoder.finish(&mut bytes));
    (bytes, bits)
}

#[test]
fn all_lengths_make_the_stream() {
    for engines in ENGINES {
        for (encoding, seed) in Encoding::ALL.into_iter().flat_map(|e| (0..6).map(move |s| (e, s)))
        {
            let code = case(engines, seed).code;
            let (bytes, bits) = encode(&code, encoding);
            assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            let packed = Packed::of(&code, encoding).unwrap();
            assert_eq!(packed.bits(), bits, "{engines} engines, {encoding}, seed {seed}");
            // Both passes give the same lengths, and no extra row.
            for _ in 0..2 {
                let mut sizes = packed.sizes();
                let each: u64 =
                    rows(&code).iter().map(|row| u64::from(sizes.bits(row).unwrap())).sum();
                assert_eq!(bits, each, "{engines} engines, {encoding}, seed {seed}");
                assert!(sizes.bits(&[]).is_err());
            }
        }
    }
}

#[test]
fn a_row_is_there_when_its_bits_are() {
    // Once the bits counted for the first rows have arrived, a decoder returns all of these rows.
    for engines in ENGINES {
        for encoding in Encoding::ALL {
            let code = case(engines, 7).code;
            let (bytes, _) = encode(&code, encoding);
            let packed = Packed::of(&code, encoding).unwrap();
            let mut sizes = packed.sizes();
            let mut decoder =
                Decoder::new(encoding, code.shape, code.first_output, code.stats.rows);
            let (mut bits, mut fed) = (0u64, 0);
            for row in rows(&code) {
                bits += u64::from(sizes.bits(&row).unwrap());
                let come = bits.div_ceil(8) as usize;
                decoder.feed(&bytes[fed..come]);
                fed = come;
                assert_eq!(decoder.row().unwrap(), Some(&row[..]));
            }
            decoder.finish().unwrap();
        }
    }
}

#[test]
fn models_fetch_all_bursts_of_the_stream_and_no_more() {
    for engines in ENGINES {
        let random = case(engines, 3);
        let machine = machine(random.code.shape);
        for encoding in Encoding::ALL {
            let (_, bits) = encode(&random.code, encoding);
            let packed = Packed::of(&random.code, encoding).unwrap();
            let options = Options::new(Party::Evaluator);
            let mut checker = Checker::new(&random);
            let mut sizes = packed.sizes();
            let fast =
                fast::run(&random.code, &machine, &options, &mut sizes, &mut checker).unwrap();
            checker.verdict().unwrap();
            let mut sizes = packed.sizes();
            let exact =
                exact::run(&random.code, &machine, &options, &mut sizes, &mut NoSink).unwrap();
            assert_eq!(fast, exact, "{engines} engines, {encoding}");
            assert_eq!(64 * fast.traffic.instruction_bursts, burst_bytes(bits));
        }
    }
}

fn machine(shape: Shape) -> Machine {
    let mut machine = paper_machine();
    machine.shape = shape;
    machine.banks_per_engine = machine.banks_per_engine.max(4 / shape.engines);
    machine
}
