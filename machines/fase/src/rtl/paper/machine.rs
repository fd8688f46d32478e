//! The machine's ports, and the loop that clocks it.

use super::super::machine::Secrets;
use crate::engine::Delivery;
use crate::rtl::Options;
use halfgate_engine::{EngineError, Label};
use halfgate_fase_model::code::{Bits, PAPER_SLOT_BITS};
use halfgate_fase_model::paper::{Code, Report, Seen, Size};
use halfgate_machine::rtl::{Host, HostError, PATIENCE, Wipe, counter, failed, host};
use halfgate_verilated::{Error, In, Library, Out, Simulation};

/// Clock cycles between two deliveries of tables and outputs.
const TURN: u64 = 64;

/// A clock cycle of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The events of the machine.
    pub seen: Seen,
    /// Whether the host was ready.
    pub ready: bool,
}

/// A callback for every clock cycle.
pub(super) type Watcher<'w> = &'w mut dyn FnMut(&Clock);

/// A simulated machine with a netlist loaded.
pub(super) struct Machine<'c> {
    sim: Simulation,
    ports: Ports,
    code: &'c Code,
    host: Host,
    /// Numbers of tables and labels that the host received.
    tables: u64,
    labels: u64,
}

struct Ports {
    ready: In,
    wipe: Wipe,
    busy: Out,
    table_valid: Out,
    table: Out,
    label_valid: Out,
    label: Out,
    took: Out,
    took_slot: Out,
    wrote: Out,
    wrote_slot: Out,
    began: Out,
}

impl Ports {
    fn new(sim: &Simulation, pipelines: u32) -> Result<Ports, Error> {
        Ok(Ports {
            ready: sim.input("ready_i", 1)?,
            wipe: Wipe::of(sim, 0)?,
            busy: sim.output("busy_o", 1)?,
            table_valid: sim.output("table_valid_o", 1)?,
            table: sim.output("table_o", 256)?,
            label_valid: sim.output("label_valid_o", pipelines)?,
            label: sim.output("label_o", 128 * pipelines)?,
            took: sim.output("took_o", pipelines)?,
            took_slot: sim.output("took_slot_o", 16 * pipelines)?,
            wrote: sim.output("wrote_o", 2 * pipelines)?,
            wrote_slot: sim.output("wrote_slot_o", 32 * pipelines)?,
            began: sim.output("began_o", 2 * pipelines)?,
        })
    }
}

impl<'c> Machine<'c> {
    /// Makes a machine, resets it, and loads `code`, encoded as these words.
    pub fn new(
        library: &Library,
        options: &Options<Size>,
        code: &'c Code,
        words: &[Bits],
    ) -> Result<Machine<'c>, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = &options.waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let ports = Ports::new(&sim, code.pipelines as u32).map_err(failed)?;
        sim.reset().map_err(failed)?;
        let host = Host::new(options.stalls);
        let mut machine = Machine { sim, ports, code, host, tables: 0, labels: 0 };
        machine.load(words)?;
        Ok(machine)
    }

    fn load(&mut self, words: &[Bits]) -> Result<(), EngineError> {
        let sim = &mut self.sim;
        let we = sim.input("load_i", 1).map_err(failed)?;
        let row = sim.input("load_row_i", 16).map_err(failed)?;
        let column = sim.input("load_column_i", 4).map_err(failed)?;
        let data = sim.input("load_data_i", PAPER_SLOT_BITS).map_err(failed)?;
        sim.set_bit(we, true);
        for (place, Bits(pieces)) in (0..).zip(words) {
            sim.set_u64(row, place / self.code.pipelines as u64);
            sim.set_u64(column, place % self.code.pipelines as u64);
            sim.clear(data);
            for (low, &piece) in (0..).step_by(64).zip(pieces) {
                sim.set_field(data, low, (PAPER_SLOT_BITS - low).min(64), piece.into());
            }
            sim.clock().map_err(failed)?;
        }
        sim.set_bit(we, false);
        Ok(())
    }

    /// Garbles `cycles` netlist cycles, and wipes the machine.
    pub fn run(
        &mut self,
        cycles: u64,
        secrets: &Secrets,
        delivery: &mut Delivery,
        watcher: Option<Watcher>,
    ) -> Result<Report, EngineError> {
        self.ports.wipe.wait(&mut self.sim)?;
        let body = &self.code.body;
        let narrow = [
            ("slots_i", 16, self.code.slots.len() as u64),
            ("flip_flops_i", 16, self.code.flip_flops as u64),
            ("first_i", 16, body.requested.first),
            ("each_i", 16, body.requested.each),
            ("cycles_i", 32, cycles),
        ];
        let wide = ["delta_i", "key_i", "seed_i", "constant_i"];
        host::start(&mut self.sim, wide, &secrets.values(), &narrow)?;
        let taken = self.take(delivery, watcher);
        let report = self.report();
        // The machine is wiped also after an error. If its simulation failed, it is wiped when it
        // is dropped.
        let wiped = self.ports.wipe.run(&mut self.sim);
        taken?;
        wiped?;
        report
    }

    /// Takes the machine's output until the run is over.
    fn take(
        &mut self,
        delivery: &mut Delivery,
        mut watcher: Option<Watcher>,
    ) -> Result<(), EngineError> {
        let (mut passed, mut since) = (0_u64, 0);
        while self.sim.is_set(self.ports.busy) {
            let ready = self.host.is_ready();
            self.sim.set_bit(self.ports.ready, ready);
            if ready {
                self.take_offered(delivery)?;
            }
            let seen = self.seen();
            since = if seen.took.iter().any(Option::is_some) { 0 } else { since + 1 };
            if let Some(watcher) = &mut watcher {
                watcher(&Clock { seen, ready });
            }
            passed += 1;
            if passed.is_multiple_of(TURN) {
                delivery.hand_on()?;
            }
            // A pause without output lasts at most a few clock cycles, or until all tables of a
            // netlist cycle have left.
            if since > PATIENCE + 8 * self.code.slots.len() as u64 {
                return Err(EngineError::machine(HostError::StandsStill { clocks: since }));
            }
            self.sim.clock().map_err(failed)?;
        }
        delivery.hand_on()
    }

    fn take_offered(&mut self, delivery: &mut Delivery) -> Result<(), EngineError> {
        let (sim, ports) = (&self.sim, &self.ports);
        if sim.is_set(ports.table_valid) {
            let mut table = [0; 32];
            table.copy_from_slice(&sim.bytes(ports.table)[..32]);
            delivery.table(self.tables, table)?;
            self.tables += 1;
        }
        let tags = self.code.body.tags.len().max(1) as u64;
        for place in 0..self.code.pipelines as u32 {
            if sim.field(ports.label_valid, place, 1) == 1 {
                let label = Label::from_u128(sim.field(ports.label, 128 * place, 128));
                delivery.label((self.labels % tags) as u32, self.labels / tags, label)?;
                self.labels += 1;
            }
        }
        Ok(())
    }

    /// The events of this clock cycle.
    fn seen(&self) -> Seen {
        let (sim, ports, pipelines) = (&self.sim, &self.ports, self.code.pipelines as u32);
        let slot = |is, which, place: u32| {
            (sim.field(is, place, 1) == 1).then(|| sim.field(which, 16 * place, 16) as u32)
        };
        let took = (0..pipelines).map(|place| slot(ports.took, ports.took_slot, place));
        let wrote =
            (0..2 * pipelines).filter_map(|place| slot(ports.wrote, ports.wrote_slot, place));
        let mut wrote: Vec<u32> = wrote.collect();
        wrote.sort_unstable();
        let began = sim.field(ports.began, 0, 2 * pipelines).count_ones();
        Seen { took: took.collect(), wrote, began: began.into() }
    }

    fn report(&self) -> Result<Report, EngineError> {
        let counter = |name| counter(&self.sim, name);
        Ok(Report {
            clocks: counter("clocks_o")?,
            slots: counter("slots_o")?,
            ands: counter("ands_o")?,
            port_stalls: counter("port_stalls_o")?,
            dependency_stalls: counter("label_stalls_o")?,
            input_labels: counter("input_labels_o")?,
            labels: self.labels,
        })
    }
}
