//! Links a program with the parts of the built-in library that it calls.

use super::{BuildError, Work};
use crate::lower::{ROUTINES, lower};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Parts of the library: name and text. A part may call earlier parts.
const PARTS: [(&str, &str); 3] = [
    ("floats.c", include_str!("lib/floats.c")),
    ("integers.c", include_str!("lib/integers.c")),
    ("string.c", include_str!("lib/string.c")),
];

/// Compiler flags for the library. The compiler must not turn a copy loop into a call of the
/// function that contains the loop. With one section per function, the linker takes only functions
/// that are called.
const FLAGS: [&str; 3] =
    ["-fno-builtin", "-fno-tree-loop-distribute-patterns", "-ffunction-sections"];

/// The linker's message about a function without a definition.
const UNDEFINED: &str = "undefined reference to `";

impl Work<'_> {
    /// Links `objects`. Adds the routines of restricted sets and the parts of the library, if the
    /// program calls them.
    pub(super) fn link(
        &self,
        mut objects: Vec<PathBuf>,
        mut calls_routines: bool,
        script: &Path,
    ) -> Result<PathBuf, BuildError> {
        let linked = self.path("program.elf");
        let mut parts = PARTS.to_vec();
        let mut has_routines = false;
        loop {
            if calls_routines && !has_routines {
                let routines = lower(ROUTINES, self.options.set, "routines.s")?;
                let routines = self.write("routines.s", &routines.text)?;
                objects.push(self.assemble(&routines, "routines.o")?);
                has_routines = true;
            }
            // -n: sections are as close in the file as in memory.
            let mut arguments: Vec<OsString> = vec!["--no-check-sections".into(), "-n".into()];
            if parts.len() < PARTS.len() {
                arguments.push("--gc-sections".into());
            }
            arguments.extend(["-T".into(), script.into(), "-o".into(), linked.clone().into()]);
            arguments.extend(objects.iter().map(OsString::from));
            let printed = match self.tool("ld", &arguments) {
                Err(BuildError::Refused { printed, .. }) if printed.contains(UNDEFINED) => printed,
                done => return done.map(|()| linked),
            };
            let names = undefined(&printed);
            let is_called = |text: &str| names.iter().any(|name| defines(text, name));
            let (called, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(_, text)| is_called(text));
            parts = rest;
            if called.is_empty() {
                return Err(BuildError::Undefined { names: names.join(", "), printed });
            }
            for (name, text) in called {
                let source = self.write(&format!("library_{name}"), text)?;
                let lowered = lower(&self.compile(&source, &FLAGS)?, self.options.set, name)?;
                calls_routines |= lowered.calls_routines;
                let lowered = self.write(&format!("library_{name}.s"), &lowered.text)?;
                let object = self.assemble(&lowered, &format!("library_{name}.o"))?;
                // A function of the program replaces the library's function of the same name.
                self.tool("objcopy", &["--weaken".into(), object.clone().into()])?;
                objects.push(object);
            }
        }
    }
}

/// Returns the names of the undefined functions, without repetitions.
fn undefined(printed: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        printed.split(UNDEFINED).skip(1).filter_map(|rest| rest.split('\'').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether `text`, a part of the library, defines the function `name`.
fn defines(text: &str, name: &str) -> bool {
    // A macro in floats.c defines each function for both floating-point types.
    let both = |name: &str| name.replace("sf", "##sf##").replace("df", "##sf##");
    let forms = [name.to_owned(), both(name), both(name).trim_end_matches("##").to_owned()];
    forms.iter().any(|form| {
        let called = format!("{form}(");
        text.lines().any(|line| {
            let starts = line.find(&called).filter(|&at| at > 0);
            starts.is_some_and(|at| matches!(line.as_bytes()[at - 1], b' ' | b'*'))
                && (line.contains('{') || line.ends_with('\\'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_define_what_the_compiler_calls() {
        let part = |name: &str| {
            let found = PARTS.iter().find(|(_, text)| defines(text, name));
            found.map(|(name, _)| *name)
        };
        for name in
            ["__addsf3", "__adddf3", "__eqdf2", "__floatsisf", "__fixunsdfsi", "__extendsfdf2"]
        {
            assert_eq!(part(name), Some("floats.c"), "{name}");
        }
        for name in ["__udivdi3", "__moddi3", "__bswapsi2", "__ashldi3", "__clzdi2"] {
            assert_eq!(part(name), Some("integers.c"), "{name}");
        }
        for name in ["memcpy", "strlen", "memcmp", "strchr"] {
            assert_eq!(part(name), Some("string.c"), "{name}");
        }
        assert_eq!(part("printf"), None);
        let printed = "a.c:3: undefined reference to `f'\nb.c:1: undefined reference to `f'";
        assert_eq!(undefined(printed), ["f"]);
    }
}
