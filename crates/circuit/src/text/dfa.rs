//! Runs a public automaton over a secret string: for regular expressions, tokens, protocols.

use crate::array::{lookup, lookup_ands};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;
use std::collections::{BTreeMap, BTreeSet};

/// A deterministic finite automaton over characters of `w` bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dfa {
    /// The state before the first character.
    pub start: usize,
    /// For each state, whether the automaton accepts a string that ends in it.
    pub accepting: Vec<bool>,
    /// For each state, the next state for each of the `2^w` characters.
    pub next: Vec<Vec<usize>>,
}

impl Dfa {
    /// Whether the automaton accepts the string. The state is represented by one bit per state.
    ///
    /// Characters with the same transitions in every state form a class; a [`lookup`] finds a
    /// character's class. For each character, each state takes one AND per possible next state
    /// except one. With the lookup, that is at most [`step_ands`](Dfa::step_ands) per character; at
    /// the start, constants fold.
    ///
    /// # Panics
    /// If there is no start state, the number of lists of next states differs from the number of
    /// states, a list does not have an entry for each character, a next state does not exist, or
    /// characters have more than 16 bits.
    pub fn accepts(&self, b: &mut Builder, text: &[Vec<Bit>]) -> Bit {
        let width = text.first().map_or(0, Vec::len);
        let classes = self.classes();
        for character in text {
            let (found, chars) = (character.len(), self.next[self.start].len());
            assert!(found <= 16 && 1 << found == chars, "{found} bits for {chars} characters");
        }
        let mut state: Vec<Bit> =
            (0..self.next.len()).map(|s| Bit::constant(s == self.start)).collect();
        for character in text {
            let class = classes.of(b, character, width);
            state = self.step(b, &state, &class, &classes);
        }
        let accepting = state.iter().zip(&self.accepting).filter(|(_, accepts)| **accepts);
        accepting.fold(Bit::FALSE, |any, (&state, _)| b.xor(any, state))
    }

    /// An upper bound for the ANDs per character, if there are at most 129 classes of characters.
    ///
    /// # Panics
    /// As for [`accepts`](Dfa::accepts).
    pub fn step_ands(&self) -> u64 {
        let classes = self.classes();
        let states = self.next.iter().map(|next| {
            let targets: BTreeSet<_> = next.iter().collect();
            targets.len().saturating_sub(1) as u64
        });
        let characters = classes.of_character.len();
        let bits = characters.max(1).ilog2() as usize;
        states.sum::<u64>() + lookup_ands(characters, classes.members.len().saturating_sub(1), bits)
    }

    fn step(&self, b: &mut Builder, state: &[Bit], class: &[Bit], classes: &Classes) -> Vec<Bit> {
        let mut after = vec![Bit::FALSE; state.len()];
        for (next, &here) in self.next.iter().zip(state) {
            // For each possible next state, whether the character's class leads to it.
            let mut leads: BTreeMap<usize, Bit> = BTreeMap::new();
            for (&member, &class) in classes.members.iter().zip(class) {
                let to = leads.entry(next[member]).or_insert(Bit::FALSE);
                *to = b.xor(*to, class);
            }
            // Exactly one of the possible next states is reached: the last one if none of the
            // others is.
            let mut rest = here;
            let last = leads.len().saturating_sub(1);
            for (i, (to, leads)) in leads.into_iter().enumerate() {
                let goes = if i == last { rest } else { b.and(here, leads) };
                rest = b.xor(rest, goes);
                after[to] = b.xor(after[to], goes);
            }
        }
        after
    }

    fn classes(&self) -> Classes {
        let states = self.next.len();
        assert!(self.start < states, "start state {} of {states}", self.start);
        assert_eq!(
            self.accepting.len(),
            states,
            "one list of next states is needed for each state"
        );
        let characters = self.next[self.start].len();
        for (state, next) in self.next.iter().enumerate() {
            let found = next.len();
            assert_eq!(found, characters, "state {state} has {found} next states");
            let exist = next.iter().all(|&next| next < states);
            assert!(exist, "a state after state {state} does not exist");
        }
        let mut numbers = BTreeMap::new();
        let mut classes = Classes { of_character: Vec::new(), members: Vec::new() };
        for character in 0..characters {
            let column: Vec<usize> = self.next.iter().map(|next| next[character]).collect();
            let number = *numbers.entry(column).or_insert(classes.members.len());
            if number == classes.members.len() {
                classes.members.push(character);
            }
            classes.of_character.push(number);
        }
        classes
    }
}

/// The classes of characters with the same transitions.
struct Classes {
    /// The class of each character.
    of_character: Vec<usize>,
    /// One character of each class.
    members: Vec<usize>,
}

impl Classes {
    /// For each class, whether `character` is in it.
    fn of(&self, b: &mut Builder, character: &[Bit], width: usize) -> Vec<Bit> {
        let looked_up = self.members.len().saturating_sub(1);
        let mut bits = Vec::with_capacity(looked_up + 1);
        // A table has entries of at most 128 bits.
        for first in (0..looked_up).step_by(128) {
            let count = (looked_up - first).min(128);
            let bit = |&class: &usize| match class.checked_sub(first) {
                Some(place) if place < count => 1 << place,
                _ => 0,
            };
            let table: Vec<u128> = self.of_character.iter().map(bit).collect();
            bits.extend(lookup(b, &table, count, &int::zero_extend(character, width)));
        }
        let last = bits.iter().fold(Bit::TRUE, |rest, &bit| b.xor(rest, bit));
        bits.push(last);
        bits
    }
}
