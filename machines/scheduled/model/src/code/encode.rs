//! Encodes code as bits for the hardware. The layout of fields is generated from
//! `machines/scheduled/spec/words.toml`.

use super::fields as f;
use super::{Code, Expand, Initial, Operand, Slot, Word};
use crate::schedule::PLACES;
pub use halfgate_model::{Exceeded, Field, Resource};

/// Capacity of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Words in the kernel memory.
    pub kernel: u32,
    /// Labels in each bank.
    pub bank: u32,
    /// Labels in the input memory.
    pub inputs: u32,
    /// Labels of the input memory that can be made at the start.
    pub initials: u32,
    /// Number of tags of labels for the host.
    pub kept: u32,
}

impl Size {
    /// The largest capacities that the fields of words allow.
    pub const MOST: Size =
        Size { kernel: 1 << 16, bank: 1 << 12, inputs: 1 << 12, initials: 1 << 12, kept: 1 << 12 };

    /// The capacity of the published machine (section 6.1): 2^13 gates, spread over slots and
    /// banks, and 2^10 input bits. It has tags for more than its 2^8 output bits.
    pub fn published(shape: super::Shape) -> Size {
        const GATES: u32 = 1 << 13;
        let share = |parts: u32| GATES / parts.next_power_of_two();
        Size {
            kernel: share(shape.pipelines),
            bank: share(shape.banks),
            inputs: 1 << 10,
            initials: 1 << 10,
            kept: 1 << 12,
        }
    }
}

/// An encoded body, lowest bit first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The kernel's words. From the lowest bits up, a word has its slots and then the input label
    /// to make.
    pub words: Vec<Bits>,
    /// The labels to make at the start.
    pub initials: Vec<Bits>,
}

/// A word of any width, as 64-bit pieces, lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits(pub Vec<u64>);

impl Bits {
    /// Makes a word of `width` zeros.
    pub fn of(width: u32) -> Bits {
        Bits(vec![0; width.div_ceil(64) as usize])
    }

    /// Sets `field` of the record that starts at bit `base`. The field's bits must have been 0.
    ///
    /// # Panics
    /// If the value does not fit the field.
    pub fn set(&mut self, base: u32, field: Field, value: u64) {
        assert!(field.width == 64 || value >> field.width == 0, "{value} in {} bits", field.width);
        let low = base + field.low;
        let (piece, shift) = ((low / 64) as usize, low % 64);
        self.0[piece] |= value << shift;
        if shift + field.width > 64 {
            self.0[piece + 1] |= value >> (64 - shift);
        }
    }
}

impl Code {
    /// Encodes the code for a machine of this capacity.
    ///
    /// # Errors
    /// If the machine is too small.
    pub fn encode(&self, size: Size) -> Result<Encoded, Exceeded> {
        self.fits(size)?;
        let words = self.words.iter().map(|word| self.word(word)).collect();
        Ok(Encoded { words, initials: self.initials.iter().map(initial).collect() })
    }

    /// Bits of a kernel word.
    pub fn word_bits(shape: super::Shape) -> u32 {
        shape.all_slots() as u32 * f::SLOT_BITS + f::EXPAND_BITS
    }

    /// Checks that the code fits a machine of this capacity.
    ///
    /// # Errors
    /// With the first limit that the code exceeds.
    pub fn fits(&self, size: Size) -> Result<(), Exceeded> {
        Exceeded::check(Resource::LabelBanks, self.shape.banks.into(), 1 << f::PLACE_BANK.width)?;
        Exceeded::check(Resource::KernelWords, self.interval(), size.kernel.into())?;
        for (bank, depth) in (0..).zip(&self.depths) {
            Exceeded::check(Resource::BankWords { bank }, (*depth).into(), size.bank.into())?;
        }
        Exceeded::check(Resource::InputWords, self.inputs.into(), size.inputs.into())?;
        let initials = self.initials.len() as u64;
        Exceeded::check(Resource::InitialLabels, initials, size.initials.into())?;
        Exceeded::check(Resource::OutputLabels, self.body.tags.len() as u64, size.kept.into())?;
        Exceeded::check(
            Resource::InputBits,
            self.body.requested.first,
            1 << f::INITIAL_NUMBER.width,
        )?;
        let slots = || self.words.iter().flat_map(|word| word.slots.iter().flatten());
        let expands = self.words.iter().filter_map(|word| word.expand);
        let stages = slots().map(|slot| slot.stage).chain(expands.map(|expand| expand.stage));
        let stages = stages.max().unwrap_or(0);
        Exceeded::check(Resource::CyclesAtOnce, u64::from(stages) + 1, 1 << f::SLOT_STAGE.width)?;
        let operands = || slots().flat_map(|slot| slot.operands.iter().flatten());
        let ago = operands().map(|operand| operand.ago).max().unwrap_or(0);
        Exceeded::check(
            Resource::FlipFlopsInARow,
            u64::from(ago) + 1,
            1 << f::OPERAND_FIRST.width,
        )?;
        let copies = operands().map(|operand| operand.copies).max().unwrap_or(1);
        Exceeded::check(Resource::CyclesForALabel, copies.into(), 1 << f::OPERAND_BACK.width)?;
        let reach = (u64::from(stages) + 1) * self.body.ands.max(self.body.requested.each).max(1);
        Exceeded::check(Resource::AndsAtOnce, reach, 1 << (f::SLOT_NUMBER.width - 1))
    }

    fn word(&self, word: &Word) -> Bits {
        let mut bits = Bits::of(Code::word_bits(self.shape));
        for (number, slot) in (0..).zip(&word.slots) {
            if let Some(slot) = slot {
                self.slot(&mut bits, number * f::SLOT_BITS, slot);
            }
        }
        if let Some(expand) = &word.expand {
            self.expand(&mut bits, word.slots.len() as u32 * f::SLOT_BITS, expand);
        }
        bits
    }

    fn slot(&self, bits: &mut Bits, base: u32, slot: &Slot) {
        let [a, b, third] = &slot.operands;
        assert!(third.is_none(), "FASE has no fused gates");
        for (place, operand) in (0..).zip([a, b]) {
            let base = base + f::SLOT_OPERANDS.low + place * f::SLOT_OPERANDS.width;
            if let Some(operand) = operand {
                self.operand(bits, base, slot.stage, operand);
            }
        }
        assert!(slot.places.len() <= PLACES, "a label in too many places");
        for (number, place) in (0..).zip(&slot.places) {
            let base = base + f::SLOT_PLACES.low + number * f::SLOT_PLACES.width;
            bits.set(base, f::PLACE_BANK, place.bank.into());
            bits.set(base, f::PLACE_ADDRESS, place.address.into());
            bits.set(base, f::PLACE_COPIES, place.copies.trailing_zeros().into());
            bits.set(base, f::PLACE_VALID, 1);
        }
        let number = i64::from(slot.number) - i64::from(slot.stage) * self.body.ands as i64;
        let [invert_a, invert_b, invert] = slot.inverts;
        let flags = [
            (f::SLOT_KEEP, slot.keep.is_some()),
            (f::SLOT_INVERT_A, invert_a),
            (f::SLOT_INVERT_B, invert_b),
            (f::SLOT_INVERT, invert),
            (f::SLOT_COPY, slot.operands[1].is_none()),
            (f::SLOT_IS_AND, slot.is_and),
            (f::SLOT_VALID, true),
        ];
        bits.set(base, f::SLOT_STAGE, slot.stage.into());
        bits.set(base, f::SLOT_NUMBER, f::SLOT_NUMBER.difference(number));
        bits.set(base, f::SLOT_TAG, slot.keep.unwrap_or(0).into());
        flags.into_iter().for_each(|(field, flag)| bits.set(base, field, flag.into()));
    }

    fn operand(&self, bits: &mut Bits, base: u32, stage: u32, operand: &Operand) {
        let back = stage + operand.ago;
        let back = u64::from(back) % (1 << f::OPERAND_BACK.width);
        bits.set(base, f::OPERAND_BANK, operand.bank.unwrap_or(0).into());
        bits.set(base, f::OPERAND_ADDRESS, operand.address.into());
        bits.set(base, f::OPERAND_COPIES, operand.copies.trailing_zeros().into());
        bits.set(base, f::OPERAND_BACK, back);
        bits.set(base, f::OPERAND_FIRST, operand.ago.into());
        bits.set(base, f::OPERAND_START, operand.initial.into());
        bits.set(base, f::OPERAND_INPUTS, operand.bank.is_none().into());
    }

    fn expand(&self, bits: &mut Bits, base: u32, expand: &Expand) {
        let [first, again] = expand.sequence;
        // The sequence number of the first bit that netlist cycle c > 0 requests is the number of
        // bits that all earlier netlist cycles request.
        let (all, each) = (self.body.requested.first as i64, self.body.requested.each as i64);
        let stage = i64::from(expand.stage);
        let sequence = all - each + i64::from(again) - stage * each;
        bits.set(base, f::EXPAND_ADDRESS, expand.address.into());
        bits.set(base, f::EXPAND_COPIES, expand.copies.trailing_zeros().into());
        bits.set(base, f::EXPAND_STAGE, expand.stage.into());
        bits.set(base, f::EXPAND_FIRST, first.into());
        bits.set(base, f::EXPAND_AGAIN, f::EXPAND_AGAIN.difference(sequence));
        bits.set(base, f::EXPAND_VALID, 1);
    }
}

fn initial(initial: &Initial) -> Bits {
    let mut bits = Bits::of(f::INITIAL_BITS);
    bits.set(0, f::INITIAL_ADDRESS, initial.address.into());
    bits.set(0, f::INITIAL_NUMBER, initial.sequence.unwrap_or(0).into());
    bits.set(0, f::INITIAL_CONSTANT, initial.sequence.is_none().into());
    bits.set(0, f::INITIAL_INVERT, initial.invert.into());
    bits
}
