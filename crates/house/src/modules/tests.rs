//! Circles of imports in small crates.

use super::*;

/// The circles of a crate `a` with these files; each circle is a list of uses, one per line.
fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("a/src/{path}")).collect();
    let mut all = vec![("a/Cargo.toml", "")];
    all.extend(paths.iter().map(String::as_str).zip(files.iter().map(|(_, text)| *text)));
    circles(&Repository::of(&all)).into_iter().map(|breach| breach.details).collect()
}

#[test]
fn two_modules_that_import_each_other_are_found() {
    let files = [
        ("lib.rs", "mod one;\nmod two;\n"),
        ("one.rs", "use crate::two::Two;\npub struct One(Two);\n"),
        ("two.rs", "pub struct Two;\nfn f() { super::one::g() }\n"),
    ];
    let expected = [
        "a/src/one.rs:1 names crate::two::Two of a/src/two.rs",
        "a/src/two.rs:2 names super::one::g of a/src/one.rs",
    ];
    assert_eq!(found(&files), [expected]);
}

#[test]
fn one_direction_is_no_circle() {
    let files = [
        ("lib.rs", "mod one;\nmod two;\n"),
        ("one.rs", "use crate::two::Two;\npub struct One(Two);\n"),
        ("two.rs", "pub struct Two;\n"),
    ];
    assert!(found(&files).is_empty());
}

#[test]
fn a_circle_through_a_re_export_is_found() {
    let files = [
        ("lib.rs", "mod one;\nmod two;\npub use one::One;\npub use two::*;\n"),
        ("one.rs", "use crate::Two;\npub struct One(Two);\n"),
        ("two.rs", "use crate::One as Other;\npub struct Two(Box<Other>);\n"),
    ];
    assert_eq!(found(&files).len(), 1);
}

#[test]
fn a_facade_stands_for_the_module_that_defines() {
    let facade = "mod inner;\npub use inner::Inner;\nfn f() { crate::one::g() }\n";
    let files = |inner| {
        [
            ("lib.rs", "mod one;\nmod two;\n"),
            ("one.rs", "use crate::two::Inner;\npub fn g() {}\n"),
            ("two/mod.rs", facade),
            ("two/inner.rs", inner),
        ]
    };
    assert!(found(&files("pub struct Inner;\n")).is_empty());
    assert_eq!(found(&files("pub struct Inner;\nfn h() { crate::one::g() }\n")).len(), 1);
}

#[test]
fn parents_and_children_may_name_each_other() {
    let files = [
        ("lib.rs", "mod one;\n"),
        ("one.rs", "mod inner;\npub struct One(inner::Inner);\n"),
        ("one/inner.rs", "use super::One;\npub struct Inner(Box<One>);\n"),
    ];
    assert!(found(&files).is_empty());
}

#[test]
fn imports_of_the_parent_do_not_hide_a_circle() {
    let files = [
        ("lib.rs", "mod one;\nmod two;\nuse one::One;\nuse two::Two;\n"),
        ("one.rs", "use super::*;\npub struct One(Two);\n"),
        ("two.rs", "use super::*;\npub struct Two(Box<One>);\n"),
    ];
    assert_eq!(found(&files).len(), 1);
}

#[test]
fn macros_and_inline_modules_count_and_tests_do_not() {
    let files = |two| {
        [
            ("lib.rs", "mod one;\nmod two;\n"),
            ("one.rs", "use crate::two::Two;\npub struct One(Two);\n"),
            ("two.rs", two),
        ]
    };
    assert_eq!(found(&files("pub struct Two;\nm! { crate::one::One }\n")).len(), 1);
    assert_eq!(found(&files("pub struct Two;\nmod m { use crate::one::One; }\n")).len(), 1);
    let test = "pub struct Two;\n#[cfg(test)]\nmod tests { use crate::one::One; }\n\
                #[cfg(all(unix, test))]\nfn f() { crate::one::g() }\n";
    assert!(found(&files(test)).is_empty());
}
