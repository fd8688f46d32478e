//! SIFO's overlay in SystemVerilog, compared with the model in every clock cycle, and with the
//! reference.

use crate::rtl::common::{FLOWING, SMALL};
use halfgate_overlay::rtl::Options;
use halfgate_overlay_model::Cells;
use halfgate_overlay_model::model::{AndCells, Shape};
use halfgate_verilated::Aes;
use halfgate_verilated::testing::can_build;

fn all_on(name: &str, shape: Shape, cases: u64) {
    if can_build() {
        let options = Options { aes: Aes::Dpi, ..Options::default() };
        crate::rtl::common::all_on(name, shape, cases, options).unwrap();
    }
}

#[test]
fn the_published_overlay_equals_the_model() {
    all_on("overlay-test-serial", SMALL, 12);
}

#[test]
fn an_overlay_that_is_not_serial_equals_the_model_in_both_suites() {
    all_on("overlay-test-both", FLOWING, 12);
}

#[test]
fn an_overlay_with_a_short_queue_equals_the_model() {
    let shape = Shape { hold: true, depth: 4, link_clock: false, ..SMALL };
    all_on("overlay-test-hold", shape, 12);
}

#[test]
fn four_lanes_equal_the_model() {
    let shape = Shape {
        lanes: 4,
        cells: Cells { ands: 8, xors: 4 },
        and_cells: AndCells::HalfGates,
        banks: 4,
        rows: 8,
        words: 5,
        depth: 40,
        entries: 64,
        ..FLOWING
    };
    all_on("overlay-test-lanes", shape, 12);
}
