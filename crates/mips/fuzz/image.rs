//! Any bytes as a program for the garbled processor: read or refused, and what is read runs.

use halfgate_mips::image::Image;
use halfgate_mips::privacy::Privacy;

pub fn run(data: &[u8]) {
    let Ok(file) = tempfile::NamedTempFile::new() else { return };
    if std::fs::write(file.path(), data).is_err() {
        return;
    }
    let Ok(image) = Image::read(file.path()) else {
        let _ = halfgate_mips::interface::read(file.path());
        return;
    };
    let inputs = image.inputs();
    let values: Vec<Vec<u64>> = inputs.map(|port| vec![3; port.count as usize]).collect();
    let _ = image.run(&values, 200);
    let _ = image.application();
    let _ = halfgate_mips::interface::text(&image, Privacy::Private);
}
