//! The state of a run: frames of labels, what a call passes, the inputs fetched so far, and the
//! tasks of other threads.
//!
//! A run of a body has a frame of labels. The frames of nested calls follow each other in label
//! memory. Before a wide frame lie copies of some arguments: those that the lanes of a block share,
//! that are inverted, or whose labels do not lie side by side. All others are used in place, and so
//! are results. Arguments and results of a frame of one lane are copied.

use super::code::{BodyCode, CallCode, Home, SlotBit};
use super::lower::Code;
use crate::cpu::threads::Threads;
use crate::io::RunKey;
use halfgate_circuit::Wire;
use halfgate_kernels::ops::WINDOW;
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use rayon::ThreadPool;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender};
use zeroize::Zeroizing;

/// Frames begin at multiples of this many labels, so that vectors do not cross cache lines.
const ALIGN: u64 = 4;

/// A run of a structured program.
pub(super) struct Machine<'a, R> {
    pub code: &'a Code,
    pub role: R,
    pub state: State,
    pub memory: LabelMemory,
    pub fetch: Fetch,
    /// Labels on their way between two frames, or to and from the caller.
    pub buffer: Zeroizing<Vec<Label>>,
    /// Operations since progress was last reported.
    pub unreported: usize,
    /// Threads that run blocks of large maps. `None` if there is one thread.
    pub team: Option<Team<'a>>,
    /// Calls that were run in tasks.
    pub calls: u64,
}

/// The labels of a run of a body.
pub(super) struct Frame<'p> {
    /// Address of slot 0.
    pub base: u32,
    pub lanes: u32,
    /// In a wide frame: the addresses of all slots that operations name directly. The first ones
    /// are those of the ports.
    pub places: &'p [u32],
    /// The first address after the frame.
    pub end: u32,
}

impl Frame<'_> {
    /// The address of a slot.
    pub fn place(&self, slot: u32) -> u32 {
        match self.places.get(slot as usize) {
            Some(&place) => place,
            None => self.own(slot),
        }
    }

    /// The address of a slot that is not a port of a function.
    pub fn own(&self, slot: u32) -> u32 {
        self.base + slot * self.lanes
    }
}

/// Space for copies of a call's inputs.
#[derive(Clone, Copy)]
pub(super) struct Copies {
    pub first: u32,
    /// Labels for each input.
    pub stride: u32,
}

impl Copies {
    /// Address of the copy of an input.
    pub fn of(self, input: u32) -> u32 {
        self.first + input * self.stride
    }
}

/// Where the labels of a call's ports lie.
pub(super) struct Passed {
    /// With a label for each lane of a full block, those of the caller included.
    pub copies: Copies,
    /// Address of the space for copies of the outputs.
    pub outputs: u32,
    /// Addresses of two spaces for the state, which steps use in turn.
    pub state: [u32; 2],
    /// The addresses of the callee's slots, ports first, if it is wide.
    pub places: Vec<u32>,
    /// Address of the callee's frame.
    pub base: u32,
}

impl Passed {
    pub fn new(callee: &BodyCode, call: &CallCode, frame: &Frame<'_>) -> Passed {
        let stride = call.block as u32 * frame.lanes;
        let copies = Copies { first: aligned(u64::from(frame.end)) as u32, stride };
        let outputs = copies.of(callee.inputs);
        let first = outputs + callee.outputs * stride;
        let second = first + call.form.state() * stride;
        let base = aligned(u64::from(second + call.form.state() * stride)) as u32;
        Passed { copies, outputs, state: [first, second], places: Vec::new(), base }
    }

    /// Sets the places of a wide callee's slots. Those of its ports are set for each block.
    pub fn place_slots(&mut self, callee: &BodyCode, lanes: u32) {
        place_slots(&mut self.places, callee, self.base, lanes);
    }
}

/// Sets the places of the slots of a wide callee's frame at `base`.
pub(super) fn place_slots(places: &mut Vec<u32>, callee: &BodyCode, base: u32, lanes: u32) {
    let named = callee.slots.min((WINDOW as u32).max(callee.inputs + callee.outputs));
    places.clear();
    places.extend((0..named).map(|slot| base + slot * lanes));
}

/// The threads of a run.
#[expect(clippy::vec_box, reason = "tasks stay where they are made")]
pub(super) struct Team<'a> {
    pub pool: &'a ThreadPool,
    pub threads: Threads,
    /// Tasks that are not in use.
    pub idle: Vec<Box<Task<'a>>>,
    /// Tasks that have run, not taken back yet.
    pub ended: Vec<Box<Task<'a>>>,
    pub end: Sender<Ended<'a>>,
    pub ends: Receiver<Ended<'a>>,
}

/// A task that has run; `None` if it panicked.
pub(super) type Ended<'a> = Option<Box<Task<'a>>>;

/// Blocks of a map.
pub(super) struct Task<'a> {
    pub machine: Machine<'a, Worker<'a>>,
    pub call: Option<&'a CallCode>,
    pub callee: &'a BodyCode,
    pub layout: Layout,
    /// Number of the call, among those that ran in tasks, from 1.
    pub number: u64,
    /// Whether the memory has the shared inputs of the call.
    pub has_shared: bool,
    /// The runs of the function.
    pub runs: Range<u64>,
    /// The first AND, and the position of the first gate, in the program's flattening.
    pub first: (u64, u64),
}

/// What all tasks of a call have in common: sizes of blocks, and the places of labels.
#[derive(Clone, Copy, Default)]
pub(super) struct Layout {
    /// Lanes of a full block.
    pub block: u64,
    /// Inputs and outputs of the function.
    pub ports: [u32; 2],
    pub shared: u32,
    pub inputs: u32,
    pub outputs: u32,
    pub base: u32,
    pub labels: u32,
}

/// What all tasks of a run have in common. Without `delta` they evaluate.
#[derive(Clone, Copy)]
pub(super) struct With<'a> {
    pub kernel: &'static Kernel,
    pub key: RunKey,
    pub delta: Option<&'a Delta>,
}

/// Makes and uses tables of a task.
pub(super) struct Worker<'a> {
    pub kernel: &'static Kernel,
    pub delta: Option<&'a Delta>,
    pub tables: Vec<u8>,
    /// Bytes made or used.
    pub done: usize,
}

/// Which of the outermost body's input bits with slots were fetched.
pub(super) struct Fetch {
    pub fetched: Vec<bool>,
    /// For each input port, how many bits with slots were not fetched.
    left: Vec<usize>,
    /// Bits to fetch next, with the addresses of their labels, and whether these are copies for a
    /// call.
    pub wires: Vec<Wire>,
    pub addresses: Vec<(u32, bool)>,
}

impl Fetch {
    /// Begins a run of a program whose input ports have these places.
    pub fn new(bits: usize, ports: &[Option<Home>]) -> Fetch {
        let left: Vec<usize> =
            ports.iter().map(|home| home.as_ref().map_or(0, |home| home.count as usize)).collect();
        let has_slots = left.iter().any(|&left| left > 0);
        Fetch {
            fetched: if has_slots { vec![false; bits] } else { Vec::new() },
            left,
            wires: Vec::new(),
            addresses: Vec::new(),
        }
    }

    pub fn push(&mut self, wire: u32, address: u32, is_copy: bool) {
        self.wires.push(Wire::new(wire));
        self.addresses.push((address, is_copy));
    }

    /// Whether all bits of a port that has slots were fetched.
    pub fn has_all(&self, port: usize) -> bool {
        self.left[port] == 0
    }

    /// Whether all bits with slots were fetched.
    pub fn has_everything(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }

    /// Records that an input bit with a slot is fetched. Returns the slot, unless it was fetched
    /// before.
    pub fn take(&mut self, wire: u32, ports: &[Option<Home>]) -> Option<SlotBit> {
        let fetched = self.fetched.get_mut(wire as usize)?;
        if std::mem::replace(fetched, true) {
            return None;
        }
        let found = ports.iter().enumerate().find_map(|(port, home)| {
            let home = home.as_ref()?;
            (home.first..home.first + home.count).contains(&wire).then_some((port, home))
        });
        let (port, home) = found.expect("a bit with a slot");
        self.left[port] -= 1;
        Some(home.slot(wire))
    }
}

/// The next address at which a frame may begin.
pub(super) fn aligned(address: u64) -> u64 {
    address.next_multiple_of(ALIGN)
}
