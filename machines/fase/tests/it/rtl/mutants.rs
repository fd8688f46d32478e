//! Tests that all mutants of FASE's SystemVerilog are found: by the first clock cycle that differs
//! from the model's, by tables and labels, by counters, or by an assertion.

use crate::rtl::common::*;
use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_fase::rtl::{Options, RtlFase};
use halfgate_fase_model::Shape;
use halfgate_fase_model::code::Size;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::mutants::{Mutant, all_are_found, texts_occur_once};

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // Banks: no forwarding, or too much; a label with two destinations is written only to the
    // first.
    ("scheduled_bank.sv", "forwarded_o ? label_i : read", "read"),
    ("scheduled_bank.sv", "we_i && waddr_i == raddr_q", "we_i"),
    ("fase.sv", "done[2*s+u] && result[u].words[i].valid", "done[2*s+u] && result[u].words[i].valid && i == 0"),
    // Netlist cycles: one too many, cycles that have not started, a cycle that is over.
    ("fase_decode.sv", "cycle < cycles_i;", "cycle <= cycles_i;"),
    ("fase_decode.sv", "~(10'h3ff << copies)", "~(10'h3fe << copies)"),
    // Initial values of flip-flops.
    ("fase_decode.sv", "cycle < 32'(slot_i.operands[i].first)", "cycle <= 32'(slot_i.operands[i].first)"),
    ("fase_decode.sv", "slot_i.operands[i].start + cycle[11:0]", "slot_i.operands[i].start"),
    ("fase_expander.sv", "made.constant ? constant_i : block", "block"),
    ("fase_expander.sv", "(delta_i & {128{made.invert}})", "'0"),
    // Input labels: the numbers of their bits, and their addresses.
    ("fase_expander.sv", "cycle == '0 ? 64'(expand_i.first)\n                                    : ", ""),
    ("fase_expander.sv", "64'($signed(expand_i.again))", "64'(expand_i.again)"),
    ("fase_expander.sv", "expand_i.address + 12'(place)", "expand_i.address"),
    ("fase_expander.sv", " && cycle < cycles_i;", ";"),
    ("fase.sv", "gate_q[s].operands[i].inputs ? from", "decoded[s].operands[i].inputs ? from"),
    // A wrong tweak, from a wrong AND number.
    ("fase_decode.sv", "64'($signed(slot_i.number))", "64'(slot_i.number)"),
    ("scheduled_kernel.sv", "ands_q   <= ands_q + 64'(ands_i);", ""),
    ("scheduled_kernel.sv", "inputs_q <= inputs_q + 64'(inputs_i);", ""),
    ("fase_execute.sv", ".key_b_i({point_i[127:64] ^ {gate_i.number[62:0], 1'b1}", ".key_b_i({point_i[127:64] ^ {gate_i.number[61:0], 2'b01}"),
    // Inversions.
    ("fase_execute.sv", "& {128{gate_i.invert_a}}", "& '0"),
    ("fase_execute.sv", "& {128{gate_i.invert_b}}", "& '0"),
    ("fase_execute.sv", "label ^ (delta_i & {128{invert}})", "label"),
    ("fase_execute.sv", ".invert_i(gate_i.invert)", ".invert_i(1'b0)"),
    // Rounds, the end, stalls, stale bits.
    ("scheduled_kernel.sv", "next_q <= last ? '0 : next_q + 1'b1;", "next_q <= next_q + 1'b1;"),
    ("scheduled_kernel.sv", "assign fetch  = en_i && left_o", "assign fetch  = left_o"),
    ("fase.sv", "&& ands_under_way_q == '0 && !(|done)", "&& !(|done)"),
    ("fase.sv", "assign en = ready_q || ", "assign en = 1'b1 || "),
    ("fase.sv", "assign en = ready_q || ", "assign en = ready_i || "),
    ("fase.sv", "assign label_valid_o[2*s+u] = done[2*s+u] && ", "assign label_valid_o[2*s+u] = "),
    ("fase.sv", ".run_i(busy_o && !idle)", ".run_i(busy_o)"),
];

/// The runs that are tried in order until the mutant is found: netlist cycles, circuit, and the
/// seed of stalls if there are any.
fn cases() -> Vec<(u64, Circuit, Option<u64>)> {
    let mut cases = vec![
        (12, random::gated_shift_register(), None),
        (30, random::gated_shift_register(), Some(5)),
        (20, random::late_inputs(), None),
    ];
    cases.extend(machines().map(|(cycles, circuit)| (cycles, circuit, None)));
    for seed in 0..6 {
        let circuits = Circuits { gates: 90, flip_flops: 9, ..Circuits::default() };
        let circuit = random::circuit(seed, &circuits);
        cases.push((circuit.cycles, circuit, (seed % 2 == 0).then_some(seed + 1)));
    }
    cases
}

/// The smallest machine, because it builds fastest.
const SHAPE: fn() -> Shape = || Shape::best(1);

fn options(mutations: &[Mutation], stalls: Option<u64>) -> Options {
    let (kernel, bank, inputs, initials) = (1 << 10, 1 << 7, 1 << 8, 1 << 8);
    let size = Some(Size { kernel, bank, inputs, initials, ..Size::MOST });
    Options { size, stalls, mutations: mutations.to_vec(), ..Options::default() }
}

fn found(mutations: &[Mutation]) -> Option<String> {
    let differs = |(cycles, circuit, stalls)| {
        equal(cycles, circuit, cycles, SHAPE(), &options(mutations, stalls)).err()
    };
    cases().into_iter().find_map(differs)
}

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(MUTANTS.iter().map(|&(file, from, _)| (file, from)));
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    if can_build() {
        let mutants = MUTANTS.iter().map(|mutant| ((), *mutant));
        let build =
            |(): &(), faults: &[Mutation]| RtlFase::new(SHAPE(), options(faults, None)).build();
        all_are_found(mutants, build, |(), faults| found(faults));
    }
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        assert_eq!(found(&[]), None);
    }
}
