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
use crate::places::{Place, Places};
use crate::word::Word;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bit, Builder, Circuit};
use std::collections::BTreeSet;

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
    let mut places = Places::start();
    let (mut secret_branches, mut secret_steps) = (BTreeSet::new(), 0);
    let mut wires = Vec::new();
    for _ in 0..steps.max(1) {
        wires = memory(fetched(&words, &places.all).into_iter().map(|word| word.0));
        wires.extend(&data);
        wires.extend(&state);
        assert_eq!(wires.len(), first + core.flip_flops.len(), "a core for the image's memories");
        // Where the program is in a secret place, a step is of no one line.
        let line = places.only().and_then(|place| image.places.get(place.0 as usize)?.as_deref());
        b.at_line(line.unwrap_or_default());
        gates(&mut b, core, &mut wires);
        let next =
            core.flip_flops.iter().map(|flip_flop| crate::bind::value(&wires, flip_flop.next));
        let next: Vec<Bit> = next.collect();
        let (pc, npc) = (output(core, &wires, "pc"), output(core, &wires, "npc"));
        let known = |bits: &[Bit]| bits.iter().map(|bit| bit.as_constant()).collect::<Vec<_>>();
        let following = places.after(&words, &known(&pc), &known(&npc));
        secret_branches.extend(following.parted);
        secret_steps += u64::from(following.places.only().is_none());
        // A program that publicly stays where it is has ended.
        let ended = places.only().is_some() && following.places == places && next == state;
        (state, places) = (next, following.places);
        if ended {
            break;
        }
    }
    b.at_line("");
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
