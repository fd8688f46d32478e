//! Compares the mobile coprocessor's wide core in SystemVerilog with the reference (labels) and
//! with the model (every clock cycle), for any items at any rate.

use crate::rtl::wide_common::{can_build, check};
use halfgate_engine::Engine;
use halfgate_mobile::rtl::WideOptions;
use halfgate_programs::build;

#[test]
fn the_wide_core_is_its_model_in_every_clock() {
    if can_build() {
        crate::rtl::wide_common::the_wide_core_is_its_model_in_every_clock(&[]);
    }
}

#[test]
fn every_form_of_item_at_any_rate() {
    if can_build() {
        crate::rtl::wide_common::every_form_of_item_at_any_rate(&[]);
    }
}

#[test]
fn errors_are_reported_and_cleared_by_a_reset() {
    if can_build() {
        crate::rtl::wide_common::errors_are_reported_and_cleared_by_a_reset(&[]);
    }
}

#[test]
fn a_division_is_the_models_in_every_clock() {
    if !can_build() {
        return;
    }
    let engine = check(
        &WideOptions { modelled: true, ..WideOptions::default() },
        2048,
        1,
        build("divide:64").unwrap(),
    );
    println!("{} clocks", engine.simulated().unwrap().clock_cycles);
}

/// The board's design except its serial line: random circuits on a link that loses, duplicates and
/// alters bytes.
#[test]
fn a_device_with_the_wide_core_evaluates() {
    if can_build() {
        crate::rtl::wide_common::a_device_evaluates();
    }
}
