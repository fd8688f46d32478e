//! Wires to and from memory as Tables 2 and 3 of the paper count them, from the program alone.
//!
//! [`Stats`](halfgate_haac_model::code::Stats) has the counts of wires that our machine moves. The
//! paper counts differently in two points. Its row of ReLU determines both. That program has
//! 2,048 numbers of 32 bits, and its circuit follows from Table 2:
//!
//! - *Inputs that are read out of range are live.* The full reorder has 67,584 live wires (49.23 %
//!   of 133,120 are spent). 65,536 are outputs. The other 2,048 are the inputs that the ANDs past
//!   the first window read. The segment reorder reads 1,986 inputs out of range, so it has
//!   65,536 + 1,986 = 67.5 k live wires.
//! - *An inversion reads its operand twice, and no constant.* With the segment reorder 1,986 ANDs
//!   and 61 inversions read inputs out of range. These are 2,047 reads, but the table has 2.11 k.
//!   So the 61 inversions have a second operand. It is not a constant in memory, because then
//!   BubbSt, which inverts 130,560 times, would have more than its 37.2 k reads.
//!
//! *Segments are halves of the window*, "as this is how the SWW is logically partitioned". The
//! order of gates within a half does not change the half in which a wire is made or read, so the
//! counts equal those of the baseline. Two programs show that the paper's segments begin at halves:
//! DotProd has 91.5 k reads, and Hamm 1.22 k. If segments began at the first gate, they would have
//! 88.6 k and 0.

use halfgate_circuit::{Circuit, Gate, GateKind, Init, Wire};
use halfgate_haac_model::machine::Shape;

/// Counts over a program in some order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Inputs and gates.
    pub wires: u64,
    /// Live wires: outputs of gates that are outputs of the circuit or are read out of range, and
    /// inputs that are read out of range.
    pub live: u64,
    /// Operands read out of range.
    pub oor_reads: u64,
}

impl Traffic {
    /// Counts over `circuit`, whose gates are taken in their order, with a window of `shape`.
    ///
    /// Memory: five bytes per wire.
    pub fn of(circuit: &Circuit, shape: Shape) -> Traffic {
        let mut next = 1;
        let addresses = (0..circuit.first_gate_wire() + circuit.gates.len()).map(|wire| {
            if is_constant(circuit, Wire::new(wire as u32)) {
                return CONSTANT;
            }
            let address = next;
            next = shape.next_address(next);
            address
        });
        let addresses: Vec<u32> = addresses.collect();
        Traffic::at(circuit, shape, &addresses)
    }

    /// Counts for wires with the given `addresses`.
    fn at(circuit: &Circuit, shape: Shape, addresses: &[u32]) -> Traffic {
        let first = circuit.first_gate_wire();
        let mut oor_reads = 0;
        let mut is_live = vec![false; addresses.len()];
        for (gate, &output) in circuit.gates.iter().zip(&addresses[first..]) {
            for operand in operands(gate, addresses) {
                if !shape.in_window(addresses[operand.index()], output) {
                    oor_reads += 1;
                    is_live[operand.index()] = true;
                }
            }
        }
        let outputs = circuit.outputs.iter().flat_map(|output| &output.bits);
        let nexts = circuit.flip_flops.iter().map(|flip_flop| flip_flop.next);
        for wire in outputs.chain(nexts).filter_map(|bit| bit.wire()) {
            is_live[wire.index()] |= wire.index() >= first;
        }
        let wires = addresses.iter().filter(|&&address| address != CONSTANT).count() as u64;
        let live = is_live.iter().filter(|&&live| live).count() as u64;
        Traffic { wires, live, oor_reads }
    }

    /// Percentage of wires that are not live.
    pub fn spent_percent(&self) -> f64 {
        100.0 - 100.0 * self.live as f64 / self.wires.max(1) as f64
    }
}

/// Stands for the address of a constant wire.
const CONSTANT: u32 = u32::MAX;

/// Whether `wire` is a flip-flop that never changes, as constants in circuits are.
fn is_constant(circuit: &Circuit, wire: Wire) -> bool {
    let flip_flops = circuit.first_gate_wire() - circuit.flip_flops.len();
    let found = wire.index().checked_sub(flip_flops).and_then(|at| circuit.flip_flops.get(at));
    found.is_some_and(|found| {
        matches!(found.init, Init::Constant(_)) && found.next.wire() == Some(wire)
    })
}

/// The wires that `gate` reads. An XOR with a constant is an inversion, and reads the other operand
/// twice.
fn operands(gate: Gate, addresses: &[u32]) -> [Wire; 2] {
    let [a, b] = match gate.kind() {
        GateKind::Copy { a, .. } => [a; 2],
        _ => {
            let mut both = gate.operands();
            let a = both.next().expect("a gate has an operand");
            [a, both.next().unwrap_or(a)]
        }
    };
    match [a, b].map(|wire| addresses[wire.index()] == CONSTANT) {
        [false, true] => [a; 2],
        [true, false] => [b; 2],
        _ => [a, b],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::lab::{self, Source};
    use crate::reproduce::vip::WINDOW;
    use halfgate_circuit::Party;
    use halfgate_compiler::Order;

    fn traffic(spec: &str, as_published: bool, order: Order, window: u32) -> Traffic {
        let program = lab::program(Source { spec, as_published }, order).expect("it compiles");
        Traffic::of(&program.circuit, Shape { engines: 1, window })
    }

    #[test]
    fn relus_row_is_the_papers_to_each_digit() {
        let of = |order| traffic("relu:2048x32", true, order, WINDOW);
        let (segment, full) = (of(Order::HaacBaseline), of(Order::HaacFull));
        let wires = 133_120;
        assert_eq!(segment, Traffic { wires, live: 67_522, oor_reads: 2_108 });
        assert_eq!(full, Traffic { wires, live: 67_584, oor_reads: 2_048 });
        assert_eq!(format!("{:.2}", full.spent_percent()), "49.23");
    }

    #[test]
    fn hamms_segments_are_halves_of_the_window() {
        let of = |order| traffic("hamming:40960", true, order, WINDOW);
        let halves = of(Order::HaacBaseline);
        assert_eq!((halves.live, halves.oor_reads), (747, 1217));
        assert_eq!(of(Order::HaacSegment { gates: WINDOW / 2 }).oor_reads, 0);
    }

    #[test]
    fn reads_are_the_machines_where_nothing_inverts() {
        for order in [Order::HaacBaseline, Order::HaacFull] {
            let source = Source::ours("matmult:3x8");
            let program = lab::program(source, order).expect("it compiles");
            let mut machine = lab::machine(1, 1 << 10, "ddr4").expect("a machine");
            machine.shape.window = 128;
            let code = lab::paper_code(&program, &machine, Party::Evaluator).expect("code");
            let found = Traffic::of(&program.circuit, machine.shape);
            assert!(code.stats.oor_input_reads > 0);
            assert_eq!(found.oor_reads, code.stats.oor_reads);
            let inputs = found.live - code.stats.live;
            assert!((1..=code.stats.oor_input_reads).contains(&inputs), "{inputs}");
        }
    }

    /// Reverses the gates of each half, as one example of sorting within a half.
    #[test]
    fn order_within_a_half_changes_nothing() {
        let source = Source { spec: "triangle:3x8", as_published: true };
        let circuit = lab::program(source, Order::HaacBaseline).expect("it compiles").circuit;
        let shape = Shape { engines: 1, window: 128 };
        let straight = Traffic::of(&circuit, shape);
        let constants = |wire: usize| is_constant(&circuit, Wire::new(wire as u32));
        let first = circuit.first_gate_wire();
        let mut next = 1;
        let mut addresses = Vec::new();
        for wire in 0..first + circuit.gates.len() {
            addresses.push(if constants(wire) { CONSTANT } else { next });
            next = if constants(wire) { next } else { shape.next_address(next) };
        }
        let gates = &mut addresses[first..];
        gates
            .chunk_by_mut(|&a, &b| shape.half_of(a) == shape.half_of(b))
            .for_each(<[u32]>::reverse);
        assert!(straight.oor_reads > 0);
        assert_eq!(Traffic::at(&circuit, shape, &addresses), straight);
        // If the halves are not those of the window, the reads change.
        addresses[first..].rotate_left(32);
        assert_ne!(Traffic::at(&circuit, shape, &addresses), straight);
    }
}
