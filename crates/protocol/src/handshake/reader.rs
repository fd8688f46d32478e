//! Reads the fields of a [`Hello`](super::Hello) from a peer's bytes.

use super::{HelloError, LabelMode, MAX_FUNCTIONS, MAX_LEARN, NO_MODE};
use crate::session::Learn;
use crate::text::is_shown;

/// The unread part of a payload.
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize, field: &'static str) -> Result<&'a [u8], HelloError> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(HelloError::Length(field))?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], HelloError> {
        let taken = self.take(N, field)?;
        taken.try_into().map_err(|_| HelloError::Length(field))
    }

    /// A text. It may end up on a terminal, so characters that cannot be shown are rejected.
    pub fn text(&mut self, field: &'static str) -> Result<String, HelloError> {
        let [len] = self.array(field)?;
        let bytes = self.take(usize::from(len), field)?;
        let text = std::str::from_utf8(bytes).map_err(|_| HelloError::Field(field))?;
        if !text.chars().all(is_shown) {
            return Err(HelloError::Field(field));
        }
        Ok(text.to_owned())
    }

    /// One of `all`, selected by its index.
    pub fn choice<T: Copy>(&mut self, field: &'static str, all: &[T]) -> Result<T, HelloError> {
        let [index] = self.array(field)?;
        all.get(usize::from(index)).copied().ok_or(HelloError::Field(field))
    }

    /// The label mode, if there is one.
    pub fn labels(&mut self) -> Result<Option<LabelMode>, HelloError> {
        if self.0.first() == Some(&NO_MODE) {
            self.0 = &self.0[1..];
            return Ok(None);
        }
        self.choice("label mode", &[LabelMode::Correlated, LabelMode::Masked]).map(Some)
    }

    /// The starts of the hashes of functions.
    pub fn functions(&mut self) -> Result<Vec<[u8; 8]>, HelloError> {
        let count = usize::from(u16::from_le_bytes(self.array("functions")?));
        if count > MAX_FUNCTIONS {
            return Err(HelloError::Field("number of functions"));
        }
        Ok(self.take(count * 8, "functions")?.as_chunks().0.to_vec())
    }

    /// Who learns each output.
    pub fn learn(&mut self) -> Result<Vec<Learn>, HelloError> {
        let count = u32::from_le_bytes(self.array("learners")?) as usize;
        if count > MAX_LEARN {
            return Err(HelloError::Field("number of learners"));
        }
        // Checked before anything of that size is allocated.
        let bytes = self.take(count, "learners")?;
        let all = [Learn::Garbler, Learn::Evaluator, Learn::Both, Learn::None];
        let one = |&byte: &u8| all.get(usize::from(byte)).copied();
        bytes.iter().map(one).collect::<Option<_>>().ok_or(HelloError::Field("learner"))
    }
}
