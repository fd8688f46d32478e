//! Tests that all mutants of the SystemVerilog of GarbledCPU's evaluator are found: by the first
//! clock cycle that differs from the model's, by labels, by counters, or by an assertion.

use crate::rtl::common::{at_the_ends, dense, equal, small};
use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_garbledcpu::rtl::{Options, RtlGarbledCpu};
use halfgate_garbledcpu_model::Machine;
use halfgate_scheduled::testing::machines;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::can_build;
use halfgate_verilated::testing::mutants::{Mutant, all_are_found, texts_occur_once};

/// Mutants of the published machine, which uses one key for all gates.
#[rustfmt::skip]
const PAPER_MUTANTS: &[Mutant] = &[
    ("half_gate_evaluator_fixed.sv", "sigma(b_i) ^ tweak_i ^ 128'd1", "sigma(b_i) ^ tweak_i"),
    ("half_gate_evaluator_fixed.sv", "sigma(a_i ^ b_i) ^ 128'd1", "sigma(a_i ^ b_i)"),
    ("garbledcpu_and.sv", "{32'd0, gate_i.result.cycle, gate_i.number[62:0]", "{64'd0, gate_i.number[62:0]"),
    ("garbledcpu_and.sv", "gate_i.result.cycle, gate_i.number[62:0]", "gate_i.result.cycle, 63'd0"),
    ("garbledcpu.sv", "starting_q && expanded", "starting_q"),
    ("garbledcpu.sv", "&& !starting;", ";"),
];

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // Fused XORs: left out before or after the AND, or the wrong one.
    ("garbledcpu_and.sv", "(c_i & {128{gate_i.xor_a}})", "'0"),
    ("garbledcpu_and.sv", "(c_i & {128{gate_i.xor_b}})", "(c_i & {128{gate_i.xor_a}})"),
    ("garbledcpu_and.sv", "c_i & {128{gate_i.xor_out}}", "c_i"),
    ("garbledcpu_and.sv", "label ^ third", "label"),
    // A wrong tweak, from a wrong AND number.
    ("garbledcpu_and.sv", "{gate_i.number[62:0], 1'b1}, point_i[63:0]}),\n      .valid_o, .label", "{gate_i.number[61:0], 2'b01}, point_i[63:0]}),\n      .valid_o, .label"),
    ("garbledcpu_decode.sv", "64'($signed(entry_i.number))", "64'(entry_i.number)"),
    ("scheduled_kernel.sv", "ands_q   <= ands_q + 64'(ands_i);", ""),
    // Netlist cycles: one too many, cycles that have not started, a cycle that is over.
    ("garbledcpu_decode.sv", "cycle < cycles_i;", "cycle <= cycles_i;"),
    ("garbledcpu_decode.sv", "~(10'h3ff << copies)", "~(10'h3fe << copies)"),
    ("garbledcpu_decode.sv", "gate.valid && entry_i.operands[i].valid", "gate.valid"),
    // Initial values of flip-flops.
    ("garbledcpu_decode.sv", "cycle < 32'(entry_i.operands[i].first)", "cycle <= 32'(entry_i.operands[i].first)"),
    ("garbledcpu_decode.sv", "entry_i.operands[i].start + cycle[15:0]", "entry_i.operands[i].start"),
    // Input labels: their addresses, and their presence.
    ("garbledcpu_inputs.sv", "request_i.address + 16'(place)", "request_i.address"),
    ("garbledcpu_inputs.sv", " && cycle < cycles_i;", ";"),
    ("garbledcpu_inputs.sv", "listed_q ? listed : requested_address_q", "listed"),
    ("garbledcpu_inputs.sv", "began_o && !there", "1'b0"),
    ("garbledcpu_inputs.sv", ".ready_i(en_i && began_o)", ".ready_i(began_o)"),
    ("garbledcpu_inputs.sv", "if (fetch) left_q <= left_q - 1'b1;", "left_q <= left_q - 1'b1;"),
    // Tables: taken without an AND, missing, or taken by the wrong AND.
    ("garbledcpu.sv", ".pop_i(en && and_taken[s])", ".pop_i(and_taken[s])"),
    ("garbledcpu.sv", "and_taken[s] && no;", "1'b0;"),
    // Operands and destinations.
    ("garbledcpu.sv", "reads_q[r].inputs ? from_inputs[r] : from_bank[r]", "reads[r].inputs ? from_inputs[r] : from_bank[r]"),
    ("garbledcpu.sv", "& {128{reads_q[r].valid}}", ""),
    ("garbledcpu.sv", "done[s] && result[s].words[i].valid", "done[s] && result[s].words[i].valid && i == 0"),
    ("scheduled_bank.sv", "forwarded_o ? label_i : read", "read"),
    // The end; stalls; outputs; counters.
    ("garbledcpu.sv", "&& ands_under_way_q == '0 && !(|done)", "&& !(|done)"),
    ("garbledcpu.sv", "(ready_q || !(|label_valid_o)) && ", ""),
    ("garbledcpu.sv", "(ready_q || !(|label_valid_o)) && ", "(ready_i || !(|label_valid_o)) && "),
    ("garbledcpu.sv", "assign label_valid_o[s] = done[s] && ", "assign label_valid_o[s] = "),
    ("garbledcpu.sv", ".run_i(busy_o && !idle)", ".run_i(busy_o)"),
    ("garbledcpu.sv", ".began_i(input_we)", ".began_i(began_o)"),
];

/// Machines that build fast, and the mutants that are put into each.
const MACHINES: [(&str, &[Mutant]); 2] =
    [("garbledcpu-short-1", MUTANTS), ("garbledcpu-paper", PAPER_MUTANTS)];

/// The runs that are tried in order until the mutant is found: netlist cycles, circuit, and the
/// seed of stalls if there are any.
fn cases() -> Vec<(u64, Circuit, Option<u64>)> {
    let mut cases = vec![
        (12, random::gated_shift_register(), None),
        (30, random::gated_shift_register(), Some(5)),
        (20, random::late_inputs(), None),
        (1, dense(), Some(9)),
    ];
    cases.extend(machines().map(|(cycles, circuit)| (cycles, circuit, None)));
    for seed in 0..8 {
        let circuits = Circuits { gates: 90, flip_flops: 9, ..Circuits::default() };
        let circuit = random::circuit(seed, &circuits);
        let stalls = (seed % 2 == 0).then_some(seed + 1);
        cases.push((circuit.cycles, circuit, stalls));
        let circuit = at_the_ends(random::circuit(seed, &circuits));
        cases.push((circuit.cycles, circuit, stalls));
    }
    cases
}

fn options(mutations: &[Mutation], stalls: Option<u64>) -> Options {
    Options { stalls, mutations: mutations.to_vec(), ..small() }
}

fn found(machine: Machine, mutations: &[Mutation]) -> Option<String> {
    let differs = |(cycles, circuit, stalls)| {
        equal(cycles, circuit, cycles, machine, &options(mutations, stalls)).err()
    };
    cases().into_iter().find_map(differs)
}

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(PAPER_MUTANTS.iter().chain(MUTANTS).map(|&(file, from, _)| (file, from)));
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    if can_build() {
        let mutants = MACHINES.iter().flat_map(|(name, mutants)| {
            let machine = Machine::named(name).expect("a machine");
            mutants.iter().map(move |mutant| (machine, *mutant))
        });
        let build = |machine: &Machine, faults: &[Mutation]| {
            RtlGarbledCpu::new(*machine, options(faults, None)).build()
        };
        all_are_found(mutants, build, |machine, faults| found(*machine, faults));
    }
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        for (name, _) in MACHINES {
            assert_eq!(found(Machine::named(name).expect("a machine"), &[]), None, "{name}");
        }
    }
}
