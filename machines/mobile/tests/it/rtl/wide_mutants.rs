//! Injects faults into the SystemVerilog of the wide core. Each must be found: by labels, by a
//! clock cycle that differs from the model, by the core's status, or by an assertion.

use crate::rtl::wide_common::can_build;
use halfgate_mobile::rtl::WideOptions;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::mutants::{Mutant, all_are_found, panics, texts_occur_once};

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // The window: position of the next write, position of the next read, and level.
    ("mobile_window.sv", "bytes_i : '0, -put_q.lane", "bytes_i : '0, put_q.lane"),
    ("mobile_window.sv", "if (push || clear_i) words", "if (push) words"),
    ("mobile_window.sv", "put_q.row + RowBits'({1'b0, put_q.lane} > 5'(l))", "put_q.row"),
    ("mobile_window.sv", "first_q.row + RowBits'({1'b0, first_q.lane} > 5'(l))", "first_q.row"),
    ("mobile_window.sv", "({1'b0, look.lane} > 5'(l))", "({1'b0, first_q.lane} > 5'(l))"),
    ("mobile_window.sv", "turn(looks, look.lane)", "turn(looks, first_q.lane)"),
    ("mobile_window.sv", "- Width'(take_i) + (push", "+ (push"),
    ("mobile_window.sv", "level <= Width'(16 * (Rows - 1))", "level <= Width'(16 * (Rows - 1) + 1)"),
    ("mobile_window.sv", "put_q + (RowBits + 4)'(count_i)", "put_q + 8'd16"),
    // Bytes that follow an item.
    ("mobile_wide_rows.sv", "if (next_i) first_q", "if (next_i && first_q != 4'd9) first_q"),
    ("mobile_wide_rows.sv", "(high_i || clear_i)", "(high_i)"),
    ("mobile_wide_rows.sv", "{high[first_q], low[first_q]}", "{low[first_q], high[first_q]}"),
    // The parser: slots of one byte and of two.
    ("mobile_wide_parse.sv", "long[0] && long[2], long[0] ? !long[2]", "long[0] && long[2], long[0] ? long[2]"),
    ("mobile_wide_parse.sv", "(at_c[3] && long[3])", "(at_c[3] && !long[3])"),
    ("mobile_wide_parse.sv", "has_third ? {behind_c, 1'b0}", "has_how ? {behind_c, 1'b0}"),
    ("mobile_wide_parse.sv", "has_how ? {at_how, 1'b0}", "has_third ? {at_how, 1'b0}"),
    ("mobile_wide_parse.sv", "? 4'(i + 2) : 4'(i + 1)", "? 4'(i + 1) : 4'(i + 1)"),
    ("mobile_wide_parse.sv", "is_single ? (long[0] ? 4'd2 : 4'd1)", "is_single ? 4'd1"),
    ("mobile_wide_parse.sv", "!second_i && bytes_i[0][7:4] != KindNone", "!second_i"),
    ("mobile_wide_parse.sv", "how[4:3] == 2'd3", "how[4:3] == 2'd2"),
    // The decoder: available bytes, errors, and bytes that follow an item.
    ("mobile_wide_items.sv", "seen_q >= head_q.bytes", "{1'b0, seen_q} + 5'd1 >= {1'b0, head_q.bytes}"),
    ("mobile_wide_items.sv", "ahead[9] || (state_q == WideTake && !whole)", "ahead[9]"),
    ("mobile_wide_items.sv", "if (ahead[9] ||", "if ("),
    ("mobile_wide_items.sv", "(is_load ? 6'd16 : 6'd0)", "6'd0"),
    ("mobile_wide_items.sv", "look_o = 6'd32", "look_o = 6'd31"),
    ("mobile_wide_items.sv", "look_o = is_begin ? 6'd10 : 6'd16", "look_o = 6'd16"),
    ("mobile_wide_items.sv", "{1'b0, bytes[4:0], bytes[15:8]} + 14'd224", "{1'b0, bytes[4:0], bytes[15:8]} + 14'd223"),
    ("mobile_wide_items.sv", "long_slot[13:WideSlotWidth] != '0", "long_slot[13:WideSlotWidth+1] != '0"),
    ("mobile_wide_items.sv", "head_q.how[7:5] != '0 || head_q.how[2:0] == '0", "head_q.how[7:5] != '0"),
    ("mobile_wide_items.sv", "no_operand || (no_result && !how_wrong)", "no_operand || no_result"),
    ("mobile_wide_items.sv", "other_q <= row_i[0]", "other_q <= row_i[1]"),
    ("mobile_wide_items.sv", "has_how ? head_q.how[2:0] : {has_third, is_and && has_third, 1'b0}", "has_how ? head_q.how[2:0] : {has_third, is_and && has_third, is_and && has_third}"),
    ("mobile_wide_items.sv", "KindAndToB, KindChoiceToB:              item_o.out = b", "KindAndToB, KindChoiceToB:              item_o.out = a"),
    ("mobile_wide_items.sv", "ends ? (is_begin ? 5'd10 : 5'd16)", "ends ? (5'd16)"),
    ("mobile_wide_items.sv", "if (takes) second_q <= head_q.second;", "if (0) second_q <= head_q.second;"),
    // The issue of operands: operands, their use, and dependencies.
    ("mobile_wide_issue.sv", "is_xor && held_q && item_i.a == out_q", "is_xor && item_i.a == out_q"),
    ("mobile_wide_issue.sv", "is_xor && held_q && item_i.a == out_q", "is_xor && held_q && item_i.b == out_q"),
    ("mobile_wide_issue.sv", "{!held, item_i.xors != '0, 1'b1}", "{!held, item_i.xors[2], 1'b1}"),
    ("mobile_wide_issue.sv", "until_sum = 2'd1", "until_sum = 2'd0"),
    ("mobile_wide_issue.sv", "until_sum = 2'd2", "until_sum = 2'd1"),
    ("mobile_wide_issue.sv", "(busy_i[e] && outs_i[e] == slot)", "(busy_i[e] && outs_i[e] == slot && e != 3)"),
    ("mobile_wide_issue.sv", "(takes[e] && next_q.out == slot)", "1'b0"),
    ("mobile_wide_issue.sv", "(takes[e] && next_q.out == item_i.out)", "1'b0"),
    ("mobile_wide_issue.sv", "WhatXor:  goes = !unmade && !(next_q.last && taken)", "WhatXor:  goes = !unmade"),
    ("mobile_wide_issue.sv", "!(next_q.last && (taken || free_i == '0))", "!(next_q.last && taken)"),
    ("mobile_wide_issue.sv", "!(next_q.last && (taken || free_i == '0))", "!(next_q.last && free_i == '0)"),
    ("mobile_wide_issue.sv", "!unmade && !giving_i", "!unmade"),
    ("mobile_wide_issue.sv", "WhatLoad: goes = !taken", "WhatLoad: goes = 1'b1"),
    ("mobile_wide_issue.sv", "next_q.what == WhatXor || next_q.what == WhatLoad", "next_q.what == WhatXor"),
    ("mobile_wide_issue.sv", "job1_i.what == WhatXor || job1_i.what == WhatLoad", "job1_i.what == WhatXor"),
    ("mobile_wide_issue.sv", "default:  goes = quiet_i", "default:  goes = 1'b1"),
    ("mobile_wide_issue.sv", "left[1] ? item_i.xors[0] : 1'b1", "left[1] ? item_i.xors[1] : 1'b1"),
    ("mobile_wide_issue.sv", "left[1] && item_i.xors[2]", "left[1] && item_i.xors[0]"),
    ("mobile_wide_issue.sv", "next_q.first <= !more_q && !held", "next_q.first <= !more_q"),
    // The units: results, labels, keys, wiping.
    ("mobile_wide_ands.sv", "128'h1_0000_0000_0000_0000", "128'h2_0000_0000_0000_0000"),
    ("mobile_wide_ands.sv", "gone[u] = ready_i && chosen[u]", "gone[u] = chosen[u]"),
    ("mobile_wide_ands.sv", "late && (busy_q[u] != '1 || gone[u])", "late"),
    ("mobile_wide_ands.sv", "slot_o  |= outs_q[u][older_q[u]]", "slot_o  |= outs_q[u][0]"),
    ("mobile_wide_ands.sv", "outs_q[u][second_q[u]] <= out_i", "outs_q[u][0] <= out_i"),
    ("mobile_wide_ands.sv", "(store || forgets_q)", "(store || starts_q[1])"),
    ("mobile_wide_execute.sv", "else if (go) number_q <= number_q + 1'b1", "else if (data_next_o) number_q <= number_q + 1'b1"),
    ("mobile_wide_execute.sv", "if (wipe_q || job1_q.valid) begin", "if (job1_q.valid) begin"),
    ("mobile_wide_execute.sv", "if (begins || wipe_q)", "if (begins)"),
    ("mobile_wide_execute.sv", "if (wipe_q || (job2_q", "if ((job2_q"),
    ("mobile_wide_execute.sv", "x_q <= (x_q & {128{!forgets}})", "x_q <= x_q"),
    ("mobile_wide_execute.sv", "b_q <= (b_q & {128{!forgets}})", "b_q <= b_q"),
    ("mobile_wide_execute.sv", "assign made_taken = !sums", "assign made_taken = 1'b1"),
    ("mobile_wide_execute.sv", "keeps ? data_i[255:128]", "keeps ? data_i[127:0]"),
    ("mobile_wide_execute.sv", "{data_i[207:80], data_i[47:8]}", "{data_i[207:80], 8'd0, data_i[39:8]}"),
    ("mobile_wide_execute.sv", "!job1_q.valid && !job2_q.valid", "!job1_q.valid"),
    ("mobile_wide_execute.sv", "{wiped_q != '1,", "{wiped_q[9:0] != '1,"),
    ("mobile_wide_execute.sv", "if (byte_q == '1) {giving_q, give_valid_q} <= '0", "if (byte_q == 4'd14) {giving_q, give_valid_q} <= '0"),
    // The AES unit: folded half gates on block RAM.
    ("aes_folded_core.sv", "rcon_q[4:3] == '1", "rcon_q[4:3] != '0"),
    ("aes_folded_core.sv", "'0 : {key_d[127:96], state_d}", "'0 : {key_d[95:64], state_d}"),
    ("mobile_wide_ands.sv", "{128{b_i[0]}}) ^ sum_i;", "{128{b_i[0]}});"),
    ("mobile_wide_ands.sv", "sigma(b_i) ^ key_i ^ Other", "sigma(b_i) ^ key_i"),
];

const ALL: [fn(&[Mutation]); 3] = [
    crate::rtl::wide_common::every_form_of_item_at_any_rate,
    crate::rtl::wide_common::errors_are_reported_and_cleared_by_a_reset,
    crate::rtl::wide_common::the_wide_core_is_its_model_in_every_clock,
];

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(MUTANTS.iter().map(|&(file, from, _)| (file, from)));
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    if can_build() {
        let mutants = MUTANTS.iter().map(|mutant| ((), *mutant));
        let build = |(): &(), faults: &[Mutation]| {
            let options = WideOptions { mutations: faults.to_vec(), ..WideOptions::default() };
            options.design().build()
        };
        all_are_found(mutants, build, |(), faults| panics(&ALL, faults));
    }
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        ALL.iter().for_each(|test| test(&[]));
    }
}
