//! Errors that the host finds in the simulated hardware.

use crate::rtl::registers::{Code, ERROR_CODE, ERROR_ENGINE, ERROR_STREAM, Stream};
use halfgate_engine::Cause;
use halfgate_haac_model::encoding::EncodeError;
use halfgate_haac_model::model::layout::Region;
use halfgate_haac_model::model::rows::CodeError;

/// An error in the hardware's configuration or behaviour. Addresses are bytes of its memory.
#[derive(Debug, thiserror::Error)]
pub(super) enum HardwareError {
    #[error("it was built as {is:#x}, not as {wanted:#x}")]
    Config { is: u32, wanted: u32 },
    #[error("it has {} ports of {} bytes, not {} of {}", has.0, has.1, wanted.0, wanted.1)]
    Ports { has: (u32, u32), wanted: (u32, u32) },
    #[error("its registers do not respond")]
    Registers,
    #[error("it does not finish wiping its window")]
    Wipes,
    /// The value of the register `error`.
    #[error("{}", describe(*.0))]
    Stopped(u32),
    #[error("it was reset in mid-run")]
    WasReset,
    #[error("it did not start")]
    DidNotStart,
    #[error("port {port} wrote at {address:#x} with strobes from lane {lane}, not {wanted}")]
    Strobes { port: u32, address: u64, lane: usize, wanted: usize },
    #[error("a header is for a machine with one engine and a program without flip-flops")]
    NoHeader,
    #[error("its code: {0}")]
    Code(#[from] CodeError),
    #[error("its code: {0}")]
    Encode(#[from] EncodeError),
    /// The machine failed after memory had refused an access.
    #[error("{cause}; {refused}")]
    Refused { cause: Cause, refused: Refused },
}

/// Why a program or a description exceeds the hardware's limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Beyond {
    #[error("the program is longer than a launch of the machine can be")]
    Launch,
    #[error("the memory's numbers exceed the machine's registers")]
    Registers,
}

/// Accesses of the hardware that memory has refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("it read {bytes} bytes at {address:#x}, where there is no data")]
    Nowhere { bytes: usize, address: u64 },
    #[error("it read out of order: {region:?} at {offset}")]
    OutOfTurn { region: Region, offset: u64 },
    #[error("it read wire {wire}, which is not in memory")]
    NoLabel { wire: u32 },
    #[error("it wrote {bytes} bytes at {address:#x}, where it may not")]
    Write { bytes: usize, address: u64 },
}

/// The value of the register `error` as text.
fn describe(error: u32) -> String {
    let code = ERROR_CODE.of(error);
    let mut text = match Code::from_code(code) {
        Some(code) => format!("{}: {}", name(code), code.about()),
        None => format!("it stopped with the unknown error {code}"),
    };
    match Stream::from_code(ERROR_STREAM.of(error)) {
        None | Some(Stream::None) => {}
        Some(stream) => {
            text.push_str(&format!(" ({}", stream.about()));
            if of_an_engine(stream) {
                text.push_str(&format!(", engine {}", ERROR_ENGINE.of(error)));
            }
            text.push(')');
        }
    }
    text
}

/// Whether each engine has a stream of this kind.
fn of_an_engine(stream: Stream) -> bool {
    match stream {
        Stream::None | Stream::Descriptor | Stream::Instructions | Stream::Inputs => false,
        Stream::OorAddresses | Stream::OorWires | Stream::Tables | Stream::Live => true,
    }
}

/// The name of an error in the table of errors.
fn name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_names_and_say_where() {
        let error = ERROR_CODE.at(Code::MemoryError as u32)
            | ERROR_STREAM.at(Stream::Tables as u32)
            | ERROR_ENGINE.at(3);
        let text = describe(error);
        assert!(text.starts_with("memory_error: ") && text.ends_with("engine 3)"), "{text}");
        let text = describe(ERROR_CODE.at(Code::NotAProgram as u32));
        assert!(text.starts_with("not_a_program: ") && !text.contains('('), "{text}");
        assert!(describe(ERROR_CODE.at(200)).contains("unknown error 200"));
    }
}
