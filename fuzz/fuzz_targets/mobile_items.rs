//! Items on the mobile coprocessor's link: any bytes. What is read can be written again, and is read as the same.
#![no_main]

use halfgate_machines::mobile::Encoder;
use halfgate_machines::mobile::item::Decoder;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let table = if first & 1 == 1 { 48 } else { 32 };
    let (mut encoder, mut again, mut items) = (Encoder::default(), Vec::new(), Vec::new());
    let mut decoder = Decoder::new(rest, table);
    while let Ok(Some((item, follows))) = decoder.next_item() {
        encoder.push(item, follows, &mut again);
        items.push((item, follows));
    }
    encoder.flush(&mut again);
    let mut decoder = Decoder::new(&again, table);
    for (item, follows) in items {
        let (found, bytes) = decoder.next_item().expect("written").expect("as many");
        assert_eq!(bytes, follows);
        assert_eq!(found, item);
    }
});
