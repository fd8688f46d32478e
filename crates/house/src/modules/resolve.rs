//! Finds the module that defines the item that a path names.

use super::tree::Crate;

/// Maximum length of a chain of imports that is followed. Longer chains are circular.
const MAX_IMPORTS: usize = 32;

/// The module or item that a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A module.
    Module(usize),
    /// An item.
    Item {
        /// The module that defines it.
        module: usize,
        /// Modules that re-export it and are not ancestors of `module`.
        through: Vec<usize>,
    },
}

impl Crate {
    /// Resolves `path` in the module `from`; `None` if it names nothing in this crate.
    pub fn resolve(&self, from: usize, path: &[String]) -> Option<Named> {
        self.follow(from, path, MAX_IMPORTS)
    }

    fn follow(&self, from: usize, path: &[String], imports: usize) -> Option<Named> {
        let (first, mut rest) = path.split_first()?;
        let mut named = match first.as_str() {
            "crate" => Named::Module(0),
            "self" => Named::Module(from),
            "super" => Named::Module(self.modules[from].parent?),
            name => self.lookup(from, name, rest.is_empty(), imports)?,
        };
        while let (Named::Module(module), Some((name, after))) = (&named, rest.split_first()) {
            rest = after;
            named = match name.as_str() {
                "super" => Named::Module(self.modules[*module].parent?),
                "self" => continue,
                // A name that no module of this crate has is made by a macro, or is re-exported
                // from another crate.
                name => self
                    .lookup(*module, name, rest.is_empty(), imports)
                    .unwrap_or_else(|| Named::Item { module: *module, through: Vec::new() }),
            };
        }
        Some(named)
    }

    /// Resolves `name` in `module`. If it is the `last` segment of a path, items take precedence
    /// over modules.
    fn lookup(&self, module: usize, name: &str, last: bool, imports: usize) -> Option<Named> {
        let scope = &self.modules[module];
        let child = scope.children.get(name).map(|&child| Named::Module(child));
        if child.is_some() && !last {
            return child;
        }
        if scope.names.items.contains(name) {
            return Some(Named::Item { module, through: Vec::new() });
        }
        let imports = imports.checked_sub(1)?;
        if let Some(paths) = scope.names.aliases.get(name) {
            let named = paths.iter().find_map(|path| {
                // In an import, `name::…` is a crate or a module, not the import itself.
                let own = path[0] == name && !scope.children.contains_key(name);
                if own { None } else { self.follow(module, path, imports) }
            });
            let item = Named::Item { module, through: Vec::new() };
            return named.map(|named| self.through(named, module)).or(child).or(Some(item));
        }
        child.or_else(|| self.lookup_globs(module, name, last, imports))
    }

    fn lookup_globs(&self, module: usize, name: &str, last: bool, imports: usize) -> Option<Named> {
        self.modules[module].names.globs.iter().find_map(|path| {
            let Some(Named::Module(glob)) = self.follow(module, path, imports) else { return None };
            let named = self.lookup(glob, name, last, imports)?;
            Some(self.through(named, module))
        })
    }

    /// Adds `module` to the modules that re-export an item, unless the item is within `module`.
    fn through(&self, named: Named, module: usize) -> Named {
        match named {
            Named::Item { module: defines, mut through } if !self.is_within(defines, module) => {
                through.push(module);
                Named::Item { module: defines, through }
            }
            named => named,
        }
    }
}
