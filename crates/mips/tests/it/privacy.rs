//! Tests, for each privacy mode, that the circuit for two parties, evaluated in the clear, computes
//! the same as the program compiled for this computer.

use crate::common::{self, Numbers, build, in_the_clear, is_missing, natively, set};
use halfgate_circuit::{Bits, Circuit, Party, clear};
use halfgate_compiler::{Order, Skips, compile, skip};
use halfgate_engine::cpu::CpuEngine;
use halfgate_mips::image::{Image, Owner};
use halfgate_mips::privacy::{Bound, Privacy};
use halfgate_mips::processor::Size;
use halfgate_protocol::session::{LocalParty, PartyInputs, Report, RunOptions, run_local};

/// Evaluates the circuit in the clear, and checks the output `status`. Returns the elements of the
/// other outputs.
fn by_circuit(image: &Image, privacy: Privacy, values: &[Vec<u64>], steps: u64) -> Vec<Vec<u64>> {
    let Bound { circuit, skips } = privacy.circuit(image, Some(steps), &mut |_| {}).unwrap();
    let inputs = image.inputs();
    let mut bits: Vec<Bits> = inputs
        .zip(values)
        .map(|(port, values)| {
            let bits = values
                .iter()
                .flat_map(|value| (0..8 * port.bytes).map(move |bit| value >> bit & 1 == 1));
            bits.collect()
        })
        .collect();
    bits.extend(privacy.secrets(image).into_iter().map(|(_, bits)| bits));
    let cycles = if circuit.is_sequential() { steps } else { 1 };
    let outputs = match skips {
        Some(skips) => by_two_parties(circuit, skips, &bits, cycles),
        None => clear::evaluate(&circuit, &bits, cycles).unwrap(),
    };
    assert_eq!(outputs[0].to_integer(), Some(1), "it has ended");
    let ports = image.ports_of(Owner::Output).zip(&outputs[1..]);
    ports
        .map(|(port, bits)| {
            let width = 8 * port.bytes as usize;
            let one = |at: u32| bits.slice(at as usize * width, width).to_integer().unwrap() as u64;
            (0..port.count).map(one).collect()
        })
        .collect()
}

/// Runs both parties, because only a run with garbling skips gates.
fn by_two_parties(circuit: Circuit, skips: Skips, bits: &[Bits], cycles: u64) -> Vec<Bits> {
    let program = compile(circuit, Order::default()).unwrap().skipping(skips);
    let inputs = program.circuit.inputs.iter().zip(bits);
    let of = |party: Party| -> PartyInputs {
        inputs.clone().map(|(input, bits)| (input.party == party).then(|| bits.clone())).collect()
    };
    let engine = CpuEngine::new(None).unwrap();
    let options = RunOptions { cycles, ..RunOptions::default() };
    let (garbler, evaluator) = (of(Party::Garbler), of(Party::Evaluator));
    let (garbler, evaluator) =
        (LocalParty::new(&engine, &garbler), LocalParty::new(&engine, &evaluator));
    let reports = run_local(&program, garbler, evaluator, &options).unwrap();
    let learned = |report: Report| -> Vec<Bits> { report.outputs.into_iter().flatten().collect() };
    let (garbler, evaluator) = (learned(reports.0), learned(reports.1));
    assert_eq!(garbler, evaluator);
    garbler
}

/// Makes one test for each program, so that the tests run in parallel.
macro_rules! programs {
    ($($test:ident: $name:literal on $set:literal, $instructions:literal and $data:literal words,
        $flags:expr;)*) => {
        mod every_mode_computes_what_the_program_does {
            use super::*;

            $(#[test]
            fn $test() {
                let size = Size { instructions: $instructions, data: $data };
                every_mode_computes($name, $set, size, $flags);
            })*
        }
    };
}

programs! {
    hamming: "hamming" on "full", 32 and 16 words, &["-DBITS=16"];
    hamming_branchless: "hamming_branchless" on "full", 64 and 16 words, &["-DBITS=40"];
    psi_merge: "psi_merge" on "full", 128 and 32 words, &["-DSIZE=4"];
    hamming_on_its_own_set: "hamming" on "hamming", 64 and 16 words, &["-DBITS=40"];
    hamming_on_alu: "hamming" on "alu", 32 and 16 words, &["-DBITS=8"];
    psi: "psi" on "full", 64 and 32 words, &["-DSIZE=8"];
    psi_on_its_own_set: "psi" on "psi", 32 and 32 words, &["-DSIZE=8"];
    aes: "aes" on "aes", 128 and 256 words, &[];
    auction: "auction" on "alu", 64 and 16 words, &["-DBIDS=4"];
    tree: "tree" on "alu-shift", 64 and 64 words, &["-DDEPTH=3"];
    tree_on_aes: "tree" on "aes", 64 and 64 words, &["-DDEPTH=3"];
    edit_distance: "edit_distance" on "alu", 64 and 32 words, &["-DLENGTH=4"];
}

fn every_mode_computes(name: &str, set_name: &str, size: Size, flags: &[&str]) {
    if is_missing("mips-linux-gnu-gcc") || is_missing("yosys") || is_missing("cc") {
        return;
    }
    let mut numbers = Numbers(11);
    let image = build(name, set(set_name), size, flags).unwrap();
    let inputs = image.inputs();
    let values: Vec<_> = inputs.map(|port| numbers.values(name, port)).collect();
    let (found, steps) = in_the_clear(&image, &values);
    assert_eq!(found, natively(name, flags, &image, &values), "{name}");
    // The state does not change in steps after the end.
    let steps = steps + 3;
    for privacy in [
        Privacy::PublicPerStep,
        Privacy::PublicSkip,
        Privacy::Public,
        Privacy::SemiPrivate,
        Privacy::Private,
    ] {
        let restricted = matches!(set_name, "alu" | "alu-shift");
        // The mode semi-private applies to restricted sets only. The large program would take too
        // long in mode private.
        if privacy == Privacy::SemiPrivate && !restricted
            || privacy == Privacy::Private && name == "aes"
        {
            continue;
        }
        let by_circuit = by_circuit(&image, privacy, &values, steps);
        assert_eq!(by_circuit, found, "{name}, {set_name}, {privacy}");
    }
}

/// Without branches on secrets, only the gates of the program's own computation are garbled.
#[test]
fn a_circuit_for_each_step_has_what_instructions_need() {
    if is_missing("mips-linux-gnu-gcc") || is_missing("yosys") {
        return;
    }
    let size = Size { instructions: 64, data: 16 };
    let image = build("hamming_branchless", set("full"), size, &["-DBITS=32"]).unwrap();
    let (_, steps) = in_the_clear(&image, &[vec![5], vec![9]]);
    let mut printed = Vec::new();
    let circuit = Privacy::PublicPerStep
        .circuit(&image, Some(steps), &mut |what| printed.push(what.to_owned()));
    let compiled = compile(circuit.unwrap().circuit, Order::default()).unwrap();
    // Each of 32 steps adds a bit to a count. As far as the gates show, one more bit of the count
    // may be 1 after each step.
    assert_eq!(compiled.circuit.gates.ands(), 31 * 32 / 2);
    assert_eq!(printed, Vec::<String>::new());
    assert_eq!(left(&image, steps), (31 * 32 / 2, vec![]), "the same, decided step by step");

    let image = build("hamming", set("full"), size, &["-DBITS=8"]).unwrap();
    let (_, steps) = in_the_clear(&image, &[vec![255], vec![0]]);
    Privacy::PublicPerStep
        .circuit(&image, Some(steps), &mut |what| printed.push(what.to_owned()))
        .unwrap();
    let source = std::fs::read_to_string(common::source("hamming")).unwrap();
    let line = 1 + source.lines().position(|line| line.contains("if ((x")).unwrap();
    assert!(
        printed[0].contains(&format!("branches on secrets, at hamming.c:{line}: in")),
        "{printed:?}"
    );
}

/// ANDs of `image` with skipped gates, and the messages about it.
fn left(image: &Image, steps: u64) -> (u64, Vec<String>) {
    let Bound { circuit, skips } =
        Privacy::PublicSkip.circuit(image, Some(steps), &mut |_| {}).unwrap();
    let program = compile(circuit, Order::default()).unwrap().skipping(skips.unwrap());
    let mut printed = Vec::new();
    let left = skip::left(&program, steps, &mut |what| printed.push(what.to_owned()));
    (left, printed)
}

/// After a branch on a secret the processor is garbled only until the paths meet. From the values
/// of gates alone, the parties could not detect that the paths meet.
#[test]
fn a_processor_is_garbled_until_the_paths_of_a_branch_meet() {
    if is_missing("mips-linux-gnu-gcc") || is_missing("yosys") {
        return;
    }
    let size = Size { instructions: 32, data: 16 };
    let image = build("meeting", set("full"), size, &[]).unwrap();
    for (mine, yours) in [(3i32, 8i32), (-3, 8), (i32::MIN, -1), (0, 77)] {
        let chosen = if mine < 0 { yours.wrapping_sub(mine) } else { yours.wrapping_add(mine) };
        let values = [mine, yours].map(|value: i32| vec![u64::from(value as u32)]);
        let (found, steps) = in_the_clear(&image, &values);
        let sums = (1..=8).map(|times| u64::from(chosen.wrapping_mul(times) as u32));
        assert_eq!(found, [sums.collect::<Vec<_>>()]);
        let by_circuit = by_circuit(&image, Privacy::PublicSkip, &values, steps);
        assert_eq!(by_circuit, found, "{mine}, {yours}");
    }
    let (_, steps) = in_the_clear(&image, &[vec![3], vec![8]]);
    let (ands, printed) = left(&image, steps);
    let source = std::fs::read_to_string(common::source("meeting")).unwrap();
    let line = 1 + source.lines().position(|line| line.contains("__asm__")).unwrap();
    assert_eq!(printed.len(), 1, "{printed:?}");
    let names =
        |line: usize| printed[0].contains(&format!("a branch on a secret, at meeting.c:{line}"));
    assert!((line..line + 2).any(names), "{printed:?}");

    let Bound { circuit, .. } =
        Privacy::PublicSkip.circuit(&image, Some(steps), &mut |_| {}).unwrap();
    let whole = circuit.gates.ands();
    let gates_alone = compile(circuit, Order::default()).unwrap().skipping(Skips::default());
    let gates_alone = skip::left(&gates_alone, steps, &mut |_| {});
    assert!(ands < whole, "{ands} of {whole} a step");
    assert!(gates_alone > 10 * whole, "{gates_alone} of {whole} a step");
    println!("{ands} ANDs in {steps} steps of {whole}; {gates_alone} by gates alone");
}
