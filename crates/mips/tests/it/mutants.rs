//! Mutation tests: puts faults into the processor's Verilog, one at a time, and checks that the
//! comparison with the processor in the clear finds each fault. `make mutants` runs it.

use crate::common::{beside::difference, is_missing, set};
use halfgate_mips::core::Core;
use halfgate_mips::processor::Size;

/// The faults: a file, a text in it, and the replacement of the text.
const MUTANTS: [(&str, &str, &str); 28] = [
    ("mips_alu.sv", "{32'h0, minus}", "{32'h0, subtract_i}"),
    ("mips_alu.sv", "HasCompare && signed_i", "1'b0"),
    ("mips_alu.sv", "less_i & ~carry", "less_i & carry"),
    ("mips_alu.sv", "xor_i ^ or_i ^ nor_i", "xor_i ^ or_i"),
    ("mips_shift.sv", "{2 ** i{fill_i}}", "{2 ** i{1'b0}}"),
    ("mips_shift.sv", "left ? back : out", "out"),
    ("mips_lanes.sv", "& ~byte_i[0] ^ is_left_i & byte_i[0]", "& ~byte_i[0]"),
    ("mips_lanes.sv", "byte_i[1] | byte_i[0], byte_i[1],", "byte_i[1], byte_i[1],"),
    ("mips_lanes.sv", "is_byte_i ? turned[7] : turned[15]", "turned[7]"),
    ("mips_lanes.sv", "signed_i & (is_byte_i", "(is_byte_i"),
    ("mips_lanes.sv", "is_half_i & (byte_i[1] ^ !Low)", "is_half_i & byte_i[1]"),
    ("mips_lanes.sv", "is_right_i & up_to[i]", "is_right_i & from[i]"),
    ("mips_next.sv", "halt_i ? pc : npc", "npc"),
    ("mips_next.sv", "halt_i ? npc : following", "following"),
    ("mips_next.sv", "assign sum = npc + step", "assign sum = pc + step"),
    ("mips_next.sv", "link_o = npc +", "link_o = pc +"),
    ("mips_multiply_divide.sv", "is_product ? opposite : a_negative", "opposite"),
    ("mips_multiply_divide.sv", "is_product ? signed_low[32] : a_negative", "hi_negative"),
    ("mips_multiply_divide.sv", "to_lo_i ? a_i :", "to_hi_i ? a_i :"),
    (
        "mips_multiply_divide.sv",
        "assign b_negative = signed_i & b_i[31]",
        "assign b_negative = b_i[31]",
    ),
    ("mips_registers.sv", "i == 29 ? StackStart : 32'h0", "32'h0"),
    ("mips_registers.sv", "assign words[31:0] = '0", "assign words[31:0] = 32'h1"),
    ("mips.sv", "word[15] & is_signed", "word[15]"),
    ("mips.sv", "by_register ? rs[4:0] : word[10:6]", "word[10:6]"),
    ("mips.sv", "| {5{links}}", "| {5{is[HasJal]}}"),
    ("mips.sv", "if (is_load) result = loaded", "if (is[HasLw]) result = loaded"),
    ("mips.sv", "is[HasBlez] & (negative | equal)", "is[HasBlez] & negative"),
    ("mips.sv", ".write_i(is_store)", ".write_i(is[HasSw])"),
];

/// Faults in those parts that only a shallow processor has.
const SHALLOW_MUTANTS: [(&str, &str, &str); 8] = [
    ("mips_any_below.sv", "in_block[j+1] | earlier[j/8]", "in_block[j+1]"),
    ("mips_any_below.sv", "earlier[k-1] | in_block[8*k]", "in_block[8*k]"),
    ("mips_divide_row.sv", "into[k] ? with_one[j] : without[j]", "without[j]"),
    ("mips_divide_row.sv", "into[k] ? with_one[Size] : without[Size]", "without[Size]"),
    ("mips_divide_row.sv", "~(into[Blocks] | is_more_i)", "~into[Blocks]"),
    ("mips_divide.sv", "is_more[31-row]", "is_more[30-row+(row==31)]"),
    ("mips_multiply_divide.sv", ".negate_i(opposite)", ".negate_i(a_negative)"),
    (
        "mips_multiply_divide.sv",
        "u_rest (.value_i(rest), .negate_i(a_negative)",
        "u_rest (.value_i(rest), .negate_i(opposite)",
    ),
];

#[test]
#[ignore = "minutes: `make mutants`"]
fn every_mutant_of_the_processor_is_found() {
    if is_missing("yosys") {
        return;
    }
    let core = Core::new(Size { instructions: 32, data: 32 }, set("full"));
    let mut survived = find(core, &MUTANTS);
    survived.extend(find(Core { shallow: true, ..core }, &SHALLOW_MUTANTS));
    assert!(survived.is_empty(), "{survived:?}");
}

/// A fault, as in [`MUTANTS`]. The function `find` returns the faults that the comparison missed.
type Mutant = (&'static str, &'static str, &'static str);

fn find(core: Core, mutants: &[Mutant]) -> Vec<Mutant> {
    let mut survived = Vec::new();
    for &(file, from, to) in mutants {
        let circuit = core.circuit_of(|name, text| {
            if name != file {
                return text.to_owned();
            }
            assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
            text.replace(from, to)
        });
        match difference(&core, &circuit.expect("a mutant is Verilog"), 60, 200) {
            Some(found) => println!("{file}: {from} -> {to}: {found}"),
            None => survived.push((file, from, to)),
        }
    }
    survived
}
