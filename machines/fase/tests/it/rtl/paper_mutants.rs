//! Tests that all mutants of the published FASE's SystemVerilog are found: by the first clock cycle
//! that differs from the model's, by tables and labels, by counters, or by an assertion.

use crate::rtl::common::*;
use halfgate_circuit::Circuit;
use halfgate_circuit::random::{self, Shape as Circuits};
use halfgate_engine::Suite;
use halfgate_fase::rtl::Options;
use halfgate_fase::rtl::paper::RtlPaper;
use halfgate_fase_model::paper::Size;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::mutants::{all_are_found, texts_occur_once};

/// A mutant: the number of pipelines of a machine that shows the fault, a file, a text in the file,
/// and its replacement.
type Mutant = (usize, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // Netlist: a slot is lost or repeated; rows are read too late.
    (2, "fase_paper_netlist.sv", "32'(left) <= Pipelines;", "left == '0;"),
    (2, "fase_paper_netlist.sv", "row_valid_q <= fetch || (row_valid_q && !append);", "row_valid_q <= fetch;"),
    (2, "fase_paper_netlist.sv", "window_q >> (32'(pop_i) * Width)", "window_q >> (32'(pop_i != '0) * Width)"),
    // Issue: the next slot for each pipeline, and the numbers of slots.
    (2, "fase_paper_issue.sv", "held_q[q].index < held_q[p].index)", "q < p)"),
    (2, "fase_paper_issue.sv", "number        += 16'(slots_i[r].is_and);", "number        += 16'(1);"),
    (2, "fase_paper_issue.sv", "held_q[p].number < first_held_o", "held_q[p].number > first_held_o"),
    (1, "fase_paper_issue.sv", "if (valid_q[p] && held_q[p].slot.flip_flop) passed = 1'b0;", ""),
    (1, "fase_paper_issue.sv", "position: held_q[p].index - flip_flops_i", "position: held_q[p].index"),
    // Operands: mixed-up netlist cycles, missing labels.
    (1, "fase_paper_operand.sv", "slot_i.flip_flop ? first_cycle == Second :", "slot_i.flip_flop ? !Second :"),
    (1, "fase_paper_operand.sv", "(slot_i.flip_flop && cycle_i == 32'd1)", "1'b0"),
    (1, "fase_paper_operand.sv", "cycle_i[0] != slot_i.flip_flop", "cycle_i[0]"),
    (2, "fase_paper_operand.sv", "else if (operand.is_input) there_o = made;", "else if (operand.is_input) there_o = 1'b1;"),
    (1, "fase_paper_operand.sv", "(first_cycle ? operand.word : operand.again) < count_i", "operand.word < count_i"),
    (1, "fase_paper_ready.sv", "end else if (clear_i) begin\n      ready_q <= '0;", "end else if (clear_i && 1'b0) begin\n      ready_q <= '0;"),
    // The generator: numbers, addresses, lead over the netlist cycle.
    (1, "fase_paper_generator.sv", "passed_i && round_q == cycle_i", "round_q == cycle_i"),
    (1, "fase_paper_generator.sv", "number_q <= number_q + 64'(now);", "number_q <= number_q + 64'(Labels);"),
    (1, "fase_paper_generator.sv", "first_i + (round_q[0] ? '0 : each_i)", "first_i"),
    (1, "fase_paper_generator.sv", "made.begins ? '0 : count_o", "count_o"),
    // Labels through two ports: order, free space, one label read twice.
    (1, "fase_paper_port_labels.sv", "assign space_o = count <= 3'd2;", "assign space_o = count <= 3'd1;"),
    (1, "fase_paper_port_labels.sv", "assign reads = {read_i[1] && !same, read_i[0]};", "assign reads = read_i;"),
    (1, "fase_paper_port_labels.sv", "if (|read_i) from_q <= !same;", "from_q <= 1'b1;"),
    (1, "fase_paper_port_labels.sv", "waiting_q[1] <= all[after];", "waiting_q[1] <= all[3];"),
    // Execution: a wrong tweak, inversions.
    (1, "fase_paper_execute.sv", "{32'd0, cycle_i, 47'd0,", "{32'd0, 32'd0, 47'd0,"),
    (1, "fase_paper_execute.sv", "assign and_label_o = label ^ (delta_i & {128{invert}});", "assign and_label_o = label;"),
    (1, "fase_paper_execute.sv", "(b_i & {128{!taken_i.copy}})", "b_i"),
    (1, "half_gate_garbler_fixed.sv", "assign tweak_b = tweak_i ^ 128'd1;", "assign tweak_b = tweak_i;"),
    (1, "fase_paper.sv", "^ (delta_q & {128{now.invert}});", ";"),
    (1, "fase_paper.sv", "now.constant ? constant_q : from_inputs[p]", "from_inputs[p]"),
    // Output: too early, out of order, while the host accepts nothing.
    (2, "fase_paper.sv", ".done_i(first_held_q[AndCycles-1])", ".done_i(first_held_q[AndCycles-3])"),
    (2, "fase_paper_collect.sv", "assign leaves[r] = moves && &there[r:0];", "assign leaves[r] = moves && there[r];"),
    (2, "fase_paper_collect.sv", "assign moves   = !(|valid_o) || ready_i;", "assign moves   = 1'b1;"),
    // States.
    (2, "fase_paper_control.sv", "MaskCycles - 1 && drained_i", "MaskCycles - 1"),
    (1, "fase_paper_control.sv", "MaskCycles - 1 && drained_i", "MaskCycles - 2 && drained_i"),
    (1, "fase_paper_control.sv", "cycle_o + 1'b1 >= cycles_i", "cycle_o >= cycles_i"),
    (1, "fase_paper.sv", "assign idle    = !held && &executes_idle && labels_idle;", "assign idle    = !held && &executes_idle;"),
    (1, "fase_paper.sv", "assign idle    = !held && &executes_idle && labels_idle;", "assign idle    = !held && labels_idle;"),
    (1, "fase_paper_counters.sv", "waits && !blocked_i", "waits"),
];

/// The runs that are tried in order until the mutant is found: netlist cycles, circuit, and the
/// seed of stalls if there are any.
fn cases() -> Vec<(u64, Circuit, Option<u64>)> {
    let mut cases = vec![
        (12, random::gated_shift_register(), None),
        (30, random::gated_shift_register(), Some(5)),
        (20, random::late_inputs(), None),
        (4, random::many_ands(), None),
    ];
    cases.extend(machines().map(|(cycles, circuit)| (cycles, circuit, None)));
    for seed in 0..12 {
        let circuits =
            Circuits { gates: 90 + 20 * seed as u32, flip_flops: 9, ..Circuits::default() };
        let circuit = random::circuit(seed, &circuits);
        cases.push((circuit.cycles, circuit, (seed % 2 == 0).then_some(seed + 1)));
    }
    cases
}

fn garbler(pipelines: usize, mutations: &[Mutation], stalls: Option<u64>) -> RtlPaper {
    let size = Some(Size { slots: 1 << 9, inputs: 1 << 9, outputs: 1 << 8 });
    let options = Options { size, stalls, mutations: mutations.to_vec(), ..Options::default() };
    RtlPaper::new(pipelines, options)
}

fn found(pipelines: usize, mutations: &[Mutation]) -> Option<String> {
    let suite = Suite::HalfGatesFixedKey;
    let differs = |(cycles, circuit, stalls)| {
        let garbler = garbler(pipelines, mutations, stalls);
        equal_to_paper(cycles, circuit, cycles, garbler, pipelines, suite).err()
    };
    cases().into_iter().find_map(differs)
}

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(MUTANTS.iter().map(|&(_, file, from, _)| (file, from)));
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    if can_build() {
        let mutants =
            MUTANTS.iter().map(|&(pipelines, file, from, to)| (pipelines, (file, from, to)));
        let build =
            |pipelines: &usize, faults: &[Mutation]| garbler(*pipelines, faults, None).build();
        all_are_found(mutants, build, |pipelines, faults| found(*pipelines, faults));
    }
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        for pipelines in [1, 2] {
            assert_eq!(found(pipelines, &[]), None);
        }
    }
}
