//! Random code for machines, made without the lowering. The intended operands of each instruction
//! are kept beside the code.
#![allow(dead_code)] // Each test uses a part.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use halfgate_circuit::Wire;
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;
use halfgate_haac_model::code::{OOR_LAST, Source, Stats};
use halfgate_haac_model::description::{Description, Overrides};
use halfgate_haac_model::machine::{Memory, Queues, Shape};
use halfgate_haac_model::{Code, Forwarding, Instruction, Issue, Machine, Op, Sink};

/// SplitMix64.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }
}

/// Parameters of random code.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub shape: Shape,
    pub inputs: u32,
    pub instructions: u32,
    pub and_percent: u32,
    pub unary_percent: u32,
    pub nop_percent: u32,
    /// Percentage of operands that may be any wire. All others are among the last `near` wires.
    pub far_percent: u32,
    pub near: u32,
    pub outputs: u32,
}

/// An instruction with its intended operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meant {
    pub op: Op,
    pub operands: [u32; 2],
    pub and: u64,
    pub engine: u32,
}

/// Random code, and by output address the instructions with their intended operands.
pub struct RandomCode {
    pub code: Code,
    pub meant: HashMap<u32, Meant>,
}

struct Draft {
    op: Op,
    unary: u32,
    operands: [u32; 2],
    out: u32,
    engine: usize,
    and: u64,
}

pub fn random_code(seed: u64, recipe: &Recipe) -> RandomCode {
    let mut random = Random(seed);
    let shape = recipe.shape;
    let mut wires = Vec::new();
    let mut next = 1;
    for _ in 0..recipe.inputs {
        wires.push(next);
        next = shape.next_address(next);
    }
    let first_output = next;
    let only = wires.iter().filter(|&&x| shape.half_of(x) + 1 < shape.half_of(first_output));
    let inputs_in_memory_only = only.count();

    // The instructions, with no-ops between them.
    let mut drafts = Vec::new();
    let mut places = Vec::new();
    let mut ands = 0;
    while drafts.len() < recipe.instructions as usize || places.len() % shape.engines as usize != 0
    {
        let rest = drafts.len() == recipe.instructions as usize;
        if rest || random.percent(recipe.nop_percent) {
            places.push(None);
            continue;
        }
        let op = match () {
            () if random.percent(recipe.and_percent) => Op::And,
            () if random.percent(recipe.unary_percent) => Op::Unary,
            () => Op::Xor,
        };
        let mut operand = || {
            let near = (recipe.near as usize).min(wires.len());
            let index = if random.percent(recipe.far_percent) {
                random.below(wires.len() as u64) as usize
            } else {
                wires.len() - 1 - random.below(near as u64) as usize
            };
            wires[index]
        };
        let a = operand();
        let b = if op == Op::Unary { a } else { operand() };
        let unary = 1 + random.below(2) as u32;
        let engine = places.len() % shape.engines as usize;
        places.push(Some(drafts.len()));
        drafts.push(Draft { op, unary, operands: [a, b], out: next, engine, and: ands });
        ands += u64::from(op == Op::And);
        wires.push(next);
        next = shape.next_address(next);
    }
    let outputs: Vec<u32> =
        (0..recipe.outputs).map(|_| wires[random.below(wires.len() as u64) as usize]).collect();
    assemble(recipe, &drafts, &places, &outputs, first_output, inputs_in_memory_only)
}

fn assemble(
    recipe: &Recipe,
    drafts: &[Draft],
    places: &[Option<usize>],
    outputs: &[u32],
    first_output: u32,
    inputs_in_memory_only: usize,
) -> RandomCode {
    let shape = recipe.shape;
    let mut stats = Stats::default();
    let count = |op: Op| if op == Op::Unary { 1 } else { 2 };
    // Goes backwards to find which reads are out of range, and which of these are the last of their
    // wires.
    let mut live: HashSet<u32> = outputs.iter().copied().collect();
    let output_set = live.clone();
    let mut words: Vec<Vec<u32>> = vec![Vec::new(); shape.engines as usize];
    for draft in drafts.iter().rev() {
        for &x in draft.operands[..count(draft.op)].iter().rev() {
            if !shape.in_window(x, draft.out) {
                let last = if live.insert(x) { OOR_LAST } else { 0 };
                words[draft.engine].push(x | last);
                stats.oor_reads += 1;
                stats.oor_input_reads += u64::from(x < first_output);
            }
        }
    }
    let mut rows = Spool::new();
    let mut meant = HashMap::new();
    for place in places {
        let Some(index) = place else {
            stats.nops += 1;
            rows.push(Instruction::NOP.to_bits().to_le_bytes()).unwrap();
            continue;
        };
        let draft = &drafts[*index];
        let field = |x| if shape.in_window(x, draft.out) { shape.slot(x) } else { 0 };
        let is_live = live.contains(&draft.out);
        let [a, b] = draft.operands;
        let b = if draft.op == Op::Unary { draft.unary } else { field(b) };
        let instruction = Instruction::new(draft.op, field(a), b, is_live);
        rows.push(instruction.to_bits().to_le_bytes()).unwrap();
        stats.live += u64::from(is_live);
        stats.live_outputs += u64::from(output_set.contains(&draft.out));
        match (draft.op, draft.unary) {
            (Op::Unary, 1) => stats.copies += 1,
            (Op::Unary, _) => stats.invs += 1,
            _ => stats.gates += 1,
        }
        stats.ands += u64::from(draft.op == Op::And);
        let engine = draft.engine as u32;
        let is = Meant { op: draft.op, operands: draft.operands, and: draft.and, engine };
        meant.insert(draft.out, is);
    }
    stats.rows = places.len() as u64 / u64::from(shape.engines);
    stats.inputs_loaded = u64::from(recipe.inputs) - inputs_in_memory_only as u64;
    let spool = |words: Vec<u32>| {
        let mut spool = Spool::new();
        words.iter().rev().for_each(|word| spool.push(word.to_le_bytes()).unwrap());
        spool
    };
    let code = Code {
        shape,
        program: ProgramHash([0; 32]),
        inputs: (0..recipe.inputs).map(Wire::new).collect(),
        inputs_in_memory_only,
        outputs: outputs.iter().map(|&address| Source::Wire { address, invert: false }).collect(),
        nexts: Vec::new(),
        first_output,
        rows,
        oor: words.into_iter().map(spool).collect(),
        stats,
    };
    RandomCode { code, meant }
}

/// The paper's machine.
pub fn paper_machine() -> Machine {
    let description = Description::built_in("haac-16ge").unwrap();
    description.machine(&Overrides::default()).unwrap()
}

/// Random machines and code for them: large and small, with short and long queues.
pub fn random_case(seed: u64) -> (Machine, Recipe) {
    let mut random = Random(seed ^ 0xcafe);
    let engines = [1, 2, 5, 16][random.below(4) as usize];
    let window = [16, 32, 64, 256, 4096][random.below(5) as usize].max(2 * engines);
    let window = u32::next_power_of_two(window);
    let shape = Shape { engines, window };
    let machine = Machine {
        name: "random".into(),
        shape,
        forwarding: Forwarding::NAMES[seed as usize % 2].0,
        banks_per_engine: [1, 2, 4][random.below(3) as usize].max(4 / engines),
        queues: Queues {
            // After a row that has begun, another whole row must fit.
            instruction_bytes: 64 * (4 + engines + random.below(30) as u32),
            issue: 1 + random.below(16) as u32,
            tables: 2 + random.below(30) as u32,
            oor_addresses: 16 + random.below(32) as u32,
            oor_wires: 1 + random.below(16) as u32,
            live: 1 + random.below(8) as u32,
            inputs: 4 * (1 + random.below(8) as u32),
        },
        memory: Memory {
            name: "random".into(),
            bytes_per_cycle: [(352, 10), (512, 1), (7, 3), (100, 1)][random.below(4) as usize],
            latency: 1 + random.below(120) as u32,
            wire_bytes: [16, 64][random.below(2) as usize],
        },
        ..paper_machine()
    };
    let recipe = Recipe {
        shape,
        inputs: 1 + random.below(2 * u64::from(window).min(300)) as u32,
        instructions: random.below(1500) as u32,
        and_percent: random.below(60) as u32,
        unary_percent: random.below(20) as u32,
        nop_percent: [0, 0, 10, 70][random.below(4) as usize],
        far_percent: [0, 2, 30][random.below(3) as usize],
        near: 1 + random.below(200) as u32,
        outputs: random.below(20) as u32,
    };
    (machine, recipe)
}

/// Compares every issue with the intended instruction.
pub struct Checker<'a> {
    meant: &'a HashMap<u32, Meant>,
    pub issued: HashSet<u32>,
    /// The first error.
    pub wrong: Option<String>,
    /// Cycle and engine of the last issue.
    last: (u64, u32),
}

impl<'a> Checker<'a> {
    pub fn new(random: &'a RandomCode) -> Checker<'a> {
        Checker { meant: &random.meant, issued: HashSet::new(), wrong: None, last: (0, 0) }
    }

    /// Checks that nothing was wrong and everything was issued.
    pub fn verdict(&self) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        if self.issued.len() != self.meant.len() {
            return Err("not everything was issued".into());
        }
        Ok(())
    }
}

impl Sink for Checker<'_> {
    type Error = Infallible;

    fn issue(&mut self, issue: &Issue) -> Result<(), Infallible> {
        let order = (issue.cycle, issue.engine);
        let in_order = self.issued.is_empty() || order > self.last;
        self.last = order;
        let new = self.issued.insert(issue.out);
        let is_right = self.meant.get(&issue.out).is_some_and(|meant| {
            (meant.op, meant.operands, meant.engine) == (issue.op, issue.operands, issue.engine)
                && (issue.op != Op::And || meant.and == issue.and)
        });
        if self.wrong.is_none() && !(in_order && new && is_right) {
            let meant = self.meant.get(&issue.out);
            self.wrong = Some(format!("{issue:?}, but meant was {meant:?}"));
        }
        Ok(())
    }
}
