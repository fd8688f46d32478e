//! Small sessions of every kind.

use halfgate_circuit::random::{self, Shape};
use halfgate_circuit::{Bits, Circuit, Party, clear};
use halfgate_compiler::{Order, Program, Skips, compile};
use halfgate_protocol::session::{Learn, OtMode, PartyInputs, RunOptions};
use std::time::Duration;

/// A program with the inputs and outputs of some runs, and both parties' options.
pub struct Case {
    pub name: &'static str,
    pub program: Program,
    /// For each run, the inputs of the garbler and of the evaluator.
    pub inputs: [Vec<PartyInputs>; 2],
    /// For each run, the outputs in the clear.
    pub outputs: Vec<Vec<Bits>>,
    pub options: RunOptions,
    /// Whether the evaluator requests the garbler's order first.
    pub requests: bool,
}

/// The properties of a case.
struct Sort {
    name: &'static str,
    shape: Shape,
    cycles: u64,
    runs: u64,
    learn: [Learn; 2],
    ot: OtMode,
    requests: bool,
    stream: bool,
    /// Whether all inputs belong to the garbler, so that there are no transfers.
    no_transfers: bool,
    /// Whether gates are skipped.
    skips: bool,
}

const ONCE: Shape =
    Shape { input_bits: 10, flip_flops: 0, gates: 40, and_percent: 40, output_bits: 6 };
const CYCLES: Shape =
    Shape { input_bits: 16, flip_flops: 6, gates: 30, and_percent: 30, output_bits: 256 };
/// More evaluator input bits than two batches of transfers hold.
const LONG: Shape =
    Shape { input_bits: 34_000, flip_flops: 0, gates: 40_000, and_percent: 2, output_bits: 40 };

const PLAIN: Sort = Sort {
    name: "one run, correlated labels",
    shape: ONCE,
    cycles: 1,
    runs: 1,
    learn: [Learn::Both; 2],
    ot: OtMode::Malicious,
    requests: false,
    stream: false,
    no_transfers: false,
    skips: false,
};

const SORTS: [Sort; 12] = [
    PLAIN,
    Sort { name: "semi-honest transfers", ot: OtMode::SemiHonest, ..PLAIN },
    Sort { name: "two runs, masked labels", runs: 2, ..PLAIN },
    Sort { name: "an evaluator that requests the order first", requests: true, ..PLAIN },
    Sort { name: "no transfers", no_transfers: true, ..PLAIN },
    Sort { name: "only the garbler learns", learn: [Learn::Garbler; 2], ..PLAIN },
    Sort { name: "only the evaluator learns", learn: [Learn::Evaluator; 2], ..PLAIN },
    Sort { name: "inputs and outputs of 50 cycles", shape: CYCLES, cycles: 50, ..PLAIN },
    Sort {
        name: "streamed outputs, masked labels, different learners",
        shape: CYCLES,
        cycles: 40,
        runs: 2,
        learn: [Learn::Garbler, Learn::Evaluator],
        stream: true,
        ..PLAIN
    },
    Sort {
        name: "outputs of each cycle that neither party learns",
        shape: CYCLES,
        cycles: 3,
        learn: [Learn::Both, Learn::None],
        ..PLAIN
    },
    Sort { name: "gates that are skipped", shape: CYCLES, cycles: 20, skips: true, ..PLAIN },
    Sort { name: "many inputs, masked labels", shape: LONG, runs: 2, ..PLAIN },
];

/// All cases, with inputs derived from `seed`.
pub fn all(seed: u64) -> Vec<Case> {
    SORTS.iter().map(|sort| case(sort, seed)).collect()
}

fn circuit(sort: &Sort) -> Circuit {
    let mut circuit = random::circuit(11, &sort.shape);
    if sort.no_transfers {
        circuit.inputs.iter_mut().for_each(|input| input.party = Party::Garbler);
    }
    circuit
}

fn case(sort: &Sort, seed: u64) -> Case {
    let circuit = circuit(sort);
    let mut program = compile(self::circuit(sort), Order::default()).unwrap();
    if sort.skips {
        program = program.skipping(Skips::default());
    }
    let (mut garbler, mut evaluator, mut outputs) = (vec![], vec![], vec![]);
    for run in 0..sort.runs {
        let values = random::inputs_for(&circuit, seed * 100 + run, sort.cycles);
        outputs.push(clear::evaluate(&circuit, &values, sort.cycles).unwrap());
        for (party, list) in [(Party::Garbler, &mut garbler), (Party::Evaluator, &mut evaluator)] {
            let own = circuit.inputs.iter().zip(&values);
            list.push(own.map(|(i, v)| (i.party == party).then(|| v.clone())).collect());
        }
    }
    let options = RunOptions {
        cycles: sort.cycles,
        learn: sort.learn[..circuit.outputs.len()].to_vec(),
        ot: sort.ot,
        stream: sort.stream,
        timeout: Duration::from_secs(60),
        ..RunOptions::default()
    };
    let inputs = [garbler, evaluator];
    Case { name: sort.name, program, inputs, outputs, options, requests: sort.requests }
}

impl Case {
    /// Whether `party` learns any output.
    pub fn learns(&self, party: Party) -> bool {
        self.options.learn.iter().any(|learn| learn.by(party))
    }

    /// Whether `party` learns a per-cycle output.
    pub fn learns_each(&self, party: Party) -> bool {
        let outputs = self.program.circuit.outputs.iter().zip(&self.options.learn);
        outputs.into_iter().any(|(output, learn)| output.per_cycle && learn.by(party))
    }

    pub fn runs(&self) -> usize {
        self.outputs.len()
    }
}
