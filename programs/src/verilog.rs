//! Texts of the Verilog functions, which are in the folder `verilog` of this crate. An installed
//! command has these texts but not the folder.

/// The files: name and text.
pub static FILES: [(&str, &str); 11] = [
    ("add.v", include_str!("../verilog/add.v")),
    ("add_serial.v", include_str!("../verilog/add_serial.v")),
    ("aes128.v", include_str!("../verilog/aes128.v")),
    ("cordic.v", include_str!("../verilog/cordic.v")),
    ("hamming.v", include_str!("../verilog/hamming.v")),
    ("hamming_serial.v", include_str!("../verilog/hamming_serial.v")),
    ("mac.v", include_str!("../verilog/mac.v")),
    ("millionaires.v", include_str!("../verilog/millionaires.v")),
    ("multiply_serial.v", include_str!("../verilog/multiply_serial.v")),
    ("sbox.v", include_str!("../verilog/sbox.v")),
    ("sha3_256.v", include_str!("../verilog/sha3_256.v")),
];
