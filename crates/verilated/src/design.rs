//! What is to be built: a module, its parameters, and how.

use std::path::PathBuf;

/// A module with everything below it, to be made into a library.
///
/// Modules and packages are found by name: file `x.sv` holds module or package `x`. Only files that
/// the top needs are read, so a fault elsewhere does not matter.
#[derive(Clone, Debug)]
pub struct Design {
    pub(crate) top: String,
    pub(crate) name: String,
    pub(crate) params: Vec<(String, u64)>,
    pub(crate) extra: Vec<(String, String)>,
    pub(crate) mutations: Vec<Mutation>,
    pub(crate) trace: bool,
    pub(crate) assertions: bool,
    pub(crate) optimised: bool,
    pub(crate) hierarchical: bool,
    pub(crate) sources: Option<Vec<PathBuf>>,
}

/// A change of a source, made in a copy: a fault that tests must find.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The file, `fifo.sv`.
    pub file: String,
    /// What stands there, exactly once.
    pub from: String,
    /// What is put in its place.
    pub to: String,
}

impl Design {
    /// The module `top` with its default parameters, with assertions, quickly compiled.
    pub fn of(top: &str) -> Design {
        Design {
            top: top.to_string(),
            name: top.to_string(),
            params: Vec::new(),
            extra: Vec::new(),
            mutations: Vec::new(),
            trace: false,
            assertions: true,
            optimised: false,
            hierarchical: false,
            sources: None,
        }
    }

    /// The name in messages and of the folder in the cache (at first the top's).
    pub fn named(mut self, name: &str) -> Design {
        self.name = name.to_string();
        self
    }

    /// Sets a parameter of the top.
    pub fn param(mut self, name: &str, value: u64) -> Design {
        self.params.push((name.to_string(), value));
        self
    }

    /// A module of its own, in file `name.sv`: a test's wrapper.
    pub fn source(mut self, name: &str, text: &str) -> Design {
        self.extra.push((name.to_string(), text.to_string()));
        self
    }

    /// Replaces `from`, which must stand in `file` once, by `to`.
    pub fn mutate(mut self, file: &str, from: &str, to: &str) -> Design {
        let (file, from, to) = (file.to_string(), from.to_string(), to.to_string());
        self.mutations.push(Mutation { file, from, to });
        self
    }

    /// Can write waveforms: another library, and slower even when it does not.
    pub fn traced(mut self) -> Design {
        self.trace = true;
        self
    }

    /// Without assertions: for speed.
    pub fn unchecked(mut self) -> Design {
        self.assertions = false;
        self
    }

    /// Compiled for speed, and unknown values are whatever is quickest: for long simulations.
    pub fn optimised(mut self) -> Design {
        self.optimised = true;
        self
    }

    /// Modules marked `verilator hier_block` are built once each.
    pub fn hierarchical(mut self) -> Design {
        self.hierarchical = true;
        self
    }

    /// From these sources, not those of the checkout (see [`Folders::find`](crate::Folders::find)).
    pub fn sources(mut self, folders: Vec<PathBuf>) -> Design {
        self.sources = Some(folders);
        self
    }
}
