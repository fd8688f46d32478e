//! Text that a peer or a file has chosen, on its way to a terminal.

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
