//! Checks that the engine's tests find faults in the engine.

use std::panic::{AssertUnwindSafe, catch_unwind};

use halfgate_verilated::Error;

use super::Tested;
use crate::rtl::engine_bench::{FAULT, Fault};

/// A fault and the test that must find it.
type Mutant = (Fault, fn() -> Tested);

#[rustfmt::skip]
pub const MUTANTS: &[Mutant] = &[
    // An operand takes its label from the bus only after the bank has delivered.
    (("haac_operand.sv", "operand_i.phase != PhaseNone && ", "operand_i.phase == PhaseDone && "),
        super::a_result_is_found_on_the_bus_or_in_the_window),
    (("haac_read_stage.sv", "leaves_o = requests && !refused", "leaves_o = requests"),
        super::refused_reads_are_repeated_and_won_ones_are_kept),
    // The instruction in D requests nothing.
    (("haac_read_stage.sv", "requests && ahead_b_needs && !ahead_same, requests && ahead_a_needs", "1'b0, 1'b0"),
        super::refused_reads_are_repeated_and_won_ones_are_kept),
    (("haac_read_stage.sv", "requests && b_needs && !same, ", "requests && b_needs, "),
        super::operands_of_one_slot_share_an_access),
    (("haac_read_stage.sv", "both_wait   = a_waits && b_waits", "both_wait   = 1'b0"),
        super::out_of_range_operands_come_one_a_cycle_the_first_first),
    // An operand counts before the pop, with whatever the queue's head is.
    (("haac_operand.sv", "(waits && pop_i)", "waits"),
        super::out_of_range_operands_come_one_a_cycle_the_first_first),
    (("haac_read_stage.sv", "{1'b0, half} > latest_i", "{1'b0, half} > latest_i + 1'b1"),
        super::the_read_interlock_and_inputs_hold_an_instruction_in_r1),
    (("haac_read_stage.sv", "address >= loaded_i", "address > loaded_i"),
        super::an_input_must_be_loaded),
    (("haac_execute.sv", "operand   = !a_there_i || !b_there_i", "operand   = !b_there_i"),
        super::forwarding_costs_no_cycle),
    (("haac_execute.sv", "oldest_half_i < {1'b0, half}", "oldest_half_i <= {1'b0, half}"),
        super::x_waits_in_the_order_of_the_conditions),
    (("haac_execute.sv", "(half > first_half_i && !all_loaded_i)", "1'b0"),
        super::the_write_interlock_waits_for_readers_and_the_loader),
    (("haac_execute.sv", "gate_i.live && !live_space_i", "1'b0"),
        super::full_queues_hold_instructions_in_x),
    // Hashes use the next AND's number.
    (("haac_pipeline.sv", "63'(and_base_i + 64'(gate[R3].number))", "63'(and_base_i + 64'(gate[R3].number) + 64'd1)"),
        super::an_and_is_accepted_in_every_cycle),
    (("haac_live_queue.sv", "entries[0] = res_live_i[0] ?", "entries[0] = res_live_i[0] && !res_live_i[1] ?"),
        super::live_results_of_one_cycle_queue_the_ands_first),
    (("haac_engine.sv", "dispatched_q <= cause_e'(disp_cause_i)", "dispatched_q <= CauseNop"),
        super::a_gap_carries_what_the_dispatcher_did_six_cycles_ago),
    (("haac_live_queue.sv", "wipe_i ? 2'(!full) : count", "wipe_i ? 2'd0 : count"),
        super::nothing_moves_without_run_and_clear_empties),
];

#[test]
#[ignore = "long: make mutants"]
fn every_fault_is_found() {
    let mut survived = Vec::new();
    for (fault, test) in MUTANTS {
        FAULT.set(Some(*fault));
        let outcome = catch_unwind(AssertUnwindSafe(test));
        FAULT.set(None);
        let (file, from, to) = fault;
        // A build failure does not count as found.
        if let Ok(Err(error)) = &outcome {
            let failed = matches!(error.downcast_ref(), Some(Error::Failed { .. }));
            assert!(failed, "{file}: {from} -> {to}: {error}");
        }
        let found = !matches!(outcome, Ok(Ok(())));
        println!("{}: {file}: {from} -> {to}", if found { "found" } else { "SURVIVED" });
        if !found {
            survived.push(fault);
        }
    }
    assert!(survived.is_empty(), "survived: {survived:?}");
}
