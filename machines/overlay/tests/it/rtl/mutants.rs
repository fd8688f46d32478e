//! Injects faults into the SystemVerilog of SIFO's overlay. Each must be found: by a clock cycle
//! that differs from the model, by tables and labels, by counters, or by an assertion.

use crate::rtl::common::{FLOWING, SMALL, all_on, overlay};
use halfgate_overlay::rtl::{Options, RtlOverlay};
use halfgate_overlay_model::Cells;
use halfgate_overlay_model::model::Shape;
use halfgate_verilated::testing::can_build;
use halfgate_verilated::testing::mutants::{Mutant, all_are_found, texts_occur_once};
use halfgate_verilated::{Aes, Mutation};

/// Faults in an overlay of the published kind.
#[rustfmt::skip]
const SERIAL: &[Mutant] = &[
    // SHA-1 and its use: a round, the schedule, the arbitrators, the message.
    ("sha1_block.sv", "words_q[2] ^ words_q[7] ^ words_q[13] ^ words_q[15], 1", "words_q[2] ^ words_q[7] ^ words_q[13] ^ words_q[15], 0"),
    ("sha1_block.sv", "round_q < 40", "round_q <= 40"),
    ("sha1_block.sv", "state_q[i] + Start[i]", "state_q[i]"),
    ("overlay_and_sha1.sv", "hash[{a, b}]", "hash[{b, a}]"),
    ("overlay_and_sha1.sv", "{80{a && b}}", "{80{a || b}}"),
    ("overlay_and_sha1.sv", "row[i] ^ row[0]", "row[i]"),
    ("overlay_and_sha1.sv", "64'd224", "64'd232"),
    // Order of the steps of a serial overlay: it reads too early, writes too early, does not wait
    // for DDR, or does not hold back registers.
    ("overlay.sv", "!Serial || no_operands);", "1'b1);"),
    ("overlay.sv", "(!Serial || (!is_within && no_operands))", "1'b1"),
    ("overlay_write.sv", " && waiting_q == '0;", ";"),
    ("overlay_link.sv", "(Serial ? 32'd2 : 32'(needed))", "32'(needed)"),
    // Forms of commands.
    ("overlay_link.sv", "of_short = '{ram: place.ram, invert: 1'b0, address: 30'(place.address)}", "of_short = '{ram: place.ram, invert: 1'b0, address: 30'(place.address[18:0]) ^ 30'd1}"),
    ("overlay_link.sv", "number_q + 64'(words[3])", "number_q + 64'(l)"),
    ("overlay_link.sv", "number_q <= number_q + 64'(count_o)", "number_q <= number_q"),
];

/// Faults in an overlay that is not serial, with four lanes or one.
#[rustfmt::skip]
const LANES: &[Mutant] = &[
    // Words: the end, the last group, the words of a group.
    ("overlay_link.sv", "last_o  = left_q <= 31'(Lanes)", "last_o  = left_q < 31'(Lanes)"),
    ("overlay_link.sv", "32'(level_o) + Words <= Depth", "32'(level_o) + Words < Depth"),
    ("overlay_link.sv", "if (form_q == FormInverting && ands_q) registers = 3'd4;", ""),
    ("overlay_link.sv", "words[i] = head[(2*l+i) % Most]", "words[i] = head[(3*l+i) % Most]"),
    // The wait between batches, and the count of groups in progress.
    ("overlay.sv", "(first ? idle : ", "(first ? 1'b1 : "),
    ("overlay.sv", "+ 16'(sends) - 16'(retires)", "+ 16'(sends) - 16'(retires && re_last)"),
    ("overlay.sv", "ended && idle && ports_idle == '1", "ended && idle"),
    // Priorities: the lowest operand of a bank, the lowest operand of a port, writes before reads.
    ("overlay_read.sv", "ram_o[b]  = of_bank[b] & (~of_bank[b] + 1'b1);", "ram_o[b] = '0; for (int r = 0; r < Reads; r++) if (of_bank[b][r]) ram_o[b] = Reads'(1) << r;"),
    ("overlay_read.sv", "wants_o[p] = of_port[p] & (~of_port[p] + 1'b1);", "wants_o[p] = '0; for (int r = 0; r < Reads; r++) if (of_port[p][r]) wants_o[p] = Reads'(1) << r;"),
    ("overlay_write.sv", "ram_o[b]  = of_bank[b] & (~of_bank[b] + 1'b1);", "ram_o[b] = '0; for (int l = 0; l < Lanes; l++) if (of_bank[b][l]) ram_o[b] = Lanes'(1) << l;"),
    ("overlay_read.sv", "left[r]   = may_i && needed[r] && !served_q[r]", "left[r]   = may_i && needed[r]"),
    ("overlay_read.sv", "clear_i || sends_o) served_q", "clear_i) served_q"),
    // Constants: read although they are known, or with a wrong label.
    ("overlay_read.sv", "(Serial || !is_constant(place))", "1'b1"),
    ("overlay_operands.sv", "place.address[0] ? delta_i : '0", "'0"),
    ("overlay_types_pkg.sv", "'{ram: 1'b1, invert", "'{ram: 1'b0, invert"),
    // Operands: from a wrong source, in a wrong slot, or an old operand.
    ("overlay_operands.sv", "read  = place.ram ? found[0] : ddr.port ? found[2] : found[1]", "read  = place.ram ? found[0] : found[1]"),
    ("overlay_operands.sv", "if (take_i && head_q == SlotWidth'(i)) have_q[i][r] <= 1'b0;", ""),
    ("overlay.sv", ".came_slot_i(slot_q)", ".came_slot_i(slot)"),
    ("overlay_port.sv", "data_i[128*came.lane +: 128]", "data_i[127:0]"),
    ("overlay_port.sv", "4'b1 << write_address_i.lane", "4'b1111"),
    // Cells: inversions, choice of the set.
    ("overlay_execute.sv", "a_i[l] ^ (delta_i & {128{commands_i[l].a.invert}})", "a_i[l]"),
    ("overlay_execute.sv", "b_i[l] ^ (delta_i & {128{commands_i[l].b.invert}})", "b_i[l] ^ (delta_i & {128{commands_i[l].a.invert}})"),
    ("overlay_results.sv", "labels[head_q][l] ^ (delta_i & {128{places_o[l].invert}})", "labels[head_q][l]"),
    ("overlay_execute.sv", "and_now = first_i ? '0 : and_q", "and_now = and_q"),
    ("overlay_execute.sv", "else if (ands_done) and_out_q <= after_and(and_out_q);", ""),
    ("overlay_and.sv", "{number_i[62:0], 1'b1}, point_i[63:0]}),\n      .valid_o", "{number_i[62:0], 1'b0}, ~point_i[63:0]}),\n      .valid_o"),
    // Space for results, tables, block RAM, counters.
    ("overlay_results.sv", "full_o  = 32'(level_q) == Depth", "full_o  = 1'b0"),
    ("overlay_results.sv", "tail_q <= tail_q + 1'b1", "tail_q <= done_q + 1'b1"),
    ("overlay_write.sv", "tabled_q || tables_go || !ands_i);", "1'b1);"),
    ("overlay_ram.sv", "address_i[r][BankWidth +: RowWidth]", "address_i[r][0 +: RowWidth]"),
    ("overlay_counters.sv", "retires_i && last_i", "retires_i"),
    ("fifo_async.sv", "{tail_seen_q, tail_meta_q} <= {tail_meta_q, tail_gray_q}", "{tail_seen_q, tail_meta_q} <= {tail_gray_q, tail_gray_q}"),
    ("fifo_async.sv", "head_seen_q ^ (pointer_t'(3) << (PointerWidth - 2))", "head_seen_q ^ (pointer_t'(1) << (PointerWidth - 1))"),
];

const FOUR: Shape = Shape {
    lanes: 4,
    cells: Cells { ands: 8, xors: 4 },
    banks: 4,
    rows: 8,
    words: 5,
    depth: 40,
    entries: 2,
    ..FLOWING
};

/// The overlays, with the faults that are injected into each.
const MACHINES: [(&str, Shape, &[Mutant]); 2] =
    [("overlay-test-serial", SMALL, SERIAL), ("overlay-test-four", FOUR, LANES)];

fn options(mutations: &[Mutation]) -> Options {
    Options { aes: Aes::Dpi, mutations: mutations.to_vec(), ..Options::default() }
}

#[test]
fn texts_occur_once_in_their_files() {
    texts_occur_once(SERIAL.iter().chain(LANES).map(|&(file, from, _)| (file, from)));
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    if can_build() {
        let mutants = MACHINES.iter().flat_map(|(name, shape, mutants)| {
            mutants.iter().map(move |mutant| ((*name, *shape), *mutant))
        });
        let build = |(name, shape): &(&str, Shape), faults: &[Mutation]| {
            RtlOverlay::new(overlay(name, *shape, 0), options(faults)).build()
        };
        all_are_found(mutants, build, |(name, shape), faults| {
            all_on(name, *shape, 12, options(faults)).err()
        });
    }
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    if can_build() {
        for (name, shape, _) in MACHINES {
            assert_eq!(all_on(name, shape, 12, options(&[])), Ok(()), "{name}");
        }
    }
}
