//! What a program takes at least on a machine, whatever its schedule: the yardstick for schedules.
//!
//! Three things bound it. *Engines*: each starts one gate a cycle, and COPY, INV and no-ops are no
//! work of the program. The *longest path*: a gate starts when its operands are there, which takes
//! the latency of the gate before, forwarding included. *Memory*: tables, instructions, inputs and
//! outputs move once; labels that leave the window and come back are not counted, as a better
//! schedule may spare them.

use crate::haac::code::{Code, OOR_LAST};
use crate::haac::instruction::{Instruction, Op};
use crate::haac::machine::{Machine, Role};
use std::collections::HashMap;
use std::io;

/// Bytes of a burst.
const BURST: u64 = 64;
/// Bytes of a table.
const TABLE: u64 = 32;
/// Bytes of a label.
const LABEL: u64 = 16;

/// The least cycles that a program can take on a machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Gates over engines.
    pub engines: u64,
    /// The longest path, in cycles.
    pub path: u64,
    /// Bytes that must move, over the bandwidth.
    pub memory: u64,
    /// Those bytes.
    pub bytes: u64,
}

impl Bounds {
    /// The bounds of `code`, whose instructions take `instruction_bytes` in their encoding, on
    /// `machine` in `role`. Where the program is preloaded as Table 5 counts, memory is no bound.
    ///
    /// Memory: four bytes for each label of the window, and about 30 for each wire that is read
    /// again after it left the window.
    ///
    /// # Errors
    /// If the code's temporary files cannot be read back.
    pub fn of(
        code: &Code,
        machine: &Machine,
        role: Role,
        instruction_bytes: u64,
    ) -> io::Result<Bounds> {
        let stats = code.stats;
        let instructions = stats.instructions().max(1);
        // The program's own share: without COPY, INV and no-ops it would have fewer bytes.
        let share =
            instruction_bytes as f64 * stats.gates as f64 / (instructions + stats.nops) as f64;
        let read_inputs = code.inputs.len() as u64;
        let bytes = (stats.ands * TABLE).next_multiple_of(BURST)
            + share as u64
            + read_inputs * LABEL
            + stats.live_outputs * u64::from(machine.memory.wire_bytes);
        let (a_cycle, cycles) = machine.memory.bytes_per_cycle;
        Ok(Bounds {
            engines: stats.gates.div_ceil(code.shape.engines.into()),
            path: longest_path(code, machine, role)?,
            memory: (bytes as f64 * f64::from(cycles) / f64::from(a_cycle)).ceil() as u64,
            bytes,
        })
    }

    /// The greatest of them.
    pub fn cycles(&self) -> u64 {
        self.engines.max(self.path).max(self.memory)
    }

    /// The greatest without memory.
    pub fn compute(&self) -> u64 {
        self.engines.max(self.path)
    }

    /// Which one is the greatest, for people.
    pub fn by(&self) -> &'static str {
        match self.cycles() {
            most if most == self.memory => "memory",
            most if most == self.path => "longest path",
            _ => "engines",
        }
    }
}

/// Cycles of the longest path through the gates of `code`; moving a label costs nothing.
fn longest_path(code: &Code, machine: &Machine, role: Role) -> io::Result<u64> {
    let shape = code.shape;
    let (xor, and) = (machine.latency.xor, machine.latency.and(role));
    let mut window = vec![0u64; shape.window as usize];
    let mut away: HashMap<u32, u64> = HashMap::new();
    let mut oor: Vec<_> = code.oor.iter().map(|words| words.reader()).collect();
    let (mut rows, mut engine, mut output) = (code.rows.reader(), 0, code.first_output);
    let mut longest = 0;
    while let Some(bits) = rows.next()? {
        let instruction = Instruction::from_bits(u64::from_le_bytes(bits));
        let words = &mut oor[engine];
        engine = (engine + 1) % shape.engines as usize;
        if instruction.is_nop() {
            continue;
        }
        let mut ready = |slot: u32| -> io::Result<u64> {
            if slot != 0 {
                return Ok(window[slot as usize]);
            }
            let word = words.next()?.map_or(0, u32::from_le_bytes);
            // An input is not there, and ready from the start.
            let address = word & !OOR_LAST;
            let at = match word & OOR_LAST {
                0 => away.get(&address).copied(),
                _ => away.remove(&address),
            };
            Ok(at.unwrap_or(0))
        };
        let mut at = ready(instruction.a())?;
        let cycles = match instruction.op() {
            Op::Unary | Op::Nop => 0,
            op => {
                at = at.max(ready(instruction.b())?);
                if op == Op::And { and } else { xor }
            }
        };
        let done = at + u64::from(cycles);
        longest = longest.max(done);
        window[shape.slot(output) as usize] = done;
        if instruction.is_live() {
            away.insert(output, done);
        }
        output = shape.next_address(output);
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::haac::description::{Description, Overrides};
    use crate::haac::lower::{Lowering, lower};
    use halfgate_circuit::{Builder, Party};
    use halfgate_compiler::{Order, compile};

    /// Alternating ANDs and XORs, each of which needs the one before, and beside them `beside`
    /// ANDs that need nothing.
    fn code(length: usize, beside: usize, machine: &Machine) -> Code {
        let mut builder = Builder::new();
        let a = builder.input("a", Party::Garbler, 2);
        let b = builder.input("b", Party::Evaluator, (length + beside) as u32);
        let mut bit = a[0];
        let mut outputs = Vec::new();
        for (k, &b) in b.iter().enumerate() {
            if k < length {
                let and = builder.and(bit, b);
                bit = builder.xor(and, a[1]);
            } else {
                outputs.push(builder.and(a[0], b));
            }
        }
        outputs.push(bit);
        builder.output("out", &outputs);
        let circuit = builder.finish().expect("it fits");
        let program = compile(circuit, Order::HaacBaseline).expect("it compiles");
        lower(&program, machine.shape, Lowering::BEST).expect("it lowers")
    }

    #[test]
    fn each_bound_is_the_greatest_for_a_program_of_its_own() {
        let description = Description::built_in("haac-4ge").expect("built in");
        // So small a window that labels leave it: paths go through memory too.
        let overrides = Overrides { window: Some(16), ..Overrides::default() };
        let machine = description.machine(&overrides).expect("a machine");
        let chain = code(50, 0, &machine);
        let bounds = Bounds::of(&chain, &machine, Role::Garbler, 0).expect("in memory");
        assert_eq!((bounds.path, bounds.by()), (50 * 22, "longest path"));
        let evaluator = Bounds::of(&chain, &machine, Role::Evaluator, 0).expect("in memory");
        assert_eq!(evaluator.path, 50 * 19);
        assert_eq!(bounds.engines, 100u64.div_ceil(4));

        let wide = code(0, 4000, &machine);
        let bounds = Bounds::of(&wide, &machine, Role::Garbler, 0).expect("in memory");
        assert_eq!((bounds.engines, bounds.path), (1000, 21));
        // 4,000 tables of 32 bytes, 4,001 inputs of 16, and 4,000 outputs of 16.
        assert_eq!((bounds.bytes, bounds.by()), (4000 * 48 + 4001 * 16, "memory"));
        assert_eq!(bounds.memory, (bounds.bytes * 10).div_ceil(352));
        let mut fast = machine.clone();
        fast.memory.bytes_per_cycle = (512, 1);
        let bounds = Bounds::of(&wide, &fast, Role::Garbler, 0).expect("in memory");
        assert_eq!(bounds.by(), "engines");
    }
}
