//! The host's side of the machine's AXI4-Lite port: reads and writes of registers.

use crate::rtl::registers::ADDRESS_BITS;
use halfgate_verilated::{Error, In, Out, Simulation};

/// Cycles within which a register must respond.
const PATIENCE: u32 = 64;

/// The port's signals.
pub(super) struct Lite {
    awvalid: In,
    awaddr: In,
    awready: Out,
    wvalid: In,
    wdata: In,
    wstrb: In,
    wready: Out,
    bvalid: Out,
    bready: In,
    arvalid: In,
    araddr: In,
    arready: Out,
    rvalid: Out,
    rdata: Out,
    rready: In,
}

/// A transaction in progress.
pub(super) enum Transaction {
    Write { address: bool, data: bool },
    Read { address: bool },
}

impl Lite {
    pub fn new(sim: &Simulation) -> Result<Lite, Error> {
        let input = |name, width| sim.input(&format!("s_axil_{name}_i"), width);
        let output = |name, width| sim.output(&format!("s_axil_{name}_o"), width);
        Ok(Lite {
            awvalid: input("awvalid", 1)?,
            awaddr: input("awaddr", ADDRESS_BITS)?,
            awready: output("awready", 1)?,
            wvalid: input("wvalid", 1)?,
            wdata: input("wdata", 32)?,
            wstrb: input("wstrb", 4)?,
            wready: output("wready", 1)?,
            bvalid: output("bvalid", 1)?,
            bready: input("bready", 1)?,
            arvalid: input("arvalid", 1)?,
            araddr: input("araddr", ADDRESS_BITS)?,
            arready: output("arready", 1)?,
            rvalid: output("rvalid", 1)?,
            rdata: output("rdata", 32)?,
            rready: input("rready", 1)?,
        })
    }

    /// Starts a write of a register.
    pub fn write(&self, sim: &mut Simulation, register: u32, value: u32) -> Transaction {
        sim.set_bit(self.awvalid, true);
        sim.set_u64(self.awaddr, register.into());
        sim.set_bit(self.wvalid, true);
        sim.set_u64(self.wdata, value.into());
        sim.set_u64(self.wstrb, 0xf);
        sim.set_bit(self.bready, true);
        Transaction::Write { address: false, data: false }
    }

    /// Starts a read of a register.
    pub fn read(&self, sim: &mut Simulation, register: u32) -> Transaction {
        sim.set_bit(self.arvalid, true);
        sim.set_u64(self.araddr, register.into());
        sim.set_bit(self.rready, true);
        Transaction::Read { address: false }
    }

    /// Handles the next clock edge. If the transaction ends there, returns its value (0 for a
    /// write). Call [`clocked`](Lite::clocked) after the edge.
    pub fn edge(&self, sim: &Simulation, transaction: &mut Transaction) -> Option<u32> {
        match transaction {
            Transaction::Write { address, data } => {
                *address |= sim.is_set(self.awready);
                *data |= sim.is_set(self.wready);
                sim.is_set(self.bvalid).then_some(0)
            }
            Transaction::Read { address } => {
                *address |= sim.is_set(self.arready);
                sim.is_set(self.rvalid).then(|| sim.get_u64(self.rdata) as u32)
            }
        }
    }

    /// Clears the valid signals of transfers that were accepted.
    pub fn clocked(&self, sim: &mut Simulation, transaction: &Transaction, ended: bool) {
        match transaction {
            Transaction::Write { address, data } => {
                sim.set_bit(self.awvalid, !address && !ended);
                sim.set_bit(self.wvalid, !data && !ended);
                if *data || ended {
                    // The word may be a part of delta.
                    sim.clear(self.wdata);
                }
                sim.set_bit(self.bready, !ended);
            }
            Transaction::Read { address } => {
                sim.set_bit(self.arvalid, !address && !ended);
                sim.set_bit(self.rready, !ended);
            }
        }
    }

    /// Cycles within which a register must respond.
    pub const fn patience() -> u32 {
        PATIENCE
    }
}
