//! A public program as a circuit of its steps, each of what its instruction needs (section 3.1 of the paper).
//!
//! The processor is copied once a step, with what is public as constants: as long as no branch depends on a secret, the
//! program counter is public, the instruction is a constant, and of the processor is left what that instruction does. Behind a
//! branch on a secret the counter is secret, too; then the instruction is chosen from those that the program can be
//! at by then, until all ways meet again.
//!
//! Time: that of the processor's gates a step. Memory: the state, and the gates of the circuit, in a file when they are many.

use crate::bind::{gates, inputs, memory, output, outputs, starts};
use crate::image::Image;
use crate::isa::{Form, Op};
use crate::word::Word;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bit, Builder, Circuit};
use std::collections::BTreeSet;

/// Where a program can be: the word that is executed, and the one after it.
type Place = (u32, u32);

/// A program as a circuit of its steps.
#[derive(Debug)]
pub struct Unrolled {
    /// It has one cycle; ports are those of [`bind`](crate::bind::bind).
    pub circuit: Circuit,
    /// The branches on secrets, by the instruction's number.
    pub secret_branches: Vec<u32>,
    /// In how many steps the program counter was secret.
    pub secret_steps: u64,
}

/// The circuit of `steps` steps of `image` on the processor whose circuit is `core`. Steps behind the end of the program, where
/// that is public, are left out.
///
/// # Errors
/// If the circuit is larger than wires can be numbered.
///
/// # Panics
/// If `core` is not one of the image's memories.
pub fn unroll(core: &Circuit, image: &Image, steps: u64) -> Result<Unrolled, BuildError> {
    let mut b = Builder::new();
    let data = inputs(&mut b, image);
    let words = image.instruction_memory();
    let first = core.first_flip_flop_wire();
    let start = [memory(words.iter().map(|word| word.0)), data.clone()].concat();
    let mut state = starts(core, &start);
    let mut places = BTreeSet::from([(0, 1)]);
    let (mut secret_branches, mut secret_steps) = (BTreeSet::new(), 0);
    let mut wires = Vec::new();
    for _ in 0..steps.max(1) {
        wires = memory(fetched(&words, &places).into_iter().map(|word| word.0));
        wires.extend(&data);
        wires.extend(&state);
        assert_eq!(wires.len(), first + core.flip_flops.len(), "a core for the image's memories");
        gates(&mut b, core, &mut wires);
        let next =
            core.flip_flops.iter().map(|flip_flop| crate::bind::value(&wires, flip_flop.next));
        let next: Vec<Bit> = next.collect();
        let (pc, npc) = (output(core, &wires, "pc"), output(core, &wires, "npc"));
        let was_public = places.len() == 1;
        let only = places.first().map(|place| place.0);
        let following = following(&words, &places, &pc, &npc);
        if was_public && following.len() > 1 {
            secret_branches.extend(only);
        }
        secret_steps += u64::from(following.len() > 1);
        // A program that publicly stays where it is has ended.
        let ended = was_public && following == places && next == state;
        (state, places) = (next, following);
        if ended {
            break;
        }
    }
    outputs(&mut b, core, image, &wires);
    let circuit = b.finish()?;
    Ok(Unrolled { circuit, secret_branches: secret_branches.into_iter().collect(), secret_steps })
}

/// Instruction memory as far as it matters at `places`: each word that the program cannot be at is one that it can, the one
/// whose address is alike in the most of its highest bits, so that fewer are chosen from.
fn fetched(words: &[Word], places: &BTreeSet<Place>) -> Vec<Word> {
    let at: BTreeSet<u32> = places.iter().map(|place| place.0).collect();
    let nearest = |index: u32| {
        let below = at.range(..=index).next_back();
        let above = at.range(index..).next();
        let near = below.into_iter().chain(above).min_by_key(|&&other| other ^ index);
        words[near.copied().unwrap_or(index) as usize]
    };
    (0..words.len() as u32).map(nearest).collect()
}

/// Where the program can be after a step from `places`, if `pc` and `npc` are the counters' bits by then.
fn following(words: &[Word], places: &BTreeSet<Place>, pc: &[Bit], npc: &[Bit]) -> BTreeSet<Place> {
    let wrap = words.len() as u32 - 1;
    let agrees = |bits: &[Bit], value: u32| {
        let mut bits = bits.iter().enumerate();
        bits.all(|(at, bit)| bit.as_constant().is_none_or(|known| known == (value >> at & 1 == 1)))
    };
    let mut found = BTreeSet::new();
    for &(at, next) in places {
        let word = words[at as usize];
        let sequential = next.wrapping_add(1) & wrap;
        let mut go = |place: Place| {
            if agrees(pc, place.0) && agrees(npc, place.1) {
                found.insert(place);
            }
        };
        match word.op().map(|op| (op, op.row().form)) {
            Some((Op::Syscall | Op::Break, _)) => go((at, next)),
            Some((_, Form::RsRtBranch | Form::RsBranch)) => {
                go((next, sequential));
                go((next, next.wrapping_add(word.signed()) & wrap));
            }
            Some((Op::J | Op::Jal, _)) => go((next, word.jump() & wrap)),
            Some((Op::Jr | Op::Jalr, _)) => {
                // Wherever a register says, as far as that is public.
                (0..=wrap).for_each(|target| go((next, target)));
            }
            _ => go((next, sequential)),
        }
    }
    found
}
