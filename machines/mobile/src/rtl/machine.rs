//! The core's ports, and the label memory around it.

use crate::engine::{ChipError, Clocked, Modelled};
use halfgate_engine::EngineError;
use halfgate_machine::rtl::failed;
use halfgate_mobile_model::SLOTS;
use halfgate_mobile_model::model::{Request, Seen, State, Step, Word};
use halfgate_verilated::{Error, In, Library, Out, Simulation};
use std::collections::VecDeque;
use std::path::Path;
use zeroize::Zeroizing;

/// Timing of the label memory.
#[derive(Clone, Copy, Debug, Default)]
pub enum Memory {
    /// Responds in the next clock cycle, as the board's memory and the model do.
    #[default]
    Prompt,
    /// Responds in order after random delays, which a seed determines. Sometimes it accepts nothing
    /// for a hundred clock cycles.
    Slow(u64),
    /// Responds after this many clock cycles.
    Late(u32),
}

/// A simulated chip.
pub struct Machine {
    sim: Simulation,
    ports: Ports,
    words: Zeroizing<Vec<u64>>,
    memory: Memory,
    /// Words that were read and not delivered, each with the number of clock cycles until its
    /// response.
    responses: VecDeque<(u32, Zeroizing<u64>)>,
    random: u64,
    /// Number of clock cycles for which the memory accepts nothing.
    away: u32,
    /// Request of the previous clock cycle, if it was not accepted.
    requested: Option<Request>,
    /// A model that runs beside the RTL and is compared in each clock cycle.
    model: Option<Modelled>,
    clocks: u64,
}

struct Ports {
    rx_valid: In,
    rx_byte: In,
    tx_valid: Out,
    tx_ready: In,
    tx_byte: Out,
    mem_valid: Out,
    mem_ready: In,
    mem_write: Out,
    mem_address: Out,
    mem_data: Out,
    mem_came: In,
    mem_word: In,
    taken: Out,
    items: Out,
    execute: Out,
}

impl Ports {
    fn new(sim: &Simulation) -> Result<Ports, Error> {
        Ok(Ports {
            rx_valid: sim.input("rx_valid_i", 1)?,
            rx_byte: sim.input("rx_byte_i", 8)?,
            tx_valid: sim.output("tx_valid_o", 1)?,
            tx_ready: sim.input("tx_ready_i", 1)?,
            tx_byte: sim.output("tx_byte_o", 8)?,
            mem_valid: sim.output("mem_valid_o", 1)?,
            mem_ready: sim.input("mem_ready_i", 1)?,
            mem_write: sim.output("mem_write_o", 1)?,
            mem_address: sim.output("mem_address_o", 14)?,
            mem_data: sim.output("mem_data_o", 64)?,
            mem_came: sim.input("mem_valid_i", 1)?,
            mem_word: sim.input("mem_data_i", 64)?,
            taken: sim.output("taken_o", 1)?,
            items: sim.output("items_o", 8)?,
            execute: sim.output("execute_o", 9)?,
        })
    }
}

const STATES: [State; 8] = [
    State::Kind,
    State::Slot,
    State::Long,
    State::How,
    State::Step,
    State::Offer,
    State::Follow,
    State::Failed,
];

const STEPS: [Step; 9] = [
    Step::Wipe,
    Step::Idle,
    Step::Read,
    Step::Work,
    Step::Store,
    Step::StoreHigh,
    Step::Load,
    Step::Give,
    Step::Config,
];

impl Machine {
    /// Returns a chip after its reset. If `model` is given, it is compared with the RTL in each
    /// clock cycle; this needs a [prompt](Memory::Prompt) memory.
    ///
    /// # Errors
    /// If the library contains another module, or the simulation fails.
    pub fn new(
        library: &Library,
        memory: Memory,
        model: Option<Modelled>,
        waveforms: Option<&Path>,
    ) -> Result<Machine, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let ports = Ports::new(&sim).map_err(failed)?;
        sim.reset().map_err(failed)?;
        let random = match memory {
            Memory::Prompt | Memory::Late(_) => 1,
            Memory::Slow(seed) => seed | 1,
        };
        Ok(Machine {
            sim,
            ports,
            words: Zeroizing::new(vec![0x5555_5555_5555_5555; 2 * SLOTS as usize]),
            memory,
            responses: VecDeque::new(),
            random,
            away: 0,
            requested: None,
            model,
            clocks: 0,
        })
    }

    /// Changes the timing of later memory requests. Earlier requests keep their delays.
    pub fn set_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Whether any word of the label memory is not 0.
    pub fn holds_anything(&self) -> bool {
        self.words.iter().any(|word| *word != 0)
    }

    fn draw(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 24
    }

    /// Observed events of a clock cycle, read before its edge.
    fn seen(&self) -> Seen {
        let (sim, ports) = (&self.sim, &self.ports);
        let bit = |port: Out| (sim.get_u64(port) as u32).trailing_zeros() as usize;
        Seen {
            sends: sim.is_set(ports.tx_valid).then(|| sim.get_u64(ports.tx_byte) as u8),
            requests: sim.is_set(ports.mem_valid).then(|| {
                let write = sim.is_set(ports.mem_write);
                let address = sim.get_u64(ports.mem_address) as u16;
                let data = if write { sim.get_u64(ports.mem_data) } else { 0 };
                Request { write, address, data: Word(data) }
            }),
            takes: sim.is_set(ports.taken),
            items: STATES[bit(ports.items)],
            execute: STEPS[bit(ports.execute)],
        }
    }
}

impl Clocked for Machine {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        // The outputs depend only on registers.
        let seen = self.seen();
        if let Some(model) = &mut self.model {
            model.clock(comes, takes)?;
            let modelled = model.seen.expect("a clock was made");
            if modelled != seen {
                let clock = self.clocks;
                let (rtl, model) = (format!("{seen:?}"), format!("{modelled:?}"));
                return Err(EngineError::machine(ChipError::Differs { clock, rtl, model }));
            }
        }
        self.clocks += 1;
        let clock = self.clocks;
        if self.requested.is_some_and(|requested| seen.requests != Some(requested)) {
            let (now, then) = (format!("{:?}", self.requested), format!("{:?}", seen.requests));
            return Err(EngineError::machine(ChipError::Requested { clock, now, then }));
        }
        let is_slow = matches!(self.memory, Memory::Slow(_));
        let (goes, stalls, late) =
            (self.draw().is_multiple_of(512), self.draw().is_multiple_of(3), self.draw());
        self.away = if is_slow && goes { 100 } else { self.away.saturating_sub(1) };
        let ready = !is_slow || (self.away == 0 && !stalls);
        self.requested = seen.requests.filter(|_| !ready);
        let response = self.responses.pop_front_if(|(left, _)| *left == 0);
        for (left, _) in &mut self.responses {
            *left = left.saturating_sub(1);
        }
        if let Some(Request { write, address, data: Word(data) }) = seen.requests.filter(|_| ready)
        {
            let word = &mut self.words[usize::from(address)];
            match write {
                true => *word = data,
                false => {
                    let word = Zeroizing::new(*word);
                    let late = match self.memory {
                        Memory::Prompt => 0,
                        Memory::Slow(_) if late.is_multiple_of(64) => 80,
                        Memory::Slow(_) => late as u32 / 64 % 7,
                        Memory::Late(clocks) => clocks,
                    };
                    self.responses.push_back((late, word));
                }
            }
        }
        let (sim, ports) = (&mut self.sim, &self.ports);
        sim.set_bit(ports.rx_valid, comes.is_some());
        sim.set_u64(ports.rx_byte, comes.unwrap_or(0).into());
        sim.set_bit(ports.tx_ready, takes);
        sim.set_bit(ports.mem_ready, ready);
        sim.set_bit(ports.mem_came, response.is_some());
        sim.set_u64(ports.mem_word, response.map_or(0, |(_, word)| *word));
        sim.clock().map_err(failed)?;
        Ok(seen.sends)
    }
}
