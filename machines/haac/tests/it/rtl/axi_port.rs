//! One AXI4 port of HAAC, with a memory that stalls every channel at random. Every read arrives at
//! its client, in order. A write is in memory when it is acknowledged. Errors have the right stream
//! and engine.

use std::collections::{HashMap, VecDeque};

use crate::rtl::memory_bench::axi::Axi;
use crate::rtl::memory_bench::{Random, Tested};
use halfgate_haac::rtl::registers::Stream;
use halfgate_verilated::{Design, Error, In, Out, Simulation};

/// Number of engines of the port. The port is the last of `PORTS` ports.
const ENGINES: u32 = 2;
const PORTS: u64 = 2;
const LABELS: u64 = 0x10_0000_0000;
const INSTRUCTIONS: u64 = 0x1000;
const INPUTS: u64 = 0x20_0000;
const WORDS: [u64; 2] = [0x30_0000, 0x40_0040];
const TABLES: [u64; 2] = [0x50_0000, 0x7f_ffc0];

/// A client: the prefix of its ports' names, and an engine.
type Client = (&'static str, u32);
/// Accepted writes without a response: address and data.
type Writes = HashMap<Client, VecDeque<(u64, Vec<u8>)>>;

/// The port, and what its clients expect.
struct Bench {
    sim: Simulation,
    axi: Axi,
    random: Random,
    inputs: HashMap<&'static str, In>,
    outputs: HashMap<&'static str, Out>,
    garbler: bool,
    /// Addresses requested by each client: instructions, inputs, then three kinds per engine.
    reads: HashMap<Client, VecDeque<u64>>,
    writes: Writes,
    next: HashMap<Client, u64>,
    responded: u64,
}

const READS: [(&str, u32, u32); 5] = [
    ("instr_push_o", 1, 0),
    ("input_push_o", 1, 0),
    ("wire_push_o", ENGINES, 1),
    ("addr_push_o", ENGINES, 0),
    ("table_push_o", ENGINES, 0),
];

impl Bench {
    fn new(data_bits: u32, garbler: bool, seed: u64) -> Result<Bench, Error> {
        let design = Design::of("haac_axi_port")
            .param("Engines", ENGINES.into())
            .param("NumPorts", PORTS)
            .param("Port", PORTS - 1)
            .param("DataWidth", data_bits.into())
            .param("Garbler", garbler.into());
        let mut sim = Simulation::new(&design.build()?)?;
        let mut inputs = HashMap::new();
        for (name, width) in [
            ("start_i", 1),
            ("flush_i", 1),
            ("labels_base_i", 40),
            ("instr_base_i", 40),
            ("input_base_i", 40),
            ("oor_base_i", 40 * ENGINES),
            ("tables_base_i", 40 * ENGINES),
            ("instr_request_i", 8),
            ("input_request_i", 8),
            ("live_gnt_i", ENGINES),
            ("live_addr_i", 31 * ENGINES),
            ("live_label_i", 128 * ENGINES),
            ("wire_gnt_i", ENGINES),
            ("wire_addr_i", 31 * ENGINES),
            ("addr_gnt_i", ENGINES),
            ("table_gnt_i", ENGINES),
            ("table_burst_i", 512 * ENGINES),
        ] {
            inputs.insert(name, sim.input(name, width)?);
        }
        let mut outputs = HashMap::new();
        for (name, width, _) in READS {
            outputs.insert(name, sim.output(name, width)?);
        }
        for name in ["live_space_o", "wire_space_o", "table_space_o", "live_done_o", "table_done_o"]
        {
            outputs.insert(name, sim.output(name, ENGINES)?);
        }
        for (name, width) in [
            ("data_o", 512),
            ("error_o", 1),
            ("pending_o", 1),
            ("stream_o", 8),
            ("engine_o", 8),
            ("wiping_o", 1),
        ] {
            outputs.insert(name, sim.output(name, width)?);
        }
        let axi = Axi::new(&sim, data_bits)?;
        sim.reset()?;
        sim.set_u64(inputs["labels_base_i"], LABELS);
        sim.set_u64(inputs["instr_base_i"], INSTRUCTIONS);
        sim.set_u64(inputs["input_base_i"], INPUTS);
        for e in 0..2 {
            sim.set_field(inputs["oor_base_i"], 40 * e, 40, WORDS[e as usize].into());
            sim.set_field(inputs["tables_base_i"], 40 * e, 40, TABLES[e as usize].into());
        }
        let (reads, writes, next) = (HashMap::new(), HashMap::new(), HashMap::new());
        let random = Random(seed);
        let mut bench =
            Bench { sim, axi, random, inputs, outputs, garbler, reads, writes, next, responded: 0 };
        bench.sim.set_bit(bench.inputs["start_i"], true);
        bench.sim.clock()?;
        bench.sim.set_bit(bench.inputs["start_i"], false);
        while bench.is("wiping_o", 0) {
            bench.sim.clock()?;
        }
        Ok(bench)
    }

    fn is(&self, name: &str, bit: u32) -> bool {
        self.sim.field(self.outputs[name], bit, 1) == 1
    }

    /// The next address of a stream.
    fn advance(&mut self, client: Client, base: u64, step: u64) -> u64 {
        let next = self.next.entry(client).or_insert(base);
        *next += step;
        *next - step
    }

    /// Makes random requests if there is space: in a cycle a client requests with a probability of
    /// about `eager` in eight.
    fn request(&mut self, eager: u64) {
        for name in ["live_gnt_i", "wire_gnt_i", "addr_gnt_i", "table_gnt_i"] {
            self.sim.clear(self.inputs[name]);
        }
        for (name, client, base) in [
            ("instr_request_i", "instr_push_o", INSTRUCTIONS),
            ("input_request_i", "input_push_o", INPUTS),
        ] {
            let waiting = self.reads.get(&(client, 0)).map_or(0, VecDeque::len);
            let space = waiting < 40 && self.random.below(8) < eager;
            let count = if space { self.random.below(3) } else { 0 };
            self.sim.set_u64(self.inputs[name], count);
            for _ in 0..count {
                let address = self.advance((client, 0), base + 64 * (PORTS - 1), 64 * PORTS);
                self.reads.entry((client, 0)).or_default().push_back(address);
            }
        }
        for e in 0..ENGINES {
            if self.random.below(8) < eager && self.is("wire_space_o", e) {
                let wire = self.random.below(1 << 31);
                self.sim.set_field(self.inputs["wire_gnt_i"], e, 1, 1);
                self.sim.set_field(self.inputs["wire_addr_i"], 31 * e, 31, wire.into());
                let address = LABELS + 16 * wire;
                self.reads.entry(("wire_push_o", e)).or_default().push_back(address);
            }
            let few = |requested: Option<&VecDeque<u64>>| {
                requested.is_none_or(|requested| requested.len() < 100)
            };
            if self.random.below(16) < eager && few(self.reads.get(&("addr_push_o", e))) {
                let address = self.advance(("addr_push_o", e), WORDS[e as usize], 64);
                self.sim.set_field(self.inputs["addr_gnt_i"], e, 1, 1);
                self.reads.entry(("addr_push_o", e)).or_default().push_back(address);
            }
            if self.random.below(8) < eager && self.is("live_space_o", e) {
                // Labels are written outside the range that is read, so each label keeps the value
                // with which it was read.
                let (wire, label) = (self.random.below(1 << 31), self.random.label());
                self.sim.set_field(self.inputs["live_gnt_i"], e, 1, 1);
                self.sim.set_field(self.inputs["live_addr_i"], 31 * e, 31, wire.into());
                self.sim.set_field(self.inputs["live_label_i"], 128 * e, 128, label);
                let write = (LABELS + 16 * wire, label.to_le_bytes().to_vec());
                self.writes.entry(("live_done_o", e)).or_default().push_back(write);
            }
            let space = self.is("table_space_o", e) && few(self.reads.get(&("table_push_o", e)));
            if self.random.below(8) < eager && space {
                let address = self.advance(("table_push_o", e), TABLES[e as usize], 64);
                self.sim.set_field(self.inputs["table_gnt_i"], e, 1, 1);
                if self.garbler {
                    let burst = self.random.burst();
                    for (i, part) in burst.chunks(16).enumerate() {
                        let value = u128::from_le_bytes(part.try_into().unwrap());
                        let low = 512 * e + 128 * i as u32;
                        self.sim.set_field(self.inputs["table_burst_i"], low, 128, value);
                    }
                    let write = (address, burst.to_vec());
                    self.writes.entry(("table_done_o", e)).or_default().push_back(write);
                } else {
                    self.reads.entry(("table_push_o", e)).or_default().push_back(address);
                }
            }
        }
    }

    /// Compares this cycle's responses with the expected ones.
    fn check(&mut self) {
        let data = self.sim.bytes(self.outputs["data_o"]).to_vec();
        for (name, width, label) in READS {
            for e in 0..width {
                if !self.is(name, e) {
                    continue;
                }
                let requested = self.reads.get_mut(&(name, e)).and_then(VecDeque::pop_front);
                let address =
                    requested.unwrap_or_else(|| panic!("{name} {e}: nothing was requested"));
                let expected = match label {
                    0 => self.axi.burst(address),
                    _ => self.axi.label(address).to_le_bytes().to_vec(),
                };
                assert!(data[..expected.len()] == expected, "{name} {e} at {address:#x}");
                self.responded += 1;
            }
        }
        for name in ["live_done_o", "table_done_o"] {
            for e in 0..ENGINES {
                if !self.is(name, e) {
                    continue;
                }
                let requested = self.writes.get_mut(&(name, e)).and_then(VecDeque::pop_front);
                let (address, bytes) = requested.expect("a write that was accepted");
                let there: Vec<u8> = (0..bytes.len() as u64 / 16)
                    .flat_map(|i| self.axi.label(address + 16 * i).to_le_bytes())
                    .collect();
                assert!(there == bytes, "{name} {e} at {address:#x}");
                self.responded += 1;
            }
        }
    }

    fn left(&self) -> usize {
        let reads: usize = self.reads.values().map(VecDeque::len).sum();
        reads + self.writes.values().map(VecDeque::len).sum::<usize>()
    }

    fn cycle(&mut self, eager: u64) -> Result<(), Error> {
        self.request(eager);
        self.axi.cycle(&mut self.sim, &mut self.random);
        self.sim.settle()?;
        self.check();
        self.sim.clock()
    }
}

#[test]
fn every_response_reaches_its_client_however_memory_stalls() -> Tested {
    for (bits, garbler) in
        [(64, true), (64, false), (128, true), (256, false), (512, true), (512, false)]
    {
        let mut bench = Bench::new(bits, garbler, bits.into())?;
        for (willing, eager) in [(8, 1), (8, 8), (1, 4), (4, 4)] {
            bench.axi.willing = willing;
            for _ in 0..600 {
                bench.cycle(eager)?;
            }
        }
        bench.axi.willing = 6;
        // A narrow port needs more beats.
        for _ in 0..4000 * 512 / bits {
            bench.cycle(0)?;
        }
        assert_eq!(bench.left(), 0, "every request has a response in the end");
        assert!(!bench.is("pending_o", 0));
        assert!(bench.responded > 500, "{}", bench.responded);
    }
    Ok(())
}

#[test]
fn an_error_or_a_wrong_rlast_names_stream_and_engine() -> Tested {
    for (garbler, of_last) in [(true, false), (false, false), (false, true)] {
        for (client, e, stream) in [
            ("instr_push_o", 0, Stream::Instructions),
            ("input_push_o", 0, Stream::Inputs),
            ("addr_push_o", 1, Stream::OorAddresses),
            ("wire_push_o", 1, Stream::OorWires),
            ("live_done_o", 0, Stream::Live),
            (if garbler { "table_done_o" } else { "table_push_o" }, 1, Stream::Tables),
        ] {
            let mut bench = Bench::new(512, garbler, 7)?;
            for _ in 0..50 {
                bench.cycle(4)?;
            }
            assert!(!bench.is("error_o", 0));
            let reads =
                bench.reads.get(&(client, e)).and_then(|requested| requested.back().copied());
            let writes = bench.writes.get(&(client, e));
            let writes = writes.and_then(|requested| requested.back().map(|write| write.0));
            let address = reads.or(writes).expect("something is under way");
            if of_last && writes.is_some() {
                continue;
            }
            if of_last {
                bench.axi.wrong_last = Some(address);
            } else {
                bench.axi.bad = Some(address);
            }
            let mut cycles = 0;
            loop {
                bench.axi.cycle(&mut bench.sim, &mut bench.random);
                bench.request(0);
                bench.sim.settle()?;
                if bench.is("error_o", 0) {
                    break;
                }
                bench.sim.clock()?;
                cycles += 1;
                assert!(cycles < 2000, "{client} {e}");
            }
            let is = bench.sim.get_u64(bench.outputs["stream_o"]);
            assert_eq!(is, stream as u64, "{client} {e}");
            let engine = bench.sim.get_u64(bench.outputs["engine_o"]);
            let of_engine = !matches!(stream, Stream::Instructions | Stream::Inputs);
            let expected = u64::from(e) * PORTS + PORTS - 1;
            assert_eq!(engine, if of_engine { expected } else { 0 }, "{client} {e}");
        }
    }
    Ok(())
}

#[test]
fn a_flushed_port_sends_nothing_and_pushes_nothing() -> Tested {
    for garbler in [true, false] {
        let mut bench = Bench::new(256, garbler, 11)?;
        for _ in 0..200 {
            bench.cycle(6)?;
        }
        bench.request(0);
        bench.sim.set_bit(bench.inputs["flush_i"], true);
        let mut cycles = 0;
        while {
            bench.sim.settle()?;
            bench.is("pending_o", 0)
        } {
            bench.axi.cycle(&mut bench.sim, &mut bench.random);
            bench.sim.settle()?;
            for (name, width, _) in READS {
                assert!((0..width).all(|e| !bench.is(name, e)), "{name} while it is flushed");
            }
            bench.sim.clock()?;
            cycles += 1;
            assert!(cycles < 5000);
        }
        // Restarts all streams at their bases.
        bench.sim.set_bit(bench.inputs["start_i"], true);
        bench.sim.clock()?;
        bench.sim.set_bit(bench.inputs["start_i"], false);
        bench.sim.set_bit(bench.inputs["flush_i"], false);
        while bench.is("wiping_o", 0) {
            bench.sim.clock()?;
        }
        bench.reads.clear();
        bench.writes.clear();
        bench.next.clear();
        for _ in 0..300 {
            bench.cycle(4)?;
        }
        for _ in 0..3000 {
            bench.cycle(0)?;
        }
        assert_eq!(bench.left(), 0);
    }
    Ok(())
}
