//! The simulated overlay: its ports and both clocks.

use crate::engine::{Launch, Launched, RunError, Tables};
use halfgate_engine::{Delta, EngineError, Label};
use halfgate_machine::rtl::{Wipe, counter, failed};
use halfgate_overlay_model::model::{self, Begin, Board, Counters, Device, Seen, Shape};
use halfgate_verilated::{Error, In, Library, Out, Simulation};
use std::path::Path;
use zeroize::Zeroizing;

/// Labels per word of DDR.
const WORD: usize = 4;

/// A simulated overlay.
pub struct Machine {
    sim: Simulation,
    ports: Ports,
    shape: Shape,
    /// Δ, and the start point S of half gates.
    secrets: Zeroizing<[u128; 2]>,
    /// Labels in DDR; the length is a whole number of words.
    memory: Zeroizing<Vec<Label>>,
    tables: Tables,
    /// Whether every clock cycle is observed. Then outputs are settled before they are read.
    watched: bool,
    batches: Out,
    /// Pending responses of each port of DDR.
    wanted: [u32; 2],
}

struct Ports {
    link_clock: In,
    link_valid: In,
    link_ready: Out,
    link_count: In,
    link_data: In,
    busy: Out,
    wipe: Wipe,
    ddr_valid: Out,
    ddr_ready: In,
    ddr_write: Out,
    ddr_line: Out,
    ddr_mask: Out,
    ddr_data: Out,
    ddr_came: In,
    ddr_word: In,
    table_valid: Out,
    table_ready: In,
    table_number: Out,
    table: Out,
    serves: Out,
    enters: Out,
    writes: Out,
    retires: Out,
    level: Out,
}

/// Number of bits that represent 0 to `most`.
fn bits(most: u32) -> u32 {
    32 - most.leading_zeros()
}

impl Ports {
    fn new(sim: &Simulation, shape: &Shape) -> Result<Ports, Error> {
        let Shape { lanes, words, depth, .. } = *shape;
        Ok(Ports {
            link_clock: sim.input("link_clk_i", 1)?,
            link_valid: sim.input("link_valid_i", 1)?,
            link_ready: sim.output("link_ready_o", 1)?,
            link_count: sim.input("link_count_i", bits(words))?,
            link_data: sim.input("link_data_i", 32 * words)?,
            busy: sim.output("busy_o", 1)?,
            wipe: Wipe::of(sim, shape.rows.into())?,
            ddr_valid: sim.output("ddr_valid_o", 2)?,
            ddr_ready: sim.input("ddr_ready_i", 2)?,
            ddr_write: sim.output("ddr_write_o", 2)?,
            ddr_line: sim.output("ddr_line_o", 54)?,
            ddr_mask: sim.output("ddr_mask_o", 8)?,
            ddr_data: sim.output("ddr_data_o", 1024)?,
            ddr_came: sim.input("ddr_valid_i", 2)?,
            ddr_word: sim.input("ddr_data_i", 1024)?,
            table_valid: sim.output("table_valid_o", lanes)?,
            table_ready: sim.input("table_ready_i", 1)?,
            table_number: sim.output("table_number_o", 64 * lanes)?,
            table: sim.output("table_o", 256 * lanes)?,
            serves: sim.output("serves_o", 2 * lanes)?,
            enters: sim.output("enters_o", 1)?,
            writes: sim.output("writes_o", lanes)?,
            retires: sim.output("retires_o", 1)?,
            level: sim.output("level_o", bits(depth))?,
        })
    }
}

impl Machine {
    /// Returns an overlay after its reset.
    ///
    /// # Errors
    /// If the library contains another module, or the simulation fails.
    pub fn new(
        library: &Library,
        shape: Shape,
        (delta, point): (&Delta, u128),
        waveforms: Option<&Path>,
        watched: bool,
    ) -> Result<Machine, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let ports = Ports::new(&sim, &shape).map_err(failed)?;
        let batches = sim.output("batches_o", 64).map_err(failed)?;
        sim.reset().map_err(failed)?;
        Ok(Machine {
            sim,
            ports,
            shape,
            secrets: Zeroizing::new([delta.label().to_u128(), point]),
            memory: Zeroizing::default(),
            tables: Tables::default(),
            watched,
            batches,
            wanted: [0; 2],
        })
    }

    /// Garbles a netlist cycle.
    ///
    /// # Errors
    /// If the machine or the receiver of the tables fails.
    pub fn launch(
        &mut self,
        board: &Board,
        Launch { plan, begin, memory, tables, io }: Launch<'_>,
        watch: &mut dyn FnMut(&Seen),
    ) -> Result<Launched, EngineError> {
        self.ports.wipe.wait(&mut self.sim)?;
        self.memory.clear();
        self.memory.extend_from_slice(memory);
        let words = memory.len().next_multiple_of(2 * WORD);
        self.memory.resize(words, Label::ZERO);
        std::mem::swap(&mut self.tables, tables);
        let around = (board, self.shape.words as usize, self.shape.link_clock);
        let mut sending = plan.sending();
        let mut next = || Ok(sending.next(board.waits));
        let ran = {
            let mut device = Running { machine: self, io };
            model::run(&mut device, around, begin, &mut next, watch)
        };
        std::mem::swap(&mut self.tables, tables);
        for (label, found) in memory.iter_mut().zip(self.memory.iter()) {
            *label = *found;
        }
        ran.map(|(counters, ns)| Launched { counters, ns }).map_err(|Failed(error)| error)
    }

    /// Aborts the run, and wipes all secrets.
    ///
    /// # Errors
    /// If the simulation has failed, or the wipe does not end.
    pub fn wipe(&mut self) -> Result<(), EngineError> {
        for port in [self.ports.link_valid, self.ports.ddr_came, self.ports.link_clock] {
            self.sim.clear(port);
        }
        self.sim.clear(self.ports.ddr_word);
        self.sim.clear(self.ports.ddr_ready);
        self.ports.wipe.start(&mut self.sim)?;
        // Deliver the responses that DDR still owes, with zeros in place of labels.
        while self.wanted != [0; 2] {
            for (port, wanted) in (0..).zip(&mut self.wanted) {
                self.sim.set_field(self.ports.ddr_came, port, 1, (*wanted > 0).into());
                *wanted = wanted.saturating_sub(1);
            }
            self.sim.clock().map_err(failed)?;
        }
        self.sim.clear(self.ports.ddr_came);
        self.ports.wipe.wait(&mut self.sim)
    }

    /// Address of the first label of the line that a port requests. Even lines belong to port 0,
    /// odd lines to port 1.
    fn line(&self, port: u32) -> usize {
        let line = self.sim.field(self.ports.ddr_line, 27 * port, 27) as usize;
        (2 * line + port as usize) * WORD
    }

    fn request(&self, port: u32) -> Option<(bool, u32)> {
        let (sim, ports) = (&self.sim, &self.ports);
        if sim.field(ports.ddr_valid, port, 1) == 0 {
            return None;
        }
        let write = sim.field(ports.ddr_write, port, 1) == 1;
        Some((write, self.line(port) as u32))
    }

    /// Reads a word of DDR and returns its labels, or writes a word and returns zeros.
    fn access(&mut self, port: u32) -> Result<[u128; WORD], EngineError> {
        let line = self.line(port);
        let (sim, ports) = (&self.sim, &self.ports);
        let held = self.memory.len();
        let wrong = || EngineError::machine(RunError::Address { place: line, held });
        let word = self.memory.get_mut(line..line + WORD).ok_or_else(wrong)?;
        if sim.field(ports.ddr_write, port, 1) == 1 {
            for (lane, label) in (0..).zip(word) {
                if sim.field(ports.ddr_mask, 4 * port + lane, 1) == 1 {
                    let value = sim.field(ports.ddr_data, 512 * port + 128 * lane, 128);
                    *label = Label::from_u128(value);
                }
            }
            return Ok([0; WORD]);
        }
        let mut labels = [0; WORD];
        for (value, label) in labels.iter_mut().zip(word) {
            *value = label.to_u128();
        }
        Ok(labels)
    }

    fn take_tables(&mut self) -> Result<(), EngineError> {
        let (sim, ports) = (&self.sim, &self.ports);
        for lane in 0..self.shape.lanes {
            if sim.field(ports.table_valid, lane, 1) == 1 {
                let number = sim.field(ports.table_number, 64 * lane, 64) as u64;
                let bytes = &sim.bytes(ports.table)[32 * lane as usize..];
                self.tables.put(number, &bytes[..self.tables.bytes()])?;
            }
        }
        Ok(())
    }

    fn seen(&self) -> Seen {
        let (sim, ports, lanes) = (&self.sim, &self.ports, self.shape.lanes);
        Seen {
            serves: sim.field(ports.serves, 0, 2 * lanes) as u32,
            enters: sim.is_set(ports.enters),
            writes: sim.field(ports.writes, 0, lanes) as u32,
            retires: sim.is_set(ports.retires),
            level: sim.field(ports.level, 0, bits(self.shape.depth)) as u32,
            requests: [0, 1].map(|port| self.request(port)),
            tables: sim.field(ports.table_valid, 0, lanes) as u32,
        }
    }
}

/// A machine during a launch.
struct Running<'m, 'io> {
    machine: &'m mut Machine,
    io: &'io mut dyn halfgate_engine::GarblerIo,
}

/// An engine's error, passed through the host.
struct Failed(EngineError);

impl From<model::Stuck> for Failed {
    fn from(stuck: model::Stuck) -> Failed {
        Failed(EngineError::machine(stuck))
    }
}

impl From<EngineError> for Failed {
    fn from(error: EngineError) -> Failed {
        Failed(error)
    }
}

impl Device for Running<'_, '_> {
    type Data = Zeroizing<[u128; WORD]>;
    type Error = Failed;

    fn start(&mut self, begin: Begin) -> Result<(), Failed> {
        let machine = &mut *self.machine;
        let sim = &mut machine.sim;
        let wide = ["delta_i", "point_i"].map(|name| sim.input(name, 128).map_err(failed));
        let [delta, point] = wide;
        let (delta, point) = (delta?, point?);
        sim.set_u128(delta, machine.secrets[0]);
        sim.set_u128(point, machine.secrets[1]);
        for (name, width, value) in [
            ("half_i", 1, begin.half_gates.into()),
            ("form_i", 2, begin.form.code().into()),
            ("base_i", 64, begin.base),
            ("start_i", 1, 1),
        ] {
            let port = sim.input(name, width).map_err(failed)?;
            sim.set_u64(port, value);
        }
        sim.clock().map_err(failed)?;
        let start = sim.input("start_i", 1).map_err(failed)?;
        sim.set_bit(start, false);
        sim.clear(delta);
        sim.clear(point);
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.machine.sim.is_set(self.machine.ports.busy)
    }

    fn link_ready(&self) -> bool {
        self.machine.sim.is_set(self.machine.ports.link_ready)
    }

    fn batches(&self) -> u64 {
        self.machine.sim.get_u64(self.machine.batches)
    }

    fn edge(
        &mut self,
        (link, local): (bool, bool),
        words: &[u32],
        ready: [bool; 2],
        responses: [Option<Self::Data>; 2],
        table_ready: bool,
    ) -> Result<(Option<Seen>, [Option<Self::Data>; 2]), Failed> {
        let machine = &mut *self.machine;
        let (sim, ports) = (&mut machine.sim, &machine.ports);
        sim.set_bit(ports.link_valid, !words.is_empty());
        let count = ports.link_count;
        sim.set_u64(count, words.len() as u64);
        for (at, word) in (0..).step_by(32).zip(words) {
            sim.set_field(ports.link_data, at, 32, (*word).into());
        }
        if !local {
            sim.set_bit(ports.link_clock, true);
            sim.settle().map_err(failed)?;
            sim.set_bit(ports.link_clock, false);
            sim.settle().map_err(failed)?;
            return Ok((None, [None, None]));
        }
        for (port, (ready, response)) in (0..).zip(ready.into_iter().zip(&responses)) {
            sim.set_field(ports.ddr_ready, port, 1, ready.into());
            sim.set_field(ports.ddr_came, port, 1, response.is_some().into());
            machine.wanted[port as usize] -= u32::from(response.is_some());
            for (lane, label) in (0..).zip(response.iter().flat_map(|labels| labels.iter())) {
                sim.set_field(ports.ddr_word, 512 * port + 128 * lane, 128, *label);
            }
        }
        sim.set_bit(ports.table_ready, table_ready);
        // Requests to DDR and offers of tables do not depend on ready inputs. All other outputs are
        // valid only after settling.
        if machine.watched {
            sim.settle().map_err(failed)?;
        }
        let seen = machine.seen();
        let mut taken = [None, None];
        for port in [0, 1] {
            if seen.requests[port].is_some() && ready[port] {
                taken[port] = Some(Zeroizing::new(machine.access(port as u32)?));
                machine.wanted[port] += 1;
            }
        }
        if seen.tables != 0 && table_ready {
            machine.take_tables()?;
            machine.tables.hand_on(self.io, false)?;
        }
        let (sim, ports) = (&mut machine.sim, &machine.ports);
        sim.set_bit(ports.link_clock, link);
        sim.clock().map_err(failed)?;
        if link {
            sim.set_bit(ports.link_clock, false);
            sim.settle().map_err(failed)?;
        }
        Ok((Some(seen), taken))
    }

    fn counters(&mut self) -> Result<Counters, Failed> {
        let machine = &*self.machine;
        Ok(Counters {
            clocks: counter(&machine.sim, "clocks_o")?,
            gates: counter(&machine.sim, "gates_o")?,
            ands: counter(&machine.sim, "ands_o")?,
            batches: counter(&machine.sim, "batches_o")?,
            reads: counter(&machine.sim, "ddr_reads_o")?,
            writes: counter(&machine.sim, "ddr_writes_o")?,
            starved: counter(&machine.sim, "starved_o")?,
            fenced: counter(&machine.sim, "fenced_o")?,
        })
    }
}
