//! Errors in a line.

use halfgate_circuit::Wire;
use thiserror::Error;

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Problem {
    #[error(
        "unknown line {0:?}: a line begins with S, C (inputs), X, A, M, I (gates), O (outputs), 0, 1 \
         (constants) or #"
    )]
    UnknownLine(String),
    #[error("`{form}` has {expected} wires; this line has {found}")]
    Form { form: &'static str, expected: usize, found: String },
    #[error("wire {wire} is out of range: wires have numbers from 0 to {}", Wire::MAX - 1)]
    WireRange { wire: i64 },
    #[error("wire {0} is no constant: the constants are -2 (0) and -3 (1)")]
    NoConstant(i64),
    #[error("wire {0} is declared as the wrong constant: -2 is 0, and -3 is 1")]
    WrongConstant(i64),
    #[error("wire {0} is an input, and declared or assigned a second time")]
    InputTwice(u32),
    #[error("wire {0} is assigned a second time")]
    AssignedTwice(u32),
    #[error("inputs after the first gate or constant: list them before")]
    LateInputs,
    #[error(
        "wire {0} is read, and neither an input nor assigned by a line before this one: a gate must \
         come after the gates it reads"
    )]
    NotAssigned(u32),
    #[error("output wire {0} is neither an input nor assigned by any line")]
    OutputNotAssigned(u32),
    #[error("the circuit has more than {} wires", Wire::MAX)]
    TooLarge,
    #[error("the file ends without outputs (a line `O w…`)")]
    NoOutputs,
}
