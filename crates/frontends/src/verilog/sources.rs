//! The files of a design, their text, and the files that they include.

use super::Options;
use super::error::Error;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of a design.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    /// The contents as text. Bytes that are not UTF-8 are replaced.
    pub(super) text: String,
}

/// The files of a design, the main file first.
pub(super) struct Sources(pub(super) Vec<Source>);

impl Sources {
    /// Reads the file at `path` and the additional files in `options`. A folder stands for its `.v`
    /// and `.sv` files, sorted by name.
    pub(super) fn read(path: &Path, options: &Options) -> Result<Sources, Error> {
        let mut sources = Vec::new();
        for path in paths(path, &options.files)? {
            // For an unreadable file, the message of the operating system is better than that of
            // Yosys.
            let bytes = fs::read(&path).map_err(unreadable(&path))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            sources.push(Source { path, bytes, text });
        }
        Ok(Sources(sources))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|source| source.path.as_path())
    }

    pub(super) fn has_system_verilog(&self) -> bool {
        self.paths().any(is_system_verilog)
    }

    /// Returns the names after `posedge` or `negedge`, each with its module.
    pub(super) fn edges(&self) -> Vec<(&str, &str)> {
        let mut edges = Vec::new();
        for source in &self.0 {
            let mut module = "";
            for pair in words(&source.text).windows(2) {
                match pair[0] {
                    "module" | "macromodule" => module = pair[1],
                    "posedge" | "negedge" => edges.push((module, pair[1])),
                    _ => {}
                }
            }
        }
        edges
    }

    /// Returns the only module that no other module instantiates, as far as the text shows.
    /// Otherwise returns all candidates.
    pub(super) fn top(&self) -> Result<String, Vec<String>> {
        let mut modules: Vec<(&str, HashSet<&str>)> = Vec::new();
        for source in &self.0 {
            let mut inside = false;
            let mut name_follows = false;
            for word in words(&source.text) {
                match word {
                    "module" | "macromodule" => name_follows = true,
                    "automatic" | "static" if name_follows => {}
                    _ if name_follows => {
                        modules.push((word, HashSet::new()));
                        (name_follows, inside) = (false, true);
                    }
                    "endmodule" => inside = false,
                    _ if inside => {
                        modules.last_mut().expect("inside one").1.insert(word);
                    }
                    _ => {}
                }
            }
        }
        let used = |name: &str| {
            modules.iter().any(|(other, words)| *other != name && words.contains(name))
        };
        let tops: Vec<&str> =
            modules.iter().map(|(name, _)| *name).filter(|name| !used(name)).collect();
        match tops.as_slice() {
            [top] => Ok((*top).to_owned()),
            _ => Err(tops.into_iter().map(str::to_owned).collect()),
        }
    }

    /// Returns all further files that Yosys may read: included files and tables, each with every
    /// path at which Yosys may look for it. Returns `None` if the text does not contain a file's
    /// name literally.
    pub(super) fn included(&self) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<(PathBuf, String)> =
            self.0.iter().map(|source| (source.path.clone(), source.text.clone())).collect();
        while let Some((path, text)) = open.pop() {
            for (name, includes) in names(&text)? {
                // Yosys looks beside the file and in the working folder. Which comes first depends
                // on Yosys, so both are listed.
                let beside = path.parent().unwrap_or(Path::new("")).join(name);
                for found in [PathBuf::from(name), beside] {
                    let bytes = fs::read(&found).ok();
                    if includes
                        && let Some(bytes) = &bytes
                        && seen.insert(found.clone())
                    {
                        open.push((found.clone(), String::from_utf8_lossy(bytes).into_owned()));
                    }
                    places.push(Place { name: name.to_owned(), path: found, bytes });
                }
            }
        }
        Some(places)
    }
}

/// A path at which Yosys may look for a file, and the contents there.
pub(super) struct Place {
    /// Name of the file as written in the text.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) bytes: Option<Vec<u8>>,
}

pub(super) fn is_system_verilog(path: &Path) -> bool {
    extension_is(path, "sv")
}

fn extension_is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::Unreadable(path.display().to_string(), error)
}

/// Returns `first` and `more` without duplicates. Folders are replaced by their files.
pub(super) fn paths(first: &Path, more: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut paths = vec![first.to_owned()];
    for path in more {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable(path))? {
            files.push(entry.map_err(unreadable(path))?.path());
        }
        files
            .retain(|file| file.is_file() && (extension_is(file, "v") || extension_is(file, "sv")));
        if files.is_empty() {
            return Err(Error::EmptyFolder(path.display().to_string()));
        }
        files.sort();
        paths.extend(files);
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    Ok(paths)
}

/// Returns the names of files that `text` includes (true) or reads as tables (false). Returns
/// `None` if a name is the result of a macro or an expression. Names in comments are returned too;
/// they only cost a file access.
fn names(text: &str) -> Option<Vec<(&str, bool)>> {
    let mut names = Vec::new();
    for (mark, includes) in [("`include", true), ("$readmemh", false), ("$readmemb", false)] {
        for (at, _) in text.match_indices(mark) {
            let rest = text[at + mark.len()..].trim_start();
            let rest = if includes { rest } else { rest.strip_prefix('(')?.trim_start() };
            let (rest, end) = match rest.strip_prefix('"') {
                Some(rest) => (rest, '"'),
                None => (rest.strip_prefix('<')?, '>'),
            };
            let (name, _) = rest.split_once(end)?;
            // A name that contains a macro or an escape is not the literal name of the file.
            if name.contains(['`', '\\', '\n']) {
                return None;
            }
            names.push((name, includes));
        }
    }
    Some(names)
}

/// Splits `text` into words, without comments and strings.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if c == '"' {
            string_end(rest)
        } else if is_of_word(c) {
            let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            words.push(&rest[..end]);
            end
        } else {
            c.len_utf8()
        };
        rest = &rest[end..];
    }
    words
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Returns the position after the closing quote of the string at the start of `text`.
fn string_end(text: &str) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(texts: &[&str]) -> Sources {
        let source = |text: &&str| Source {
            path: PathBuf::from("m.v"),
            bytes: text.as_bytes().to_vec(),
            text: (*text).to_owned(),
        };
        Sources(texts.iter().map(source).collect())
    }

    #[test]
    fn the_top_module_is_in_no_other() {
        let part = "module part(input a); endmodule // module old; part x; endmodule";
        let top = "/* module no; */ module top(); part p(); initial $display(\"alone\"); endmodule";
        assert_eq!(sources(&[part, top]).top().as_deref(), Ok("top"));
        assert_eq!(sources(&[part, "module alone; endmodule"]).top().unwrap_err().len(), 2);
        assert!(sources(&["// nothing"]).top().unwrap_err().is_empty());
    }

    #[test]
    fn files_in_the_text_are_found() {
        let text = "`include \"a.vh\"\n initial $readmemh ( \"t.hex\", m);";
        assert_eq!(names(text).unwrap(), [("a.vh", true), ("t.hex", false)]);
        assert!(names("`include `NAME").is_none());
        assert!(names("initial $readmemb(FILE, m);").is_none());
    }

    #[test]
    fn edges_are_found_in_code_only() {
        let design = sources(&["always @(posedge ck or\n negedge  clear) // posedge no"]);
        let edges = design.edges();
        let has_edge_of = |name: &str| edges.iter().any(|&(_, edge)| edge == name);
        assert!(has_edge_of("ck") && has_edge_of("clear"));
        assert!(!has_edge_of("no") && !has_edge_of("or"));
    }
}
