//! The description of a build: a module, its parameters, and options.

use std::path::PathBuf;

/// A module and everything below it, to be built as a library.
///
/// Modules and packages are found by name: file `x.sv` holds module or package `x`. Only files that
/// the top module needs are read, so errors in other files do not matter.
#[derive(Clone, Debug)]
pub struct Design {
    pub(crate) top: String,
    pub(crate) name: String,
    pub(crate) params: Vec<(String, u64)>,
    pub(crate) extra: Vec<(String, String)>,
    pub(crate) mutations: Vec<Mutation>,
    pub(crate) trace: bool,
    pub(crate) assertions: bool,
    pub(crate) effort: Effort,
    pub(crate) hierarchical: bool,
    pub(crate) sources: Option<Vec<PathBuf>>,
}

/// How much the compiler optimises a design: with less, the library is built sooner, and simulates
/// slower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// For simulations that take less than a second, such as those of a module's tests.
    #[default]
    Low,
    /// For sessions.
    Middle,
    /// For long simulations.
    High,
}

impl Effort {
    /// The compiler's option.
    pub(crate) fn level(self) -> &'static str {
        match self {
            Effort::Low => "-O0",
            Effort::Middle => "-O1",
            Effort::High => "-O3",
        }
    }
}

/// A fault that tests must find: a change that is made in a copy of a source.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The file's name, for example `fifo.sv`.
    pub file: String,
    /// The text to replace, which occurs exactly once.
    pub from: String,
    /// The text that replaces it.
    pub to: String,
}

impl Design {
    /// The module `top` with its default parameters and assertions, compiled for short simulations.
    pub fn of(top: &str) -> Design {
        Design {
            top: top.to_string(),
            name: top.to_string(),
            params: Vec::new(),
            extra: Vec::new(),
            mutations: Vec::new(),
            trace: false,
            assertions: true,
            effort: Effort::default(),
            hierarchical: false,
            sources: None,
        }
    }

    /// Sets the name that messages and the folder in the cache have. The default is the name of the
    /// top module.
    pub fn named(mut self, name: &str) -> Design {
        self.name = name.to_string();
        self
    }

    /// Sets a parameter of the top module.
    pub fn param(mut self, name: &str, value: u64) -> Design {
        self.params.push((name.to_string(), value));
        self
    }

    /// Adds the module `text` as file `name.sv`, which is in no source folder. Tests add wrappers
    /// in this way.
    pub fn source(mut self, name: &str, text: &str) -> Design {
        self.extra.push((name.to_string(), text.to_string()));
        self
    }

    /// Replaces `from`, which must occur in `file` exactly once, by `to`.
    pub fn mutate(mut self, file: &str, from: &str, to: &str) -> Design {
        let (file, from, to) = (file.to_string(), from.to_string(), to.to_string());
        self.mutations.push(Mutation { file, from, to });
        self
    }

    /// Enables waveforms. This leads to a different library, which is slower even if it writes no
    /// waveforms.
    pub fn traced(mut self) -> Design {
        self.trace = true;
        self
    }

    /// Disables assertions, for speed.
    pub fn unchecked(mut self) -> Design {
        self.assertions = false;
        self
    }

    /// Sets how much the compiler optimises. With [`Effort::High`], unknown values have the value
    /// that simulates fastest.
    pub fn effort(mut self, effort: Effort) -> Design {
        self.effort = effort;
        self
    }

    /// Compiles for sessions. If `fast` is set, compiles for long simulations, without assertions.
    pub fn for_sessions(self, fast: bool) -> Design {
        match fast {
            false => self.effort(Effort::Middle),
            true => self.unchecked().effort(Effort::High),
        }
    }

    /// Compiles each module that is marked `verilator hier_block` only once, as a separate library.
    pub fn hierarchical(mut self) -> Design {
        self.hierarchical = true;
        self
    }

    /// Takes the sources from these folders, not from the checkout (see
    /// [`Folders::find`](crate::Folders::find)).
    pub fn sources(mut self, folders: Vec<PathBuf>) -> Design {
        self.sources = Some(folders);
        self
    }
}
