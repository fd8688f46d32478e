//! What is to be built: a module, its parameters, and how.

use std::path::PathBuf;

use crate::build::{self, Library};
use crate::toolchain::Toolchain;
use crate::{Error, sources};

/// A module of `rtl/` with everything below it, to be made into a library.
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
    pub(crate) root: Option<PathBuf>,
}

/// A change of a source, made in a copy: a fault that tests must find.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The file, `haac_engine.sv`.
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
            root: None,
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

    /// From another folder than `rtl/` (see [`sources::root`]).
    pub fn root(mut self, folder: &std::path::Path) -> Design {
        self.root = Some(folder.to_path_buf());
        self
    }

    /// The library, from the cache if it is there and nothing it was made of has changed.
    ///
    /// # Errors
    /// If the tools are missing or refuse the sources.
    pub fn build(&self) -> Result<Library, Error> {
        self.build_with(&Toolchain::from_environment())
    }

    /// Whether the library is in the cache, so that [`build`](Design::build) takes no time.
    ///
    /// # Errors
    /// If the tools are missing or sources cannot be read.
    pub fn is_built(&self) -> Result<bool, Error> {
        let root = self.sources()?;
        build::is_there(self, &root, &sources::of(self, &root)?, &Toolchain::from_environment())
    }

    /// The same with other tools.
    ///
    /// # Errors
    /// As [`Design::build`].
    pub fn build_with(&self, tools: &Toolchain) -> Result<Library, Error> {
        let root = self.sources()?;
        let files = sources::of(self, &root)?;
        build::library(self, &root, &files, tools)
    }

    /// The folder `rtl/`.
    fn sources(&self) -> Result<PathBuf, Error> {
        match &self.root {
            Some(root) => Ok(root.clone()),
            None => sources::root(),
        }
    }
}
