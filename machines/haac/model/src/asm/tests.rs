use super::*;
use crate::code::OOR_LAST;
use crate::instruction::{Instruction, Op, Unary};
use proptest::prelude::*;

fn text(listing: &Listing) -> String {
    let mut text = Vec::new();
    disassemble(listing, 0..u64::MAX, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn read(text: &str) -> Result<Listing, AsmError> {
    assemble(&mut text.as_bytes())
}

fn all<const N: usize>(spool: &Spool<N>) -> Vec<[u8; N]> {
    let mut reader = spool.reader();
    std::iter::from_fn(|| reader.next().unwrap()).collect()
}

const TEXT: &str = "haac engines 2 window 16 first w9
row 0
  0: w9 = xor w1(s1) w2(s2)
  1: w10 = and w3(s3) w2(s2) #0 live
row 1
  0: w11 = copy w9(s9)
  1: nop
row 2
  0: w12 = inv w10(s10)
  1: w13 = and w9(s9) w9(s9) #1
row 3
  0: w14 = xor w11(s11) w13(s13)
  1: w15 = xor w14(s14) w13(s13)
row 4
  0: w17 = and oor(w4) oor(w5 last) #2
  1: w18 = copy oor(w6 last) live
row 5
  0: w19 = xor s7 w17(s1)
  1: nop
";

#[test]
fn the_text_says_what_the_instructions_are() {
    let listing = read(TEXT).unwrap();
    assert_eq!(text(&listing), TEXT);
    assert_eq!(listing.shape, Shape { engines: 2, window: 16 });
    let rows: Vec<Instruction> = all(&listing.rows)
        .into_iter()
        .map(|b| Instruction::from_bits(u64::from_le_bytes(b)))
        .collect();
    assert_eq!(rows[1], Instruction::new(Op::And, 3, 2, true));
    assert_eq!(rows[2], Instruction::new(Op::Unary, 9, Unary::Copy as u32, false));
    assert_eq!(rows[3], Instruction::NOP);
    assert_eq!(rows[8], Instruction::new(Op::And, 0, 0, false));
    assert_eq!(rows[10], Instruction::new(Op::Xor, 7, 1, false));
    assert_eq!(all(&listing.oor[0]), [4u32.to_le_bytes(), (5 | OOR_LAST).to_le_bytes()]);
    // Slots and AND numbers may be omitted.
    let short =
        TEXT.replace("(s1)", "").replace(" #0", "").replace("row 1", "\n ;rest\nrow  1 ; x");
    assert_eq!(text(&read(&short).unwrap()), TEXT);
    // Only some of the rows.
    let mut some = Vec::new();
    disassemble(&listing, 4..5, &mut some).unwrap();
    let some = String::from_utf8(some).unwrap();
    assert_eq!(some.lines().count(), 4);
    assert!(some.ends_with("  1: w18 = copy oor(w6 last) live\n"));
}

#[test]
fn errors_name_their_line() {
    for (from, to, line, wording) in [
        ("haac engines 2", "haac engine 2", 1, "haac engines NUMBER"),
        ("engines 2", "engines 0", 1, "0 engines"),
        ("window 16", "window 17", 1, "window of 17"),
        ("first w9", "first w16", 1, "multiple of the window"),
        ("row 1", "row 7", 5, "in place of row 1"),
        ("row 1\n", "", 5, "in place of row 1"),
        ("  1: nop\nrow 2", "row 2", 7, "in place of engine 1's line"),
        ("w10 =", "w11 =", 4, "the output is w10, not w11"),
        ("w17 =", "w16 =", 15, "the output is w17, not w16"),
        ("and w3", "nand w3", 4, "\"nand\" is none of"),
        ("(s3)", "(s4)", 4, "w3 is in slot s3, not s4"),
        ("(s3)", "(s16)", 4, "s1 to s15"),
        ("w3(s3)", "w10", 4, "w10 is not in the window of w10"),
        ("oor(w4)", "w4", 15, "write oor(w4)"),
        ("oor(w4)", "oor(w4 first)", 15, "is not oor"),
        ("oor(w4)", "oor(w0)", 15, "not a wire's address"),
        ("#1", "#2", 10, "this is AND #1, not #2"),
        (" live", " lively", 4, "\"lively\" is one word too many"),
        ("xor w1(s1) w2(s2)", "xor w1(s1)", 3, "one is missing"),
        ("xor w1(s1) w2(s2)", "", 3, "the operation is missing"),
        ("w9 = xor", "w9 xor", 3, "is neither nop nor"),
        ("row 5\n  0: w19 = xor s7 w17(s1)\n  1: nop\n", "row 5\n", 17, "before engine 0's"),
    ] {
        assert!(TEXT.contains(from), "{from}");
        let message = read(&TEXT.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("line {line}: ")) && message.contains(wording),
            "{message}"
        );
    }
    assert!(read("").unwrap_err().to_string().contains("the text is empty"));
    let long = format!("{TEXT}{}", "x".repeat(5000));
    assert!(read(&long).unwrap_err().to_string().contains("line 20: it is longer"));
    assert!(assemble(&mut &b"haac \xff"[..]).unwrap_err().to_string().contains("UTF-8"));
}

#[test]
fn code_without_its_words_is_refused() {
    let mut listing = read(TEXT).unwrap();
    listing.oor[0] = Spool::new();
    let error = disassemble(&listing, 0..9, &mut Vec::new()).unwrap_err().to_string();
    assert_eq!(error, "row 4, engine 0: there is no out-of-range word for an operand");
    listing.first_output = MOST_ADDRESS;
    let error = disassemble(&listing, 0..9, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("row 0, engine 1: its output's address"), "{error}");
}

proptest! {
    /// Random instructions with random out-of-range words survive the round trip through text.
    #[test]
    fn instructions_come_back_from_their_text(
        engines in 1u32..9,
        bits in 4u32..20,
        first in 1u32..1 << 22,
        seed in prop::collection::vec((0u8..8, any::<u32>(), any::<u32>(), any::<bool>()), 0..120),
    ) {
        let shape = Shape { engines, window: (1 << bits).max((2 * engines).next_power_of_two()) };
        let mut listing = Listing {
            shape,
            first_output: shape.next_address(first - 1),
            rows: Spool::new(),
            oor: (0..engines).map(|_| Spool::new()).collect(),
        };
        let places = seed.len().next_multiple_of(engines as usize);
        for place in 0..places {
            let (kind, a, b, live) = seed.get(place).copied().unwrap_or((0, 0, 0, false));
            let slot = |x: u32| if x.is_multiple_of(5) { 0 } else { x >> 8 & (shape.window - 1) };
            let instruction = match kind {
                0 => Instruction::NOP,
                1 => Instruction::new(Op::Unary, slot(a), Unary::Copy as u32, live),
                2 => Instruction::new(Op::Unary, slot(a), Unary::Inv as u32, live),
                3..6 => Instruction::new(Op::Xor, slot(a), slot(b), live),
                _ => Instruction::new(Op::And, slot(a), slot(b), live),
            };
            let words = &mut listing.oor[place % engines as usize];
            for x in [a, b].into_iter().take(instruction.pops() as usize) {
                words.push((x | 1).to_le_bytes()).unwrap();
            }
            listing.rows.push(instruction.to_bits().to_le_bytes()).unwrap();
        }
        let again = read(&text(&listing)).unwrap();
        prop_assert_eq!(again.shape, listing.shape);
        prop_assert_eq!(again.first_output, listing.first_output);
        prop_assert_eq!(all(&again.rows), all(&listing.rows));
        for (again, words) in again.oor.iter().zip(&listing.oor) {
            prop_assert_eq!(all(again), all(words));
        }
    }

    #[test]
    fn no_text_is_too_much(
        lines in prop::collection::vec("(row [0-3]|[01]: nop|[01]: w(9|10|11) = (xor|and|inv) (w|s|oor\\(w|é)[0-9]{1,11}\\)? (w[0-9]\\(s[0-9]\\))?( live)?( #0)?|.{0,20})", 0..12),
    ) {
        let _ = read(&lines.join("\n"));
        let _ = read(&format!("haac engines 2 window 16 first w9\nrow 0\n{}", lines.join("\n")));
    }
}
