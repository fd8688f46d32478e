//! Label memory: the window that XORs and ANDs address, and the spill area behind it.

use crate::label::Label;
use crate::ops::WINDOW;
use std::ops::Range;
use zeroize::optimization_barrier;

/// Labels of the wires alive, wiped on drop.
///
/// Holds [`WINDOW`] labels, and one more for each spill slot. The window is 1 MiB of addresses;
/// pages without a used slot take no memory. Slot 0 begins a cache line, so that vectors of labels
/// do not cross lines if their addresses are multiples of the vector's length.
#[derive(Default)]
pub struct LabelMemory {
    labels: Vec<Label>,
    /// Index of slot 0.
    first: usize,
}

/// Bytes of a cache line, and labels in it.
const LINE_BYTES: usize = 64;
const LINE: usize = LINE_BYTES / size_of::<Label>();

impl LabelMemory {
    /// Makes memory for `slots` labels, all zero; it is never smaller than the window.
    pub fn new(slots: usize) -> LabelMemory {
        let slots = slots.max(WINDOW);
        // A type with the alignment of a line would need no offset, but its allocation would write
        // all pages.
        let mut labels = vec![Label::ZERO; slots + LINE - 1];
        let first = labels.as_ptr().align_offset(LINE_BYTES);
        // Interpreters may not know the offset.
        let first = if first < LINE { first } else { 0 };
        labels.truncate(first + slots);
        LabelMemory { labels, first }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.labels.len() - self.first
    }

    /// Always false: there are always slots.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The label at `address`.
    #[inline]
    pub fn get(&self, address: u32) -> Label {
        self.labels[self.first..][address as usize]
    }

    /// Sets the label at `address`.
    #[inline]
    pub fn set(&mut self, address: u32, label: Label) {
        self.labels[self.first..][address as usize] = label;
    }

    /// Copies the `count` labels from address `from` on to address `to` and those after it.
    #[inline]
    pub fn copy(&mut self, from: u32, to: u32, count: u32) {
        match count {
            0 => {}
            1 => self.set(to, self.get(from)),
            _ => {
                let from = from as usize..from as usize + count as usize;
                self.as_mut_slice().copy_within(from, to as usize);
            }
        }
    }

    /// The `count` labels from `address` on.
    #[inline]
    pub fn labels(&self, address: u32, count: u32) -> &[Label] {
        &self.labels[self.first..][address as usize..][..count as usize]
    }

    /// Sets the labels from `address` on.
    #[inline]
    pub fn put(&mut self, address: u32, labels: &[Label]) {
        self.as_mut_slice()[address as usize..][..labels.len()].copy_from_slice(labels);
    }

    /// Divides the memory: into all labels but those of `written`, to read meanwhile (see
    /// [`Others`]), and the labels of each range of `written`, which must be in order.
    pub fn divide(&mut self, written: &[Range<u32>]) -> (Vec<Part<'_>>, Vec<&mut [Label]>) {
        let (mut rest, mut at) = (self.as_mut_slice(), 0);
        let (mut parts, mut all) = (Vec::new(), Vec::new());
        for range in written {
            let (before, after) = rest.split_at_mut((range.start - at) as usize);
            let (labels, after) = after.split_at_mut((range.end - range.start) as usize);
            parts.push(Part { first: at, labels: before });
            all.push(labels);
            (rest, at) = (after, range.end);
        }
        parts.push(Part { first: at, labels: rest });
        (parts, all)
    }

    /// Sets the `count` labels from address `to` on.
    #[inline]
    pub fn fill(&mut self, to: u32, label: Label, count: u32) {
        self.as_mut_slice()[to as usize..][..count as usize].fill(label);
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [Label] {
        &mut self.labels[self.first..]
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut Label {
        self.as_mut_slice().as_mut_ptr()
    }
}

/// A part of label memory.
#[derive(Clone, Copy)]
pub struct Part<'m> {
    /// Address of the first label.
    first: u32,
    labels: &'m [Label],
}

/// Label memory without some parts of it, which are written meanwhile: those that are left, as
/// [`LabelMemory::divide`] gives them.
#[derive(Clone, Copy)]
pub struct Others<'m>(pub &'m [Part<'m>]);

impl<'m> Others<'m> {
    /// The `count` labels from `address` on.
    ///
    /// # Panics
    /// If one of them is in a part that is written.
    #[inline]
    pub fn labels(self, address: u32, count: u32) -> &'m [Label] {
        // The first part begins at address 0.
        let part = &self.0[self.0.partition_point(|part| part.first <= address) - 1];
        &part.labels[(address - part.first) as usize..][..count as usize]
    }
}

impl Drop for LabelMemory {
    fn drop(&mut self) {
        self.labels.fill(Label::ZERO);
        optimization_barrier(self.labels.as_slice());
    }
}
