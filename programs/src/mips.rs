//! Texts of the C programs for the garbled processor, which are in the folder `mips` of this crate.
//! An installed command has these texts but not the folder.

/// The files: name and text.
pub static FILES: [(&str, &str); 9] = [
    ("aes.c", include_str!("../mips/aes.c")),
    ("aes_bitsliced.c", include_str!("../mips/aes_bitsliced.c")),
    ("auction.c", include_str!("../mips/auction.c")),
    ("edit_distance.c", include_str!("../mips/edit_distance.c")),
    ("hamming.c", include_str!("../mips/hamming.c")),
    ("hamming_branchless.c", include_str!("../mips/hamming_branchless.c")),
    ("psi.c", include_str!("../mips/psi.c")),
    ("psi_merge.c", include_str!("../mips/psi_merge.c")),
    ("tree.c", include_str!("../mips/tree.c")),
];
