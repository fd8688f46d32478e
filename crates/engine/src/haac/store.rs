//! Labels by the names of their wires: the address that each has in the lowered program.
//!
//! Three places hold them, as in the machine: the window, the inputs, which lie in memory from the start,
//! and the live wires in memory. The window is twice as long here: an instruction has its operands
//! in latches when it is issued, and their slots may have been written again. All are wiped.

use halfgate_kernels::{Label, LabelMemory};
use halfgate_machines::haac::machine::Shape;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use zeroize::Zeroize;

/// What is known of a name.
pub(super) enum Found {
    /// Its label.
    Label(Label),
    /// An AND that has been issued and not computed yet.
    Pending,
    /// No such wire, or not yet, or no longer.
    Absent,
}

/// The labels of a launch.
pub(super) struct Store {
    shape: Shape,
    /// The names of the newest wires, by the low bits of their addresses; 0 is none.
    names: Vec<u32>,
    window: LabelMemory,
    first_output: u32,
    /// Inputs by address; multiples of the window are nobody's.
    inputs: LabelMemory,
    memory: Spilled,
    /// Live wires whose last read has been issued, and the half that the reader writes into.
    read: VecDeque<(u32, u32)>,
    /// The newest half that something was written into.
    newest: u32,
}

/// In a name: the AND is not computed yet. Addresses have 31 bits.
const PENDING: u32 = 1 << 31;

impl Store {
    /// Room for programs of `shape` whose first instruction's output is `first_output`.
    pub fn new(shape: Shape, first_output: u32) -> Store {
        let names = 2 * shape.window as usize;
        Store {
            shape,
            names: vec![0; names],
            window: LabelMemory::new(names),
            first_output,
            inputs: LabelMemory::new(first_output as usize),
            memory: Spilled::default(),
            read: VecDeque::new(),
            newest: 0,
        }
    }

    /// A launch begins: only inputs are there, which [`set_input`](Store::set_input) sets anew.
    pub fn clear(&mut self) {
        self.names.fill(0);
        self.memory.clear();
        self.read.clear();
        self.newest = 0;
    }

    /// Sets the label of the input at `address`.
    pub fn set_input(&mut self, address: u32, label: Label) {
        self.inputs.set(address, label);
    }

    fn place(&self, name: u32) -> usize {
        name as usize & (self.names.len() - 1)
    }

    /// The label of `name`.
    #[inline]
    pub fn find(&self, name: u32) -> Found {
        if name < self.first_output {
            return match self.shape.slot(name) {
                0 => Found::Absent,
                _ => Found::Label(self.inputs.get(name)),
            };
        }
        let place = self.place(name);
        match self.names[place] {
            held if held == name => Found::Label(self.window.get(place as u32)),
            held if held == name | PENDING => Found::Pending,
            _ => self.memory.get(name).map_or(Found::Absent, Found::Label),
        }
    }

    /// Whether a name that is still pending would be forgotten for `name`.
    #[inline]
    pub fn covers_pending(&self, name: u32) -> bool {
        self.names[self.place(name)] & PENDING != 0
    }

    /// Sets the label of `name`, which forgets that of the name two windows before it.
    #[inline]
    pub fn set(&mut self, name: u32, label: Label) {
        let place = self.place(name);
        self.names[place] = name;
        self.window.set(place as u32, label);
    }

    /// Notes that the label of `name` is still to come.
    #[inline]
    pub fn set_pending(&mut self, name: u32) {
        let place = self.place(name);
        self.names[place] = name | PENDING;
    }

    /// Writes a live wire to memory.
    pub fn write(&mut self, name: u32, label: Label) {
        self.memory.insert(name, label);
    }

    /// Lets a live wire go that an instruction with output `reader` reads from memory, the last one in
    /// the order of the program. Others may come to read it later: it goes when the half after the
    /// reader's is left, which they must be done before. Inputs stay.
    pub fn free(&mut self, name: u32, reader: u32) {
        if name >= self.first_output {
            self.read.push_back((self.shape.half_of(reader), name));
        }
    }

    /// An instruction with output `name` is issued: what nobody reads any more goes.
    #[inline]
    pub fn advance(&mut self, name: u32) {
        let half = self.shape.half_of(name);
        if half > self.newest {
            self.newest = half;
            while let Some((_, name)) = self.read.pop_front_if(|(reader, _)| *reader + 2 <= half) {
                self.memory.remove(name);
            }
        }
    }

    /// The label of an output when the launch is over, when it must be in memory.
    pub fn output(&self, name: u32) -> Option<Label> {
        if name < self.first_output {
            return (self.shape.slot(name) != 0).then(|| self.inputs.get(name));
        }
        self.memory.get(name)
    }
}

/// Labels of live wires: a place of its own for each, in blocks that never move, so that no copy is
/// left behind; all are wiped when their wire goes.
///
/// Memory: about 40 bytes a live wire at the most that there were at once.
#[derive(Default)]
struct Spilled {
    places: HashMap<u32, u32, BuildHasherDefault<Mix>>,
    blocks: Vec<LabelBlock>,
    free: Vec<u32>,
    used: u32,
}

const BLOCK: usize = 1 << 10;

struct LabelBlock(Box<[Label]>);

impl Drop for LabelBlock {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Spilled {
    fn label(&mut self, place: u32) -> &mut Label {
        &mut self.blocks[place as usize / BLOCK].0[place as usize % BLOCK]
    }

    fn get(&self, name: u32) -> Option<Label> {
        let place = *self.places.get(&name)? as usize;
        Some(self.blocks[place / BLOCK].0[place % BLOCK])
    }

    fn insert(&mut self, name: u32, label: Label) {
        let place = self.free.pop().unwrap_or_else(|| {
            if self.used as usize == BLOCK * self.blocks.len() {
                self.blocks.push(LabelBlock(vec![Label::ZERO; BLOCK].into_boxed_slice()));
            }
            self.used += 1;
            self.used - 1
        });
        *self.label(place) = label;
        if let Some(before) = self.places.insert(name, place) {
            self.wipe(before);
        }
    }

    fn remove(&mut self, name: u32) {
        if let Some(place) = self.places.remove(&name) {
            self.wipe(place);
        }
    }

    fn wipe(&mut self, place: u32) {
        self.label(place).zeroize();
        self.free.push(place);
    }

    fn clear(&mut self) {
        self.places.clear();
        self.free.clear();
        self.used = 0;
        self.blocks.clear();
    }
}

/// Hashes addresses, which are no secrets and come from no adversary: a multiplication.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        let product = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }
}
