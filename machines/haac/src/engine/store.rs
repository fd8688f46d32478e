//! Labels by the names of their wires: the address that each has in the lowered program.
//!
//! Three places hold them, as in the machine: the window, the inputs, which lie in memory from the start,
//! and the live wires in memory. The window is twice as long here: an instruction has its operands
//! in latches when it is issued, and their slots may have been written again. All are wiped.

use super::host::LiveLabels;
use halfgate_haac_model::machine::Shape;
use halfgate_kernels::{Label, LabelMemory};

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
    memory: LiveLabels,
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
            memory: LiveLabels::new(shape),
        }
    }

    /// A launch begins: only inputs are there, which [`set_input`](Store::set_input) sets anew.
    pub fn clear(&mut self) {
        self.names.fill(0);
        self.memory.clear();
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
        self.memory.write(name, label);
    }

    /// Lets a live wire go that an instruction with output `reader` reads from memory, the last one in
    /// the order of the program. Others may come to read it later: it goes when the half after the
    /// reader's is left, which they must be done before. Inputs stay.
    pub fn free(&mut self, name: u32, reader: u32) {
        if name >= self.first_output {
            self.memory.free(name, reader);
        }
    }

    /// An instruction with output `name` is issued: what nobody reads any more goes.
    #[inline]
    pub fn advance(&mut self, name: u32) {
        self.memory.advance(name);
    }

    /// The label of an output when the launch is over, when it must be in memory.
    pub fn output(&self, name: u32) -> Option<Label> {
        if name < self.first_output {
            return (self.shape.slot(name) != 0).then(|| self.inputs.get(name));
        }
        self.memory.get(name)
    }
}
