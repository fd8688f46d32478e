//! A memory at one AXI4 port that is as slow and irregular as the protocol allows. Transfers and
//! responses happen at random times; responses of each kind are in order.

use std::collections::{HashMap, VecDeque};

use halfgate_verilated::{Error, In, Out, Simulation};

use super::{Random, mix};

/// The port.
pub struct Axi {
    outputs: HashMap<&'static str, Out>,
    inputs: HashMap<&'static str, In>,
    bytes: u64,
    /// Data written, by 16-byte address.
    written: HashMap<u64, u128>,
    reads: VecDeque<Beat>,
    addresses: VecDeque<(u64, u64)>,
    data: VecDeque<(Vec<u8>, u64, bool)>,
    beat: u64,
    /// Writes without a response.
    responses: VecDeque<u64>,
    /// The address whose response is an error.
    pub bad: Option<u64>,
    /// The address of a beat of R with a wrong RLAST.
    pub wrong_last: Option<u64>,
    /// A transfer is accepted, or a response sent, with a probability of this number in eight.
    pub willing: u64,
}

struct Beat {
    address: u64,
    last: bool,
}

const OUTPUTS: [&str; 8] = [
    "arvalid_o",
    "rready_o",
    "awvalid_o",
    "wvalid_o",
    "wlast_o",
    "bready_o",
    "arburst_o",
    "awburst_o",
];

impl Axi {
    pub fn new(sim: &Simulation, data_bits: u32) -> Result<Axi, Error> {
        let mut outputs = HashMap::new();
        for name in OUTPUTS {
            let width = if name.ends_with("burst_o") { 2 } else { 1 };
            outputs.insert(name, sim.output(name, width)?);
        }
        for (name, width) in [("araddr_o", 40), ("awaddr_o", 40), ("arlen_o", 8), ("awlen_o", 8)] {
            outputs.insert(name, sim.output(name, width)?);
        }
        outputs.insert("arsize_o", sim.output("arsize_o", 3)?);
        outputs.insert("awsize_o", sim.output("awsize_o", 3)?);
        outputs.insert("wdata_o", sim.output("wdata_o", data_bits)?);
        outputs.insert("wstrb_o", sim.output("wstrb_o", data_bits / 8)?);
        let mut inputs = HashMap::new();
        for name in ["arready_i", "rvalid_i", "rlast_i", "awready_i", "wready_i", "bvalid_i"] {
            inputs.insert(name, sim.input(name, 1)?);
        }
        inputs.insert("rresp_i", sim.input("rresp_i", 2)?);
        inputs.insert("bresp_i", sim.input("bresp_i", 2)?);
        inputs.insert("rdata_i", sim.input("rdata_i", data_bits)?);
        Ok(Axi {
            outputs,
            inputs,
            bytes: u64::from(data_bits / 8),
            written: HashMap::new(),
            reads: VecDeque::new(),
            addresses: VecDeque::new(),
            data: VecDeque::new(),
            beat: 0,
            responses: VecDeque::new(),
            bad: None,
            wrong_last: None,
            willing: 4,
        })
    }

    /// The 16 bytes at `address`.
    pub fn label(&self, address: u64) -> u128 {
        assert!(address.is_multiple_of(16));
        let unwritten = u128::from(mix(address)) << 64 | u128::from(mix(!address));
        *self.written.get(&address).unwrap_or(&unwritten)
    }

    /// The 64 bytes at `address`.
    pub fn burst(&self, address: u64) -> Vec<u8> {
        (0..4).flat_map(|i| self.label(address + 16 * i).to_le_bytes()).collect()
    }

    fn get(&self, sim: &Simulation, name: &str) -> u64 {
        sim.get_u64(self.outputs[name])
    }

    fn set(&self, sim: &mut Simulation, name: &str, value: u64) {
        sim.set_u64(self.inputs[name], value);
    }

    /// Chooses this cycle's inputs, and handles the transfers that they complete. The port's
    /// outputs come from registers.
    pub fn cycle(&mut self, sim: &mut Simulation, random: &mut Random) {
        let willing = self.willing;
        let mut will = || random.below(8) < willing;
        assert_eq!(self.get(sim, "rready_o") & self.get(sim, "bready_o"), 1, "never stalled");
        let (ar, aw, w, r, b) = (will(), will(), will(), will(), will());
        self.response_read(sim, r);
        self.response_write(sim, b);
        self.set(sim, "arready_i", ar.into());
        self.set(sim, "awready_i", aw.into());
        self.set(sim, "wready_i", w.into());
        if ar && self.get(sim, "arvalid_o") == 1 {
            let (address, beats) = self.address(sim, "ar");
            for i in 0..beats {
                let address = if beats > 1 { address + self.bytes * i } else { address };
                self.reads.push_back(Beat { address, last: i + 1 == beats });
            }
        }
        if aw && self.get(sim, "awvalid_o") == 1 {
            let taken = self.address(sim, "aw");
            self.addresses.push_back(taken);
        }
        if w && self.get(sim, "wvalid_o") == 1 {
            let data = sim.bytes(self.outputs["wdata_o"]).to_vec();
            let (strobes, last) = (self.get(sim, "wstrb_o"), self.get(sim, "wlast_o") == 1);
            self.data.push_back((data, strobes, last));
        }
        self.write();
    }

    /// The address and number of beats on a channel. Labels are single narrow beats, or two beats
    /// of a port of 8 bytes.
    fn address(&self, sim: &Simulation, channel: &str) -> (u64, u64) {
        let of = |what: &str| self.get(sim, &format!("{channel}{what}_o"));
        let (address, beats, size) = (of("addr"), of("len") + 1, 1 << of("size"));
        assert_eq!(of("burst"), 1, "INCR");
        let burst = beats * size == 64 && size == self.bytes && address.is_multiple_of(64);
        let label = beats * size == 16 && size == self.bytes.min(16) && address.is_multiple_of(16);
        assert!(burst || label, "{beats} beats of {size} at {address:#x}");
        (address, beats)
    }

    fn response_read(&mut self, sim: &mut Simulation, will: bool) {
        let beat = if will { self.reads.pop_front() } else { None };
        self.set(sim, "rvalid_i", beat.is_some().into());
        let Some(Beat { address, last }) = beat else { return };
        let first = address / self.bytes * self.bytes;
        let labels = first / 16..(first + self.bytes).div_ceil(16);
        let data: Vec<u8> = labels.flat_map(|i| self.label(16 * i).to_le_bytes()).collect();
        sim.set_bytes(
            self.inputs["rdata_i"],
            &data[(first % 16) as usize..][..self.bytes as usize],
        );
        let wrong = self.wrong_last == Some(address);
        self.set(sim, "rlast_i", (last != wrong).into());
        let bad = self.bad == Some(address);
        self.set(sim, "rresp_i", if bad { 2 } else { 0 });
    }

    fn response_write(&mut self, sim: &mut Simulation, will: bool) {
        let response = if will { self.responses.pop_front() } else { None };
        self.set(sim, "bvalid_i", response.is_some().into());
        let bad = response.is_some() && response == self.bad;
        self.set(sim, "bresp_i", if bad { 3 } else { 0 });
    }

    /// Stores data whose address has arrived.
    fn write(&mut self) {
        while let Some(&(start, beats)) = self.addresses.front()
            && let Some((data, strobes, last)) = self.data.pop_front()
        {
            let at = start / self.bytes * self.bytes + self.bytes * self.beat;
            let width = self.bytes.min(16) as usize;
            let whole = (1 << width) - 1;
            for (i, part) in data.chunks(width).enumerate() {
                let strobed = strobes >> (width * i) & whole;
                assert!(strobed == 0 || strobed == whole, "strobes {strobes:#x}");
                if strobed != 0 {
                    let place = at + (width * i) as u64;
                    let (label, within) = (place / 16 * 16, (place % 16) as usize);
                    let mut bytes = self.label(label).to_le_bytes();
                    bytes[within..][..width].copy_from_slice(part);
                    self.written.insert(label, u128::from_le_bytes(bytes));
                }
            }
            self.beat += 1;
            assert_eq!(last, self.beat == beats, "wlast");
            if last {
                self.beat = 0;
                self.addresses.pop_front();
                self.responses.push_back(start);
            }
        }
    }
}
