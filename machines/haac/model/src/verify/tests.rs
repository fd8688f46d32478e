//! Corrupts code in every way, at every place, and expects an error from the verifier.

use super::*;
use crate::lower::{self, Assignment, Copies, InputLayout, Inversions, Lowering};
use halfgate_circuit::random::{self, Shape as CircuitShape};
use halfgate_compiler::spool::Spool;
use halfgate_compiler::{Order, compile};

/// Code as lists that a test can change.
#[derive(Clone)]
struct Lists {
    places: Vec<Instruction>,
    oor: Vec<Vec<u32>>,
}

impl Lists {
    fn of(code: &Code) -> Lists {
        let mut rows = code.rows.reader();
        let instruction = |bits| Instruction::from_bits(u64::from_le_bytes(bits));
        let places = std::iter::from_fn(|| rows.next().unwrap().map(instruction)).collect();
        let queue = |queue: &Spool<4>| {
            let mut words = queue.reader();
            std::iter::from_fn(|| words.next().unwrap().map(u32::from_le_bytes)).collect()
        };
        Lists { places, oor: code.oor.iter().map(queue).collect() }
    }

    fn write(&self, code: &mut Code) {
        code.rows = Spool::new();
        for instruction in &self.places {
            code.rows.push(instruction.to_bits().to_le_bytes()).unwrap();
        }
        let queue = |words: &Vec<u32>| {
            let mut queue = Spool::new();
            words.iter().for_each(|word| queue.push(word.to_le_bytes()).unwrap());
            queue
        };
        code.oor = self.oor.iter().map(queue).collect();
    }
}

fn program(seed: u64) -> Program {
    let shape = CircuitShape {
        input_bits: 45,
        flip_flops: 3,
        gates: 260,
        and_percent: 40,
        output_bits: 12,
    };
    compile(random::circuit(seed, &shape), Order::default()).unwrap()
}

fn codes(program: &Program) -> Vec<Code> {
    let simulated = Assignment::Simulated(lower::tests::LATENCIES);
    let ways = [
        (1, 16, InputLayout::Ports, Copies::Never, Assignment::RoundRobin),
        (3, 32, InputLayout::Ports, Copies::Auto, simulated),
        (16, 32, InputLayout::FirstUse, Copies::Auto, Assignment::RoundRobin),
    ];
    let lower = |(engines, window, inputs, copies, assignment)| {
        let how = Lowering { inputs, copies, inversions: Inversions::Insert, assignment };
        lower::lower(program, Shape { engines, window }, how).unwrap()
    };
    ways.into_iter().map(lower).collect()
}

/// The verifier's error for `code` with other lists.
fn broken(code: &mut Code, lists: &Lists, program: &Program, what: &str) -> String {
    lists.write(code);
    match verify(code, program) {
        Ok(()) => panic!("{what}: not seen"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn lowered_code_is_valid() {
    for seed in 0..30 {
        let program = program(seed);
        for code in codes(&program) {
            verify(&code, &program).unwrap();
            assert!(code.stats.oor_reads > 0 && code.stats.invs > 0);
        }
    }
}

/// All instructions that differ from this instruction in one field.
fn changed(instruction: Instruction, window: u32) -> Vec<(&'static str, Instruction)> {
    let (op, a, b, live) =
        (instruction.op(), instruction.a(), instruction.b(), instruction.is_live());
    let mut all = vec![("live", Instruction::new(op, a, b, !live))];
    for other in [Op::Nop, Op::Xor, Op::And, Op::Unary] {
        all.push(("operation", Instruction::new(other, a, b, live)));
    }
    for slot in (0..window + 2).filter(|slot| slot % 5 < 2) {
        all.push(("first operand", Instruction::new(op, slot, b, live)));
        all.push(("second operand", Instruction::new(op, a, slot, live)));
    }
    all.push(("swap", Instruction::new(op, b, a, live)));
    for bit in 3..8 {
        all.push(("unused bit", Instruction::from_bits(instruction.to_bits() | 1 << bit)));
    }
    all.retain(|(_, new)| *new != instruction);
    all
}

#[test]
fn every_changed_instruction_is_found() {
    let program = program(1);
    for mut code in codes(&program) {
        let lists = Lists::of(&code);
        for place in (0..lists.places.len()).step_by(7) {
            for (what, new) in changed(lists.places[place], code.shape.window) {
                let mut lists = lists.clone();
                lists.places[place] = new;
                let what = format!("{what} of place {place}, {new:?}");
                broken(&mut code, &lists, &program, &what);
            }
        }
    }
}

#[test]
fn every_instruction_too_many_few_or_early_is_found() {
    let program = program(2);
    for mut code in codes(&program) {
        let lists = Lists::of(&code);
        let engines = code.shape.engines as usize;
        for place in (0..lists.places.len()).step_by(3) {
            let mut less = lists.clone();
            if !less.places.remove(place).is_nop() {
                less.places.push(Instruction::NOP);
                broken(&mut code, &less, &program, &format!("place {place} missing"));
            }
            let mut more = lists.clone();
            more.places.insert(place, lists.places[place]);
            more.places.extend(vec![Instruction::NOP; engines - 1]);
            broken(&mut code, &more, &program, &format!("place {place} twice"));
            if let Some(&[first, second]) = lists.places.get(place..place + 2)
                && !(first.is_nop() || second.is_nop() || first == second)
            {
                let mut swapped = lists.clone();
                swapped.places.swap(place, place + 1);
                broken(&mut code, &swapped, &program, &format!("place {place} and next swapped"));
            }
        }
        let mut row = lists.clone();
        row.places.extend(vec![Instruction::NOP; engines]);
        broken(&mut code, &row, &program, "a row too many");
        if engines > 1 {
            row.places.pop();
            assert!(broken(&mut code, &row, &program, "half a row").contains("do not fill rows"));
        }
    }
}

#[test]
fn every_changed_queue_is_found() {
    let program = program(3);
    for mut code in codes(&program) {
        let lists = Lists::of(&code);
        for engine in 0..lists.oor.len() {
            for index in 0..lists.oor[engine].len() {
                let word = lists.oor[engine][index];
                for change in [OOR_LAST, 1, 2, 8, 64, 1 << 30] {
                    let mut lists = lists.clone();
                    lists.oor[engine][index] = word ^ change;
                    broken(&mut code, &lists, &program, &format!("{word} changed by {change}"));
                }
                let mut less = lists.clone();
                less.oor[engine].remove(index);
                broken(&mut code, &less, &program, &format!("{word} missing"));
                let mut more = lists.clone();
                more.oor[engine].insert(index, word & !OOR_LAST);
                broken(&mut code, &more, &program, &format!("{word} twice"));
                if let Some(&next) = lists.oor[engine].get(index + 1)
                    && next != word
                {
                    let mut swapped = lists.clone();
                    swapped.oor[engine].swap(index, index + 1);
                    broken(&mut code, &swapped, &program, &format!("{word} and {next} swapped"));
                }
            }
        }
        let mut fewer = lists.clone();
        fewer.oor.pop();
        assert!(broken(&mut code, &fewer, &program, "a queue less").contains("queues for"));
    }
}

/// Changes `code`, expects an error that contains `part`, and restores the code.
fn whole<T: Clone>(
    code: &mut Code,
    program: &Program,
    part: &str,
    field: impl Fn(&mut Code) -> &mut T,
    change: impl FnOnce(&mut T),
) {
    let old = field(code).clone();
    change(field(code));
    let error = verify(code, program).expect_err(part).to_string();
    assert!(error.contains(part), "{error:?} lacks {part:?}");
    *field(code) = old;
    verify(code, program).unwrap();
}

#[test]
fn every_change_of_the_whole_is_found() {
    let (program, other) = (program(4), self::program(5));
    for mut code in codes(&program) {
        assert!(verify(&code, &other).unwrap_err().to_string().contains("another program"));
        let code = &mut code;
        whole(code, &program, "queues for", |c| &mut c.shape.engines, |e| *e = 4);
        whole(code, &program, "impossible", |c| &mut c.shape.engines, |e| *e = 0);
        whole(code, &program, "impossible", |c| &mut c.shape.window, |w| *w = 24);
        whole(code, &program, "", |c| &mut c.shape.window, |w| *w *= 2);
        whole(code, &program, "input 1 is", |c| &mut c.inputs, |inputs| inputs[1] = inputs[0]);
        let foreign = Wire::new(program.circuit.first_gate_wire() as u32);
        whole(code, &program, "input 0 is", |c| &mut c.inputs, |inputs| inputs[0] = foreign);
        whole(code, &program, "", |c| &mut c.inputs, |inputs| inputs.swap(0, 5));
        whole(code, &program, "first output", |c| &mut c.inputs, |inputs| inputs.truncate(9));
        whole(code, &program, "first output", |c| &mut c.first_output, |a| *a += 1);
        whole(code, &program, "in memory only", |c| &mut c.inputs_in_memory_only, |n| *n += 1);
        for index in 0..code.outputs.len() {
            let flip = |outputs: &mut Vec<Source>| match &mut outputs[index] {
                Source::Constant(value) => *value = !*value,
                Source::Wire { invert, .. } => *invert = !*invert,
            };
            let part = format!("output {index} is");
            whole(code, &program, &part, |c| &mut c.outputs, flip);
            let elsewhere = |outputs: &mut Vec<Source>| {
                if let Source::Wire { address, .. } = &mut outputs[index] {
                    *address += 1;
                } else {
                    outputs[index] = Source::Wire { address: 1, invert: false };
                }
            };
            whole(code, &program, "", |c| &mut c.outputs, elsewhere);
        }
        let turn = |nexts: &mut Vec<Source>| nexts[1] = Source::Constant(true);
        if code.nexts[1] != Source::Constant(true) {
            whole(code, &program, "", |c| &mut c.nexts, turn);
        }
        whole(code, &program, "sources for", |c| &mut c.nexts, |nexts| nexts.truncate(2));
        whole(code, &program, "statistics", |c| &mut c.stats.live, |live| *live += 1);
        whole(code, &program, "statistics", |c| &mut c.stats.rows, |rows| *rows -= 1);
    }
}

/// An error identifies the instruction.
#[test]
fn errors_name_instruction_row_and_engine() {
    let program = program(6);
    let mut code = codes(&program).remove(1);
    let mut lists = Lists::of(&code);
    let place = lists.places.iter().rposition(|i| i.op() == Op::And).unwrap();
    let number = lists.places[..place].iter().filter(|i| !i.is_nop()).count();
    lists.places[place] = lists.places[place].with_live(!lists.places[place].is_live());
    let (a, b) = (lists.places[place].a(), lists.places[place].b());
    lists.places[place] = Instruction::new(Op::Xor, a, b, false);
    let error = broken(&mut code, &lists, &program, "an XOR for an AND");
    let expected = format!("instruction {number} (row {}, engine {},", place / 3, place % 3);
    assert!(error.starts_with(&expected), "{error:?}, not {expected:?}");
    assert!(error.contains("it is Xor, where gate"), "{error:?}");
}
