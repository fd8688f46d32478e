//! What is placed on the board, but for the clock, at its pins: SPI and a serial line bit by bit, and its own label memory.

mod mobile_common;

use halfgate_machines::mobile::model::Form;
use mobile_common::can_build;
use mobile_common::pins::{Wires, a_chip_at_its_pins};

#[test]
fn it_evaluates_behind_spi() {
    if can_build() {
        for form in [Form::Half, Form::Round] {
            a_chip_at_its_pins(form, Wires::Spi { is_smooth: true }, &[]);
        }
    }
}

#[test]
fn it_evaluates_behind_spi_that_stops_and_goes() {
    if can_build() {
        a_chip_at_its_pins(Form::Half, Wires::Spi { is_smooth: false }, &[]);
    }
}

#[test]
fn it_evaluates_behind_a_serial_line() {
    if can_build() {
        a_chip_at_its_pins(Form::Half, Wires::Serial, &[]);
    }
}
