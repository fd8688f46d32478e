//! Keeps the program counter of a public program public in runs that skip gates.
//!
//! After a branch on a secret, the parties have only labels of the counter. The values of gates do
//! not show when the two paths have met again, so the counter would stay secret. Therefore this
//! module computes, for each step, all places where the program can be. A bit of the counter that
//! is equal at all these places is public.

use crate::bind::output;
use crate::image::Image;
use crate::places::Places;
use crate::word::Word;
use halfgate_circuit::{Bit, Circuit};
use halfgate_compiler::skip::{Follow, Known, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Computes the places where a public program can be in each step.
#[derive(Debug)]
pub struct Counter(Arc<Program>);

#[derive(Debug)]
struct Program {
    words: Vec<Word>,
    /// The source of each instruction, for messages.
    names: Vec<String>,
    pc: Vec<CounterBit>,
    npc: Vec<CounterBit>,
}

/// Identifies a bit of one of the two program counters.
#[derive(Clone, Copy, Debug)]
enum CounterBit {
    FlipFlop(usize),
    Constant(bool),
}

impl Counter {
    /// Makes the counter of `image` for the processor whose circuit is `core`, or for a circuit
    /// with the same flip-flops. `None` if the processor's counters are not flip-flops.
    pub fn of(image: &Image, core: &Circuit) -> Option<Counter> {
        let words = image.instruction_memory();
        let wires: Vec<Bit> =
            (0..core.wires() as u32).map(|wire| halfgate_circuit::Wire::new(wire).bit()).collect();
        let places = |name: &str| -> Option<Vec<CounterBit>> {
            let place = |bit: Bit| match bit.as_constant() {
                Some(value) => Some(CounterBit::Constant(value)),
                None => {
                    let holds = core.flip_flops.iter().position(|f| f.next == bit);
                    holds.map(CounterBit::FlipFlop)
                }
            };
            output(core, &wires, name).into_iter().map(place).collect()
        };
        let (pc, npc) = (places("pc")?, places("npc")?);
        let names = (0..words.len() as u32).map(|index| image.place(index)).collect();
        Some(Counter(Arc::new(Program { words, names, pc, npc })))
    }
}

impl Known for Counter {
    fn follow(&self) -> Box<dyn Follow + Send> {
        let printed = BTreeSet::new();
        Box::new(Following { program: self.0.clone(), places: Places::start(), printed })
    }

    /// Hash of the program's words. Together with the circuit's hash, which is computed separately,
    /// it determines the run.
    fn hash(&self) -> [u8; 32] {
        let bytes: Vec<u8> = self.0.words.iter().flat_map(|word| word.0.to_le_bytes()).collect();
        *blake3::hash(&bytes).as_bytes()
    }
}

struct Following {
    program: Arc<Program>,
    places: Places,
    /// The branches on secrets that were already reported.
    printed: BTreeSet<u32>,
}

impl Follow for Following {
    fn step(&mut self, state: &mut State<'_>) -> Option<String> {
        let Program { words, names, pc, npc } = &*self.program;
        let known = |bits: &[CounterBit]| -> Vec<Option<bool>> {
            let known = |bit: &CounterBit| match *bit {
                CounterBit::FlipFlop(at) => state.known(at),
                CounterBit::Constant(value) => Some(value),
            };
            bits.iter().map(known).collect()
        };
        let following = self.places.after(words, &known(pc), &known(npc));
        self.places = following.places;
        for (bits, of) in [(pc, 0), (npc, 1)] {
            for (at, &bit) in bits.iter().enumerate() {
                let value = |&(here, next): &(u32, u32)| [here, next][of] >> at & 1 == 1;
                let mut values = self.places.all.iter().map(value);
                if let (CounterBit::FlipFlop(flip_flop), Some(first)) = (bit, values.next())
                    && values.all(|value| value == first)
                {
                    state.set(flip_flop, first);
                }
            }
        }
        let parted = following.parted.filter(|&branch| self.printed.insert(branch))?;
        Some(format!(
            "a branch on a secret, at {}: all its paths are garbled until they meet",
            names[parted as usize]
        ))
    }
}
