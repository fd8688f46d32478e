//! Parses any bytes as a program for the garbled processor, and as the interface of a private
//! program. The parsers accept or reject the bytes without a panic. An accepted program is run.

use halfgate_mips::image::Image;
use halfgate_mips::interface;
use halfgate_mips::privacy::Privacy;

pub fn run(data: &[u8]) {
    let Ok(image) = Image::parse(data, "fuzz") else {
        if let Ok(text) = std::str::from_utf8(data) {
            let _ = interface::parse(text, "fuzz");
        }
        return;
    };
    let inputs = image.inputs();
    let values: Vec<Vec<u64>> = inputs.map(|port| vec![3; port.count as usize]).collect();
    let _ = image.run(&values, 200);
    let _ = image.application();
    let _ = interface::text(&image, Privacy::Private);
}
