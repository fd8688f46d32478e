//! Finds the registers from which each instruction of this program computes addresses, with
//! `objdump`.

use std::process::Command;

/// Marks the start of an instruction. The other bits number registers in the order of `ucontext_t`.
pub(super) const INSTRUCTION: u32 = 1 << 31;

/// All registers: used for operands that are not understood, including vector indices. They then
/// raise an alarm instead of passing.
const ALL: u32 = 0xffff;

/// The registers of `ucontext_t`, in its order.
const REGISTERS: [&str; 16] = [
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx", "rax",
    "rcx", "rsp",
];

/// The instructions of a program, by address in this process.
pub struct Instructions {
    /// Load address of the program; `objdump` counts from here.
    pub(super) base: u64,
    /// Address of the first entry of `masks`.
    pub(super) start: u64,
    /// One mask per byte of code.
    pub(super) masks: Vec<u32>,
}

impl Instructions {
    /// Disassembles the running program.
    ///
    /// # Errors
    /// The reason why the program cannot be disassembled here.
    pub fn of_this_program() -> Result<Instructions, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let objdump = Command::new("objdump")
            .args(["-d", "--no-show-raw-insn"])
            .arg(&program)
            .output()
            .map_err(|e| format!("objdump: {e}"))?;
        if !objdump.status.success() {
            return Err(format!("objdump: {}", String::from_utf8_lossy(&objdump.stderr)));
        }
        let text = String::from_utf8_lossy(&objdump.stdout);
        let lines: Vec<(u64, u32)> = text.lines().filter_map(instruction).collect();
        let first = lines.iter().map(|l| l.0).min().ok_or("objdump found no instructions")?;
        let last = lines.iter().map(|l| l.0).max().unwrap_or(first);
        let mut masks = vec![0; (last - first) as usize + 1];
        for (address, mask) in lines {
            masks[(address - first) as usize] = mask | INSTRUCTION;
        }
        let base = load_address(&program)?;
        Ok(Instructions { base, start: base + first, masks })
    }
}

/// Address and mask of a line like `  56f55:\tmovzwl 0x14(%r11,%rbp,8),%edx`.
fn instruction(line: &str) -> Option<(u64, u32)> {
    let (address, code) = line.trim_start().split_once(":\t")?;
    Some((u64::from_str_radix(address, 16).ok()?, address_registers(code)))
}

fn address_registers(code: &str) -> u32 {
    // These two have an operand with an address but access no memory.
    if code.starts_with("lea") || code.contains("nop") {
        return 0;
    }
    let mut mask = 0;
    for operand in code.split('(').skip(1) {
        let inside = operand.split(')').next().unwrap_or_default();
        for register in inside.split(',').filter_map(|part| part.trim().strip_prefix('%')) {
            mask |= match REGISTERS.iter().position(|r| *r == register) {
                Some(k) => 1 << k,
                None if matches!(register, "rip" | "riz") => 0,
                None => ALL,
            };
        }
    }
    mask
}

/// The load address of the program, which is position independent.
fn load_address(program: &std::path::Path) -> Result<u64, String> {
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|e| e.to_string())?;
    let program = program.to_string_lossy();
    let line = maps.lines().find(|l| l.ends_with(&*program)).ok_or("no mapping of the program")?;
    let start = line.split('-').next().unwrap_or_default();
    u64::from_str_radix(start, 16).map_err(|e| e.to_string())
}

#[test]
fn addresses_are_read_off_the_operands() {
    let bit = |name| 1 << REGISTERS.iter().position(|r| *r == name).unwrap();
    let mask = |line| instruction(line).map(|i| i.1);
    assert_eq!(mask("  5:\tmovzwl 0x14(%r11,%rbp,8),%edx"), Some(bit("r11") | bit("rbp")));
    assert_eq!(mask("  5:\tlea    (%rax,%rcx,1),%rdx"), Some(0));
    assert_eq!(mask("  5:\tcall   *0x10(%rip)        # 9f <x+0x3>"), Some(0));
    assert_eq!(mask("  5:\trep movsb (%rsi),(%rdi)"), Some(bit("rsi") | bit("rdi")));
    assert_eq!(mask("  5:\tvpgatherdd %ymm1,(%rax,%ymm2,4),%ymm0"), Some(ALL));
    assert_eq!(mask("0000 <f>:"), None);
}
