//! Contents of files: text is read as values; raw bytes need a prefix or `.bin`.

use super::{bits_of, per_cycle, port, read_text, typed};
use crate::*;
use halfgate_circuit::{Element, Party};
use std::path::Path;

/// Writes `content` to a file and reads it with `form`, in which FILE stands for the file's name.
fn from_file(
    name: &str,
    content: impl AsRef<[u8]>,
    form: &str,
    port: &Port,
) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("written");
    let named = |path: &Path| form.replace("FILE", &path.display().to_string());
    let result = bits_of(&named(&path), port);
    result.map_err(|error| error.replace(&path.display().to_string(), name))
}

#[test]
fn a_number_in_a_text_file_is_that_number() {
    let port = port("a", 32);
    for (content, expected) in [
        ("500\n", "000001f4"),
        ("0x1f", "0000001f"),
        ("  -1\r\n", "ffffffff"),
        ("bytes:01020304\n", "04030201"),
        ("\u{feff}7", "00000007"),
        ("u8:[1, 2,\n 3, 4]\n", "04030201"),
        ("[\n  5\n]\n", "00000005"),
    ] {
        assert_eq!(from_file("s.txt", content, "@FILE", &port), Ok(expected.into()), "{content}");
        assert_eq!(from_file("s", content, "@FILE", &port), Ok(expected.into()), "{content}");
    }
    for (content, expected) in [
        ("", "s.txt has no value in it"),
        ("1,2", "s.txt: there are several values on a line"),
        ("50x", "s.txt: character 3 is not a decimal digit"),
        ("@other", "cannot name another file"),
        ("[1, 2, y]", "s.txt, element 3: character 1"),
    ] {
        let error = from_file("s.txt", content, "@FILE", &port).expect_err(content);
        assert!(error.contains(expected), "{content}: {error}");
    }
    let error = from_file("s.txt", [1, 2, 3, 4], "@FILE", &port).expect_err("no text");
    assert!(
        error.contains("4 bytes that are no text in UTF-8") && error.contains("bytes:@FILE"),
        "{error}"
    );
}

#[test]
fn lines_are_the_elements_of_a_list() {
    let list = typed(32, Element::Unsigned, 8);
    assert_eq!(from_file("s.txt", "1\n2\n\n3\n4\n", "@FILE", &list), Ok("04030201".into()));
    let error = from_file("s.txt", "1\n2\n\n300\n4\n", "@FILE", &list).expect_err("300");
    assert!(error.starts_with("input \"a\", line 4: the value is not from 0 to 255"), "{error}");
    let error = from_file("s.txt", "\n\n1\n2\nx\n4\n", "@FILE", &list).expect_err("x");
    assert!(error.starts_with("s.txt, line 5: character 1"), "{error}");
    let error = from_file("s.txt", "1\n2\nx\n4\n", "@FILE", &list).expect_err("x");
    assert!(error.starts_with("s.txt, line 3: character 1"), "{error}");
    assert_eq!(from_file("s.txt", r#"[1, "2", 0, 4]"#, "@FILE", &list), Ok("04000201".into()));
}

#[test]
fn raw_bytes_need_a_prefix_or_suffix() {
    let port = port("a", 32);
    let bytes = [1, 2, 3, 4];
    assert_eq!(from_file("s.bin", bytes, "@FILE", &port), Ok("04030201".into()));
    assert_eq!(from_file("s", bytes, "bytes:@FILE", &port), Ok("04030201".into()));
    for form in ["@FILE", "bytes:@FILE"] {
        let error = from_file("s.bin", "500\n", form, &port).expect_err("printable");
        assert!(error.contains("printable text"), "{error}");
        assert!(error.contains("text:@FILE") && error.contains("write @FILE"), "{error}");
        let error = from_file("s.bin", "1000000\n", form, &port).expect_err("printable");
        assert!(error.contains("printable text"), "{error}");
    }
    assert_eq!(from_file("s.bin", "500\n", "text:@FILE", &port), Ok("0a303035".into()));
    assert_eq!(from_file("s.txt", "abcd\n", "text:@FILE", &port), Ok("64636261".into()));
    let error = from_file("s.bin", [0; 5], "@FILE", &port).expect_err("long");
    assert!(error.contains("more than 4 bytes, 4 wanted (32 bits)"), "{error}");
}

#[test]
fn columns_of_tables() {
    let table = "name,salary,bonus\nann,10,1\nbob,20,2\n\n\"c, d\",30,3\neve,40,4\n";
    let list = typed(32, Element::Unsigned, 8);
    assert_eq!(from_file("d.csv", table, "@FILE:salary", &list), Ok("281e140a".into()));
    assert_eq!(from_file("d.csv", table, "@FILE:3", &list), Ok("04030201".into()));
    let spaced = table.replace("\"c, d\",", "\"c, d\"  ,");
    assert_eq!(from_file("d.csv", spaced, "@FILE:3", &list), Ok("04030201".into()));
    let semicolons = table.replace(',', ";").replace("c;", "c,");
    assert_eq!(from_file("d.csv", semicolons, "@FILE:bonus", &list), Ok("04030201".into()));
    for (content, form, expected) in [
        (table, "@FILE:age", "there is no column \"age\"; its columns are name, salary, bonus"),
        (table, "@FILE:4", "there is no column \"4\""),
        (table, "@FILE", "as in @FILE.csv:COLUMN; there is none called \"a\""),
        (table, "@FILE:name", "d.csv, line 2, column \"name\": character 1"),
        ("a\n1\n2\n3\n400\n", "@FILE", "input \"a\", line 5: the value is not from 0 to 255"),
        ("a,b\n1,2\n3\n", "@FILE:a", "d.csv, line 3: 1 cells in a table of 2 columns"),
        ("1\n2\n3\n4\n", "@FILE", "add a line of names"),
        ("a,a\n1,2\n", "@FILE:a", "several columns are called \"a\""),
        ("a\n1\n\n2x\n", "@FILE", "d.csv, line 4, column \"a\": character 2"),
        // What no one asked for by name may be a value.
        ("deadbeef\n1\n\n2x\n", "@FILE", "d.csv, line 4, column 1: character 2"),
        ("5000,alice\n50o1,bob\n", "@FILE:1", "d.csv, line 2, column 1: character 3"),
        (
            "5000,alice\n1,2\n",
            "@FILE:age",
            "its columns are 1 to 2, without names, since line 1 has numbers",
        ),
        ("a,b\n1,\n", "@FILE:b", "d.csv, line 2, column \"b\": there are no digits"),
        ("a\n1\n2\n3\n\"12", "@FILE", "d.csv, line 5: a quoted cell has no end"),
        ("a\n1\n2\n3\n\"12\"3\n", "@FILE", "d.csv, line 5: there is text after a cell's closing"),
        ("a,b\n\"1\"\"\",2\n", "@FILE:a", "line 2, column \"a\": character 2"),
        ("a\n", "@FILE", "no value in it"),
        ("", "@FILE", "no value in it"),
    ] {
        let error = from_file("d.csv", content, form, &list).expect_err(content);
        assert!(error.contains(expected), "{content:?} {form}: {error}");
    }
}

#[test]
fn a_table_has_the_values_of_all_inputs_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.csv");
    std::fs::write(&path, "amount,price\n1,5\n2,6\n").expect("written");
    let ports = [
        Port { name: "price".into(), ..typed(16, Element::Unsigned, 8) },
        Port { name: "amount".into(), ..per_cycle("amount", 8) },
    ];
    let values = read_text(&format!("@{}", path.display()), &ports).expect("a table");
    assert_eq!(values[0].bits(&ports[0], 1).expect("fits").to_hex(), "0605");
    assert_eq!(values[1].bits(&ports[1], 2).expect("fits").to_hex(), "0201");
    let columns = format!("@{0}:amount,@{0}:2", path.display());
    let values = read_text(&columns, &ports).expect("two columns");
    assert_eq!(values[0].bits(&ports[0], 1).expect("fits").to_hex(), "0201");
    assert_eq!(values[1].bits(&ports[1], 2).expect("fits").to_hex(), "0605");
}

#[test]
fn a_list_in_a_file_has_a_type() {
    let port = port("a", 32);
    let table = "salary\n1\n2\n3\n4\n";
    assert_eq!(from_file("d.csv", table, "u8:@FILE:salary", &port), Ok("04030201".into()));
    assert_eq!(from_file("d.txt", "1\n-2\n", "i16:@FILE", &port), Ok("fffe0001".into()));
    assert_eq!(from_file("d.json", "[1, 2]", "u16:@FILE", &port), Ok("00020001".into()));
    assert_eq!(from_file("d.txt", "1.5\n", "f32:@FILE", &port), Ok("3fc00000".into()));
    for (name, content, form, expected) in [
        ("d.csv", table, "@FILE", "several ways"),
        ("d.csv", table, "u16:@FILE", "4 elements, 2 of 16 bits wanted"),
        ("d.bin", "\x01\x02\x03\x04", "u8:@FILE", "element type"),
        ("d.txt", "u16:[1,2]", "u8:@FILE", "differs from the type"),
        ("d.txt", "1\n300\n", "x8:@FILE", "u1 to u128"),
    ] {
        let error = from_file(name, content, form, &port).expect_err(form);
        assert!(error.contains(expected), "{form}: {error}");
    }
}

#[test]
fn a_set_is_any_list() {
    let elements = Elements::Set { width: 8, count: 3, party: Party::Garbler };
    let set = Port { elements, ..port("a", 24) };
    let padded = bits_of("[9,5]", &set);
    assert!(padded.is_ok());
    assert_eq!(from_file("s.csv", "id\n9\n5\n", "@FILE", &set), padded);
    assert_eq!(from_file("s.txt", "9\n5\n", "@FILE", &set), padded);
    let error = bits_of("[9,-5]", &set).expect_err("negative");
    assert!(error.contains("element 2: the value is not from 0 to 255"), "{error}");
}
