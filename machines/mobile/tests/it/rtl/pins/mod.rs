//! The board's design without the clock, as an engine: `mobile_chip` at its pins, with its own
//! memory, behind SPI or a serial line.

use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::{Order, Program, compile};
use halfgate_engine::conformance::{Run, check_pair};
use halfgate_engine::cpu::CpuEngine;
use halfgate_engine::{Engine, EngineError, EvaluatesOnly, Prepared};
use halfgate_mobile::engine::{Evaluates, Port, SUITES};
use halfgate_mobile_model::model::Form;
use halfgate_verilated::{Design, Error, In, Library, Mutation, Out, Simulation};

/// Units of time per clock cycle of the chip. At 30 MHz of SPI and 40.5 MHz of the chip, half a
/// period of SPI is 135 units.
const CLOCK: u64 = 200;
const HALF: u64 = 135;
/// Units of time per bit: at 3 Mbaud, a bit takes 13.5 clock cycles.
const BIT: u64 = 2700;
/// Number of clock cycles in which the chip wipes its labels.
const WIPES: u64 = 17_000;
/// Timeout, as a number of bytes without a received frame.
const PATIENCE: u32 = 6000;

/// The link to the chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wires {
    /// SPI at 30 MHz. If `is_smooth` is set, all available bytes are one transfer. Otherwise there
    /// are random pauses, and chip select may rise within a byte.
    Spi { is_smooth: bool },
    /// A serial line of 3 Mbaud.
    Serial,
}

struct Pins {
    sim: Simulation,
    wires: Wires,
    /// Inputs clk_i, sck_i, cs_ni, mosi_i, rx_i; outputs miso_o, miso_next_o, tx_o.
    ins: [In; 5],
    outs: [Out; 3],
    now: u64,
    next_clock: u64,
    random: u64,
    came: Vec<u8>,
    /// Number of waits since the last progress.
    waited: u32,
    /// The register in the pad of the output miso.
    miso: bool,
    /// For a serial line: the time of the next sample of a received byte; and (`bits`) the bits so
    /// far.
    sample: Option<u64>,
    bits: Vec<bool>,
}

impl Pins {
    fn new(library: &Library, wires: Wires) -> Result<Pins, Error> {
        let sim = Simulation::new(library)?;
        let ins = ["clk_i", "sck_i", "cs_ni", "mosi_i", "rx_i"];
        let ins = ins.map(|name| sim.input(name, 1).expect("a port"));
        let outs = ["miso_o", "miso_next_o", "tx_o"];
        let outs = outs.map(|name| sim.output(name, 1).expect("a port"));
        let reset = sim.input("rst_ni", 1)?;
        let mut pins = Pins {
            sim,
            wires,
            ins,
            outs,
            now: 0,
            next_clock: CLOCK,
            random: 77,
            came: Vec::new(),
            waited: 0,
            miso: false,
            sample: None,
            bits: Vec::new(),
        };
        pins.set(2, true)?;
        pins.set(4, true)?;
        for value in [true, false, true] {
            pins.sim.set_bit(reset, value);
            pins.sim.settle()?;
        }
        pins.rest(WIPES * CLOCK)?;
        Ok(pins)
    }

    fn set(&mut self, pin: usize, value: bool) -> Result<(), Error> {
        self.sim.set_bit(self.ins[pin], value);
        self.sim.settle()
    }

    fn draw(&mut self, most: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20) % most
    }

    /// Lets this much time pass while the chip's clock runs.
    fn rest(&mut self, time: u64) -> Result<(), Error> {
        let until = self.now + time;
        while self.next_clock <= until {
            self.now = self.next_clock;
            self.next_clock += CLOCK;
            self.set(0, true)?;
            self.set(0, false)?;
            self.listen();
        }
        self.now = until;
        Ok(())
    }

    /// Samples the serial line from the chip.
    fn listen(&mut self) {
        let line = self.sim.is_set(self.outs[2]);
        match self.sample {
            None if !line => self.sample = Some(self.now + BIT / 2),
            Some(at) if self.now >= at => {
                self.bits.push(line);
                self.sample = Some(at + BIT);
                if self.bits.len() == 10 {
                    assert!(!self.bits[0] && self.bits[9], "a start and a stop bit");
                    self.came.push((0..8).map(|bit| u8::from(self.bits[1 + bit]) << bit).sum());
                    (self.sample, self.bits) = (None, Vec::new());
                }
            }
            _ => (),
        }
    }

    /// Shifts this many bits of a byte to the chip, and returns the received bits.
    fn shift(&mut self, byte: u8, bits: u32) -> Result<u8, Error> {
        let mut came = 0;
        for bit in 0..bits {
            self.set(3, byte >> (7 - bit) & 1 == 1)?;
            self.rest(HALF)?;
            assert_eq!(self.miso, self.sim.is_set(self.outs[0]), "the register in the pad");
            came = came << 1 | u8::from(self.miso);
            self.set(1, true)?;
            self.rest(HALF)?;
            self.miso = self.sim.is_set(self.outs[1]);
            self.set(1, false)?;
        }
        Ok(came)
    }

    fn exchange(&mut self, byte: u8) -> Result<(), Error> {
        if self.wires == Wires::Serial {
            for bit in
                [false].into_iter().chain((0..8).map(|bit| byte >> bit & 1 == 1)).chain([true])
            {
                self.set(4, bit)?;
                self.rest(BIT)?;
            }
            return Ok(());
        }
        let came = self.shift(byte, 8)?;
        self.came.push(came);
        if self.wires == (Wires::Spi { is_smooth: false }) && self.draw(4) == 0 {
            let (long, cut) = (self.draw(3000), self.draw(40) == 0);
            self.rest(long)?;
            self.set(2, true)?;
            self.rest(long)?;
            self.set(2, false)?;
            self.rest(HALF)?;
            if cut {
                let (byte, bits) = (self.draw(256) as u8, 1 + self.draw(7) as u32);
                self.shift(byte, bits)?;
                self.rest(HALF)?;
                self.set(2, true)?;
                self.rest(HALF)?;
                self.set(2, false)?;
                self.rest(HALF)?;
            }
        }
        Ok(())
    }

    fn exchanges(&mut self, bytes: impl IntoIterator<Item = u8>) -> Result<(), EngineError> {
        let failed = |error: Error| EngineError::machine(error);
        self.set(2, false).map_err(failed)?;
        self.rest(HALF).map_err(failed)?;
        bytes.into_iter().try_for_each(|byte| self.exchange(byte)).map_err(failed)?;
        self.rest(HALF).map_err(failed)?;
        self.set(2, true).map_err(failed)
    }
}

impl Port for Pins {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.exchanges(bytes.iter().copied())
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        // A zero byte ends a frame, but not if the byte before was zero, too.
        let is_end = |came: &[u8]| came.windows(2).any(|pair| pair[0] != 0 && pair[1] == 0);
        let until = self.waited + PATIENCE;
        while waits && self.waited < until && !is_end(&self.came) {
            match self.wires {
                Wires::Serial => {
                    self.rest(10 * BIT).map_err(EngineError::machine)?;
                }
                Wires::Spi { .. } => self.exchanges([0; 8])?,
            }
            self.waited += 1;
        }
        Ok(std::mem::take(&mut self.came))
    }

    fn is_late(&self) -> bool {
        self.waited >= PATIENCE
    }

    fn restart_timeout(&mut self) {
        self.waited = 0;
    }
}

struct AtPins {
    library: Library,
    wires: Wires,
}

impl Engine for AtPins {
    fn name(&self) -> String {
        format!("mobile_chip, {:?}", self.wires)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let (library, wires, name) = (self.library.clone(), self.wires, self.name());
        Ok(Box::new(EvaluatesOnly::new(name.clone(), move |key, cycles, io| {
            let port = Pins::new(&library, wires);
            let mut port = port.map_err(EngineError::machine)?;
            let run = Evaluates::new(&name, program, key, cycles, &mut port)?;
            Ok(run.with_slots(60).run(cycles, io)?.0)
        })))
    }
}

/// The design to build.
pub fn design(form: Form, wires: Wires, mutations: &[Mutation]) -> Design {
    let mut design = Design::of("mobile_chip")
        .param("Round", u64::from(form == Form::Round))
        .param("Link", u64::from(wires == Wires::Serial));
    for Mutation { file, from, to } in mutations {
        design = design.mutate(file, from, to);
    }
    design
}

/// Runs random circuits in which labels are spilled.
pub fn a_chip_at_its_pins(form: Form, wires: Wires, mutations: &[Mutation]) {
    let library = design(form, wires, mutations).build().expect("builds");
    let engine = AtPins { library, wires };
    let garbler = CpuEngine::new(None).expect("an engine");
    for (seed, suite) in (1..).zip(SUITES) {
        let shape = Shape { gates: 150, flip_flops: 2, ..Shape::default() };
        let circuit = random::circuit(seed, &shape);
        let cycles = circuit.cycles;
        let inputs = random::inputs_for(&circuit, seed, cycles);
        let program = compile(circuit, Order::default()).expect("compiles");
        let run = Run { suite, seed, cycles };
        if let Err(what) = check_pair(&garbler, &engine, &program, &inputs, run) {
            panic!("{form:?}, {wires:?}, {suite}, {cycles} cycles: {what}");
        }
    }
}
