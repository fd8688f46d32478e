//! Compares the mobile coprocessor in SystemVerilog with the reference (labels) and with the model
//! (every clock cycle), for any memory timing and any link. Errors must be reported and leave no
//! state. The board's design without the clock is tested at its pins.

use crate::rtl::common::{can_build, check};
use crate::rtl::pins::{Wires, a_chip_at_its_pins};
use halfgate_engine::{Engine, Suite};
use halfgate_mobile::rtl::{Options, RtlMobile};
use halfgate_mobile_model::model::Form;
use halfgate_programs::build;
use halfgate_verilated::Mutation;

fn in_each_form(test: fn(Form, &[Mutation])) {
    if can_build() {
        [Form::Half, Form::Round].into_iter().for_each(|form| test(form, &[]));
    }
}

#[test]
fn the_chip_is_its_model_in_every_clock() {
    in_each_form(crate::rtl::common::the_chip_is_its_model_in_every_clock);
}

#[test]
fn any_memory_timing_works() {
    in_each_form(crate::rtl::common::any_memory_timing_works);
}

#[test]
fn errors_are_reported_and_cleared_by_a_reset() {
    in_each_form(crate::rtl::common::errors_are_reported_and_cleared_by_a_reset);
}

#[test]
fn every_form_of_item_is_done_as_in_the_model() {
    in_each_form(crate::rtl::common::every_form_of_item);
}

#[test]
fn invalid_frames_are_requested_again_once() {
    in_each_form(crate::rtl::common::invalid_frames_are_requested_again_once);
}

#[test]
fn nothing_is_left_after_a_reset() {
    in_each_form(crate::rtl::common::nothing_is_left_after_a_reset);
}

#[test]
fn labels_wait_for_a_host_that_is_slow() {
    in_each_form(crate::rtl::common::labels_wait_for_a_host_that_is_slow);
}

#[test]
fn responses_from_before_a_reset_are_ignored() {
    in_each_form(crate::rtl::common::responses_from_before_a_reset_are_ignored);
}

#[test]
fn a_reset_waits_for_the_memory() {
    in_each_form(crate::rtl::common::a_reset_waits_for_the_memory);
}

#[test]
fn labels_are_made_before_they_are_sent() {
    in_each_form(crate::rtl::common::labels_are_made_before_they_are_sent);
}

#[test]
fn responses_go_before_labels() {
    in_each_form(crate::rtl::common::responses_go_before_labels);
}

#[test]
fn reported_space_is_free() {
    in_each_form(crate::rtl::common::reported_space_is_free);
}

#[test]
fn a_division_is_evaluated_as_fast_as_the_link_brings_it() {
    if !can_build() {
        return;
    }
    let options = Options { modelled: true, ..Options::default() };
    let link = options.link;
    let engine: RtlMobile = check(options, Suite::HalfGates, 1, build("divide:64").unwrap());
    let (clocks, sent) = (engine.simulated().unwrap().clock_cycles, engine.sent());
    let bound = sent.traffic.to_chip as f64 * link.clocks;
    println!("{clocks} clocks, {bound:.0} for the link; {sent:?}");
    assert!(bound / clocks as f64 > 0.9, "{clocks} clocks, {bound} for the link");
}

#[test]
fn it_evaluates_behind_spi_at_its_pins() {
    in_each_form(|form, faults| a_chip_at_its_pins(form, Wires::Spi { is_smooth: true }, faults));
}

#[test]
fn it_evaluates_behind_spi_that_stops_and_goes() {
    if can_build() {
        a_chip_at_its_pins(Form::Half, Wires::Spi { is_smooth: false }, &[]);
    }
}

#[test]
fn it_evaluates_behind_a_serial_line_at_its_pins() {
    if can_build() {
        a_chip_at_its_pins(Form::Half, Wires::Serial, &[]);
    }
}
