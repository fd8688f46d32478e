use super::*;

fn set(name: &str) -> InstructionSet {
    InstructionSet::named(name).unwrap()
}

/// The instructions into which `text` is lowered, one per line.
fn lines(text: &str, name: &str) -> Vec<String> {
    let lowered = lower(text, set(name), "test.s").unwrap().text;
    let lines = lowered.lines().filter(|line| !line.contains(".set"));
    lines.map(|line| line.trim().replace('\t', " ")).collect()
}

#[test]
fn a_program_that_fits_keeps_its_delay_slots() {
    let text = "\t.set\tnoreorder\n$L2:\n\tbne\t$2,$0,$L2 # again\n\taddu\t$3,$3,$4\n\t.set\treorder\n\tjr $31\n";
    let found = lines(text, "full");
    assert_eq!(found, ["$L2:", "bne $2,$0,$L2", "addu $3,$3,$4", "jr $31", "nop"]);
}

#[test]
fn slots_are_filled_with_what_stands_before() {
    let found =
        lines("addiu $2,$2,1\nlw $3,0($2)\nbeq $2,$4,$L\nsubu $5,$3,1\nbeq $5,$0,$L\n", "full");
    assert_eq!(
        found,
        ["addiu $2,$2,1", "beq $2,$4,$L", "lw $3,0($2)", "addiu $5,$3,-1", "beq $5,$0,$L", "nop"]
    );
}

#[test]
fn constants_are_of_what_the_set_has() {
    let text = "li $2,305397760\nori $2,$2,0x9678\n";
    assert_eq!(lines(text, "full"), ["lui $2,4660", "ori $2,$2,38520"]);
    let found = lines(text, "psi");
    assert_eq!(found, ["addiu $2,$0,4661", "sll $2,$2,16", "addiu $2,$2,-27016"]);
    assert_eq!((4661_u32 << 16).wrapping_sub(27016), 0x1234_9678);
    assert_eq!(lines("lui $4,%hi(x)\nlw $4,%lo(x)($4)\nlw $5,y\n", "psi")[0], "addu $4,$0,$0");
}

#[test]
fn what_the_set_lacks_is_made_of_what_it_has() {
    assert_eq!(lines("sll $2,$3,3\n", "alu"), ["addu $2,$3,$3", "addu $2,$2,$2", "addu $2,$2,$2"]);
    let branch = lines("bne $2,$3,$L\nj $M\n", "hamming");
    assert_eq!(branch[0], "beq $2,$3,$halfgate1");
    assert!(
        branch.contains(&"$halfgate1:".to_owned()) && branch.contains(&"beq $0,$0,$M".to_owned())
    );
    let lowered = lower("mult $2,$3\nmflo $4\n", set("alu-shift"), "test.s").unwrap();
    assert!(lowered.calls_routines && lowered.text.contains("jal\t__halfgate_mult\n"));
}

#[test]
fn an_impossible_instruction_names_its_line() {
    let text = "\t.file 1 \"dir/sum.c\"\n\t.loc 1 7 3\n\tslt\t$2,$3,$4\n";
    let error = lower(text, set("hamming"), "sum.s").unwrap_err().to_string();
    assert!(
        error.starts_with("sum.c:7: the set \"hamming\" has nothing for `slt $2,$3,$4`"),
        "{error}"
    );
    let error = lower("frob $2\n", set("full"), "sum.s").unwrap_err().to_string();
    assert!(error.starts_with("sum.s:1: `frob"), "{error}");
}
