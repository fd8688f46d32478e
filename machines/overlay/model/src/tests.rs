//! Translates circuits to streams of commands, and runs the streams on plain values.

use super::command::{CONSTANTS, Command, Form, Lacks, ONE, ZERO};
use super::stream::{Build, Stream, StreamError, write};
use super::{Banks, Cells, How, Place, Plan, Policy};
use halfgate_circuit::{Bits, Circuit, Init, clear, random};
use halfgate_programs::published;

const CELLS: Cells = Cells { ands: 3, xors: 2 };

fn how(policy: Policy, build: Build, window: Option<u32>, section: usize) -> How {
    let Build { cells, block_ram, form } = build;
    How { policy, cells, block_ram, form, window, section }
}

fn written(plan: &Plan<'_>, build: Build) -> Vec<u8> {
    let mut bytes = Vec::new();
    let length = write(&mut bytes, plan, build).unwrap();
    assert_eq!(length, bytes.len() as u64);
    bytes
}

/// Executes a stream as a machine does that knows only the places of inputs and outputs.
fn run(
    stream: &[u8],
    build: Build,
    circuit: &Circuit,
    plan: &Plan<'_>,
    inputs: &[Bits],
) -> Vec<bool> {
    let mut stream = Stream::open(stream, build).unwrap();
    let mut block_ram = vec![None; build.block_ram as usize];
    let mut ddr = vec![None; stream.in_ddr() as usize];
    (ddr[0], ddr[1]) = (Some(false), Some(true));
    let values = inputs.iter().flat_map(Bits::iter).collect::<Vec<bool>>();
    let initial = circuit.flip_flops.iter().map(|flip_flop| match flip_flop.init {
        Init::Constant(value) => value,
        Init::Input(wire) => values[wire.index()],
    });
    for (wire, value) in values.iter().copied().chain(initial).enumerate() {
        let at = plan.home(wire).unwrap();
        assert!(at >= CONSTANTS);
        ddr[at as usize] = Some(value);
    }
    let mut commands = Vec::new();
    while let Some(ands) = stream.next_batch(&mut commands).unwrap() {
        let read = |place| match place {
            Place::BlockRam(at) => block_ram[at as usize],
            Place::Ddr(at) => ddr[at as usize],
        };
        let value = |command: &Command| {
            let [a, b, out] = command.invert;
            let a = read(command.a).expect("written before") ^ a;
            let b = read(command.b).expect("written before") ^ b;
            (if ands { a & b } else { a ^ b }) ^ out
        };
        let results: Vec<bool> = commands.iter().map(value).collect();
        for (command, value) in commands.iter().zip(results) {
            *match command.out {
                Place::BlockRam(at) => &mut block_ram[at as usize],
                Place::Ddr(at) => &mut ddr[at as usize],
            } = Some(value);
        }
    }
    let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
    let value = |bit: halfgate_circuit::Bit| match bit.wire() {
        None => bit.is_inverted(),
        Some(wire) => ddr[plan.home(wire.index()).unwrap() as usize].unwrap() ^ bit.is_inverted(),
    };
    outputs.map(value).collect()
}

fn check(seed: u64, circuit: &Circuit, forms: &[Form]) {
    let inputs = random::inputs_for(circuit, seed, 1);
    let expected = clear::evaluate(circuit, &inputs, 1).unwrap();
    let expected: Vec<bool> = expected.iter().flat_map(Bits::iter).collect();
    for &form in forms {
        for block_ram in [0, 3, 40, 400] {
            let build = Build { cells: CELLS, block_ram, form };
            for (window, policy) in [
                (None, Policy::DirectlyUsed),
                (None, Policy::MostFrequentlyUsed),
                (None, Policy::LiveRange),
                (Some(40), Policy::LiveRange),
                (Some(40), Policy::Banked(Banks { banks: 4, lanes: 2 })),
            ] {
                for section in [How::SECTION, 64, 7] {
                    let plan = Plan::new(circuit, how(policy, build, window, section)).unwrap();
                    let found = run(&written(&plan, build), build, circuit, &plan, &inputs);
                    assert_eq!(found, expected, "seed {seed}, {policy:?}, {section}, {build}");
                }
            }
        }
    }
}

#[test]
fn streams_compute_what_circuits_do() {
    for seed in 0..30 {
        let shape = random::Shape { gates: 200, flip_flops: seed as u32 % 3, ..Default::default() };
        check(seed, &random::circuit(seed, &shape), &[Form::Inverting]);
    }
    for spec in ["adder:6", "hamming:10", "multiplier-full:5", "matmult:2x3"] {
        check(1, &published::build(spec).unwrap(), &Form::ALL);
    }
}

#[test]
fn commands_that_a_form_cannot_encode_are_refused() {
    let circuit = random::circuit(1, &random::Shape::default());
    let build = Build { cells: CELLS, block_ram: 9, form: Form::Two };
    let refused = Plan::new(&circuit, how(Policy::LiveRange, build, None, 100)).err();
    assert!(matches!(refused, Some((_, Lacks::Inversion))), "{refused:?}");
    let far = |at| Command {
        number: 3,
        a: Place::Ddr(at),
        b: ZERO,
        out: Place::BlockRam(0),
        invert: [false; 3],
    };
    for form in Form::ALL {
        let most = u32::MAX >> (32 - form.address_bits());
        assert_eq!(form.decode(form.encode(far(most)).unwrap(), 3), far(most), "{form}");
        assert_eq!(form.encode(far(most + 1)), Err(Lacks::Address(form.address_bits())));
    }
    assert_eq!((ZERO.address(), ONE.address()), (0, 2));
}

#[test]
fn incomplete_streams_and_those_for_another_build_are_refused() {
    let circuit = random::circuit(3, &random::Shape { gates: 60, ..Default::default() });
    let build = Build { cells: CELLS, block_ram: 20, form: Form::Inverting };
    let plan = Plan::new(&circuit, how(Policy::LiveRange, build, None, 100)).unwrap();
    let good = written(&plan, build);
    let read = |bytes: &[u8], build: Build| -> Result<u64, StreamError> {
        let (mut stream, mut commands, mut gates) = (Stream::open(bytes, build)?, Vec::new(), 0);
        while stream.next_batch(&mut commands)?.is_some() {
            gates += commands.len() as u64;
        }
        Ok(gates)
    };
    assert_eq!(read(&good, build).unwrap(), circuit.gates.len() as u64);
    for length in 0..good.len() {
        let error = read(&good[..length], build).unwrap_err();
        assert!(matches!(error, StreamError::CutShort(_)), "{length}: {error}");
    }
    // At each byte, some check detects a change.
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(read(&bytes, build).is_err(), "byte {at}");
    }
    assert!(matches!(read(&[&good[..], &[0]].concat(), build), Err(StreamError::Behind)));
    for other in [
        Build { cells: Cells { ands: 4, xors: 2 }, ..build },
        Build { block_ram: 21, ..build },
        Build { form: Form::Three, ..build },
    ] {
        let error = read(&good, other).unwrap_err().to_string();
        assert!(error.contains("is for an overlay of 3 AND and 2 XOR cells, 20 labels"), "{error}");
    }
    assert!(matches!(
        read(b"no stream of commands at all, I fear", build),
        Err(StreamError::NotAStream)
    ));
}
