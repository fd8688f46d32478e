//! Faults in the SystemVerilog of the wide core are found: by labels, by the first clock that is not the model's, by what the core says,
//! or by an assertion.

mod mobile_wide_common;
mod mutants_common;

use halfgate_rtl::Mutation;
use halfgate_rtl::mobile::WideOptions;
use mobile_wide_common::can_build;
use mutants_common::{Mutant, all_are_found, panics};

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // The window: where bytes are put, what goes, how many there are.
    ("mobile_window.sv", "<< {level_q, 3'd0}", "<< {level_q ^ 6'd1, 3'd0}"),
    ("mobile_window.sv", "(bytes_q | come) >>", "bytes_q | come >>"),
    ("mobile_window.sv", "- Width'(take_i) + (push", "+ (push"),
    ("mobile_window.sv", "level <= Width'(Bytes - 16)", "level <= Width'(Bytes - 15)"),
    ("mobile_window.sv", "if (clear_i) bytes_q <= '0;", "if (0) bytes_q <= '0;"),
    // The beginning of an item: slots of one byte and of two.
    ("mobile_wide_parse.sv", "long[0] && long[2], long[0] ? !long[2]", "long[0] && long[2], long[0] ? long[2]"),
    ("mobile_wide_parse.sv", "(at_c[3] && long[3])", "(at_c[3] && !long[3])"),
    ("mobile_wide_parse.sv", "has_third ? {behind_c, 1'b0}", "has_how ? {behind_c, 1'b0}"),
    ("mobile_wide_parse.sv", "has_how ? {at_how, 1'b0}", "has_third ? {at_how, 1'b0}"),
    ("mobile_wide_parse.sv", "? 4'(i + 2) : 4'(i + 1)", "? 4'(i + 1) : 4'(i + 1)"),
    ("mobile_wide_parse.sv", "is_single ? (long[0] ? 4'd2 : 4'd1)", "is_single ? 4'd1"),
    ("mobile_wide_parse.sv", "!second_i && bytes_i[0][7:4] != KindNone", "!second_i"),
    ("mobile_wide_parse.sv", "how[4:3] == 2'd3", "how[4:3] == 2'd2"),
    // The decoder: what was there, what is wrong, what follows.
    ("mobile_wide_items.sv", "seen_q >= 6'(head_q.bytes)", "seen_q + 6'd1 >= 6'(head_q.bytes)"),
    ("mobile_wide_items.sv", "early ? level_i - 6'd16 : level_i", "level_i"),
    ("mobile_wide_items.sv", "{1'b0, bytes[4:0], bytes[15:8]} + 14'd224", "{1'b0, bytes[4:0], bytes[15:8]} + 14'd223"),
    ("mobile_wide_items.sv", "long_slot[13:WideSlotWidth] != '0", "long_slot[13:WideSlotWidth+1] != '0"),
    ("mobile_wide_items.sv", "head_q.how[7:5] != '0 || head_q.how[2:0] == '0", "head_q.how[7:5] != '0"),
    ("mobile_wide_items.sv", "no_operand || (no_result && !how_wrong)", "no_operand || no_result"),
    ("mobile_wide_items.sv", "is_begin && row_q[0]", "is_begin && row_q[1]"),
    ("mobile_wide_items.sv", "has_how ? head_q.how[2:0] : {has_third, is_and && has_third, 1'b0}", "has_how ? head_q.how[2:0] : {has_third, is_and && has_third, is_and && has_third}"),
    ("mobile_wide_items.sv", "KindAndToB, KindChoiceToB:              item_o.out = b", "KindAndToB, KindChoiceToB:              item_o.out = a"),
    ("mobile_wide_items.sv", "is_begin ? 5'd10 : 5'd16", "5'd16"),
    ("mobile_wide_items.sv", "if (takes) second_q <= head_q.second;", "if (0) second_q <= head_q.second;"),
    ("mobile_wide_items.sv", "{bytes_i[127:0], row_q}", "{row_q, bytes_i[127:0]}"),
    // The issue: what is read, what for, and what it waits for.
    ("mobile_wide_issue.sv", "is_xor && held_q && item_i.a == out_q", "is_xor && item_i.a == out_q"),
    ("mobile_wide_issue.sv", "is_xor && held_q && item_i.a == out_q", "is_xor && held_q && item_i.b == out_q"),
    ("mobile_wide_issue.sv", "{!held, item_i.xors != '0, 1'b1}", "{!held, item_i.xors[2], 1'b1}"),
    ("mobile_wide_issue.sv", "until_xor = 2'd1", "until_xor = 2'd0"),
    ("mobile_wide_issue.sv", "until_xor = 2'd2", "until_xor = 2'd1"),
    ("mobile_wide_issue.sv", "(busy_i[u] && outs_i[u] == slot)", "(busy_i[u] && outs_i[u] == slot && u != 3)"),
    ("mobile_wide_issue.sv", "(takes_o[u] && next_q.out == slot)", "1'b0"),
    ("mobile_wide_issue.sv", "(takes_o[u] && next_q.out == item_i.out)", "1'b0"),
    ("mobile_wide_issue.sv", "WhatXor:  goes = !unmade && !(next_q.last && taken)", "WhatXor:  goes = !unmade"),
    ("mobile_wide_issue.sv", "!(next_q.last && (taken || free == '0))", "!(next_q.last && taken)"),
    ("mobile_wide_issue.sv", "!(next_q.last && (taken || free == '0))", "!(next_q.last && free == '0)"),
    ("mobile_wide_issue.sv", "!unmade && !giving_i", "!unmade"),
    ("mobile_wide_issue.sv", "!taken && !xor1 && !xor2", "!taken"),
    ("mobile_wide_issue.sv", "!taken && !xor1 && !xor2", "!xor1 && !xor2"),
    ("mobile_wide_issue.sv", "default:  goes = quiet_i", "default:  goes = 1'b1"),
    ("mobile_wide_issue.sv", "left[1] ? item_i.xors[0] : 1'b1", "left[1] ? item_i.xors[1] : 1'b1"),
    ("mobile_wide_issue.sv", "left[1] && item_i.xors[2]", "left[1] && item_i.xors[0]"),
    ("mobile_wide_issue.sv", "next_q.first <= !more_q && !held", "next_q.first <= !more_q"),
    // What is made: units, labels, their keys, wiping.
    ("mobile_wide_ands.sv", "key_q ^ 128'h1_0000_0000_0000_0000", "key_q ^ 128'h2_0000_0000_0000_0000"),
    ("mobile_wide_ands.sv", "takes_i[u] || (busy_q[u] && !(ready_i && chosen[u]))", "takes_i[u] || (busy_q[u] && !chosen[u])"),
    ("mobile_wide_execute.sv", "else if (takes != '0) number_q <= number_q + 1'b1", "else if (job.last) number_q <= number_q + 1'b1"),
    ("mobile_wide_execute.sv", "{number_q, number1_q}", "{number_q, number_q}"),
    ("mobile_wide_execute.sv", "{data_q, table1_q}", "{data_q, data_q}"),
    ("mobile_wide_execute.sv", "x_q <= (x_q & {128{!job1_q.first}})", "x_q <= x_q"),
    ("mobile_wide_execute.sv", "b_q <= (b_q & {128{!job1_q.first}})", "b_q <= b_q"),
    ("mobile_wide_execute.sv", "assign made_taken = !sums && !loads", "assign made_taken = !loads"),
    ("mobile_wide_execute.sv", "data_q[255:128]}", "data_q[127:0]}"),
    ("mobile_wide_execute.sv", "{data_q[207:80], data_q[47:8]}", "{data_q[207:80], 8'd0, data_q[39:8]}"),
    ("mobile_wide_execute.sv", "!job1_q.valid && !job2_q.valid", "!job1_q.valid"),
    ("mobile_wide_execute.sv", "wiped_q != '1", "wiped_q[9:0] != '1"),
    ("mobile_wide_execute.sv", "if (byte_q == '1) {giving_q, give_valid_q} <= '0", "if (byte_q == 4'd14) {giving_q, give_valid_q} <= '0"),
    // The unit: folded half gates on block RAM.
    ("aes_folded_core.sv", "'0 : {key_d[127:96], state_d}", "'0 : {key_d[95:64], state_d}"),
    ("mobile_wide_ands.sv", "{128{b_i[0]}}) ^ sum_i;", "{128{b_i[0]}});"),
    ("mobile_wide_ands.sv", "{sigma(a_i), sigma(b_i), key_i}", "{sigma(a_i), sigma(a_i), key_i}"),
];

const ALL: [fn(&[Mutation]); 3] = [
    mobile_wide_common::every_form_of_item_however_it_comes,
    mobile_wide_common::what_is_wrong_is_named_and_a_reset_mends_it,
    mobile_wide_common::the_wide_core_is_its_model_in_every_clock,
];

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
