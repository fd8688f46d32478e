//! The security level of a session.

use std::fmt;
use std::str::FromStr;

/// Against whom a session is secure. Both parties must choose the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SecurityLevel {
    /// Against a party that follows the protocol but is curious.
    #[default]
    SemiHonest,
    /// Against a party that deviates in any way, by authenticated garbling.
    Malicious,
}

/// The text names no [`SecurityLevel`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no security level {0:?}; there is semi-honest and malicious")]
pub struct UnknownLevel(pub String);

impl SecurityLevel {
    /// All levels, the weakest first.
    pub const ALL: [SecurityLevel; 2] = [SecurityLevel::SemiHonest, SecurityLevel::Malicious];

    /// The level's name.
    pub const fn name(self) -> &'static str {
        match self {
            SecurityLevel::SemiHonest => "semi-honest",
            SecurityLevel::Malicious => "malicious",
        }
    }

    /// The statistical security parameter of a session at this level, in bits. 0 for semi-honest
    /// sessions, which have none.
    pub(crate) const fn statistical(self) -> u8 {
        match self {
            SecurityLevel::SemiHonest => 0,
            SecurityLevel::Malicious => STATISTICAL,
        }
    }
}

/// The statistical security parameter of malicious sessions: a party that deviates succeeds with a
/// probability of at most 2^-40.
pub const STATISTICAL: u8 = 40;

impl fmt::Display for SecurityLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SecurityLevel {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<SecurityLevel, UnknownLevel> {
        let found = SecurityLevel::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names() {
        for level in SecurityLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for unknown in ["", "Malicious", "covert", "semi_honest"] {
            let error = unknown.parse::<SecurityLevel>().unwrap_err().to_string();
            assert!(error.contains("semi-honest and malicious"), "{error}");
        }
        assert_eq!(SecurityLevel::default(), SecurityLevel::SemiHonest);
    }
}
