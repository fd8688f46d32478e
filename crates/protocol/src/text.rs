//! Text from a peer or a file, made safe for a terminal.

use std::fmt;

/// Displays text on one line: line breaks become spaces, and characters that are not
/// [shown](is_shown) are escaped.
pub struct OneLine<'t>(pub &'t str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.trim_end().chars() {
            match c {
                '\n' => f.write_str(" ")?,
                c if !is_shown(c) => write!(f, "{}", c.escape_default())?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// Whether a character of foreign text may go to a terminal. Control characters, invisible ones and
/// those that change the text direction may not.
pub fn is_shown(c: char) -> bool {
    let hidden = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    !c.is_control() && !hidden
}
