//! The message of the hash programs: the garbler's prefix followed by the evaluator's part.

use crate::error::MakeError;
use crate::ports::{Element, PortType};
use crate::program::check;
use halfgate_circuit::{Bit, Builder, Party};

/// The ports of a program that hashes the message to 256 bits.
pub(crate) const PORTS: &str = "garbler prefix:8G (if G > 0); evaluator message:8E (if E > 0); \
                                output digest:256 (FIPS byte order, bytes:)";

/// The ports' types.
pub(crate) const TYPES: &[PortType] = &[
    PortType::one("prefix", Element::Bytes),
    PortType::one("message", Element::Bytes),
    PortType::one("digest", Element::Bytes),
];

/// The message's length in bytes, or an error if both parts are empty or one is above 65,536.
pub(crate) fn check_bytes(prefix_bytes: u32, message_bytes: u32) -> Result<u64, MakeError> {
    check("G", prefix_bytes.into(), 0..=1 << 16)?;
    check("E", message_bytes.into(), 0..=1 << 16)?;
    let bytes = u64::from(prefix_bytes) + u64::from(message_bytes);
    check("G + E", bytes, 1..=1 << 17)?;
    Ok(bytes)
}

/// Declares the input ports and returns the whole message. A part of 0 bytes has no port.
pub(crate) fn inputs(b: &mut Builder, prefix_bytes: u32, message_bytes: u32) -> Vec<Bit> {
    let mut message = Vec::new();
    if prefix_bytes > 0 {
        message.extend(b.input("prefix", Party::Garbler, 8 * prefix_bytes));
    }
    if message_bytes > 0 {
        message.extend(b.input("message", Party::Evaluator, 8 * message_bytes));
    }
    message
}
