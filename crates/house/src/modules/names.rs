//! The names that a module defines, imports and uses.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, ImplItemFn, Item, Macro, Meta, Path, UseTree, VisRestricted};

/// Names of a module. `use` items inside functions count as the module's.
#[derive(Default)]
pub struct Names {
    /// Names of the items that it defines, apart from modules.
    pub items: BTreeSet<String>,
    /// Names that it imports or re-exports, each with the paths that the name stands for.
    pub aliases: BTreeMap<String, Vec<Vec<String>>>,
    /// Paths of its imports with `*`.
    pub globs: Vec<Vec<String>>,
    /// All paths in it.
    pub mentions: Vec<Mention>,
}

/// A path in a module.
pub struct Mention {
    /// Segments of the path.
    pub path: Vec<String>,
    /// The line of the path.
    pub line: usize,
}

impl Names {
    /// Names in `items`, apart from those in inner modules.
    pub fn of(items: &[Item]) -> Self {
        let mut names = Self::default();
        for item in items.iter().filter(|item| !is_test_only(attributes(item))) {
            names.items.extend(defined(item).map(Ident::to_string));
            names.visit_item(item);
        }
        names
    }

    fn mention(&mut self, path: Vec<String>, line: usize) {
        self.mentions.push(Mention { path, line });
    }

    /// Adds the names that `tree`, a part of a `use` below `prefix`, imports.
    fn import(&mut self, tree: &UseTree, mut prefix: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, prefix.clone()));
            }
            UseTree::Name(name) => self.import_name(&name.ident, &name.ident, prefix),
            UseTree::Rename(rename) => self.import_name(&rename.ident, &rename.rename, prefix),
            UseTree::Glob(glob) => {
                self.mention(prefix.clone(), glob.star_token.spans[0].start().line);
                self.globs.push(prefix);
            }
        }
    }

    fn import_name(&mut self, name: &Ident, alias: &Ident, mut path: Vec<String>) {
        let mut alias = alias;
        if name == "self" {
            // `use a::b::{self}` imports `b`.
            let Some(last) = path.last() else { return };
            if alias == "self" {
                self.aliases.entry(last.clone()).or_default().push(path);
                return;
            }
        } else {
            path.push(name.to_string());
        }
        if alias == "_" {
            alias = name;
        }
        self.mention(path.clone(), name.span().start().line);
        self.aliases.entry(alias.to_string()).or_default().push(path);
    }

    /// Adds all paths in the tokens of a macro.
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        while index < tokens.len() {
            match &tokens[index] {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(first) if !is_part(&tokens, index) => {
                    let (path, next) = path_at(&tokens, index);
                    let called = matches!(tokens.get(next), Some(TokenTree::Group(_)));
                    if path.len() > 1 || called || is_type(&path[0]) {
                        self.mention(path, first.span().start().line);
                    }
                    index = next;
                    continue;
                }
                _ => {}
            }
            index += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            _ if is_test_only(attributes(item)) => {}
            Item::Use(import) if import.leading_colon.is_none() => {
                self.import(&import.tree, Vec::new());
            }
            Item::Use(_) | Item::Mod(_) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_test_only(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let segments = segments(path);
        // A single name in lower case is most often a variable. Imported names count as imports.
        if path.leading_colon.is_none() && (segments.len() > 1 || is_type(&segments[0])) {
            self.mention(segments, path.segments[0].ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.mention(vec![name.to_string()], name.span().start().line);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let line = called.path.segments[0].ident.span().start().line;
        self.mention(segments(&called.path), line);
        self.scan(called.tokens.clone());
    }

    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// Whether code with these attributes is compiled for tests only.
pub fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => needs_test(list.tokens.clone()),
        _ => false,
    })
}

/// Whether a `cfg` condition requires `test`: it is `test`, or an `all` that contains it.
fn needs_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name), ..] if name == "test" => true,
        [TokenTree::Ident(name), TokenTree::Group(group), ..] if name == "all" => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
            inner.split(is_comma).any(|part| needs_test(part.iter().cloned().collect()))
        }
        _ => false,
    }
}

fn segments(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// Whether a name looks like that of a type or a constant.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn punct(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

/// Whether the name at `index` is a field, a method or a macro's parameter.
fn is_part(tokens: &[TokenTree], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| punct(tokens.get(before)));
    let is_crate = matches!(&tokens[index], TokenTree::Ident(ident) if ident == "crate");
    before == Some('.') || before == Some('$') && !is_crate
}

/// The path that begins at `index`, and the index of the first token after it.
fn path_at(tokens: &[TokenTree], mut index: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(ident)) = tokens.get(index) {
        path.push(ident.to_string());
        index += 1;
        if punct(tokens.get(index)) != Some(':') || punct(tokens.get(index + 1)) != Some(':') {
            break;
        }
        index += 2;
    }
    (path, index)
}

/// The name that an item defines in its module.
fn defined(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
