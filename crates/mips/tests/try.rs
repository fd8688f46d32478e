use halfgate_mips::{image::*, isa::*, processor::*, toolchain::*};
#[test]
fn tries() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/mips");
    for (name, flags, values, sets) in [
        (
            "hamming",
            vec!["-DBITS=16"],
            vec![vec![0xffff_u64], vec![0]],
            vec!["hamming", "full", "alu", "alu-shift"],
        ),
        (
            "hamming",
            vec!["-DBITS=128"],
            vec![vec![0xffff_ffff; 4], vec![0; 4]],
            vec!["hamming", "full"],
        ),
        (
            "psi",
            vec!["-DSIZE=64"],
            vec![(0..64).collect(), (100..164).collect()],
            vec!["psi", "full"],
        ),
        (
            "psi",
            vec!["-DSIZE=64"],
            vec![(0..64).map(|x| 2 * x).collect(), (0..64).map(|x| 2 * x + 1).collect()],
            vec!["psi", "full"],
        ),
        (
            "aes",
            vec![],
            vec![
                vec![0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c]
                    .into_iter()
                    .chain((4..44).map(|x| x))
                    .collect(),
                vec![1, 2, 3, 4],
            ],
            vec!["aes", "full", "alu-shift", "alu"],
        ),
        (
            "auction",
            vec![],
            vec![(1..9).collect(), (5..13).collect()],
            vec!["aes", "full", "alu-shift", "alu"],
        ),
        (
            "tree",
            vec![],
            vec![vec![5; 15], vec![1; 15], (100..116).collect(), (1..9).collect()],
            vec!["full", "alu-shift", "alu", "aes"],
        ),
        (
            "edit_distance",
            vec![],
            vec![(1..9).collect(), (2..10).collect()],
            vec!["full", "alu-shift", "alu", "aes"],
        ),
    ] {
        for set in sets {
            for opt in ["-O2", "-Os"] {
                let mut flags: Vec<String> = flags.iter().map(|f| f.to_string()).collect();
                flags.push(opt.into());
                let options = Options {
                    size: Size { instructions: 512, data: 512 },
                    set: InstructionSet::named(set).unwrap(),
                    flags,
                };
                let out = std::env::temp_dir().join("try.elf");
                match build(&[dir.join(format!("{name}.c"))], &options, &out) {
                    Err(e) => println!("{name} {set} {opt}: {e}"),
                    Ok(image) => match image.run(&values, 1_000_000) {
                        Err(e) => {
                            println!("{name} {set} {opt}: {} words: {e}", image.instructions.len())
                        }
                        Ok(run) => println!(
                            "{name} {set} {opt}: {} words, {} steps {:?} {:x?}",
                            image.instructions.len(),
                            run.steps,
                            run.status,
                            image
                                .ports_of(Owner::Output)
                                .map(|p| p.values(&run.processor.data))
                                .collect::<Vec<_>>()
                        ),
                    },
                }
            }
        }
    }
}
