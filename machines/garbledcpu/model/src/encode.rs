//! Encodes code as the bits of the gate memory. The layout of fields is generated from
//! `machines/garbledcpu/spec/words.toml`.

use super::fields as f;
use halfgate_scheduled_model::code::{Bits, Code, Exceeded, Expand, Operand, Resource, Slot, Word};
use halfgate_scheduled_model::schedule::Shape;

/// Capacity of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Words in the gate memory.
    pub gates: u32,
    /// Labels in each bank.
    pub bank: u32,
    /// Labels in the input memory: those of input bits and of initial values of flip-flops.
    pub inputs: u32,
}

impl Size {
    /// The largest capacities that the fields of words allow.
    pub const MOST: Size = Size { gates: 1 << 16, bank: 1 << 14, inputs: 1 << 16 };

    /// Capacities for processors with memories of up to 64 words, evaluated by one pipeline.
    pub const USUAL: Size = Size { gates: 1 << 14, bank: 1 << 11, inputs: 1 << 13 };

    /// Number of tags of labels for the host.
    pub const KEPT: u32 = 1 << f::ENTRY_TAG.width;
}

/// Bits of a word of the gate memory.
pub fn word_bits(shape: Shape) -> u32 {
    shape.all_slots() as u32 * f::ENTRY_BITS + f::REQUEST_BITS
}

/// Bits of an entry of the list of labels that are requested at the start. An entry is an address
/// in the input memory.
pub const INITIAL_BITS: u32 = f::REQUEST_ADDRESS.width;

/// Checks that the code fits a machine of this capacity.
///
/// # Errors
/// With the first limit that the code exceeds.
pub fn fits(code: &Code, size: Size) -> Result<(), Exceeded> {
    Exceeded::check(Resource::LabelBanks, code.shape.banks.into(), 1 << f::PLACE_BANK.width)?;
    Exceeded::check(Resource::GateWords, code.interval(), size.gates.into())?;
    for (bank, depth) in (0..).zip(&code.depths) {
        Exceeded::check(Resource::BankWords { bank }, (*depth).into(), size.bank.into())?;
    }
    let inputs = u64::from(code.inputs).max(code.initials.len() as u64);
    Exceeded::check(Resource::InputWords, inputs, size.inputs.into())?;
    Exceeded::check(Resource::OutputLabels, code.body.tags.len() as u64, Size::KEPT.into())?;
    let slots = || code.words.iter().flat_map(|word| word.slots.iter().flatten());
    let expands = code.words.iter().filter_map(|word| word.expand);
    let stages = slots().map(|slot| slot.stage).chain(expands.map(|expand| expand.stage));
    let stages = stages.max().unwrap_or(0);
    Exceeded::check(Resource::CyclesAtOnce, u64::from(stages) + 1, 1 << f::ENTRY_STAGE.width)?;
    let operands = || slots().flat_map(|slot| slot.operands.iter().flatten());
    let ago = operands().map(|operand| operand.ago).max().unwrap_or(0);
    Exceeded::check(Resource::FlipFlopsInARow, u64::from(ago) + 1, 1 << f::OPERAND_FIRST.width)?;
    let copies = operands().map(|operand| operand.copies).max().unwrap_or(1);
    Exceeded::check(Resource::CyclesForALabel, copies.into(), 1 << f::OPERAND_BACK.width)?;
    let reach = (u64::from(stages) + 1) * code.body.ands.max(1);
    Exceeded::check(Resource::AndsAtOnce, reach, 1 << (f::ENTRY_NUMBER.width - 1))
}

/// How a machine numbers the ANDs of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbered {
    /// An AND has its number in the run, for the suite `half-gates`.
    InRun,
    /// An AND has its index in the body, which is the same in each netlist cycle, for
    /// `half-gates-fixed-key`.
    InBody,
}

/// Encodes the words of the gate memory, for a machine of this capacity.
///
/// # Errors
/// If the machine is too small.
pub fn words(code: &Code, size: Size, numbered: Numbered) -> Result<Vec<Bits>, Exceeded> {
    fits(code, size)?;
    Ok(code.words.iter().map(|found| word(code, found, numbered)).collect())
}

fn word(code: &Code, word: &Word, numbered: Numbered) -> Bits {
    let mut bits = Bits::of(word_bits(code.shape));
    for (number, slot) in (0..).zip(&word.slots) {
        if let Some(slot) = slot {
            let and = match numbered {
                Numbered::InRun => {
                    i64::from(slot.number) - i64::from(slot.stage) * code.body.ands as i64
                }
                Numbered::InBody => slot.position.into(),
            };
            entry(&mut bits, number * f::ENTRY_BITS, slot, and);
        }
    }
    if let Some(expand) = &word.expand {
        request(&mut bits, word.slots.len() as u32 * f::ENTRY_BITS, expand);
    }
    bits
}

fn entry(bits: &mut Bits, base: u32, slot: &Slot, number: i64) {
    for (place, found) in (0..).zip(&slot.operands) {
        let base = base + f::ENTRY_OPERANDS.low + place * f::ENTRY_OPERANDS.width;
        if let Some(found) = found {
            operand(bits, base, slot.stage, found);
        }
    }
    for (number, place) in (0..).zip(&slot.places) {
        let base = base + f::ENTRY_PLACES.low + number * f::ENTRY_PLACES.width;
        bits.set(base, f::PLACE_BANK, place.bank.into());
        bits.set(base, f::PLACE_ADDRESS, place.address.into());
        bits.set(base, f::PLACE_COPIES, place.copies.trailing_zeros().into());
        bits.set(base, f::PLACE_VALID, 1);
    }
    let [xor_a, xor_b, xor_out] = slot.xors;
    let flags = [
        (f::ENTRY_KEEP, slot.keep.is_some()),
        (f::ENTRY_XOR_A, xor_a),
        (f::ENTRY_XOR_B, xor_b),
        (f::ENTRY_XOR_OUT, xor_out),
        (f::ENTRY_IS_AND, slot.is_and),
        (f::ENTRY_VALID, true),
    ];
    bits.set(base, f::ENTRY_STAGE, slot.stage.into());
    bits.set(base, f::ENTRY_NUMBER, f::ENTRY_NUMBER.difference(number));
    bits.set(base, f::ENTRY_TAG, slot.keep.unwrap_or(0).into());
    flags.into_iter().for_each(|(field, flag)| bits.set(base, field, flag.into()));
}

fn operand(bits: &mut Bits, base: u32, stage: u32, operand: &Operand) {
    let back = u64::from(stage + operand.ago) % (1 << f::OPERAND_BACK.width);
    bits.set(base, f::OPERAND_BANK, operand.bank.unwrap_or(0).into());
    bits.set(base, f::OPERAND_ADDRESS, operand.address.into());
    bits.set(base, f::OPERAND_COPIES, operand.copies.trailing_zeros().into());
    bits.set(base, f::OPERAND_BACK, back);
    bits.set(base, f::OPERAND_FIRST, operand.ago.into());
    bits.set(base, f::OPERAND_START, operand.initial.into());
    bits.set(base, f::OPERAND_INPUTS, operand.bank.is_none().into());
    bits.set(base, f::OPERAND_VALID, 1);
}

fn request(bits: &mut Bits, base: u32, expand: &Expand) {
    bits.set(base, f::REQUEST_ADDRESS, expand.address.into());
    bits.set(base, f::REQUEST_COPIES, expand.copies.trailing_zeros().into());
    bits.set(base, f::REQUEST_STAGE, expand.stage.into());
    bits.set(base, f::REQUEST_VALID, 1);
}
