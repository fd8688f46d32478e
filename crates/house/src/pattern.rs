//! Patterns with `*`, and words in a line.

/// Whether `text` matches `pattern`, in which `*` stands for any text without a `/`.
pub fn matches(pattern: &str, text: &str) -> bool {
    capture(pattern, text).is_some()
}

/// The part of `text` that the first `*` of `pattern` matches; empty if `pattern` has no `*`.
/// `None` if `text` does not match.
pub fn capture<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let Some((before, after)) = pattern.split_once('*') else {
        return (pattern == text).then_some("");
    };
    let rest = text.strip_prefix(before)?;
    let longest = rest.find('/').unwrap_or(rest.len());
    let mut ends = (0..=longest).rev().filter(|&end| rest.is_char_boundary(end));
    ends.find(|&end| matches(after, &rest[end..])).map(|end| &rest[..end])
}

/// Whether `character` may be part of a word, as `\w` in a regular expression.
pub fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The byte positions at which `word` occurs in `line` as a whole word.
pub fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stops_at_a_slash() {
        assert!(matches("machines/*/model", "machines/alpha/model"));
        assert!(!matches("machines/*/model", "machines/alpha/beta/model"));
        assert!(!matches("machines/*", "machines/alpha/model"));
        assert!(!matches("halfgate-*-model", "halfgate-alpha"));
        assert_eq!(capture("halfgate-*-model", "halfgate-alpha-model"), Some("alpha"));
        assert_eq!(capture("halfgate", "halfgate"), Some(""));
    }

    #[test]
    fn words_end_at_boundaries() {
        assert_eq!(words("alpha alphabet xalpha alpha_1 (alpha)", "alpha").count(), 2);
    }
}
