//! Commands: gates with the places of their labels, and their layout in registers.

use super::fields as f;
use super::place::Place;
pub use super::place::{CONSTANTS, ONE, ZERO};
use halfgate_circuit::{Bit, Gate, GateKind, Wire};
use std::fmt;

/// A gate: `out = (a ^ invert_a) op (b ^ invert_b) ^ invert_out`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// AND number in the body; 0 for an XOR.
    pub number: u32,
    /// Place of the first operand.
    pub a: Place,
    /// Place of the second operand.
    pub b: Place,
    /// Place of the output.
    pub out: Place,
    /// Which of a, b and the output are inverted.
    pub invert: [bool; 3],
}

impl Command {
    /// Fills the unused lanes of a group.
    pub(super) const NONE: Command =
        Command { number: 0, a: ZERO, b: ZERO, out: ZERO, invert: [false; 3] };

    /// Returns the command of a gate. Its output goes to the place `out`, `number` is the AND
    /// number, and `place` returns the place of an operand's wire. A copy becomes an XOR with a
    /// constant, as in the paper's netlists.
    pub fn of(gate: Gate, number: u32, out: Place, place: impl Fn(usize) -> Place) -> Command {
        let of = |wire: Wire| place(wire.index());
        let bit = |bit: Bit| bit.wire().map_or(ZERO, of);
        match gate.kind() {
            GateKind::And { a, b, invert } => Command {
                number,
                a: bit(a),
                b: bit(b),
                out,
                invert: [a.is_inverted(), b.is_inverted(), invert],
            },
            GateKind::Xor { a, b, invert } => {
                Command { number: 0, a: of(a), b: of(b), out, invert: [false, false, invert] }
            }
            GateKind::Copy { a, invert } => {
                let b = if invert { ONE } else { ZERO };
                Command { number: 0, a: of(a), b, out, invert: [false; 3] }
            }
        }
    }
}

/// Layout of a command in registers of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As first published: three registers, each with an address of 31 bits and the block RAM flag.
    Three,
    /// As finally published (section 3.4.1, Figure 9): two registers with three addresses of 20
    /// bits and their flags.
    Two,
    /// Ours: three registers, each with an address of 30 bits, an inversion bit, and the flag. An
    /// AND has a fourth register with its number. The other forms number ANDs as they arrive.
    Inverting,
}

/// Why a form cannot encode a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacks {
    /// The form has no inversions.
    Inversion,
    /// An address needs more bits than the form has; this is the form's number of bits.
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
                "an address does not fit into {bits} bits: use a form of commands with longer addresses, or a policy that reuses places"
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

    /// Registers of the longest command.
    pub const MOST: usize = 4;

    /// Number of registers of an AND's command (if `ands` is set) or an XOR's.
    pub const fn registers(self, ands: bool) -> usize {
        match self {
            Form::Three => 3,
            Form::Two => 2,
            Form::Inverting => 3 + ands as usize,
        }
    }

    /// Whether commands carry AND numbers.
    pub const fn numbers(self) -> bool {
        matches!(self, Form::Inverting)
    }

    /// Bits of an address, without its flag.
    pub const fn address_bits(self) -> u32 {
        match self {
            Form::Three => f::LONG_ADDRESS.width,
            Form::Two => f::SHORT_ADDRESS.width,
            Form::Inverting => f::PLACE_ADDRESS.width,
        }
    }

    /// Code of the form in a stream's header.
    pub const fn code(self) -> u8 {
        match self {
            Form::Three => 0,
            Form::Two => 1,
            Form::Inverting => 2,
        }
    }

    /// The form with this code.
    pub fn of(code: u8) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.code() == code)
    }

    /// Encodes a command. Only the first [`registers`](Form::registers) are sent.
    ///
    /// # Errors
    /// If the form cannot encode it.
    pub fn encode(self, command: Command) -> Result<[u32; Form::MOST], Lacks> {
        let Command { a, b, out, invert, number } = command;
        if self != Form::Inverting && invert != [false; 3] {
            return Err(Lacks::Inversion);
        }
        let bits = self.address_bits();
        let (address, ram) = self.fields();
        let mut all = 0_u128;
        for (n, (place, invert)) in [a, b, out].into_iter().zip(invert).enumerate() {
            let (at, flag) = match place {
                Place::BlockRam(at) => (at, 1),
                Place::Ddr(at) => (at, 0),
            };
            if u64::from(at) >> bits != 0 {
                return Err(Lacks::Address(bits));
            }
            let inverted = u128::from(invert) << f::PLACE_INVERT.low;
            let word = u128::from(at) << address | flag << ram | inverted;
            all |= word << (n as u32 * self.width());
        }
        let mut registers = [0, 1, 2, 3].map(|n| (all >> (32 * n)) as u32);
        if self.numbers() {
            registers[3] = number;
        }
        Ok(registers)
    }

    /// Decodes a command. If the form has no AND numbers, `number` is the AND's number. Any bits
    /// decode to a command; unused bits are ignored.
    pub fn decode(self, registers: [u32; Form::MOST], number: u32) -> Command {
        let all = (0..).zip(registers).fold(0, |all, (n, word)| all | u128::from(word) << (32 * n));
        let (address, ram) = self.fields();
        let word = |n: u32| (all >> (n * self.width())) as u32 & (u32::MAX >> (32 - self.width()));
        let place = |n: u32| {
            let at = word(n) >> address;
            if word(n) >> ram & 1 == 1 { Place::BlockRam(at) } else { Place::Ddr(at) }
        };
        let invert = |n: u32| self == Form::Inverting && word(n) >> f::PLACE_INVERT.low & 1 == 1;
        Command {
            number: if self.numbers() { registers[3] } else { number },
            a: place(0),
            b: place(1),
            out: place(2),
            invert: [invert(0), invert(1), invert(2)],
        }
    }

    /// Position in a register of the address, and of the block RAM flag.
    const fn fields(self) -> (u32, u32) {
        match self {
            Form::Three => (f::LONG_ADDRESS.low, f::LONG_RAM.low),
            Form::Two => (f::SHORT_ADDRESS.low, f::SHORT_RAM.low),
            Form::Inverting => (f::PLACE_ADDRESS.low, f::PLACE_RAM.low),
        }
    }

    /// Bits of an address with its flag and inversion.
    const fn width(self) -> u32 {
        match self {
            Form::Three => f::LONG_BITS,
            Form::Two => f::SHORT_BITS,
            Form::Inverting => f::PLACE_BITS,
        }
    }
}
