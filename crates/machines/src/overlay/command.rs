//! A command: a gate by the places of its labels, and how it lies in registers.

use super::allocate::Place;
use halfgate_circuit::{Bit, Gate, GateKind, Wire};
use std::fmt;

/// A gate: `out = (a ^ invert_a) op (b ^ invert_b) ^ invert_out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where the first operand is.
    pub a: Place,
    /// The second.
    pub b: Place,
    /// Where the output goes.
    pub out: Place,
    /// Which of the three are inverted.
    pub invert: [bool; 3],
}

/// Where the label of the public constant 0 is: no bits are set in it, whoever holds it.
pub const ZERO: Place = Place::Ddr(0);
/// The public constant 1: Δ for the garbler, and no bits for the evaluator.
pub const ONE: Place = Place::Ddr(1);
/// Labels in DDR that are no wire's: the constants.
pub const CONSTANTS: u32 = 2;

impl Command {
    /// The command of a gate whose output goes to `out`. A copy is an XOR with a constant, as the paper's netlists have it.
    pub fn of(gate: Gate, out: Place, place: impl Fn(usize) -> Place) -> Command {
        let of = |wire: Wire| place(wire.index());
        let bit = |bit: Bit| bit.wire().map_or(ZERO, of);
        match gate.kind() {
            GateKind::And { a, b, invert } => Command {
                a: bit(a),
                b: bit(b),
                out,
                invert: [a.is_inverted(), b.is_inverted(), invert],
            },
            GateKind::Xor { a, b, invert } => {
                Command { a: of(a), b: of(b), out, invert: [false, false, invert] }
            }
            GateKind::Copy { a, invert } => {
                let b = if invert { ONE } else { ZERO };
                Command { a: of(a), b, out, invert: [false; 3] }
            }
        }
    }
}

/// How a command lies in registers of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As first published: an address of 31 bits in each of three registers, and the flag that says block RAM last.
    Three,
    /// As published at last (section 3.4.1, Figure 9): three addresses of 20 bits, each with its flag, in two registers.
    Two,
    /// Ours: three registers, each with an address of 30 bits, whether the label is inverted, and the flag.
    Inverting,
}

/// What a form of commands has no room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacks {
    /// It cannot invert.
    Inversion,
    /// Its addresses have so many bits.
    Address(u32),
}

impl fmt::Display for Lacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lacks::Inversion => f.write_str(
                "the overlay's cells cannot invert: use a form of commands that can, or the circuit of --match-paper",
            ),
            Lacks::Address(bits) => write!(
                f,
                "an address does not fit into {bits} bits: use a form of commands with longer ones, or reuse places"
            ),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Three => "commands of three registers",
            Form::Two => "commands of two registers",
            Form::Inverting => "commands of three registers that invert",
        })
    }
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 3] = [Form::Three, Form::Two, Form::Inverting];

    /// Bytes of the longest command.
    pub const MOST: usize = 12;

    /// Registers of a command.
    pub const fn registers(self) -> usize {
        match self {
            Form::Three | Form::Inverting => 3,
            Form::Two => 2,
        }
    }

    /// Bytes of a command.
    pub const fn bytes(self) -> usize {
        4 * self.registers()
    }

    /// Bits of an address, without its flag.
    pub const fn address_bits(self) -> u32 {
        match self {
            Form::Three => 31,
            Form::Two => 20,
            Form::Inverting => 30,
        }
    }

    /// The form in a stream's header.
    pub const fn code(self) -> u8 {
        match self {
            Form::Three => 0,
            Form::Two => 1,
            Form::Inverting => 2,
        }
    }

    /// The form that a header's byte stands for.
    pub fn of(code: u8) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.code() == code)
    }

    /// The registers of a command, first ones first, little endian.
    ///
    /// # Errors
    /// If the form has no room for it.
    pub fn encode(self, command: Command) -> Result<[u8; Form::MOST], Lacks> {
        let Command { a, b, out, invert } = command;
        if self != Form::Inverting && invert != [false; 3] {
            return Err(Lacks::Inversion);
        }
        let bits = self.address_bits();
        let mut all = 0_u128;
        for (n, (place, invert)) in [a, b, out].into_iter().zip(invert).enumerate() {
            let (at, flag) = match place {
                Place::BlockRam(at) => (at, 1),
                Place::Ddr(at) => (at, 0),
            };
            if u64::from(at) >> bits != 0 {
                return Err(Lacks::Address(bits));
            }
            let word = match self {
                Form::Three | Form::Two => u128::from(at) << 1 | flag,
                Form::Inverting => u128::from(at) << 2 | u128::from(invert) << 1 | flag,
            };
            all |= word << (n as u32 * self.width());
        }
        let mut bytes = [0; Form::MOST];
        bytes.copy_from_slice(&all.to_le_bytes()[..Form::MOST]);
        Ok(bytes)
    }

    /// The command in registers. Any bits are one; those of no address are left alone.
    pub fn decode(self, bytes: [u8; Form::MOST]) -> Command {
        let mut all = [0; 16];
        all[..self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
        let all = u128::from_le_bytes(all);
        let word = |n: u32| (all >> (n * self.width())) as u32 & (u32::MAX >> (32 - self.width()));
        let place = |n: u32| {
            let at = word(n) >> if self == Form::Inverting { 2 } else { 1 };
            if word(n) & 1 == 1 { Place::BlockRam(at) } else { Place::Ddr(at) }
        };
        let invert = |n: u32| self == Form::Inverting && word(n) & 2 != 0;
        Command {
            a: place(0),
            b: place(1),
            out: place(2),
            invert: [invert(0), invert(1), invert(2)],
        }
    }

    /// Bits of an address with all that goes with it.
    const fn width(self) -> u32 {
        match self {
            Form::Three | Form::Inverting => 32,
            Form::Two => 21,
        }
    }
}
