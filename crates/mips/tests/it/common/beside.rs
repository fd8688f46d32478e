//! Runs the circuit and the processor in the clear side by side.

use halfgate_circuit::{Bits, Circuit, clear};
use halfgate_mips::core::Core;
use halfgate_mips::isa::Op;
use halfgate_mips::processor::{Processor, Size, Status};
use halfgate_mips::word::Word;

/// Pseudorandom numbers (xorshift), which are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    /// A random instruction: usually with one of few registers and a small constant, sometimes any
    /// word.
    fn word(&mut self, size: Size) -> Word {
        if self.below(12) == 0 {
            return Word(self.next());
        }
        // Loads of arbitrary numbers, so that other instructions operate on them.
        if self.below(6) == 0 {
            let (rt, word) = (1 + self.below(5), self.below(size.data));
            return Word::new(Op::Lw, 0, rt, 0, 0x1000 + 4 * word);
        }
        if self.below(10) == 0 {
            let op = [Op::Mult, Op::Multu, Op::Div, Op::Divu][self.below(4) as usize];
            return Word::new(op, 1 + self.below(5), 1 + self.below(5), 0, 0);
        }
        let rows = &halfgate_mips::isa::ROWS;
        let op = rows[self.below(rows.len() as u32) as usize].op;
        if matches!(op, Op::Syscall | Op::Break) && self.below(8) > 0 {
            return Word::NOP;
        }
        let register =
            |numbers: &mut Numbers| [0, 1, 2, 3, 4, 5, 29, 31][numbers.below(8) as usize];
        let (rs, rt, rd) = (register(self), register(self), register(self));
        let low = match self.below(3) {
            0 => self.next(),
            1 => self.below(size.instructions),
            _ => 0x1000 + self.below(4 * size.data),
        };
        Word::new(op, rs, rt, rd, low)
    }
}

fn words(values: impl IntoIterator<Item = u32>) -> Bits {
    values.into_iter().flat_map(|value| (0..32).map(move |bit| value >> bit & 1 == 1)).collect()
}

/// The state after a step, in the form of the circuit's outputs.
fn outputs(processor: &Processor, status: Status) -> [Bits; 8] {
    let counter = |value: u32| -> Bits {
        (0..processor.instructions.len().ilog2()).map(|bit| value >> bit & 1 == 1).collect()
    };
    let one = |value: bool| -> Bits { [value].into_iter().collect() };
    [
        words(processor.data.iter().copied()),
        words(processor.registers),
        words([processor.hi]),
        words([processor.lo]),
        counter(processor.pc),
        counter(processor.npc),
        one(status == Status::Halted),
        one(status == Status::Trapped),
    ]
}

/// Runs random programs on `circuit`, which is supposed to be the processor of `core`, and on the
/// processor in the clear. Returns the first difference, if any.
pub fn difference(core: &Core, circuit: &Circuit, programs: u32, steps: usize) -> Option<String> {
    let Core { size, set, .. } = *core;
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ set.mask);
    for program in 0..programs {
        let instructions: Vec<Word> = (0..size.instructions).map(|_| numbers.word(size)).collect();
        let data: Vec<u32> = (0..size.data).map(|_| numbers.next()).collect();
        let inputs = [words(instructions.iter().map(|word| word.0)), words(data.iter().copied())];
        let found = clear::evaluate(circuit, &inputs, steps as u64).unwrap();
        let mut processor = Processor::new(set, instructions, data);
        for step in 0..steps {
            let (status, executed) = (processor.status(), processor.next());
            processor.step();
            let expected = outputs(&processor, status);
            for ((output, found), expected) in circuit.outputs.iter().zip(&found).zip(&expected) {
                let width = output.bits.len();
                let found: Bits = (0..width).map(|bit| found.get(step * width + bit)).collect();
                if found != *expected {
                    let (set, output) = (set.name, &output.name);
                    let word = executed.0;
                    return Some(format!(
                        "{set} set, program {program}, step {step}, {word}: {output} differs"
                    ));
                }
            }
        }
    }
    None
}
