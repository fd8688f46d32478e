//! The functions of a circuit that is being written. All bodies of the circuit share the list.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The functions of one circuit.
pub(crate) struct Registry {
    circuit: u64,
    functions: RefCell<Vec<Rc<dyn Any>>>,
    /// Functions whose closures capture nothing, by type and name.
    known: RefCell<HashMap<(TypeId, String), usize>>,
}

/// The place of a function in a [`Registry`].
#[derive(Clone, Copy)]
pub(crate) struct Place {
    circuit: u64,
    index: usize,
}

impl Registry {
    /// Returns an empty list for a new circuit.
    pub(crate) fn new() -> Registry {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Registry {
            circuit: NEXT.fetch_add(1, Ordering::Relaxed),
            functions: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Appends the function that `make` returns. If an earlier one had the same `key`, returns the
    /// place of that one instead.
    pub(crate) fn insert(
        &self,
        key: Option<(TypeId, String)>,
        make: impl FnOnce() -> Rc<dyn Any>,
    ) -> Place {
        let next = self.functions.borrow().len();
        let index = match key {
            Some(key) => *self.known.borrow_mut().entry(key).or_insert(next),
            None => next,
        };
        if index == next {
            self.functions.borrow_mut().push(make());
        }
        Place { circuit: self.circuit, index }
    }

    /// Returns a function. `None` if it belongs to another circuit.
    pub(crate) fn get(&self, place: Place) -> Option<Rc<dyn Any>> {
        let is_own = place.circuit == self.circuit;
        is_own.then(|| Rc::clone(&self.functions.borrow()[place.index]))
    }
}
