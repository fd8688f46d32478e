//! Prints each kernel's rate on one core: ANDs per second and block times per AND.
//!
//! `cargo run --release -p halfgate-kernels --example rate`

use halfgate_kernels::ops::{And, Ops, Segment, Xor};
use halfgate_kernels::{Delta, KERNELS, Label, LabelMemory, Suite};
use std::time::Instant;

fn main() {
    for kernel in KERNELS.into_iter().filter(|k| k.is_available()) {
        let blocks = if kernel.name == "portable" { 1 << 12 } else { 1 << 18 };
        let block = best(100, || {
            kernel.encrypt_in_registers(blocks);
        }) / blocks as f64;
        println!("{}: {:.0} M blocks/s", kernel.name, 1e-6 / block);
        for (what, ands, xors) in [
            ("ANDs in runs of 4096", 4096, 0),
            ("in runs of 32", 32, 0),
            ("in runs of 16", 16, 0),
            ("serial", 1, 0),
            ("XOR", 0, 4096),
        ] {
            let segments = vec![Segment { moves: 0, xors, ands }; 4096 / (ands + xors) as usize];
            let (list, xlist): (Vec<And>, Vec<Xor>) = (
                (0..if ands > 0 { 4096 } else { 0 })
                    .map(|i: u32| {
                        let i = i as u16;
                        if ands == 1 {
                            And { a: i % 2, b: 2, c: 1 - i % 2, flags: 0 }
                        } else {
                            And { a: i % 1024, b: (i * 7) % 1024, c: 1024 + i % 2048, flags: i % 4 }
                        }
                    })
                    .collect(),
                (0..if xors > 0 { 4096 } else { 0 })
                    .map(|i: u32| {
                        let i = i as u16;
                        Xor { a: i % 1024, b: (i * 7) % 1024, c: 1024 + i % 1024 }
                    })
                    .collect(),
            );
            let positions = vec![0; list.len()];
            let ops = Ops {
                segments: &segments,
                moves: &[],
                xors: &xlist,
                ands: &list,
                positions: &positions,
            };
            let mut memory = LabelMemory::new(0);
            let mut tables = vec![0; 32 * list.len()];
            let delta = Delta::new(Label::from_u128(0x9999_1234_5678_1234_5678));
            let rounds = if kernel.name == "portable" { 4 } else { 400 };
            let (mut g, mut e) =
                (kernel.start(Suite::HalfGates, 5), kernel.start(Suite::HalfGates, 5));
            let garble =
                best(rounds, || kernel.garble(&mut g, &delta, &mut memory, &ops, &mut tables))
                    / 4096.0;
            let evaluate =
                best(rounds, || kernel.evaluate(&mut e, &mut memory, &ops, &tables)) / 4096.0;
            println!(
                "  {what}: garble {:.1} M/s ({:.2} blocks), evaluate {:.1} M/s ({:.2} blocks)",
                1e-6 / garble,
                garble / block,
                1e-6 / evaluate,
                evaluate / block
            );
        }
    }
}

/// Seconds of the fastest of `rounds` runs, of eight calls each.
fn best(rounds: u32, mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..8).for_each(|_| run());
        start.elapsed().as_secs_f64() / 8.0
    };
    (0..rounds).map(|_| once(&mut run)).fold(f64::MAX, f64::min)
}
