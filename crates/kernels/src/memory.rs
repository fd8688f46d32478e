//! Label memory: the window that XORs and ANDs address, and the spill area behind it.

use crate::label::Label;
use crate::ops::WINDOW;
use zeroize::Zeroize;

/// Labels of the wires alive, wiped on drop.
///
/// Holds [`WINDOW`] labels, and one more for each spill slot. The window is 1 MiB of addresses;
/// pages without a used slot take no memory.
pub struct LabelMemory {
    labels: Vec<Label>,
}

impl LabelMemory {
    /// Makes memory for `slots` labels, all zero; it is never smaller than the window.
    pub fn new(slots: usize) -> LabelMemory {
        LabelMemory { labels: vec![Label::ZERO; slots.max(WINDOW)] }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Always false: there are always slots.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The label at `address`.
    #[inline]
    pub fn get(&self, address: u32) -> Label {
        self.labels[address as usize]
    }

    /// Sets the label at `address`.
    #[inline]
    pub fn set(&mut self, address: u32, label: Label) {
        self.labels[address as usize] = label;
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut Label {
        self.labels.as_mut_ptr()
    }
}

impl Drop for LabelMemory {
    fn drop(&mut self) {
        self.labels.zeroize();
    }
}
