//! Text that a peer or a file has chosen, on its way to a terminal.

use std::fmt;

/// Text that shows on one line: line breaks become spaces, characters that are not
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

/// Whether a character of somebody else's may go to a terminal: none that controls it, and none
/// that is not seen or turns the direction of the text around it.
pub fn is_shown(c: char) -> bool {
    let hidden = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    !c.is_control() && !hidden
}
