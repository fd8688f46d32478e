//! `overlay_link`: the queue of words, and the group of commands at its head.

use super::{Garbles, Group, Machine};
use crate::command::{Command, Form};
use crate::encode;
use crate::model::shape::{MOST_LANES, Shape};

impl<G: Garbles> Machine<G> {
    pub(super) fn words_ready(&self) -> bool {
        let Shape { words, depth, hold, .. } = self.shape;
        let is_within = self.left > 0 && !self.first;
        let is_under_way = !self.operands.is_empty() || (!is_within && self.under_way > 0);
        let is_whole = || self.left > 0 && self.words.len() >= self.needed();
        self.words.len() as u32 + words <= depth && !(hold && (is_under_way || is_whole()))
    }

    /// Number of registers of all commands of the current group.
    pub(super) fn needed(&self) -> usize {
        self.count() * self.begin.form.registers(self.ands)
    }

    fn count(&self) -> usize {
        self.left.min(self.shape.lanes) as usize
    }

    /// Decodes the current group. Words that have not arrived count as 0.
    pub(super) fn group(&self) -> Group {
        let (form, count) = (self.begin.form, self.count());
        let each = form.registers(self.ands);
        let mut commands = [Command::NONE; MOST_LANES];
        for (lane, command) in commands[..count].iter_mut().enumerate() {
            let mut registers = [0; Form::MOST];
            for (at, register) in registers[..each].iter_mut().enumerate() {
                *register = self.words.get(lane * each + at).copied().unwrap_or(0);
            }
            *command = form.decode(registers, 0);
        }
        let last = self.left <= self.shape.lanes;
        Group { commands, count, ands: self.ands, first: self.first, last, number: self.number }
    }

    /// Whether operands of the current group may be read. A serial overlay reads as soon as the
    /// first two registers are there.
    pub(super) fn is_group_valid(&self) -> bool {
        self.left > 0 && self.words.len() >= if self.shape.serial { 2 } else { self.needed() }
    }

    /// Removes the group that was issued, or else the word before a batch; then queues new words.
    pub(super) fn clock_link(&mut self, sent: Option<Group>, words: &[u32]) {
        let begins = self.left == 0 && self.running && !self.ended && !self.words.is_empty();
        if let Some(group) = sent {
            self.words.drain(..self.needed());
            self.left -= group.count as u32;
            self.first = false;
            if group.ands && !self.begin.form.numbers() {
                self.number += group.count as u64;
            }
            self.served = 0;
            self.send_operands(group);
        } else if begins {
            let word = self.words.pop_front().unwrap_or(encode::END);
            (self.left, self.ands) = encode::of_batch(word);
            (self.first, self.ended) = (true, word == encode::END);
        }
        self.words.extend(words);
    }
}
