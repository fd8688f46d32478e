//! The rules on unsafe code and sockets in a package's sources.
//!
//! Both look at tokens, so comments and strings do not count, but macros do.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::report::Breach;
use crate::repository::Repository;
use crate::rules::{PATH, Rules};
use crate::workspace::Workspace;

/// Types that count as sockets, whatever module they are imported from.
const SOCKETS: [&str; 3] = ["TcpStream", "TcpListener", "UdpSocket"];

/// Unsafe code, and sockets in `src/`, where `rules` does not permit them.
pub fn forbidden(repository: &Repository, workspace: &Workspace, rules: &Rules) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (path, text) in repository.files().filter(|(path, _)| path.ends_with(".rs")) {
        let Some((package, folder, inside)) = workspace.owner(path) else { continue };
        let Some(permission) = rules.permission(&package.name, folder) else { continue };
        // The rule on long functions reports files that are not Rust.
        let Ok(tokens) = text.parse::<TokenStream>() else { continue };
        let mut contents = Contents::default();
        contents.collect(tokens);
        if !permission.unsafe_code(inside) {
            breaches.extend(contents.unsafe_code.iter().map(|&line| {
                let what = format!("unsafe code; remove it, or permit the folder in {PATH}");
                Breach::new(path, line, what)
            }));
        }
        if inside.starts_with("src/") && !permission.network(&rules.network.sockets) {
            breaches.extend(contents.sockets.iter().map(|&line| {
                let what = format!(
                    "network I/O in {}; move it to a package that may do it, or permit it in {PATH}",
                    package.name
                );
                Breach::new(path, line, what)
            }));
        }
    }
    breaches
}

/// Lines of a file with unsafe code, and lines with sockets.
#[derive(Default)]
struct Contents {
    unsafe_code: Vec<usize>,
    sockets: Vec<usize>,
}

impl Contents {
    fn collect(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) if ident == "unsafe" => {
                    if tokens.get(index + 1).is_some_and(begins_unsafe) {
                        self.unsafe_code.push(ident.span().start().line);
                    }
                }
                TokenTree::Ident(ident) => {
                    if SOCKETS.iter().any(|name| ident == name) || names_net(&tokens[index..]) {
                        self.sockets.push(ident.span().start().line);
                    }
                }
                TokenTree::Group(group) => self.collect(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

/// Whether `unsafe` before this token begins unsafe code, rather than an attribute.
fn begins_unsafe(next: &TokenTree) -> bool {
    match next {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(ident) => {
            ["fn", "impl", "trait", "extern"].iter().any(|keyword| ident == keyword)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    }
}

/// Whether `tokens` begin with `std::net`, or with `std::{…}` that contains `net`.
fn names_net(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Ident(std), TokenTree::Punct(first), TokenTree::Punct(second), after, ..] =
        tokens
    else {
        return false;
    };
    if std != "std" || first.as_char() != ':' || second.as_char() != ':' {
        return false;
    }
    let is_net = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "net");
    match after {
        TokenTree::Group(group) => group.stream().into_iter().any(|token| is_net(&token)),
        token => is_net(token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::with_packages;
    use crate::workspace::tests::workspace;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let workspace = workspace(&[
            ("halfgate-plain", "crates/plain", &[], &[]),
            ("halfgate-free", "crates/free", &[], &[]),
        ]);
        let rules = "[[package]]\nname = \"halfgate-plain\"\n[[package]]\nname = \"halfgate-free\"\n\
             network = [\"std::net\"]\nunsafe = [\"src/ffi\"]\n";
        let rules = with_packages(rules).unwrap();
        let breaches = forbidden(&Repository::of(&[(path, text)]), &workspace, &rules);
        breaches.into_iter().map(|breach| breach.line).collect()
    }

    #[test]
    fn unsafe_code_is_found_outside_its_folders() {
        let text = "// unsafe {}\n#[unsafe(no_mangle)]\nfn f() {\n    unsafe { g() }\n}\n";
        assert_eq!(found("crates/plain/src/a.rs", text), [4]);
        assert_eq!(found("crates/plain/tests/a.rs", "unsafe extern \"C\" {}\n"), [1]);
        assert_eq!(found("crates/plain/src/a.rs", "m! { unsafe impl Send for A {} }\n"), [1]);
        assert_eq!(found("crates/free/src/a.rs", text), [4]);
        assert!(found("crates/free/src/ffi/a.rs", text).is_empty());
    }

    #[test]
    fn sockets_are_found_where_none_may_be() {
        let text =
            "//! std::net\nuse std::net::Shutdown;\nuse std::{io, net};\nuse x::TcpStream;\n";
        assert_eq!(found("crates/plain/src/a.rs", text), [2, 3, 4]);
        assert!(found("crates/plain/tests/a.rs", text).is_empty());
        assert!(found("crates/free/src/a.rs", text).is_empty());
    }
}
