//! Injects faults into the SystemVerilog of the mobile coprocessor. Each must be found: by labels,
//! by a clock cycle that differs from the model, by the chip's frames, or by an assertion.

use crate::rtl::common::can_build;
use crate::rtl::pins::{Wires, a_chip_at_its_pins, design};
use halfgate_mobile::rtl::{Options, RtlMobile};
use halfgate_mobile_model::model::Form;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::mutants::{Mutant, all_are_found, panics, texts_occur_once};

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // AES: key schedule, last round, sums.
    ("aes_pair.sv", "last_q <= count_q >= 6'd36", "last_q <= count_q >= 6'd37"),
    ("aes_pair.sv", "8'h1b & {8{rcon_q[7]}}", "8'h1a & {8{rcon_q[7]}}"),
    ("aes_pair.sv", "else if (go_i) ahead_q <= 2'd1", "else if (go_i) ahead_q <= 2'd0"),
    ("aes_pair.sv", "key_i ^ 128'h1_0000_0000_0000_0000", "key_i"),
    ("aes_pair.sv", "state_q[1][8][0] <= !(", "state_q[1][8][0] <= ("),
    ("aes_pair.sv", "if (clear_i || forget_i) state_q[c] <= '0;", "if (clear_i) state_q[c] <= '0;"),
    // Hash inputs, and the sums of operands.
    ("mobile_label.sv", "{9{over[1]}} & 9'h10e", "{9{over[1]}} & 9'h00e"),
    ("mobile_label.sv", "role_i == RoleB ? {word_i[61:0], 2'd0}", "role_i == RoleB ? {word_i[62:0], 1'b0}"),
    ("mobile_label.sv", "carry_high = high_i ? '0 : over", "carry_high = over"),
    ("mobile_label.sv", "(role_i == RoleA && b_q)", "(role_i == RoleA)"),
    ("mobile_label.sv", "{hashes ^ plain, hashes}", "{hashes || plain, hashes}"),
    ("mobile_label.sv", "to_hash  = {1'b1, high_i}", "to_hash  = {high_i, high_i}"),
    ("mobile_label.sv", "wanted = a_q && !(grr3_i && b_q)", "wanted = a_q"),
    ("mobile_label.sv", "wanted = !a_q && b_q", "wanted = b_q"),
    ("mobile_label.sv", "if (set_i) {a_q, b_q} <= '0;", "if (0) {a_q, b_q} <= '0;"),
    ("mobile_label.sv", "sum_i && !grr3_i", "sum_i"),
    ("mobile_label.sv", "(tweak_i & {128{set_i}})", "128'd0"),
    ("mobile_key.sv", "next_i && !suite_q[0]", "next_i"),
    ("mobile_key.sv", "assign grr3_o = suite_q[0]", "assign grr3_o = suite_q[1]"),
    ("mobile_key.sv", "(suite_q[0] ? '0 : {23'd0, number_q, 1'b0, 64'd0})", "{23'd0, number_q, 1'b0, 64'd0}"),
    // Order of items: reads, writes, forwarding, waits.
    ("mobile_execute.sv", "item_i.a == out_q;", "item_i.b == out_q;"),
    ("mobile_execute.sv", "(held_q || state_q[StoreHigh])", "1'b1"),
    ("mobile_execute.sv", "{!held, item_i.xors[2], 3'b001}", "{!held, 1'b0, 3'b001}"),
    ("mobile_execute.sv", "{1'b1, item_i.xors[2], item_i.xors[0], item_i.xors[1], 1'b1}", "{1'b1, item_i.xors[2], item_i.xors[1], item_i.xors[0], 1'b1}"),
    ("mobile_execute.sv", "stored       = mem_ready_i && due_none_q", "stored       = mem_ready_i"),
    ("mobile_execute.sv", "(due_none_q || due_last) && !turns", "(due_none_q || due_last)"),
    ("mobile_execute.sv", "(state_q[Store] && (due_none_q || due_last) && !turns)", "(state_q[Store] && !turns)"),
    ("mobile_execute.sv", "due_none_q && !busy && !turns", "due_none_q && !busy"),
    ("mobile_execute.sv", "state_q[Work] && !more_q && due_none_q", "state_q[Work] && due_none_q"),
    ("mobile_execute.sv", "grr3_o ? 6'(48 / Lanes - 1) : 6'(32 / Lanes - 1)", "6'(32 / Lanes - 1)"),
    ("mobile_execute.sv", "first_q <= !is_and && !held", "first_q <= !is_and"),
    ("mobile_execute.sv", "give_valid_o = state_q[Give] && due_none_q && !turns", "give_valid_o = state_q[Give] && due_none_q"),
    ("mobile_execute.sv", "state_q[Wipe] && clear_q && !flushed", "state_q[Wipe] && !flushed"),
    ("mobile_execute.sv", "flushed = wiped_q && wipe_q[0]", "flushed = wiped_q || wipe_q == '1"),
    ("mobile_execute.sv", "(clear_i || waits_q) && (!mem_valid_o || mem_ready_i)", "(clear_i || waits_q)"),
    ("mobile_execute.sv", "waits_q <= (clear_i || waits_q) && !clear", "waits_q <= 1'b0"),
    ("mobile_execute.sv", "if (flushed && reads_q == '0) begin", "if (flushed) begin"),
    ("mobile_execute.sv", "!state_q[Read] && !wiped_q", "!state_q[Read]"),
    ("mobile_key.sv", "if (clear_i) {point_q", "if (0) {point_q"),
    ("mobile_label.sv", "if (clear_i) {label_q", "if (0) {label_q"),
    ("mobile_queue_lane.sv", "writes  = wipe_i || write_i", "writes  = write_i"),
    ("mobile_labels.sv", "writes  = wipe_i || (valid_i && ready_o)", "writes  = valid_i && ready_o"),
    ("mobile_send.sv", "writes  = wait_i || state_q == Close", "writes  = state_q == Close"),
    ("mobile_items.sv", "done = is_and && grr3_i ?", "done = grr3_i ?"),
    ("mobile_items.sv", "byte_i == 8'hff ? at(Step)", "byte_i == 8'hfe ? at(Step)"),
    ("mobile_items.sv", "index_q == 2'd1 && !has_third ? 2'd3", "index_q == 2'd1 ? 2'd3"),
    ("mobile_items.sv", "{high_q, byte_i} + 13'd224", "{high_q, byte_i} + 13'd223"),
    ("mobile_items.sv", "beyond    = high_q == '1 && byte_i[7:5] != '0", "beyond    = high_q == '1 && byte_i[7:6] != '0"),
    ("mobile_items.sv", "byte_i[7:5] != '0 || byte_i[2:0] == '0", "byte_i[7:5] != '0"),
    ("mobile_items.sv", "second_valid_q <= byte_i[7:4] != KindNone", "second_valid_q <= 1'b1"),
    ("mobile_items.sv", "KindChoiceToC:                            item_o.out = slots_q[2]", "KindChoiceToC:                            item_o.out = slots_q[1]"),
    // Frames: stuffing, checksum, order, free space.
    ("mobile_frames.sv", "zero_q <= byte_i != 8'hff", "zero_q <= 1'b1"),
    ("mobile_frames.sv", "(zero_q && !first_q)", "zero_q"),
    ("mobile_frames.sv", "!cut_q && !lost_q", "!lost_q"),
    ("mobile_frames.sv", "crc_q == 32'hb798_b438", "1'b1"),
    ("mobile_frames.sv", "ours_q     <= tag_q == run_q", "ours_q     <= tag_q[7:0] == run_q[7:0] || 1'b1"),
    ("mobile_frames.sv", "is_next_q && !is_short_q", "!is_short_q"),
    ("mobile_frames.sv", "is_next_q && !is_short_q", "is_next_q"),
    ("mobile_frames.sv", "missed && !requested_q", "missed"),
    ("mobile_frames.sv", "lost_q || (!is_head && (full_i || too_long))", "lost_q || (!is_head && full_i)"),
    ("mobile_queue.sv", "if (drop_i) write_q <= kept_q", "if (0) write_q <= kept_q"),
    ("mobile_queue.sv", "kept_q  <= write_q - place_t'(Check)", "kept_q  <= write_q"),
    ("mobile_queue.sv", "3'(used_q >> 10) + 3'(used_q[9:0] != '0)", "3'(used_q >> 10)"),
    ("mobile_queue_lane.sv", "take ? after_q != kept_i : read_q != kept_i", "read_q != kept_i"),
    ("mobile_queue_lane.sv", "valid_q && (!out_valid_q || ready_i)", "valid_q"),
    // Labels to the host, and the chip's frames.
    ("mobile_labels.sv", "full_q  <= kept >= 6'd31", "full_q  <= kept >= 6'd33"),
    ("mobile_labels.sv", "acked_i && behind <= kept", "acked_i"),
    ("mobile_labels.sv", "jumps_q  <= repeat_i || ahead < behind", "jumps_q  <= repeat_i"),
    ("mobile_labels.sv", "jumps_q  <= repeat_i || ahead < behind", "jumps_q  <= ahead < behind"),
    ("mobile_send.sv", "is_check_q || index_q + 5'd4 == last_q", "is_check_q || index_q + 5'd3 == last_q"),
    ("mobile_send.sv", "if (is_zero) code_q <= place_q", "if (0) code_q <= place_q"),
    ("mobile_send.sv", "space_i > space_q", "1'b0"),
    ("mobile_send.sv", "status_i != status_q", "1'b0"),
    ("mobile_send.sv", "again_i || (again_q && !(starts && responses_q))", "again_i"),
    ("mobile_send.sv", "hellos_q ? 5'd10", "hellos_q ? 5'd9"),
    ("mobile_labels.sv", "!next_i && !acked_i && !acknowledged_q", "!next_i && !acknowledged_q"),
    ("mobile_labels.sv", "!next_i && !acked_i && !acknowledged_q", "!next_i && !acked_i"),
    ("mobile_frames.sv", "keep || again || requests || other", "keep || again || other"),
    ("mobile_frames.sv", "acknowledged_q + 6'(keeps_q[2])", "acknowledged_q + 6'(keeps_q[0])"),
    ("mobile_send.sv", "!starts && (response_q", "!starts && state_q == Wait && (response_q"),
    ("mobile_port.sv", "no_slot_q ? StatusNoSlot", "no_slot_q ? StatusNoItem"),
    ("mobile_port.sv", "else if (other) wrong_q", "else if (0) wrong_q"),
    ("mobile_port.sv", "wrong_q == StatusFine && over_i ? StatusOver", "over_i ? StatusOver"),
];

/// Faults in the form with one round of AES per clock cycle.
#[rustfmt::skip]
const IN_A_ROUND: &[Mutant] = &[
    ("aes_pair_round.sv", "last_q   <= busy_q && count_q >= 5'd18", "last_q   <= busy_q && count_q >= 5'd19"),
    ("aes_pair_round.sv", "count_q >= 5'd19 && count_q != Last", "count_q >= 5'd19"),
    ("aes_pair_round.sv", "8'h1b & {8{rcon_q[7]}}", "8'h1a & {8{rcon_q[7]}}"),
    ("aes_pair_round.sv", "!count_q[0] && !first_q", "!count_q[0]"),
    ("aes_pair_round.sv", "front_q[8][0] <= !front_q[8][0]", "front_q[8][0] <= front_q[8][0]"),
    ("aes_pair_round.sv", "starts_q <= go_i || first_q", "starts_q <= go_i"),
    ("aes_pair_round.sv", "(first_q || writes_q) block_q[0]", "(writes_q) block_q[0]"),
    ("aes_pair_round.sv", "state[5*b%16]", "state[b]"),
    ("aes_pair_round.sv", "^ {63'd0, set_i, 64'd0}", ""),
    ("aes_pair_round.sv", "if (clear_i || forget_i) block_q <= '0;", "if (clear_i) block_q <= '0;"),
    ("mobile_label.sv", "{(label_q[Bits-1:0] & {Bits{keeps_q}}) ^ byte_q, label_q[127:Bits]}", "{byte_q, label_q[127:Bits]}"),
    ("mobile_key.sv", ">> (8 * Lanes)", ">> 8"),
    ("mobile_execute.sv", "turns_given = !left_q[0]", "turns_given = left_q[0]"),
    ("mobile_execute.sv", "left_q[0] ? label[7:0] : label[15:8]", "label[7:0]"),
    ("mobile_execute.sv", "left_q[6-Lanes-:2]", "left_q[5:4]"),
    ("mobile_execute.sv", "WhatLoad:  left_q <= 6'(16 / Lanes - 1)", "WhatLoad:  left_q <= 6'd15"),
    ("mobile_items.sv", "state_q[Follow] && all_valid_i", "state_q[Follow] && byte_valid_i"),
    ("mobile_items.sv", "? follow_ready_i && all_valid_i :", "? follow_ready_i :"),
    ("mobile_queue.sv", "Width'((kept_q + 1'b1) >> 1)", "kept_q[Width:1]"),
    ("mobile_queue.sv", "{reads[1], reads[0][0] ^ reads[1][0]}", "{reads[1], 1'b0}"),
    ("mobile_queue.sv", "turn_q ^ (valid_o[0] && ready_i[0]) ^", "turn_q ^"),
    ("mobile_queue.sv", "write_i && write_q[0] == 1'(l)", "write_i"),
];

/// Faults in the modules that connect the core on the board.
#[rustfmt::skip]
const AT_ITS_PINS: &[Mutant] = &[
    ("mobile_spi.sv", "if (cs_ni) count_q <= '0;", "if (0) count_q <= '0;"),
    ("mobile_spi.sv", "@(negedge sck_i or negedge rst_ni) begin\n    if (!rst_ni) out_q", "@(negedge sck_i or posedge cs_ni) begin\n    if (cs_ni) out_q"),
    ("mobile_spi.sv", "always_ff @(negedge sck_i or negedge rst_ni)", "always_ff @(posedge sck_i or negedge rst_ni)"),
    ("mobile_spi.sv", "count_q == '0 ? sent_q", "count_q == 3'd1 ? sent_q"),
    ("mobile_spi.sv", "if (count_q == 3'd7) byte_q", "if (count_q == 3'd6) byte_q"),
    ("mobile_spi.sv", "if (count_q == 3'd7) sent_q <= next_q", "if (count_q == 3'd7) sent_q <= sent_q"),
    ("mobile_spi.sv", "miso_next_o = out[7]", "miso_next_o = out_q[7]"),
    ("mobile_spi.sv", "next_q <= tx_valid_i ? tx_byte_i : '0", "next_q <= tx_byte_i"),
    ("mobile_uart.sv", "left_q == 4'd1 && line_q[1];", "left_q == 4'd2 && line_q[1];"),
    ("mobile_uart.sv", "bits_q <= 4'd10", "bits_q <= 4'd9"),
    ("mobile_uart.sv", "out_q  <= {tx_byte_i, 1'b0}", "out_q  <= {tx_byte_i, 1'b1}"),
    ("mobile_ram.sv", "valid_q <= valid_i && !write_i", "valid_q <= valid_i"),
    ("mobile_ram.sv", "else data_q <= words[address_i]", "else data_q <= words[address_i & ~1]"),
    ("mobile_chip.sv", ".rx_valid_i(rx_valid)", ".rx_valid_i(1'b1)"),
];

const ALL: [fn(Form, &[Mutation]); 12] = [
    crate::rtl::common::every_form_of_item,
    crate::rtl::common::errors_are_reported_and_cleared_by_a_reset,
    crate::rtl::common::invalid_frames_are_requested_again_once,
    crate::rtl::common::labels_wait_for_a_host_that_is_slow,
    crate::rtl::common::nothing_is_left_after_a_reset,
    crate::rtl::common::responses_from_before_a_reset_are_ignored,
    crate::rtl::common::a_reset_waits_for_the_memory,
    crate::rtl::common::labels_are_made_before_they_are_sent,
    crate::rtl::common::responses_go_before_labels,
    crate::rtl::common::reported_space_is_free,
    crate::rtl::common::the_chip_is_its_model_in_every_clock,
    crate::rtl::common::any_memory_timing_works,
];

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(
        MUTANTS.iter().chain(IN_A_ROUND).chain(AT_ITS_PINS).map(|&(file, from, _)| (file, from)),
    );
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    find(Form::Half, MUTANTS);
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found_with_a_round_a_cycle() {
    find(Form::Round, IN_A_ROUND);
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found_at_its_pins() {
    if !can_build() {
        return;
    }
    let form = Form::Half;
    let wires = [Wires::Spi { is_smooth: false }, Wires::Spi { is_smooth: true }, Wires::Serial];
    let build = |(): &(), faults: &[Mutation]| {
        wires.into_iter().try_for_each(|wires| design(form, wires, faults).build().map(drop))
    };
    let tests =
        wires.map(|wires| move |faults: &[Mutation]| a_chip_at_its_pins(form, wires, faults));
    let mutants = AT_ITS_PINS.iter().map(|mutant| ((), *mutant));
    all_are_found(mutants, build, |(), faults| panics(&tests, faults));
}

fn find(form: Form, mutants: &[Mutant]) {
    if !can_build() {
        return;
    }
    let build = |(): &(), faults: &[Mutation]| {
        let options = Options { form, mutations: faults.to_vec(), ..Options::default() };
        RtlMobile::new(options).build()
    };
    let tests = ALL.map(|test| move |faults: &[Mutation]| test(form, faults));
    let mutants = mutants.iter().map(|mutant| ((), *mutant));
    all_are_found(mutants, build, |(), faults| panics(&tests, faults));
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        for form in [Form::Half, Form::Round] {
            ALL.iter().for_each(|test| test(form, &[]));
        }
    }
}
