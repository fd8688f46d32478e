//! The syntax of Liberty files.

/// A group: `kind (name) { attributes and groups }`.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub kind: String,
    pub name: String,
    attributes: Vec<(String, Vec<String>)>,
    pub groups: Vec<Group>,
}

impl Group {
    /// The library in the text of a file.
    ///
    /// # Errors
    /// If it is not a Liberty file.
    pub fn library(text: &str) -> Result<Group, String> {
        let mut tokens = tokens(text).into_iter().peekable();
        let mut root = Group::default();
        statements(&mut tokens, &mut root, 0)?;
        let library = root.groups.into_iter().find(|group| group.kind == "library");
        library.ok_or_else(|| "it contains no library".to_owned())
    }

    /// The groups of this kind in it.
    pub fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The values of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&[String]> {
        let found = self.attributes.iter().find(|(attribute, _)| attribute == name);
        found.map(|(_, values)| values.as_slice())
    }

    /// The first value of an attribute; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.attribute(name).and_then(|values| values.first()).map_or("", String::as_str)
    }

    /// The first value of an attribute as a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Mark(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let (word, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            tokens.push(Token::Word(word.replace("\\\n", " ")));
            rest = after;
        } else if "(){}:;,".contains(c) {
            tokens.push(Token::Mark(c));
            rest = &rest[1..];
        } else if let Some(continued) = rest.strip_prefix("\\\n") {
            rest = continued;
        } else if c == '\n' {
            tokens.push(Token::Mark(c));
            rest = &rest[1..];
        } else if c.is_whitespace() || c == '\\' {
            rest = &rest[c.len_utf8()..];
        } else {
            let stop = |c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c);
            let end = rest.find(stop).unwrap_or(rest.len()).max(c.len_utf8());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    tokens
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

fn skip_lines(tokens: &mut Tokens) {
    while tokens.next_if_eq(&Token::Mark('\n')).is_some() {}
}

/// Reads statements into `group` up to its closing brace, or to the end of the text at the top
/// level. A line ends an attribute, since some libraries lack the semicolon.
fn statements(tokens: &mut Tokens, group: &mut Group, depth: usize) -> Result<(), String> {
    if depth > 16 {
        return Err("its groups are nested too deep".to_owned());
    }
    loop {
        let word = match tokens.next() {
            None if depth == 0 => return Ok(()),
            None => return Err(format!("it ends inside {} ({})", group.kind, group.name)),
            Some(Token::Mark('}')) if depth > 0 => return Ok(()),
            Some(Token::Mark(';' | '\n')) => continue,
            Some(Token::Mark(mark)) => {
                return Err(format!("it has {mark:?} where a name is expected"));
            }
            Some(Token::Word(word)) => word,
        };
        skip_lines(tokens);
        match tokens.next() {
            Some(Token::Mark(':')) => {
                let mut values = Vec::new();
                while let Some(token) =
                    tokens.next_if(|token| !matches!(token, Token::Mark(';' | '}' | '\n')))
                {
                    if let Token::Word(value) = token {
                        values.push(value);
                    }
                }
                group.attributes.push((word, values));
            }
            Some(Token::Mark('(')) => {
                let mut values = Vec::new();
                loop {
                    match tokens.next() {
                        Some(Token::Word(value)) => values.push(value),
                        Some(Token::Mark(')')) => break,
                        Some(Token::Mark(_)) => {}
                        None => return Err(format!("it ends inside {word}")),
                    }
                }
                skip_lines(tokens);
                if tokens.next_if_eq(&Token::Mark('{')).is_some() {
                    let name = values.into_iter().next().unwrap_or_default();
                    let mut inner = Group { kind: word, name, ..Group::default() };
                    statements(tokens, &mut inner, depth + 1)?;
                    group.groups.push(inner);
                } else {
                    group.attributes.push((word, values));
                }
            }
            _ => return Err(format!("it has {word:?} with neither value nor group")),
        }
    }
}
