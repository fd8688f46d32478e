//! The labels of live wires in memory: written once, wiped after the last read.

use halfgate_haac_model::machine::Shape;
use halfgate_kernels::Label;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use zeroize::Zeroize;

/// The labels of live wires by address. Each is held from its write to the end of its last read.
///
/// Memory: about 40 bytes per live wire, for the largest number of wires that were live at once.
pub struct LiveLabels {
    shape: Shape,
    labels: Spilled,
    /// Wires that were read for the last time in program order, with the half of the reader's
    /// output.
    read: VecDeque<(u32, u32)>,
    /// The newest half with an output.
    newest: u32,
}

impl LiveLabels {
    /// Holds no labels yet.
    pub fn new(shape: Shape) -> LiveLabels {
        LiveLabels { shape, labels: Spilled::default(), read: VecDeque::new(), newest: 0 }
    }

    /// Begins a launch: wipes all labels.
    pub fn clear(&mut self) {
        self.labels.clear();
        self.read.clear();
        self.newest = 0;
    }

    /// The label at `address`, if it was written and may still be read.
    #[inline]
    pub fn get(&self, address: u32) -> Option<Label> {
        self.labels.get(address)
    }

    /// Writes the label at `address`.
    pub fn write(&mut self, address: u32, label: Label) {
        self.labels.insert(address, label);
    }

    /// Releases a wire after its last read in program order, by an instruction with output
    /// `reader`. Calls must be in the order of readers. Other engines may still have to read the
    /// wire, so it is wiped only when the half after the reader's ends. By then all reads are done.
    pub fn free(&mut self, address: u32, reader: u32) {
        self.read.push_back((self.shape.half_of(reader), address));
    }

    /// Records the issue of an instruction with output `address`, and wipes wires that are no
    /// longer read.
    #[inline]
    pub fn advance(&mut self, address: u32) {
        let half = self.shape.half_of(address);
        if half > self.newest {
            self.newest = half;
            while let Some((_, address)) = self.read.pop_front_if(|(reader, _)| *reader + 2 <= half)
            {
                self.labels.remove(address);
            }
        }
    }
}

/// Labels of live wires. Each has its own place, in blocks that never move: a moved block would
/// leave a copy. A label is wiped when its wire is removed.
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

/// Hashes addresses by a multiplication; they are not secret and not chosen by an adversary.
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
