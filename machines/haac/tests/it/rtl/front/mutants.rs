//! Checks that the front end's tests find faults in the front end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Change, Tested, dispatcher, halves, loader, requests};

/// A file, the original text, its replacement, and the test that must find the fault.
type Mutant = (&'static str, &'static str, &'static str, fn(Change<'_>) -> Tested);

pub const MUTANTS: &[Mutant] = &[
    // Faults in the instruction queue and its rows.
    (
        "haac_burst_queue.sv",
        "level_q + 16'(show_i)",
        "level_q + 16'(push_i)",
        dispatcher::check_rows,
    ),
    (
        "haac_burst_queue.sv",
        "assign head_d  = wrapped(head_q + HeadWidth'(pop_i))",
        "assign head_d  = head_q",
        dispatcher::check_rows,
    ),
    (
        "haac_burst_queue.sv",
        "== TurnWidth'(Turns - 1) ? '0 :",
        "== TurnWidth'(Turns) ? '0 :",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "if (32'(row_end) > b * BurstGrains) needed",
        "if (32'(row_end) >= b * BurstGrains) needed",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "if (32'(row_end) >= b * BurstGrains) begin",
        "if (32'(row_end) > b * BurstGrains) begin",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "(fifo_full_i & ~is_nop) == '0",
        "fifo_full_i == '0",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "assign there    = level >= 16'(needed)",
        "assign there    = level > 16'(needed)",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "cause == CauseIssue && is_nop[e] ? CauseNop : cause",
        "cause",
        dispatcher::check_rows,
    ),
    ("haac_numbering.sv", "+ SlotWidth'(slot[SlotWidth])", "", dispatcher::check_rows),
    (
        "haac_numbering.sv",
        "outs     = outs + CountWidth'(!is_nop_i[e])",
        "outs     = outs + CountWidth'(1'b1)",
        dispatcher::check_rows,
    ),
    (
        "haac_numbering.sv",
        "ands     = ands + CountWidth'(is_and_i[e])",
        "ands     = ands + CountWidth'(!is_nop_i[e])",
        dispatcher::check_rows,
    ),
    (
        "haac_dispatcher.sv",
        "is_nop[e] ? instr != '0",
        "is_nop[e] ? 1'b0",
        dispatcher::check_refusals,
    ),
    ("haac_dispatcher.sv", "&& b != SlotWidth'(UnaryInv)", "", dispatcher::check_refusals),
    (
        "haac_dispatcher.sv",
        "shown_q >= instr_bursts_i",
        "shown_q > instr_bursts_i",
        dispatcher::check_refusals,
    ),
    // Faults in the loader.
    (
        "haac_loader.sv",
        "if (last_address[SlotWidth-1:0] == '0) last_address",
        "if (1'b0) last_address",
        loader::check,
    ),
    ("haac_loader.sv", "&& address[SlotWidth-1:0] != '0", "", loader::check),
    ("haac_loader.sv", "&& address >= first_loaded_i\n", "\n", loader::check),
    ("haac_loader.sv", "&& address < first_output_i ", "", loader::check),
    (
        "haac_loader.sv",
        "ld_epoch_o[i] = address[SlotWidth]",
        "ld_epoch_o[i] = address[SlotWidth-1]",
        loader::check,
    ),
    ("haac_loader.sv", "all_loaded_q && !placed_q", "all_loaded_q", loader::check),
    (
        "haac_loader.sv",
        "places_last ? first_output_i : {burst_d, 2'b00}",
        "{burst_d, 2'b00}",
        loader::check,
    ),
    (
        "haac_burst_queue.sv",
        "assign lanes_clear = clear_i || last_q",
        "assign lanes_clear = clear_i",
        loader::check,
    ),
    // Faults in the counting of halves.
    (
        "haac_halves.sv",
        "advances = left_q[now] == finish[now]",
        "advances = left_q[now] == '0",
        halves::check,
    ),
    ("haac_halves.sv", "left_q[now] <= size(now);", "", halves::check),
    (
        "haac_halves.sv",
        "count_t'(WindowLabels / 2) - count_t'(!odd)",
        "count_t'(WindowLabels / 2)",
        halves::check,
    ),
    ("haac_halves.sv", "run_i && advances", "1'b0", halves::check),
    (
        "haac_halves.sv",
        "finish[1] = ones(finish_i & odd_i)",
        "finish[1] = ones(finish_i & {Events{now}})",
        halves::check,
    ),
    // Faults in the requests.
    (
        "haac_turns.sv",
        "turn_d = e + 1 == Engines ? '0 : TurnWidth'(e + 1)",
        "turn_d = TurnWidth'(e)",
        requests::check,
    ),
    ("haac_turns.sv", "if (TurnWidth'(e) < turn_q) rank[e]", "if (1'b0) rank[e]", requests::check),
    ("haac_turns.sv", "req_i[e] && more[n]", "req_i[e] && (n == 0 || more[n-1])", requests::check),
    ("haac_turns.sv", "(!more[n+1] || requested", "(requested", requests::check),
    ("haac_credit.sv", "over_q <= sum_d > Width'(cap_i)", "over_q <= 1'b0", requests::check),
    ("haac_credit.sv", "sum_d >= labels_price[k]", "sum_d > labels_price[k]", requests::check),
    (
        "haac_credit.sv",
        "short_of[j] = left[Width];",
        "short_of[j] = left[Width] || left == '0;",
        requests::check,
    ),
    (
        "haac_credit.sv",
        "if (bursts_i == 8'(j) && !bursts_o[j-1]) bound_o = 1'b1;",
        "",
        requests::check,
    ),
    (
        "haac_credit.sv",
        "(bursts_i == 8'(j) || !more_bursts[j])",
        "bursts_i == 8'(j)",
        requests::check,
    ),
    ("haac_credit.sv", "(labels_i == 8'(k) || !more[k])", "labels_i == 8'(k)", requests::check),
    ("haac_credit.sv", "{carry, 2'b11}", "{carry, 2'b01}", requests::check),
    ("haac_credit.sv", "{1'b0, step_q[Half-1:0]} -", "-", requests::check),
    ("haac_credit.sv", "- Half'(low_q[j][Half])", "", requests::check),
    ("haac_credit.sv", "sum_d = Width'(step_i);", "sum_d = '0;", requests::check),
    ("haac_multiples.sv", "k - 1] + one_i", "k - 1]", requests::check),
    ("haac_requests.sv", "&& in_memory_i[e]", "", requests::check),
    ("haac_requests.sv", "idle_i[e] && all_dispatched_i", "idle_i[e]", requests::check),
    (
        "haac_requests.sv",
        "wires_taken_i[e] < WireLevel'(OorWireDepth)",
        "wires_taken_i[e] <= WireLevel'(OorWireDepth)",
        requests::check,
    ),
    ("haac_requests.sv", "labels_allowed >> live_requested", "labels_allowed", requests::check),
    ("haac_requests.sv", "&& !in_flight_full_i[e]", "", requests::check),
    (
        "haac_stream_left.sv",
        "left < Group ? GroupWidth'(left)",
        "left < Group ? GroupWidth'(Group)",
        requests::check,
    ),
    (
        "haac_bursts_left.sv",
        "HeldWidth'(Space) - held_q;",
        "HeldWidth'(Space + 1) - held_q;",
        requests::check,
    ),
    ("haac_bursts_left.sv", "held_q - HeldWidth'(free_i) +", "held_q +", requests::check),
    ("haac_turns.sv", "else if (run_i) turn_q", "else turn_q", requests::check),
    ("haac_turns.sv", "run_i ? gnt : '0", "gnt", requests::check),
    ("haac_credit.sv", "&& !never_q[k]", "", requests::check),
    ("haac_credit.sv", "bound_o = !labels_fit;", "bound_o = 1'b0;", requests::check),
    // A proof finds `haac_bursts_left` with no borrow.
];

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    let mut missed = Vec::new();
    for (file, from, to, check) in MUTANTS {
        let change = |design: halfgate_verilated::Design| design.mutate(file, from, to);
        let found = match catch_unwind(AssertUnwindSafe(|| check(&change))) {
            Err(_) => "a comparison".to_owned(),
            Ok(Ok(())) => {
                missed.push(format!("{file}: {from:?} -> {to:?}"));
                "NOTHING".to_owned()
            }
            Ok(Err(error)) => {
                let text = error.to_string();
                // A build failure does not count as found.
                assert!(text.contains("Assertion failed"), "{file}, {from:?}: {text}");
                "an assertion".to_owned()
            }
        };
        println!("{file}: {} -> {}: {found}", from.trim(), to.trim());
    }
    assert!(missed.is_empty(), "not found: {missed:#?}");
}
