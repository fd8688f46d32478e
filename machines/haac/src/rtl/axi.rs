//! The memory at the machine's AXI4 ports. It accepts requests and responds in order, at each port
//! independently.
//!
//! Call [`Ports::step`] once per cycle, before the clock edge. It sets memory's outputs of the
//! cycle and reads those of the machine. So the machine's outputs must come from registers.

use super::BURST;
use super::error::HardwareError;
use super::pace::Pace;
use crate::dram::access;
use halfgate_dram::Dram;
use halfgate_engine::EngineError;
use halfgate_verilated::{Error, In, Out, Simulation};
use std::collections::VecDeque;
use zeroize::{Zeroize, Zeroizing};

/// The memory behind the ports.
pub(super) trait Bus {
    /// Reads 16 or 64 bytes; `false` if the address cannot be read.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<bool, EngineError>;

    /// Writes 16 or 64 bytes; `false` if the address must not be written.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<bool, EngineError>;
}

const OKAY: u128 = 0;
const SLVERR: u128 = 2;
const DECERR: u128 = 3;

/// Bits of an address.
const ADDRESS: u32 = 40;

/// Largest number of requests without a response at a port.
const PENDING: usize = 1024;

/// A request for 16 or 64 bytes.
struct Request {
    address: u64,
    bytes: usize,
    /// The cycle from which on the response may be sent.
    due: u64,
    /// The burst in the DRAM, if there is one.
    tag: Option<u32>,
}

#[derive(Default)]
struct Port {
    reads: VecDeque<Request>,
    /// Data (of a read that succeeded) and response code for the first of `reads`, and the number
    /// of bytes already sent.
    data: Option<(Zeroizing<[u8; BURST]>, u128)>,
    sent: usize,
    writes: VecDeque<Request>,
    /// Bytes received for the first of `writes`. They may arrive before its address.
    written: Zeroizing<Vec<u8>>,
    /// For each beat in `written`, the first lane with a strobe.
    lanes: VecDeque<usize>,
    /// Acknowledgements: when they may be sent, the response code, and the burst in the DRAM.
    acknowledged: VecDeque<(u64, u128, Option<u32>)>,
    shown: bool,
}

/// All ports.
pub(super) struct Ports {
    wires: Wires,
    ports: Vec<Port>,
    beat: usize,
    now: u64,
    pub pace: Pace,
    times: Option<Times>,
}

/// A DRAM whose times the responses have.
pub(super) struct Times {
    dram: Dram,
    /// Whether the burst with a tag is done.
    is_done: Vec<bool>,
    free: Vec<u32>,
}

impl Times {
    pub fn new(dram: Dram) -> Times {
        Times { dram, is_done: Vec::new(), free: Vec::new() }
    }

    fn add(&mut self, address: u64, is_write: bool) -> u32 {
        let tag = self.free.pop().unwrap_or_else(|| {
            self.is_done.push(false);
            self.is_done.len() as u32 - 1
        });
        self.dram.add(address, access(is_write), tag);
        tag
    }

    fn free(&mut self, tag: u32) {
        self.is_done[tag as usize] = false;
        self.free.push(tag);
    }
}

/// Whether the DRAM, if there is one, takes a burst in this cycle.
fn accepts(times: &Option<Times>, address: u64, is_write: bool) -> bool {
    times.as_ref().is_none_or(|times| times.dram.accepts(address, access(is_write)))
}

/// Whether the DRAM, if there is one, is done with a burst.
fn is_done(times: &Option<Times>, tag: Option<u32>) -> bool {
    match (times, tag) {
        (Some(times), Some(tag)) => times.is_done[tag as usize],
        _ => true,
    }
}

impl Ports {
    /// The `count` ports of `sim`, each with `beat` bytes of data.
    pub fn new(sim: &Simulation, count: u32, beat: u32, pace: Pace) -> Result<Ports, Error> {
        let ports = (0..count).map(|_| Port::default()).collect();
        let wires = Wires::new(sim, count, beat)?;
        Ok(Ports { wires, ports, beat: beat as usize, now: 0, pace, times: None })
    }

    /// The same ports with a DRAM behind them.
    pub fn with_times(&mut self, times: Times) {
        self.times = Some(times);
    }

    /// Drops all requests, like a reset of both sides.
    pub fn reset(&mut self) {
        self.ports.iter_mut().for_each(|port| *port = Port::default());
    }

    /// Simulates one cycle.
    pub fn step(&mut self, sim: &mut Simulation, bus: &mut impl Bus) -> Result<(), EngineError> {
        let count = self.ports.len();
        let first = self.pace.begin(self.now, count);
        for p in (0..count).map(|p| (first + p) % count) {
            self.reads(p as u32, sim, bus)?;
            self.writes(p as u32, sim, bus)?;
        }
        if let Some(Times { dram, is_done, .. }) = &mut self.times {
            dram.cycle(|tag| is_done[tag as usize] = true);
        }
        self.now += 1;
        Ok(())
    }

    fn reads(
        &mut self,
        p: u32,
        sim: &mut Simulation,
        bus: &mut impl Bus,
    ) -> Result<(), EngineError> {
        let Ports { wires, ports, beat, now, pace, times } = self;
        let (port, beat) = (&mut ports[p as usize], *beat);
        let is = |sim: &Simulation, out, p| sim.field(out, p, 1) == 1;

        let first = port.reads.front();
        let first = first.filter(|first| first.due <= *now && is_done(times, first.tag));
        let valid = first.is_some() && (port.data.is_some() || pace.responses());
        sim.set_field(wires.rvalid, p, 1, valid.into());
        if let Some(first) = first.filter(|_| valid) {
            if port.data.is_none() {
                let mut data = Zeroizing::new([0; BURST]);
                let found = bus.read(first.address, &mut data[..first.bytes])?;
                let response = match (found, pace.fails()) {
                    (true, false) => OKAY,
                    (true, true) => SLVERR,
                    (false, _) => DECERR,
                };
                if response != OKAY {
                    data.zeroize();
                }
                port.data = Some((data, response));
                port.sent = 0;
            }
            let (data, response) = port.data.as_ref().expect("set above");
            // The data of a label is on the lanes that its address selects.
            let size = first.bytes.min(beat);
            let lane = (first.address as usize + port.sent) % beat;
            let low = 8 * (p * beat as u32);
            for at in (0..size).step_by(8) {
                let part: [u8; 8] = data[port.sent + at..][..8].try_into().expect("8 bytes");
                let low = low + 8 * (lane + at) as u32;
                sim.set_field(wires.rdata, low, 64, u64::from_le_bytes(part).into());
            }
            let last = port.sent + size == first.bytes;
            sim.set_field(wires.rresp, 2 * p, 2, *response);
            sim.set_field(wires.rlast, p, 1, (last != pace.inverts_last()).into());
            if is(sim, wires.rready, p) {
                port.sent += size;
                if last {
                    let tag = first.tag;
                    port.reads.pop_front();
                    port.data = None;
                    if let (Some(times), Some(tag)) = (&mut *times, tag) {
                        times.free(tag);
                    }
                }
            }
        }

        let is_requested = is(sim, wires.arvalid, p);
        let ready = port.reads.len() < PENDING && pace.accepts() && pace.has_credit();
        let ready = ready && (!is_requested || accepts(times, wires.read.address(sim, p), false));
        sim.set_field(wires.arready, p, 1, ready.into());
        if ready && is_requested {
            let mut request = wires.read.request(sim, p, *now + 1 + pace.late());
            request.tag = times.as_mut().map(|times| times.add(request.address, false));
            pace.charge(request.bytes);
            port.reads.push_back(request);
        }
        Ok(())
    }

    fn writes(
        &mut self,
        p: u32,
        sim: &mut Simulation,
        bus: &mut impl Bus,
    ) -> Result<(), EngineError> {
        let Ports { wires, ports, beat, now, pace, times } = self;
        let (port, beat) = (&mut ports[p as usize], *beat);
        let is = |sim: &Simulation, out, p| sim.field(out, p, 1) == 1;

        let first = port.acknowledged.front_mut();
        let first = first.filter(|(due, _, tag)| due <= now && is_done(times, *tag));
        if let Some((_, response, _)) = first
            && !port.shown
            && pace.responses()
        {
            port.shown = true;
            if pace.fails() && *response == OKAY {
                *response = SLVERR;
            }
        }
        sim.set_field(wires.bvalid, p, 1, port.shown.into());
        if let Some((_, response, tag)) = port.acknowledged.front().filter(|_| port.shown) {
            sim.set_field(wires.bresp, 2 * p, 2, *response);
            if is(sim, wires.bready, p) {
                if let (Some(times), Some(tag)) = (&mut *times, *tag) {
                    times.free(tag);
                }
                port.acknowledged.pop_front();
                port.shown = false;
            }
        }

        let free = port.writes.len() + port.acknowledged.len() < PENDING;
        let ready = free && pace.accepts() && pace.has_credit();
        sim.set_field(wires.awready, p, 1, ready.into());
        if ready && is(sim, wires.awvalid, p) {
            let request = wires.write.request(sim, p, 0);
            pace.charge(request.bytes);
            port.writes.push_back(request);
        }
        let ready = port.written.len() < PENDING && pace.accepts();
        sim.set_field(wires.wready, p, 1, ready.into());
        if ready && is(sim, wires.wvalid, p) {
            let first = p as usize * beat;
            let strobes = sim.bytes(wires.wstrb);
            let is_strobed = |lane: &usize| strobes[lane / 8] >> (lane % 8) & 1 == 1;
            let lane = (first..first + beat).find(is_strobed).map_or(beat, |lane| lane - first);
            port.lanes.push_back(lane);
            let strobed = (first..first + beat).filter(is_strobed);
            port.written.extend(strobed.map(|lane| sim.bytes(wires.wdata)[lane]));
        }
        // One write per cycle, once all data of the write has arrived.
        if let Some(first) = port.writes.front()
            && port.written.len() >= first.bytes
            && accepts(times, first.address, true)
        {
            let first = port.writes.pop_front().expect("there is one");
            // In a narrow first beat, data begins at the lane that the address selects. In all
            // other beats it begins at the first lane.
            let mut wanted = first.address as usize % beat;
            for lane in port.lanes.drain(..first.bytes.div_ceil(beat).min(port.lanes.len())) {
                if lane != wanted {
                    let (port, address) = (p, first.address);
                    let error = HardwareError::Strobes { port, address, lane, wanted };
                    return Err(EngineError::machine(error));
                }
                wanted = 0;
            }
            let done = bus.write(first.address, &port.written[..first.bytes])?;
            let response = if done { OKAY } else { DECERR };
            port.written[..first.bytes].zeroize();
            port.written.drain(..first.bytes);
            let tag = times.as_mut().map(|times| times.add(first.address, true));
            port.acknowledged.push_back((*now + 1 + pace.late(), response, tag));
        }
        Ok(())
    }
}

/// The outputs of an address channel.
struct Channel {
    address: Out,
    length: Out,
    size: Out,
}

impl Channel {
    fn new(sim: &Simulation, name: &str, count: u32) -> Result<Channel, Error> {
        let port = |what, width| sim.output(&format!("m_axi_{name}{what}_o"), width * count);
        Ok(Channel {
            address: port("addr", ADDRESS)?,
            length: port("len", 8)?,
            size: port("size", 3)?,
        })
    }

    fn address(&self, sim: &Simulation, p: u32) -> u64 {
        sim.field(self.address, ADDRESS * p, ADDRESS) as u64
    }

    fn request(&self, sim: &Simulation, p: u32, due: u64) -> Request {
        let address = self.address(sim, p);
        let beats = sim.field(self.length, 8 * p, 8) as usize + 1;
        let bytes = beats << sim.field(self.size, 3 * p, 3);
        // The machine must not make requests of other sizes. If it does, address 0 causes an error.
        if bytes == 16 || bytes == BURST {
            Request { address, bytes, due, tag: None }
        } else {
            Request { address: 0, bytes: BURST, due, tag: None }
        }
    }
}

struct Wires {
    read: Channel,
    write: Channel,
    arvalid: Out,
    arready: In,
    rvalid: In,
    rdata: In,
    rresp: In,
    rlast: In,
    rready: Out,
    awvalid: Out,
    awready: In,
    wvalid: Out,
    wdata: Out,
    wstrb: Out,
    wready: In,
    bvalid: In,
    bresp: In,
    bready: Out,
}

impl Wires {
    fn new(sim: &Simulation, count: u32, beat: u32) -> Result<Wires, Error> {
        let input = |name, width| sim.input(&format!("m_axi_{name}_i"), width * count);
        let output = |name, width| sim.output(&format!("m_axi_{name}_o"), width * count);
        Ok(Wires {
            read: Channel::new(sim, "ar", count)?,
            write: Channel::new(sim, "aw", count)?,
            arvalid: output("arvalid", 1)?,
            arready: input("arready", 1)?,
            rvalid: input("rvalid", 1)?,
            rdata: input("rdata", 8 * beat)?,
            rresp: input("rresp", 2)?,
            rlast: input("rlast", 1)?,
            rready: output("rready", 1)?,
            awvalid: output("awvalid", 1)?,
            awready: input("awready", 1)?,
            wvalid: output("wvalid", 1)?,
            wdata: output("wdata", 8 * beat)?,
            wstrb: output("wstrb", beat)?,
            wready: input("wready", 1)?,
            bvalid: input("bvalid", 1)?,
            bresp: input("bresp", 2)?,
            bready: output("bready", 1)?,
        })
    }
}
