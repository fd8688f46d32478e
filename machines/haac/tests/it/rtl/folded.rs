//! The whole machine in the form that is placed on an FPGA: folded half gates, short queues, less
//! forwarding, no counters. The model has no such form, so tables and labels are compared with
//! those of the reference, and not cycles.

use crate::rtl::common::*;
use halfgate_circuit::random::{self, Shape};
use halfgate_haac::engine::Machine;
use halfgate_haac::rtl::{Aes, Options, RtlEngine};
use halfgate_haac::synthesis::designs;
use halfgate_haac_model::Forwarding;

/// The machine of `haac-1ge` with the queues that are placed.
fn placed() -> Machine {
    let design = designs::Machine::new("haac-1ge", true).expect("built in").folded().short();
    let value = |name: &str| {
        let found = design.parameters.iter().find(|(parameter, _)| *parameter == name);
        u32::try_from(found.expect(name).1).expect("small")
    };
    assert_eq!((value("ForwardAll"), value("Counters")), (0, 0));
    let mut machine = built_in("haac-1ge");
    machine.name = "placed".to_owned();
    machine.forwarding = Forwarding::AfterRead;
    let queues = &mut machine.queues;
    (queues.tables, queues.oor_wires) = (value("TableDepth"), value("OorWireDepth"));
    (queues.live, queues.inputs) = (value("LiveDepth"), 4 * value("LoaderBursts"));
    queues.instruction_bytes = 64 * value("InstrBursts");
    machine
}

#[test]
fn the_form_that_is_placed_has_the_tables_and_labels_of_the_reference() {
    let _turn = one_at_a_time();
    let options = Options { folded: true, aes: Aes::Composite, ports: Some((1, 128)), ..quick() };
    // The first has more wires than the window has labels. The second has flip-flops.
    let shapes = [
        Shape { gates: 6000, flip_flops: 0, ..Shape::default() },
        Shape { gates: 500, flip_flops: 30, ..Shape::default() },
    ];
    let random = shapes.map(|shape| program(random::circuit(80, &shape), "haac:full"));
    let divides = program(halfgate_programs::build("divide:16").expect("builds"), "haac:full");
    let engine = RtlEngine::new(placed(), options);
    for (seed, program) in (80..).zip(random.iter().chain([&divides])) {
        conform(&engine, program, seed, program.circuit.cycles.min(2));
    }
}
