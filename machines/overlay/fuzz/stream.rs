//! Streams of commands for the overlay: any bytes after a header, which is for this build or for
//! another. The reader must reject them, or return commands that can be encoded again.

use halfgate_overlay_model::{Build, Cells, Form, Stream};

pub fn run(data: &[u8]) {
    let Some((&mode, rest)) = data.split_first() else { return };
    let form = Form::ALL[usize::from(mode) % 3];
    let cells = Cells { ands: 2, xors: 3 };
    let build = Build { cells, block_ram: 8, form };
    let mut bytes = Vec::new();
    if mode >= 3 {
        bytes.extend(b"HGOV\x02\x00");
        bytes.extend([form.code(), 0]);
        for number in [cells.ands, cells.xors, build.block_ram, 16, u32::from(mode) / 3, 0] {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes.extend(rest);
    let Ok(mut stream) = Stream::open(&bytes[..], build) else { return };
    let mut commands = Vec::new();
    while let Ok(Some(ands)) = stream.next_batch(&mut commands) {
        assert!(!commands.is_empty() && commands.len() <= if ands { 2 } else { 3 });
        for &command in &commands {
            let again = form.encode(command).expect("a decoded command can be encoded");
            assert_eq!(form.decode(again, command.number), command);
        }
    }
}
