//! The machine's ports, and the loop that clocks it.

use super::feed::Feed;
use crate::engine::Supply;
use halfgate_engine::{EngineError, Label};
use halfgate_garbledcpu_model::encode::{INITIAL_BITS, word_bits};
use halfgate_machine::rtl::{Host, HostError, PATIENCE, Wipe, counter, failed};
use halfgate_scheduled::Measured;
use halfgate_scheduled_model::code::{Bits, Code};
use halfgate_scheduled_model::model::Seen;
use halfgate_verilated::{Error, In, Library, Out, Simulation};
use std::path::Path;
use zeroize::Zeroize;

/// Clock cycles from the fetch of a word to the cycle in which its gates are taken.
const FETCH: u32 = 3;

/// A callback for every clock cycle without a stall.
pub(super) type Watcher<'w> = &'w mut dyn FnMut(&Seen);

/// A simulated machine with a program loaded.
pub(super) struct Machine<'c> {
    sim: Simulation,
    ports: Ports,
    code: &'c Code,
    /// Increase of AND numbers per netlist cycle.
    ands: u64,
    /// Decides in each clock cycle whether the host accepts labels, and supplies tables and
    /// labels.
    host: Host,
    /// Number of labels that the host received.
    labels: u64,
}

struct Ports {
    ready: In,
    wipe: Wipe,
    busy: Out,
    step: Out,
    input_valid: In,
    input_ready: Out,
    input: In,
    table_valid: In,
    table_ready: Out,
    table: In,
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
    fn new(sim: &Simulation, pipelines: u32, banks: u32) -> Result<Ports, Error> {
        let slots = 2 * pipelines;
        Ok(Ports {
            ready: sim.input("ready_i", 1)?,
            wipe: Wipe::of(sim, 0)?,
            busy: sim.output("busy_o", 1)?,
            step: sim.output("step_o", 1)?,
            input_valid: sim.input("input_valid_i", 1)?,
            input_ready: sim.output("input_ready_o", 1)?,
            input: sim.input("input_i", 128)?,
            table_valid: sim.input("table_valid_i", pipelines)?,
            table_ready: sim.output("table_ready_o", pipelines)?,
            table: sim.input("table_i", 256 * pipelines)?,
            label_valid: sim.output("label_valid_o", slots)?,
            label_tag: sim.output("label_tag_o", 16 * slots)?,
            label_cycle: sim.output("label_cycle_o", 32 * slots)?,
            label: sim.output("label_o", 128 * slots)?,
            took: sim.output("took_o", slots)?,
            wrote: sim.output("wrote_o", banks)?,
            waddr: sim.output("waddr_o", 16 * banks)?,
            began: sim.output("began_o", 1)?,
        })
    }
}

impl<'c> Machine<'c> {
    /// Makes a machine, resets it, and loads `code`. `words` is the content of the gate memory. AND
    /// numbers increase by `ands` per netlist cycle.
    pub fn new(
        library: &Library,
        (waveforms, stalls): (Option<&Path>, Option<u64>),
        code: &'c Code,
        (words, ands): (&[Bits], u64),
    ) -> Result<Machine<'c>, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let ports = Ports::new(&sim, code.shape.pipelines, code.shape.banks).map_err(failed)?;
        sim.reset().map_err(failed)?;
        let mut machine = Machine { sim, ports, code, ands, host: Host::new(stalls), labels: 0 };
        let initials = code.initials.iter().map(|found| Bits(vec![found.address.into()]));
        machine.load("load_word_i", words.iter().cloned(), word_bits(code.shape))?;
        machine.load("load_initial_i", initials, INITIAL_BITS)?;
        Ok(machine)
    }

    fn load(
        &mut self,
        port: &str,
        words: impl Iterator<Item = Bits>,
        width: u32,
    ) -> Result<(), EngineError> {
        let all = word_bits(self.code.shape);
        let we = self.sim.input(port, 1).map_err(failed)?;
        let address = self.sim.input("load_address_i", 16).map_err(failed)?;
        let data = self.sim.input("load_data_i", all).map_err(failed)?;
        self.sim.set_bit(we, true);
        for (place, Bits(pieces)) in (0..).zip(words) {
            self.sim.set_u64(address, place);
            self.sim.clear(data);
            for (low, piece) in (0..).step_by(64).zip(pieces) {
                self.sim.set_field(data, low, (width - low).min(64), piece.into());
            }
            self.clock()?;
        }
        self.sim.set_bit(we, false);
        self.sim.clear(data);
        Ok(())
    }

    /// Evaluates `cycles` netlist cycles under `point`, and wipes the machine.
    pub fn run(
        &mut self,
        cycles: u64,
        point: u128,
        supply: &mut Supply,
        watcher: Option<Watcher>,
    ) -> Result<Measured, EngineError> {
        self.ports.wipe.wait(&mut self.sim)?;
        self.start(cycles, point)?;
        let evaluated = self.evaluate(cycles, supply, watcher);
        self.sim.set_bit(self.ports.input_valid, false);
        self.sim.clear(self.ports.input);
        let measured = self.measured();
        // The machine is wiped also after an error. If its simulation failed, it is wiped when it
        // is dropped.
        let wiped = self.ports.wipe.run(&mut self.sim);
        evaluated?;
        wiped?;
        measured
    }

    fn start(&mut self, cycles: u64, point: u128) -> Result<(), EngineError> {
        let code = self.code;
        let port = self.sim.input("point_i", 128).map_err(failed)?;
        self.sim.set_u128(port, point);
        for (name, width, value) in [
            ("interval_i", 17, code.interval()),
            ("words_i", 64, code.taken_words(cycles)),
            ("delay_i", 32, (code.delay - FETCH).into()),
            ("cycles_i", 32, cycles),
            ("ands_i", 32, self.ands),
            ("initials_i", 17, code.initials.len() as u64),
        ] {
            let port = self.sim.input(name, width).map_err(failed)?;
            self.sim.set_u64(port, value);
        }
        let start = self.sim.input("start_i", 1).map_err(failed)?;
        self.sim.set_bit(self.ports.ready, true);
        self.sim.set_bit(start, true);
        self.clock()?;
        self.sim.set_bit(start, false);
        Ok(())
    }

    fn evaluate(
        &mut self,
        cycles: u64,
        supply: &mut Supply,
        mut watcher: Option<Watcher>,
    ) -> Result<(), EngineError> {
        let mut feed = Feed::new(self.code, cycles);
        let (mut waited, mut began) = (0, false);
        // The ready signal of the previous clock cycle.
        let mut last_ready = true;
        while self.sim.is_set(self.ports.busy) {
            // Output of this clock cycle depends on the ready signal of the previous one.
            if self.sim.is_set(self.ports.step) {
                self.take_labels(supply, last_ready)?;
                if let Some(watcher) = &mut watcher {
                    watcher(&self.seen(std::mem::take(&mut began)));
                    began = self.sim.is_set(self.ports.began);
                }
                waited = 0;
            }
            last_ready = self.host.is_ready();
            self.sim.set_bit(self.ports.ready, last_ready);
            self.give(&mut feed, supply)?;
            waited += 1;
            if waited > PATIENCE {
                return Err(EngineError::machine(HostError::StandsStill { clocks: PATIENCE }));
            }
            self.clock()?;
        }
        Ok(())
    }

    /// Offers an input label and tables to those queues of the machine that have free space. The
    /// machine takes them in this clock cycle.
    fn give(&mut self, feed: &mut Feed, supply: &mut Supply) -> Result<(), EngineError> {
        let has_space = self.sim.is_set(self.ports.input_ready) && self.host.is_ready();
        let label = if has_space { feed.input(supply)? } else { None };
        self.sim.set_bit(self.ports.input_valid, label.is_some());
        match label {
            Some(mut label) => {
                self.sim.set_u128(self.ports.input, label.to_u128());
                label.zeroize();
            }
            None => self.sim.clear(self.ports.input),
        }
        for pipeline in 0..self.code.shape.pipelines {
            let has_space =
                self.sim.field(self.ports.table_ready, pipeline, 1) == 1 && self.host.is_ready();
            let table = if has_space { feed.table(pipeline as usize, supply)? } else { None };
            let valid = u128::from(table.is_some());
            self.sim.set_field(self.ports.table_valid, pipeline, 1, valid);
            if let Some(table) = table {
                let (halves, _) = table.as_chunks::<16>();
                for (low, half) in [0, 128].into_iter().zip(halves) {
                    let value = u128::from_le_bytes(*half);
                    self.sim.set_field(self.ports.table, 256 * pipeline + low, 128, value);
                }
            }
        }
        Ok(())
    }

    fn take_labels(&mut self, supply: &mut Supply, is_ready: bool) -> Result<(), EngineError> {
        let (sim, ports) = (&self.sim, &self.ports);
        for slot in 0..self.code.shape.all_slots() as u32 {
            if sim.field(ports.label_valid, slot, 1) == 1 {
                if !is_ready {
                    return Err(EngineError::machine(HostError::UntakenLabel));
                }
                let tag = sim.field(ports.label_tag, 16 * slot, 16) as u32;
                let cycle = sim.field(ports.label_cycle, 32 * slot, 32) as u64;
                let label = Label::from_u128(sim.field(ports.label, 128 * slot, 128));
                supply.label(tag, cycle, label)?;
                self.labels += 1;
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
        let wrote = banks.map(|bank| (bank, sim.field(ports.waddr, 16 * bank, 16) as u32));
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
