//! Tests that the C programs compute the same on the processor as on this computer, in each set to
//! which they can be fitted.

use crate::common::{Numbers, build, in_the_clear, is_missing, natively, set};
use halfgate_mips::image::{Fault, ImageError};
use halfgate_mips::processor::Size;
use halfgate_mips::toolchain::{self, BuildError};

const SIZE: Size = Size { instructions: 512, data: 512 };

/// Each program with the sets to which it can be fitted, and compiler options.
const PROGRAMS: [(&str, &[&str], &[&str]); 13] = [
    ("hamming_branchless", &["alu-shift", "full"], &[]),
    ("psi_merge", &["full"], &["-DSIZE=64"]),
    ("aes_bitsliced", &["alu-shift", "full"], &[]),
    ("arithmetic", &["aes", "alu", "alu-shift", "full"], &[]),
    ("arithmetic", &["alu", "full"], &["-Os"]),
    ("hamming", &["hamming", "alu", "alu-shift", "full"], &["-DBITS=16"]),
    ("hamming", &["hamming", "alu-shift", "full"], &["-DBITS=128"]),
    ("psi", &["psi", "alu", "alu-shift", "full"], &["-DSIZE=64"]),
    ("psi", &["psi", "full"], &["-DSIZE=128"]),
    ("aes", &["aes", "alu", "alu-shift", "full"], &[]),
    ("auction", &["aes", "alu", "alu-shift", "full"], &[]),
    ("tree", &["aes", "alu", "alu-shift", "full"], &[]),
    ("edit_distance", &["aes", "alu", "alu-shift", "full"], &[]),
];

#[test]
fn programs_compute_what_they_do_natively() {
    if is_missing("mips-linux-gnu-gcc") || is_missing("cc") {
        return;
    }
    let mut numbers = Numbers(2026);
    for (name, sets, flags) in PROGRAMS {
        for (which, set_name) in sets.iter().enumerate() {
            let image = build(name, set(set_name), SIZE, flags).unwrap();
            image.check(&set(set_name)).unwrap();
            // One native run per row is enough, because all sets have the same ports.
            for _ in 0..if which == 0 { 4 } else { 1 } {
                let inputs = image.inputs();
                let values: Vec<_> = inputs.map(|port| numbers.values(name, port)).collect();
                let (found, steps) = in_the_clear(&image, &values);
                assert_eq!(found, natively(name, flags, &image, &values), "{name}, {set_name}");
                assert!(steps > 10, "{name}, {set_name}");
            }
        }
    }
}

#[test]
fn aes_is_aes() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    // The example of FIPS 197, appendix B: key, expanded key, and block.
    let key = [0x2b7e_1516_u32, 0x28ae_d2a6, 0xabf7_1588, 0x09cf_4f3c];
    let image = build("aes", set("full"), SIZE, &[]).unwrap();
    let values = vec![expand(key), vec![0x3243_f6a8, 0x885a_308d, 0x3131_98a2, 0xe037_0734]];
    let (found, _) = in_the_clear(&image, &values);
    assert_eq!(found, [[0x3925_841d, 0x02dc_09fb, 0xdc11_8597, 0x196a_0b32]]);
}

/// The words of the eleven round keys.
fn expand(key: [u32; 4]) -> Vec<u64> {
    let mut words = key.to_vec();
    for at in 4..44 {
        let before = words[at - 1];
        let changed = match at % 4 {
            0 => substitute(before.rotate_left(8)) ^ (rcon(at / 4) << 24),
            _ => before,
        };
        words.push(words[at - 4] ^ changed);
    }
    words.into_iter().map(u64::from).collect()
}

fn rcon(round: usize) -> u32 {
    (1..round).fold(1, |value, _| times(value, 2))
}

fn times(a: u32, b: u32) -> u32 {
    (0..8).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| {
        sum ^ (0..bit).fold(a, |value, _| value << 1 ^ if value & 0x80 != 0 { 0x11b } else { 0 })
    })
}

fn substitute(word: u32) -> u32 {
    let one = |x: u32| {
        let inverse = (1..256).find(|&y| times(x, y) == 1).unwrap_or(0);
        let turned = |by: u32| (inverse << by | inverse >> (8 - by)) & 0xff;
        inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
    };
    word.to_be_bytes().into_iter().fold(0, |sum, byte| sum << 8 | one(u32::from(byte)))
}

/// Compares with Table 1 of the paper: with the set that the paper names for each program, and with
/// the full set.
#[test]
fn no_more_instructions_than_published() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    for (name, own, flag, published) in [
        ("hamming", "hamming", "-DBITS=16", 218),
        ("hamming", "hamming", "-DBITS=32", 426),
        ("hamming", "hamming", "-DBITS=64", 842),
        ("hamming", "hamming", "-DBITS=128", 1674),
        ("psi", "psi", "-DSIZE=64", 7267),
        ("psi", "psi", "-DSIZE=128", 14267),
        ("aes", "aes", "-O2", 6178),
    ] {
        for set_name in [own, "full"] {
            let image = build(name, set(set_name), SIZE, &[flag]).unwrap();
            let most = worst(name, &image);
            assert!(most <= published, "{name} {flag} with {set_name}: {most} of {published}");
        }
    }
}

/// The number of steps on the inputs that take the most steps.
fn worst(name: &str, image: &halfgate_mips::image::Image) -> u64 {
    let inputs: Vec<_> = image.inputs().collect();
    let count = u64::from(inputs[0].count);
    let values = match name {
        // All bits differ.
        "hamming" => vec![vec![u64::from(u32::MAX); count as usize], vec![0; count as usize]],
        // The two sets have no elements in common, and their sorted elements alternate.
        "psi" => {
            vec![(0..count).map(|at| 2 * at).collect(), (0..count).map(|at| 2 * at + 1).collect()]
        }
        _ => inputs.iter().map(|port| vec![7; port.count as usize]).collect(),
    };
    in_the_clear(image, &values).1
}

fn program_of(
    text: &str,
    set_name: &str,
    size: Size,
) -> Result<halfgate_mips::image::Image, BuildError> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("bad.c");
    std::fs::write(&source, text).unwrap();
    let options = halfgate_mips::toolchain::Options {
        size,
        set: set(set_name),
        steps: None,
        flags: Vec::new(),
    };
    let output = folder.path().join("bad.elf");
    let built = halfgate_mips::toolchain::build(&[source], &options, &output);
    assert_eq!(built.is_ok(), output.exists(), "a file only if it was built");
    built
}

#[test]
fn bad_programs_are_named() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    let small = Size { instructions: 16, data: 16 };
    let error = |text: &str, set_name: &str, size| {
        program_of(text, set_name, size).unwrap_err().to_string()
    };
    let printed = error("void program(void) { return 1 + ; }", "full", SIZE);
    assert!(printed.contains("bad.c:1:") && printed.contains("expected expression"), "{printed}");
    let head = "#include <halfgate.h>\nGARBLER int a[4];\nOUTPUT int b;\n";
    let printed =
        error(&format!("{head}PROGRAM {{\n b = a[0] < a[1]; halfgate_end(); }}"), "hamming", SIZE);
    assert!(printed.contains("bad.c:5: the set \"hamming\" has nothing for `slt"), "{printed}");
    let printed = error(
        &format!("{head}GARBLER int more[40];\nvoid program(void) {{ b = a[0]; }}"),
        "full",
        small,
    );
    assert!(printed.contains("its data take") && printed.contains("--memory"), "{printed}");
    let long = "b += a[0] * a[1]; a[2] ^= b; b -= a[3] / a[1];".repeat(4);
    let printed = error(&format!("{head}void program(void) {{ {long} }}"), "full", small);
    assert!(printed.contains("its instructions take"), "{printed}");
    let printed = error("float x; void program(void) { x += 1; }", "full", small);
    assert!(printed.contains("its instructions take"), "{printed}");
}

#[test]
fn faults_of_a_run_in_the_clear_are_named() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    let head = "#include <halfgate.h>\nGARBLER int a[4];\nOUTPUT int b;\n";
    let fault = |body: &str| {
        let text = format!("{head}void program(void) {{\n{body} }}");
        program_of(&text, "full", SIZE).unwrap().run(&[vec![9, 1, 2, 3]], 1000).unwrap_err()
    };
    assert_eq!(fault("for (;;) b++;"), Fault::Steps(1000));
    let outside = fault("b = a[a[0] << 20];");
    assert!(
        matches!(outside, Fault::Outside { ref place, .. } if place == "bad.c:5"),
        "{outside:?}"
    );
    let odd = fault("b = *(int *)((char *)a + a[1]);");
    assert!(odd.to_string().contains("no multiple of 4"), "{odd}");
}

#[test]
fn an_instruction_outside_a_set_is_named() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    let image = build("auction", set("full"), SIZE, &[]).unwrap();
    let error = image.check(&set("hamming")).unwrap_err();
    assert!(matches!(error, ImageError::Outside { .. }), "{error}");
    assert!(error.to_string().contains("is not in the set \"hamming\""), "{error}");
}

#[test]
fn library_functions_of_c_and_its_compiler_exist() {
    if is_missing("mips-linux-gnu-gcc") || is_missing("cc") {
        return;
    }
    let size = Size { instructions: 4096, data: 512 };
    let mut numbers = Numbers(27);
    for flags in [&[][..], &["-Os"]] {
        let image = build("library", set("full"), size, flags).unwrap();
        for _ in 0..6 {
            let values: Vec<_> =
                image.inputs().map(|port| numbers.values("library", port)).collect();
            let (found, _) = in_the_clear(&image, &values);
            assert_eq!(found, natively("library", &[], &image, &values), "{values:?}");
        }
    }
}

/// If a program defines a function that the library has too, the program's function is used, also
/// by other parts of the library.
#[test]
fn a_program_may_have_functions_of_the_librarys_names() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    let text = "#include <halfgate.h>\n#include <string.h>\nOUTPUT unsigned o;\nchar to[4];\n\
                void *memset(void *at, int c, size_t n) {\n  (void)c, (void)n;\n  o += 40;\n  return at;\n}\n\
                void program(void) {\n  void *(*volatile set)(void *, int, size_t) = memset;\n\
                  char *(*volatile copy)(char *, const char *) = strcpy;\n\
                  o = 1;\n  set(to, 1, 4);\n  copy(to, \"a\");\n  o += to[0] == 'a';\n}\n";
    let image = program_of(text, "full", Size { instructions: 1024, data: 128 }).unwrap();
    let (found, _) = in_the_clear(&image, &[]);
    assert_eq!(found, [[42]]);
}

#[test]
fn undefined_functions_are_named() {
    if is_missing("mips-linux-gnu-gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("calls.c");
    let text = "#include <halfgate.h>\nint puts(const char *);\ndouble sin(double);\nOUTPUT int o;\n\
                void program(void) {\n  o = puts(\"x\");\n  o += (int)sin(o);\n}\n";
    std::fs::write(&source, text).unwrap();
    let options =
        toolchain::Options { size: SIZE, set: set("full"), steps: None, flags: Vec::new() };
    let output = folder.path().join("program.elf");
    let error = toolchain::build(&[source], &options, &output).unwrap_err();
    let printed = error.to_string();
    assert!(printed.contains("the program calls puts, sin, which no source defines"), "{printed}");
    assert!(printed.contains("calls.c:6"), "{printed}");
    assert!(!output.exists());
}
