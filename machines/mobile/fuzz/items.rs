//! Items on the mobile coprocessor's link: decodes any bytes. Decoded items must encode to bytes
//! that decode to the same items.

use halfgate_mobile_model::Encoder;
use halfgate_mobile_model::item::Decoder;

pub fn run(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let is_grr3 = first & 1 == 1;
    let (mut encoder, mut again, mut items) = (Encoder::default(), Vec::new(), Vec::new());
    let mut decoder = Decoder::new(rest, is_grr3);
    while let Ok(Some((item, follows))) = decoder.next_item() {
        encoder.push(item, decoder.far(), follows, &mut again);
        items.push((item, decoder.far(), follows));
    }
    encoder.flush(&mut again);
    let mut decoder = Decoder::new(&again, is_grr3);
    for (item, far, follows) in items {
        let (found, bytes) = decoder.next_item().expect("written").expect("as many");
        assert_eq!((bytes, found, decoder.far()), (follows, item, far));
    }
}
