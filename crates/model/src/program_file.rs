//! Magic number of a compiled program file, by which readers of other files recognise one.

/// First bytes of a program file. They are not ASCII, so that the file is not taken for text, and
/// contain line ends that a careless transfer would change.
pub const MAGIC: [u8; 8] = *b"\x89HGP\r\n\x1a\n";

/// Extension of a program file's name.
pub const EXTENSION: &str = "hgp";
