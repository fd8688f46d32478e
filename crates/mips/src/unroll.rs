//! Unrolls a public program into a circuit of its steps, each with only the gates that its
//! instruction needs (section 3.1 of the paper).
//!
//! The processor is copied once for each step, with public values as constants. The program counter
//! is public until a branch depends on a secret. While it is public, the instruction is a constant,
//! and only the part of the processor that the instruction needs remains. After a branch on a
//! secret the counter is secret too. Then, until all paths meet again, the instruction is selected
//! from those of all places where the program can be.
//!
//! Time is proportional to the number of steps times the number of the processor's gates. Memory
//! holds the state and the circuit's gates; if there are many gates, they are in a file.

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
    /// The circuit. It has one cycle, and the ports of [`bind`](crate::bind::bind).
    pub circuit: Circuit,
    /// Numbers of the instructions that are branches on secrets.
    pub secret_branches: Vec<u32>,
    /// Number of steps in which the program counter was secret.
    pub secret_steps: u64,
}

/// Unrolls `steps` steps of `image` on the processor whose circuit is `core`. If the end of the
/// program is public, steps after it are left out.
///
/// # Errors
/// If the circuit has more wires than wire numbers.
///
/// # Panics
/// If the memories of `core` differ in size from those of `image`.
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
        // If the place of the program is secret, the step does not belong to a single line.
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
        // If the place is public and the state no longer changes, the program has ended.
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

/// Returns instruction memory for a step at `places`. A word where the program cannot be is
/// replaced by one where it can be: by the word whose address has the most high bits in common.
/// Then the circuit that selects the instruction has fewer different inputs.
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
