//! The gates of a cycle that a skipping program does not skip, and the labels that they read.

use halfgate_compiler::skip::{Op, Signal};
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Label, LabelMemory, State};

/// Some of the remaining gates of a cycle.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub ops: &'a [Op],
    /// Number of ANDs among them.
    pub ands: usize,
    /// AND number of the cycle's first AND.
    pub numbers: u64,
    /// Number of the body's first wire.
    pub first_gate: u32,
}

impl Piece<'_> {
    /// Divides the piece in two: up to the first AND that would be one more than `most`, and from
    /// there on.
    pub fn divide(self, most: usize) -> (Self, Self) {
        let (count, ands) = first_ops(self.ops, most);
        let (now, later) = self.ops.split_at(count);
        (Piece { ops: now, ands, ..self }, Piece { ops: later, ands: self.ands - ands, ..self })
    }

    /// Runs the gates. For each AND, calls `and` with the place of its table; `and` garbles or
    /// evaluates it.
    pub fn run(
        &self,
        state: &mut State,
        labels: &mut Labels,
        mut and: impl FnMut(&mut State, &mut LabelMemory, &Ops, usize),
    ) {
        let mut done = 0;
        for op in self.ops {
            let [a, b] = op.operands.map(|operand| labels.of(operand));
            for (operand, last) in op.operands.iter().zip(op.last) {
                if let (Some(wire), true) = (operand.wire(), last) {
                    labels.drop(wire);
                }
            }
            let Some(index) = op.and else {
                labels.put(op.wire, a ^ b);
                continue;
            };
            state.go_to(self.numbers + u64::from(index));
            let [first, second] = op.operands.map(|operand| u16::from(operand.is_inverted()));
            let flags = (first * And::INVERT_A) | (second * And::INVERT_B);
            let ops = Ops {
                segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
                moves: &[],
                xors: &[],
                ands: &[And { a: 0, b: 1, c: 2, flags }],
                positions: &[op.wire - self.first_gate],
            };
            labels.memory.set(0, a);
            labels.memory.set(1, b);
            and(state, &mut labels.memory, &ops, done);
            let result = labels.memory.get(2);
            labels.put(op.wire, result);
            done += 1;
        }
    }
}

/// Returns how many of `ops` come before the first AND that would be one more than `most`, and the
/// number of ANDs among them.
pub(super) fn first_ops(ops: &[Op], most: usize) -> (usize, usize) {
    let mut ands = 0;
    for (at, op) in ops.iter().enumerate() {
        if op.and.is_some() {
            if ands == most {
                return (at, ands);
            }
            ands += 1;
        }
    }
    (ops.len(), ands)
}

/// The labels that exist, by wire.
///
/// Memory: 16 bytes for each label alive at the peak, and 4 for each wire of the body.
pub(super) struct Labels {
    /// Three slots for the kernel, then the labels of wires.
    memory: LabelMemory,
    /// The address of each wire's label; 0 if it has none.
    places: Vec<u32>,
    free: Vec<u32>,
    /// Addresses in use, and free addresses.
    used: u32,
    moving: Vec<u32>,
}

impl Labels {
    /// Creates an empty store for a circuit with this many wires.
    pub fn new(wires: usize) -> Labels {
        Labels {
            memory: LabelMemory::new(0),
            places: vec![0; wires],
            free: Vec::new(),
            used: 3,
            moving: Vec::new(),
        }
    }

    /// Returns the label of a signal's wire. The caller applies the signal's inversion.
    pub fn of(&self, signal: Signal) -> Label {
        let wire = signal.wire().expect("a public value has no label");
        self.memory.get(self.place(wire))
    }

    fn place(&self, wire: u32) -> u32 {
        let place = self.places[wire as usize];
        assert_ne!(place, 0, "wire {wire} has no label");
        place
    }

    /// Stores the label of a wire.
    pub fn put(&mut self, wire: u32, label: Label) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        if place as usize >= self.memory.len() {
            self.grow();
        }
        self.memory.set(place, label);
        self.places[wire as usize] = place;
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = LabelMemory::new(2 * self.memory.len());
        (0..self.memory.len() as u32).for_each(|at| larger.set(at, self.memory.get(at)));
        self.memory = larger;
    }

    /// Removes the label of a wire.
    pub fn drop(&mut self, wire: u32) {
        self.free.push(self.place(wire));
        self.places[wire as usize] = 0;
    }

    /// Moves the labels of flip-flops: in each pair from the first wire to the second.
    pub fn carry(&mut self, carried: &[(u32, u32)]) {
        self.moving.clear();
        for &(from, _) in carried {
            self.moving.push(self.place(from));
            self.places[from as usize] = 0;
        }
        for (&(_, to), &place) in carried.iter().zip(&self.moving) {
            self.places[to as usize] = place;
        }
    }
}
