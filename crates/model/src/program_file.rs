//! The first bytes of a compiled program file, by which readers of other files recognise one.

/// First bytes of a program file: not ASCII, so that it is not taken for text, and with line ends
/// that a careless transfer would change.
pub const MAGIC: [u8; 8] = *b"\x89HGP\r\n\x1a\n";

/// Extension of a program file's name.
pub const EXTENSION: &str = "hgp";
