//! The machine's ports, and the loop that clocks it.

use super::options::Options;
use crate::engine::Delivery;
use halfgate_engine::{EngineError, Label};
use halfgate_fase_model::code::{Bits, Code, Encoded, INITIAL_BITS};
use halfgate_fase_model::model::Seen;
use halfgate_machine::rtl::{Host, HostError, PATIENCE, Wipe, counter, failed, host};
use halfgate_scheduled::Measured;
use halfgate_verilated::{Error, In, Library, Out, Simulation};
use zeroize::Zeroizing;

/// Clock cycles between two deliveries of tables and outputs.
const TURN: u64 = 64;

/// Clock cycles from the fetch of a word to the cycle in which its gates are taken.
const FETCH: u32 = 3;

/// A callback for every clock cycle without a stall.
pub type Watcher<'w> = &'w mut dyn FnMut(&Seen);

/// The secrets of a run.
pub(super) struct Secrets<'a> {
    pub delta: Label,
    pub seed: &'a [u8; 16],
    pub constant: Label,
    pub point: u128,
}

impl Secrets<'_> {
    /// The values for the ports: Δ, S (in published machines K), the seed, the constant's label.
    pub fn values(&self) -> Zeroizing<[u128; 4]> {
        let seed = u128::from_le_bytes(*self.seed);
        Zeroizing::new([self.delta.to_u128(), self.point, seed, self.constant.to_u128()])
    }
}

/// A simulated machine with a program loaded.
pub(super) struct Machine<'c> {
    sim: Simulation,
    ports: Ports,
    code: &'c Code,
    host: Host,
    /// Number of labels that the host received.
    labels: u64,
}

struct Ports {
    ready: In,
    wipe: Wipe,
    busy: Out,
    table_valid: Out,
    table_number: Out,
    table: Out,
    label_valid: Out,
    label_tag: Out,
    label_cycle: Out,
    label: Out,
    took: Out,
    wrote: Out,
    waddr: Out,
    began: Out,
}

impl Ports {
    fn new(sim: &Simulation, slots: u32, banks: u32) -> Result<Ports, Error> {
        Ok(Ports {
            ready: sim.input("ready_i", 1)?,
            wipe: Wipe::of(sim, 0)?,
            busy: sim.output("busy_o", 1)?,
            table_valid: sim.output("table_valid_o", slots)?,
            table_number: sim.output("table_number_o", 64 * slots)?,
            table: sim.output("table_o", 256 * slots)?,
            label_valid: sim.output("label_valid_o", 2 * slots)?,
            label_tag: sim.output("label_tag_o", 24 * slots)?,
            label_cycle: sim.output("label_cycle_o", 64 * slots)?,
            label: sim.output("label_o", 256 * slots)?,
            took: sim.output("took_o", slots)?,
            wrote: sim.output("wrote_o", banks)?,
            waddr: sim.output("waddr_o", 12 * banks)?,
            began: sim.output("began_o", 1)?,
        })
    }
}

impl<'c> Machine<'c> {
    /// Makes a machine, resets it, and loads `code`.
    pub fn new(
        library: &Library,
        options: &Options,
        code: &'c Code,
        encoded: &Encoded,
    ) -> Result<Machine<'c>, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = &options.waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let slots = code.shape.all_slots() as u32;
        let ports = Ports::new(&sim, slots, code.shape.banks).map_err(failed)?;
        sim.reset().map_err(failed)?;
        let mut machine = Machine { sim, ports, code, host: Host::new(options.stalls), labels: 0 };
        machine.load("load_word_i", &encoded.words, Code::word_bits(code.shape))?;
        machine.load("load_initial_i", &encoded.initials, INITIAL_BITS)?;
        Ok(machine)
    }

    fn load(&mut self, port: &str, words: &[Bits], width: u32) -> Result<(), EngineError> {
        let all = Code::word_bits(self.code.shape);
        let we = self.sim.input(port, 1).map_err(failed)?;
        let address = self.sim.input("load_address_i", 16).map_err(failed)?;
        let data = self.sim.input("load_data_i", all).map_err(failed)?;
        self.sim.set_bit(we, true);
        for (place, Bits(pieces)) in (0..).zip(words) {
            self.sim.set_u64(address, place);
            self.sim.clear(data);
            for (low, &piece) in (0..).step_by(64).zip(pieces) {
                self.sim.set_field(data, low, (width - low).min(64), piece.into());
            }
            self.clock()?;
        }
        self.sim.set_bit(we, false);
        self.sim.clear(data);
        Ok(())
    }

    /// Garbles `cycles` netlist cycles, and wipes the machine.
    pub fn run(
        &mut self,
        cycles: u64,
        secrets: &Secrets,
        delivery: &mut Delivery,
        watcher: Option<Watcher>,
    ) -> Result<Measured, EngineError> {
        self.ports.wipe.wait(&mut self.sim)?;
        self.start(cycles, secrets)?;
        let taken = self.take(cycles, delivery, watcher);
        let measured = self.measured();
        // The machine is wiped also after an error. If its simulation failed, it is wiped when it
        // is dropped.
        let wiped = self.ports.wipe.run(&mut self.sim);
        taken?;
        wiped?;
        measured
    }

    fn start(&mut self, cycles: u64, secrets: &Secrets) -> Result<(), EngineError> {
        let code = self.code;
        self.sim.set_bit(self.ports.ready, true);
        let wide = ["delta_i", "point_i", "seed_i", "constant_i"];
        let narrow = [
            ("interval_i", 17, code.interval()),
            ("words_i", 64, code.taken_words(cycles)),
            ("delay_i", 32, (code.delay - FETCH).into()),
            ("cycles_i", 32, cycles),
            ("ands_i", 32, code.body.ands),
            ("inputs_i", 32, code.body.requested.each),
            ("initials_i", 13, code.initials.len() as u64),
        ];
        host::start(&mut self.sim, wide, &secrets.values(), &narrow)
    }

    /// Takes the machine's output until the run is over.
    fn take(
        &mut self,
        cycles: u64,
        delivery: &mut Delivery,
        mut watcher: Option<Watcher>,
    ) -> Result<(), EngineError> {
        let most = self.code.clocks(cycles) + PATIENCE;
        let (mut passed, mut began) = (0, false);
        // The ready signal of the previous clock cycle.
        let mut last_ready = true;
        while self.sim.is_set(self.ports.busy) {
            let ready = std::mem::replace(&mut last_ready, self.host.is_ready());
            self.sim.set_bit(self.ports.ready, last_ready);
            let offered =
                self.sim.is_set(self.ports.table_valid) || self.sim.is_set(self.ports.label_valid);
            if ready && offered {
                self.take_offered(delivery)?;
            }
            if ready || !offered {
                if let Some(watcher) = &mut watcher {
                    watcher(&self.seen(std::mem::take(&mut began)));
                    began = self.sim.is_set(self.ports.began);
                }
                passed += 1;
            }
            if passed % TURN == 0 {
                delivery.hand_on()?;
            }
            if passed > most {
                return Err(EngineError::machine(HostError::StillBusy { clocks: passed }));
            }
            self.clock()?;
        }
        delivery.hand_on()
    }

    fn take_offered(&mut self, delivery: &mut Delivery) -> Result<(), EngineError> {
        let (sim, ports) = (&self.sim, &self.ports);
        for slot in 0..self.code.shape.all_slots() as u32 {
            if sim.field(ports.table_valid, slot, 1) == 1 {
                let number = sim.field(ports.table_number, 64 * slot, 64) as u64;
                let mut table = [0; 32];
                let bytes = &sim.bytes(ports.table)[32 * slot as usize..];
                table.copy_from_slice(&bytes[..32]);
                delivery.table(number, table)?;
            }
            for place in [2 * slot, 2 * slot + 1] {
                if sim.field(ports.label_valid, place, 1) == 1 {
                    let tag = sim.field(ports.label_tag, 12 * place, 12) as u32;
                    let cycle = sim.field(ports.label_cycle, 32 * place, 32) as u64;
                    let label = Label::from_u128(sim.field(ports.label, 128 * place, 128));
                    delivery.label(tag, cycle, label)?;
                    self.labels += 1;
                }
            }
        }
        Ok(())
    }

    /// The events of this clock cycle. `began`: an input label was started in the previous clock
    /// cycle, for the model counts it one clock cycle later than the machine.
    fn seen(&self, began: bool) -> Seen {
        let (sim, ports, shape) = (&self.sim, &self.ports, self.code.shape);
        let took = (0..shape.all_slots() as u32).map(|slot| sim.field(ports.took, slot, 1) == 1);
        let banks = (0..shape.banks).filter(|bank| sim.field(ports.wrote, *bank, 1) == 1);
        let wrote = banks.map(|bank| (bank, sim.field(ports.waddr, 12 * bank, 12) as u32));
        Seen { took: took.collect(), wrote: wrote.collect(), began }
    }

    fn measured(&self) -> Result<Measured, EngineError> {
        let counter = |name| counter(&self.sim, name);
        Ok(Measured {
            clocks: counter("clocks_o")?,
            stalls: counter("stalls_o")?,
            gates: counter("gates_o")?,
            ands: counter("ands_o")?,
            forwarded: counter("forwarded_o")?,
            input_labels: counter("input_labels_o")?,
            labels: self.labels,
        })
    }

    fn clock(&mut self) -> Result<(), EngineError> {
        self.sim.clock().map_err(failed)
    }
}
