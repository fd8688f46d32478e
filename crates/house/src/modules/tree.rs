//! The modules of a crate, each with its file.

use std::collections::BTreeMap;

use syn::{Attribute, Expr, Item, ItemMod, Lit, Meta};

use super::names::{Names, is_test_only};
use crate::repository::Repository;

/// A crate without its test modules.
#[derive(Default)]
pub struct Crate {
    /// Paths of its files; the first one is the root file.
    pub files: Vec<String>,
    /// Its modules; the first one is the root.
    pub modules: Vec<Module>,
}

/// A module.
pub struct Module {
    /// Index of its file. Inline modules share the file of their parent.
    pub file: usize,
    /// Index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// Indices of its children, by name.
    pub children: BTreeMap<String, usize>,
    /// The names that it defines, imports and uses.
    pub names: Names,
}

/// The place of a module: its file, and the folder of its children's files.
#[derive(Clone)]
struct Place {
    file: usize,
    folder: String,
}

impl Crate {
    /// Parses the crate whose root file is `root`. Modules whose file is not tracked or not Rust
    /// are left out.
    pub fn parse(repository: &Repository, root: &str) -> Self {
        let mut parsed = Self::default();
        parsed.add_file(repository, root, parent_folder(root), None);
        parsed
    }

    /// The module whose file is `file`, rather than an inline module in it.
    pub fn module_of(&self, file: usize) -> usize {
        // A file's own module is added before its inline modules.
        self.modules.iter().position(|module| module.file == file).expect("a file has a module")
    }

    /// Whether one of the modules is the other one or an ancestor of it.
    pub fn are_related(&self, one: usize, other: usize) -> bool {
        self.is_within(one, other) || self.is_within(other, one)
    }

    /// Whether `module` is `ancestor` or a descendant of it.
    pub fn is_within(&self, module: usize, ancestor: usize) -> bool {
        let mut at = Some(module);
        while let Some(index) = at {
            if index == ancestor {
                return true;
            }
            at = self.modules[index].parent;
        }
        false
    }

    fn add_file(
        &mut self,
        repository: &Repository,
        path: &str,
        folder: String,
        parent: Option<usize>,
    ) -> Option<usize> {
        let file = syn::parse_file(repository.text(path)?).ok()?;
        self.files.push(path.to_string());
        let place = Place { file: self.files.len() - 1, folder };
        Some(self.add_module(repository, &file.items, place, parent))
    }

    fn add_module(
        &mut self,
        repository: &Repository,
        items: &[Item],
        place: Place,
        parent: Option<usize>,
    ) -> usize {
        let index = self.modules.len();
        let names = Names::of(items);
        self.modules.push(Module { file: place.file, parent, children: BTreeMap::new(), names });
        for item in items {
            if let Item::Mod(item) = item
                && !is_test_only(&item.attrs)
                && let Some(child) = self.add_child(repository, item, &place, index)
            {
                self.modules[index].children.insert(item.ident.to_string(), child);
            }
        }
        index
    }

    fn add_child(
        &mut self,
        repository: &Repository,
        item: &ItemMod,
        place: &Place,
        parent: usize,
    ) -> Option<usize> {
        let folder = format!("{}{}/", place.folder, item.ident);
        if let Some((_, items)) = &item.content {
            let place = Place { file: place.file, folder };
            return Some(self.add_module(repository, items, place, Some(parent)));
        }
        if let Some(path) = path_attribute(&item.attrs) {
            let path = format!("{}{path}", parent_folder(&self.files[place.file]));
            let folder = parent_folder(&path);
            return self.add_file(repository, &path, folder, Some(parent));
        }
        let beside = format!("{}{}.rs", place.folder, item.ident);
        let path = match repository.text(&beside) {
            Some(_) => beside,
            None => format!("{folder}mod.rs"),
        };
        self.add_file(repository, &path, folder, Some(parent))
    }
}

/// The folder of the file at `path`, with a slash at its end.
fn parent_folder(path: &str) -> String {
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// The value of `#[path = "…"]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}
