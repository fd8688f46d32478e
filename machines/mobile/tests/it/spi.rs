//! The mobile coprocessor at an SPI device. Tests the model behind a simulated device, and paths
//! that are no SPI device.

use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, EngineError, EvaluatesOnly, Prepared, kernels};
use halfgate_mobile::engine::spi::{self, Exchange, Spi};
use halfgate_mobile::engine::{Clocked, Evaluates, Modelled, SUITES};
use halfgate_mobile_model::model::Form;
use std::io;
use std::path::Path;
use std::time::Duration;

/// A simulated SPI device. It transfers a byte in each direction in eleven clock cycles. As in
/// `mobile_spi`, the chip's next byte is fetched in advance.
struct Device {
    chip: Modelled,
    next: u8,
    /// Number of bytes between two faults; and (`left`) number of bytes until the next fault.
    well: u64,
    left: u64,
}

impl Device {
    fn new(well: u64) -> Device {
        let mut chip = Modelled::new(Form::Half, kernels::best());
        for _ in 0..17_000 {
            chip.clock(None, false).expect("a model");
        }
        Device { chip, next: 0, well, left: well }
    }
}

impl Exchange for Device {
    fn exchange(&mut self, out: &[u8], came: &mut [u8]) -> io::Result<()> {
        assert_eq!(out.len(), came.len());
        for (byte, came) in out.iter().zip(came) {
            for _ in 0..10 {
                self.chip.clock(None, false).expect("a model");
            }
            self.left -= 1;
            let altered = if self.left == 0 { 0x10 } else { 0 };
            *came = self.next ^ altered;
            self.next = self.chip.clock(Some(byte ^ altered), true).expect("a model").unwrap_or(0);
            if self.left == 0 {
                self.left = self.well;
            }
        }
        Ok(())
    }
}

struct AtSpi {
    well: u64,
}

impl Engine for AtSpi {
    fn name(&self) -> String {
        "SPI".to_owned()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let (name, well) = (self.name(), self.well);
        Ok(Box::new(EvaluatesOnly::new(name.clone(), move |key, cycles, io| {
            let mut port = Spi::new(name.clone(), Device::new(well), Duration::from_millis(20));
            let run = Evaluates::new(&name, program, key, cycles, &mut port)?;
            Ok(run.with_slots(60).run(cycles, io)?.0)
        })))
    }
}

fn check(well: u64) {
    for (seed, suite) in (1..).zip(SUITES) {
        let circuit =
            random::circuit(seed, &Shape { gates: 600, flip_flops: 3, ..Shape::default() });
        let cycles = circuit.cycles;
        let inputs = random::inputs_for(&circuit, seed, cycles);
        let program = compile(circuit, Order::default()).expect("compiles");
        let garbler = CpuEngine::new(None).expect("an engine");
        check_pair(&garbler, &AtSpi { well }, &program, &inputs, Run { suite, seed, cycles })
            .unwrap_or_else(|what| panic!("{suite}: {what}"));
    }
}

#[test]
fn a_chip_behind_spi_evaluates() {
    check(u64::MAX);
}

#[test]
fn damaged_frames_are_retransmitted() {
    check(3001);
}

#[test]
fn a_path_that_is_no_spi_device_is_reported() {
    let what = |path: &str| {
        spi::open(Path::new(path), 30_000_000).err().expect("there is none").to_string()
    };
    let found = what("/dev/null");
    assert!(found.contains("/dev/null is no SPI device"), "{found}");
    let found = what("/dev/spidev99.99");
    assert!(found.contains("cannot open the device"), "{found}");
}
