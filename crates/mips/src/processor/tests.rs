use super::*;

fn processor(program: &[Word]) -> Processor {
    let mut instructions = program.to_vec();
    instructions.resize(32, Word::NOP);
    Processor::new(InstructionSet::named("full").unwrap(), instructions, vec![0; 32])
}

fn word(op: Op, rs: u32, rt: u32, rd: u32, low: u32) -> Word {
    Word::new(op, rs, rt, rd, low)
}

#[test]
fn delay_slots_are_executed_before_branches_take_effect() {
    // jal 4; addiu a0, zero, 7; addiu a1, zero, 9; syscall; jr ra; addu v0, a0, a0
    let mut processor = processor(&[
        word(Op::Jal, 0, 0, 0, 4),
        word(Op::Addiu, 0, 4, 0, 7),
        word(Op::Addiu, 0, 5, 0, 9),
        word(Op::Syscall, 0, 0, 0, 0),
        word(Op::Jr, 31, 0, 0, 0),
        word(Op::Addu, 4, 4, 2, 0),
    ]);
    let mut steps = 0;
    while processor.status() == Status::Running {
        processor.step();
        steps += 1;
    }
    assert_eq!((processor.registers[2], processor.registers[5], steps), (14, 9, 5));
    assert_eq!(processor.registers[31], 8);
    let before = processor.clone();
    processor.step();
    assert_eq!(processor, before);
    assert_eq!(processor.status(), Status::Halted);
}

#[test]
fn parts_of_words_are_big_endian() {
    let mut processor = processor(&[]);
    processor.data[0] = 0x1122_3344;
    processor.data[1] = 0x5566_7788;
    processor.registers[1] = DATA_START;
    let mut run = |op, rt: u32, offset: u32| {
        processor.instructions[processor.pc as usize] = word(op, 1, rt, 0, offset);
        processor.step();
        processor.registers[rt as usize]
    };
    assert_eq!(run(Op::Lb, 2, 0), 0x11);
    assert_eq!(run(Op::Lb, 2, 7), 0xffff_ff88);
    assert_eq!(run(Op::Lbu, 2, 7), 0x88);
    assert_eq!(run(Op::Lh, 2, 2), 0x3344);
    assert_eq!(run(Op::Lhu, 2, 6), 0x7788);
    // A word that starts at byte 3.
    assert_eq!(run(Op::Lwl, 3, 3), 0x4400_0000);
    assert_eq!(run(Op::Lwr, 3, 6), 0x4455_6677);
    run(Op::Swl, 3, 9);
    run(Op::Swr, 3, 12);
    run(Op::Sb, 3, 4);
    run(Op::Sh, 3, 2);
    assert_eq!(processor.data[..4], [0x1122_6677, 0x7766_7788, 0x0044_5566, 0x7700_0000]);
}

#[test]
fn products_and_quotients_have_their_signs() {
    let of = |op, x: i32, y: i32| {
        let (hi, lo) = multiply_or_divide(op, x as u32, y as u32);
        (hi as i32, lo as i32)
    };
    assert_eq!(of(Op::Mult, -3, 5), (-1, -15));
    assert_eq!(of(Op::Multu, -3, 5), (4, -15));
    assert_eq!(of(Op::Div, -17, 5), (-2, -3));
    assert_eq!(of(Op::Div, 17, -5), (2, -3));
    assert_eq!(of(Op::Div, i32::MIN, -1), (0, i32::MIN));
    assert_eq!(of(Op::Divu, -1, 16), (15, 0x0fff_ffff));
    assert_eq!(of(Op::Divu, 7, 0), (7, -1));
    assert_eq!(of(Op::Div, -7, 0), (-7, 1));
}

#[test]
fn what_a_set_lacks_does_nothing() {
    let mut instructions = vec![Word::NOP; 4];
    instructions[0] = word(Op::Addiu, 0, 2, 0, 5);
    instructions[1] = word(Op::Sll, 0, 2, 3, 4);
    let mut processor =
        Processor::new(InstructionSet::named("alu").unwrap(), instructions, vec![0; 4]);
    processor.step();
    processor.step();
    assert_eq!((processor.registers[2], processor.registers[3], processor.pc), (5, 0, 2));
    assert_eq!(processor.status(), Status::Running);
    processor.instructions[2] = word(Op::Break, 0, 0, 0, 0);
    assert_eq!(processor.status(), Status::Trapped);
}
