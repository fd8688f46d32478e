//! Checks that rows leave the dispatcher as they were encoded, with the right addresses and AND
//! numbers, and in the right cycles.

use super::stripes::{BURST, Stripes};
use super::{Change, Random, Tested, unchanged};
use halfgate_haac_model::encoding::{Encoder, Encoding};
use halfgate_haac_model::instruction::{Instruction, Op};
use halfgate_haac_model::machine::Shape;
use halfgate_haac_model::model::Cause;
use halfgate_verilated::{Design, In, Out, Simulation};

#[derive(Clone, Copy)]
struct Case {
    shape: Shape,
    bursts: usize,
    ports: usize,
}

fn case(engines: u32, window: u32, bursts: usize, ports: usize) -> Case {
    Case { shape: Shape { engines, window }, bursts, ports }
}

impl Case {
    fn simulation(self, change: Change<'_>) -> Result<Simulation, halfgate_verilated::Error> {
        let design = Design::of("haac_dispatcher")
            .param("Engines", self.shape.engines.into())
            .param("WindowLabels", self.shape.window.into())
            .param("InstrBursts", self.bursts as u64)
            .param("NumPorts", self.ports as u64);
        let mut sim = Simulation::new(&change(design).build()?)?;
        sim.reset()?;
        Ok(sim)
    }
}

fn row(random: &mut Random, shape: Shape, nops: u64) -> Vec<Instruction> {
    let slot = |random: &mut Random| random.below(shape.window.into()) as u32;
    let place = |_| {
        if random.chance(nops) {
            return Instruction::NOP;
        }
        let (a, b, live) = (slot(random), slot(random), random.chance(30));
        match random.below(3) {
            0 => Instruction::new(Op::Xor, a, b, live),
            1 => Instruction::new(Op::And, a, b, live),
            _ => Instruction::new(Op::Unary, a, 1 + b % 2, live),
        }
    };
    (0..shape.engines).map(place).collect()
}

fn encoded(shape: Shape, rows: &[Vec<Instruction>]) -> Vec<[u8; BURST]> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(Encoding::Plain, shape, 1);
    for row in rows {
        encoder.row(row, &mut bytes).expect("instructions of this window");
    }
    encoder.finish(&mut bytes);
    bytes.resize(bytes.len().next_multiple_of(BURST), 0);
    bytes.chunks(BURST).map(|burst| burst.try_into().expect("whole bursts")).collect()
}

/// Replaces the instruction at place number `place`, if need be by an illegal one.
fn replace(bursts: &mut [[u8; BURST]], shape: Shape, place: usize, instruction: Instruction) {
    let slot = shape.slot_bits();
    let bits = u64::from(instruction.op() as u8)
        | u64::from(instruction.a()) << 2
        | u64::from(instruction.b()) << (2 + slot)
        | u64::from(instruction.is_live()) << (2 + 2 * slot);
    for i in 0..shape.instruction_bits() as usize {
        let at = place * shape.instruction_bits() as usize + i;
        let byte = &mut bursts[at / 512][at / 8 % BURST];
        *byte = *byte & !(1 << (at % 8)) | (((bits >> i & 1) as u8) << (at % 8));
    }
}

/// The ports that a test uses.
struct Ports {
    full: In,
    valid: Out,
    instr: Out,
    out: Out,
    and: Out,
    cause: Out,
    next_valid: Out,
    next_out: Out,
    freed: Out,
    short: Out,
    illegal: Out,
}

impl Ports {
    /// Starts a launch.
    fn start(
        sim: &mut Simulation,
        shape: Shape,
        first: u32,
        rows: usize,
        bursts: usize,
    ) -> Result<Ports, halfgate_verilated::Error> {
        let e = shape.engines;
        let ports = Ports {
            full: sim.input("fifo_full_i", e)?,
            valid: sim.output("disp_valid_o", e)?,
            instr: sim.output("disp_instr_o", e * shape.instruction_bits())?,
            out: sim.output("disp_out_o", 31 * e)?,
            and: sim.output("disp_and_o", 32 * e)?,
            cause: sim.output("disp_cause_o", 4 * e)?,
            next_valid: sim.output("next_valid_o", 1)?,
            next_out: sim.output("next_out_o", 31)?,
            freed: sim.output("freed_o", 8)?,
            short: sim.output("short_o", 1)?,
            illegal: sim.output("illegal_o", 1)?,
        };
        for (name, width, value) in [
            ("first_output_i", 31, first),
            ("rows_i", 32, rows as u32),
            ("instr_bursts_i", 32, bursts as u32),
        ] {
            let port = sim.input(name, width)?;
            sim.set_u64(port, value.into());
        }
        let (clear, run) = (sim.input("clear_i", 1)?, sim.input("run_i", 1)?);
        sim.set_bit(clear, true);
        sim.clock()?;
        sim.set_bit(clear, false);
        sim.set_bit(run, true);
        Ok(ports)
    }
}

/// Runs one launch of random rows. Returns the number of cycles with each cause.
fn launch(
    case: Case,
    sim: &mut Simulation,
    random: &mut Random,
    first: u32,
    speed: u64,
) -> Result<[u32; 13], halfgate_verilated::Error> {
    let Case { shape, .. } = case;
    let (e, instr_bits) = (shape.engines as usize, shape.instruction_bits());
    let nops = [5, 50, 95][random.below(3) as usize];
    let rows: Vec<_> = (0..150 + random.below(100)).map(|_| row(random, shape, nops)).collect();
    let bursts = encoded(shape, &rows);
    let ports = Ports::start(sim, shape, first, rows.len(), bursts.len())?;
    let mut memory = Stripes::new(sim, case.ports)?;
    let row_bits = e * instr_bits as usize;
    let (mut next_row, mut next_out, mut next_and, mut freed) = (0, first, 0u32, 0);
    let mut seen = [0; 13];
    for _ in 0..100_000 {
        let arrived = memory.shown;
        memory.requested = (freed + case.bursts).min(bursts.len());
        memory.cycle(sim, random, speed, &bursts, 10);
        let full: Vec<bool> = (0..e).map(|_| random.chance(100 / (2 * e as u64) + 1)).collect();
        for (e, full) in full.iter().enumerate() {
            sim.set_field(ports.full, e as u32, 1, (*full).into());
        }
        sim.settle()?;
        let cause = match rows.get(next_row) {
            None => Cause::Finished,
            Some(_) if (next_row + 1) * row_bits > arrived * 512 => Cause::Instructions,
            Some(row) if (0..e).any(|e| full[e] && !row[e].is_nop()) => Cause::Behind,
            Some(_) => Cause::Issue,
        };
        assert_eq!(sim.is_set(ports.next_valid), next_row < rows.len());
        assert_eq!(sim.get_u64(ports.next_out), u64::from(next_out));
        assert!(!sim.is_set(ports.short) && !sim.is_set(ports.illegal));
        for e in 0..shape.engines {
            let instruction = rows.get(next_row).map_or(Instruction::NOP, |row| row[e as usize]);
            let gets = cause == Cause::Issue && !instruction.is_nop();
            let is_nop = cause == Cause::Issue && !gets;
            let expected = if is_nop { Cause::Nop } else { cause };
            assert_eq!(
                sim.field(ports.cause, 4 * e, 4),
                expected as u128,
                "engine {e}, row {next_row}"
            );
            assert_eq!(sim.field(ports.valid, e, 1), gets.into());
            seen[expected as usize] += 1;
            if gets {
                let bits = sim.field(ports.instr, e * instr_bits, instr_bits) as u64;
                let slot = shape.slot_bits();
                let field = |at: u32, bits_of: u32| (bits >> at & ((1 << bits_of) - 1)) as u32;
                let got = Instruction::new(
                    Op::from_code(field(0, 2) as u8),
                    field(2, slot),
                    field(2 + slot, slot),
                    field(2 + 2 * slot, 1) != 0,
                );
                assert_eq!(got, instruction, "engine {e}, row {next_row}");
                assert_eq!(sim.field(ports.out, 31 * e, 31), next_out.into(), "row {next_row}");
                next_out = shape.next_address(next_out);
                if instruction.op() == Op::And {
                    assert_eq!(sim.field(ports.and, 32 * e, 32), next_and.into());
                    next_and += 1;
                }
            }
        }
        next_row += usize::from(cause == Cause::Issue);
        let used = next_row * row_bits / 512;
        assert_eq!(sim.get_u64(ports.freed) as usize, used - freed);
        freed = used;
        sim.clock()?;
        if cause == Cause::Finished {
            return Ok(seen);
        }
    }
    panic!("the launch does not end");
}

#[test]
fn rows_come_out_as_they_went_in() -> Tested {
    check_rows(&unchanged)
}

pub fn check_rows(change: Change<'_>) -> Tested {
    for case in [
        case(1, 16, 2, 1),
        case(1, 4096, 7, 2),
        case(3, 64, 5, 3),
        case(4, 32768, 36, 1),
        // Here a row is longer than a burst, and spans up to three bursts.
        case(16, 131_072, 20, 2),
    ] {
        let mut sim = case.simulation(change)?;
        let mut random = Random(u64::from(case.shape.engines));
        let mut all = [0; 13];
        for (launches, speed) in [100, 40, 3].into_iter().enumerate() {
            // The first address is just before a multiple of the window, or just after one.
            let first = case.shape.window * (3 + launches as u32) + 1 - 2 * (launches as u32 % 2);
            let seen = launch(case, &mut sim, &mut random, first, speed)?;
            all.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);
        }
        for cause in [Cause::Issue, Cause::Nop, Cause::Instructions, Cause::Behind] {
            assert!(all[cause as usize] > 20, "{cause:?} was seen {} times", all[cause as usize]);
        }
    }
    Ok(())
}

#[test]
fn illegal_instructions_and_missing_bursts_are_reported() -> Tested {
    check_refusals(&unchanged)
}

pub fn check_refusals(change: Change<'_>) -> Tested {
    let case = case(3, 64, 5, 3);
    let mut sim = case.simulation(change)?;
    let engine = sim.output("illegal_engine_o", 2)?;
    let good = Instruction::new(Op::Xor, 1, 2, false);
    for (bad, is_bad) in [
        (Instruction::new(Op::Unary, 5, 3, false), true),
        (Instruction::new(Op::Unary, 5, 0, true), true),
        (Instruction::new(Op::Nop, 0, 0, true), true),
        (Instruction::new(Op::Nop, 0, 9, false), true),
        (Instruction::new(Op::Unary, 0, 2, true), false),
        (good, false),
    ] {
        let rows = vec![vec![good; 3]; 40];
        let mut bursts = encoded(case.shape, &rows);
        replace(&mut bursts, case.shape, 20 * 3 + 2, bad);
        // The launch has one row more than its bursts hold.
        let announced = bursts.len() * 512 / 45 + 1;
        let ports = Ports::start(&mut sim, case.shape, 65, announced, bursts.len())?;
        let mut memory = Stripes::new(&sim, case.ports)?;
        let mut random = Random(7);
        let (mut given, mut freed) = (0, 0);
        for _ in 0..200 {
            memory.requested = (freed + case.bursts).min(bursts.len());
            memory.cycle(&mut sim, &mut random, 100, &bursts, 10);
            sim.settle()?;
            given += usize::from(sim.field(ports.cause, 0, 4) == Cause::Issue as u128);
            freed += sim.get_u64(ports.freed) as usize;
            sim.clock()?;
        }
        assert_eq!(sim.is_set(ports.illegal), is_bad, "{bad:?}");
        if is_bad {
            assert_eq!((given, sim.get_u64(engine)), (20, 2), "{bad:?}");
        } else {
            assert!(given >= 40 && sim.is_set(ports.short));
        }
    }
    Ok(())
}
