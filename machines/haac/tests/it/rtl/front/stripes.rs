//! A memory that delivers bursts striped over ports, late and at a different pace per port. It
//! shows the bursts in order.

use super::Random;
use halfgate_verilated::{Error, In, Simulation};

/// Bytes of a burst.
pub const BURST: usize = 64;

/// The requested bursts and the progress of their delivery.
pub struct Stripes {
    push: In,
    burst: In,
    show: In,
    ports: usize,
    /// Number of bursts requested.
    pub requested: usize,
    /// For each port, the number of its bursts that have arrived.
    came: Vec<usize>,
    /// Number of bursts shown, visible from the next cycle on.
    pub shown: usize,
}

impl Stripes {
    pub fn new(sim: &Simulation, ports: usize) -> Result<Stripes, Error> {
        let width = 512 * ports as u32;
        Ok(Stripes {
            push: sim.input("push_i", ports as u32)?,
            burst: sim.input("burst_i", width)?,
            show: sim.input("show_i", 8)?,
            ports,
            requested: 0,
            came: vec![0; ports],
            shown: 0,
        })
    }

    /// Number of bursts that have arrived without a gap.
    fn whole(&self) -> usize {
        let next = self.came.iter().enumerate().map(|(p, came)| came * self.ports + p);
        next.min().unwrap_or(0)
    }

    /// Makes the pushes and shows of one cycle, each with a probability of `percent`.
    pub fn cycle(
        &mut self,
        sim: &mut Simulation,
        random: &mut Random,
        percent: u64,
        bursts: &[[u8; BURST]],
        most: usize,
    ) {
        sim.clear(self.push);
        for port in 0..self.ports {
            let number = self.came[port] * self.ports + port;
            if number < self.requested && random.chance(percent) {
                sim.set_field(self.push, port as u32, 1, 1);
                for (i, part) in bursts[number].chunks(16).enumerate() {
                    let value = u128::from_le_bytes(part.try_into().expect("16 bytes"));
                    sim.set_field(self.burst, (512 * port + 128 * i) as u32, 128, value);
                }
                self.came[port] += 1;
            }
        }
        let may = (self.whole().min(self.requested) - self.shown).min(most);
        let show = if random.chance(percent) { may } else { random.below(may as u64 + 1) as usize };
        sim.set_u64(self.show, show as u64);
        self.shown += show;
    }
}
