//! The rule on long functions.

use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

use crate::report::Breach;
use crate::repository::Repository;

/// Functions with more than `most` lines from the signature to the closing brace.
pub fn long_functions(repository: &Repository, most: usize) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (path, text) in repository.rust() {
        match syn::parse_file(text) {
            Ok(file) => {
                Functions { path, most, breaches: &mut breaches }.visit_file(&file);
            }
            Err(error) => {
                let line = error.span().start().line;
                let what = format!("cannot be parsed as Rust ({error}); correct it");
                breaches.push(Breach::new(path, line, what));
            }
        }
    }
    breaches
}

struct Functions<'a> {
    path: &'a str,
    most: usize,
    breaches: &'a mut Vec<Breach>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let lines = body.brace_token.span.close().end().line - first + 1;
        if lines > self.most {
            let (name, most) = (&signature.ident, self.most);
            let what = format!(
                "function `{name}` of {lines} lines; split it into parts of {most} at most"
            );
            self.breaches.push(Breach::new(self.path, first, what));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.measure(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        let breaches = long_functions(&Repository::of(&[("a.rs", text)]), 3);
        breaches.into_iter().map(|breach| (breach.line, breach.what)).collect()
    }

    #[test]
    fn functions_methods_and_default_methods_are_measured() {
        assert!(found("/// Long\n/// prose.\npub fn f() {\n    g();\n}\n").is_empty());
        assert_eq!(found("\npub fn f() {\n    g();\n    g();\n}\n")[0].0, 2);
        assert_eq!(found("impl A {\n    fn f(\n        a: u8,\n    ) {\n    }\n}\n")[0].0, 2);
        assert_eq!(
            found("trait A {\n    fn f() {\n        g();\n        g();\n    }\n}\n").len(),
            1
        );
    }

    #[test]
    fn what_is_not_rust_is_a_breach() {
        assert!(found("fn f( {").first().is_some_and(|(_, what)| what.contains("parsed")));
    }
}
