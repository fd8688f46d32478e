//! Labels by the names of their wires, which are the addresses in the lowered program.
//!
//! As in the machine, labels are in three places: the window, the inputs (in memory from the
//! start), and the live wires in memory. Here the window has twice the length. An issued
//! instruction of the machine has its operands in latches, and the slots that held them may already
//! be overwritten when their labels are used here. All labels are wiped.

use super::host::LiveLabels;
use halfgate_haac_model::machine::Shape;
use halfgate_kernels::{Label, LabelMemory};

/// Result of looking up a name.
pub(super) enum Found {
    /// The label of the name.
    Label(Label),
    /// The wire is the output of an AND that was issued and is not computed yet.
    Pending,
    /// There is no such wire, or its label is not there yet or no longer there.
    Absent,
}

/// The labels of a launch.
pub(super) struct Store {
    shape: Shape,
    /// The names of the newest wires, indexed by the low bits of their addresses; 0 means no wire.
    names: Vec<u32>,
    window: LabelMemory,
    first_output: u32,
    /// Inputs by address. Multiples of the window belong to no input.
    inputs: LabelMemory,
    memory: LiveLabels,
}

/// Flag in a name: the AND is not computed yet. Addresses have 31 bits.
const PENDING: u32 = 1 << 31;

impl Store {
    /// A store for programs of `shape` whose first instruction has the output `first_output`.
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

    /// Begins a launch: forgets all labels. Inputs must be set again by
    /// [`set_input`](Store::set_input).
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

    /// Whether setting `name` would overwrite a pending label.
    #[inline]
    pub fn covers_pending(&self, name: u32) -> bool {
        self.names[self.place(name)] & PENDING != 0
    }

    /// Sets the label of `name`. It overwrites the label of the name two windows before.
    #[inline]
    pub fn set(&mut self, name: u32, label: Label) {
        let place = self.place(name);
        self.names[place] = name;
        self.window.set(place as u32, label);
    }

    /// Marks the label of `name` as pending.
    #[inline]
    pub fn set_pending(&mut self, name: u32) {
        let place = self.place(name);
        self.names[place] = name | PENDING;
    }

    /// Writes a live wire to memory.
    pub fn write(&mut self, name: u32, label: Label) {
        self.memory.write(name, label);
    }

    /// Releases a live wire after its last read from memory in program order, by an instruction
    /// with output `reader`. Other instructions may still have to read it, so it is wiped only when
    /// the half after the reader's ends. By then all reads are done. Inputs are kept.
    pub fn free(&mut self, name: u32, reader: u32) {
        if name >= self.first_output {
            self.memory.free(name, reader);
        }
    }

    /// Records the issue of an instruction with output `name`, and wipes wires that are no longer
    /// read.
    #[inline]
    pub fn advance(&mut self, name: u32) {
        self.memory.advance(name);
    }

    /// The label of an output after the launch, if it is in memory.
    pub fn output(&self, name: u32) -> Option<Label> {
        if name < self.first_output {
            return (self.shape.slot(name) != 0).then(|| self.inputs.get(name));
        }
        self.memory.get(name)
    }
}
