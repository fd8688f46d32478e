//! Sizes of the gadgets of cryptography, against their documentation and a golden file.

mod golden;

use golden::{Gadget, check};
use halfgate_circuit::aes;

#[test]
fn cryptography() {
    let mut gadgets = vec![
        Gadget::new("aes sbox", &[8], |b, x| {
            aes::sbox(b, &std::array::from_fn(|i| x[0][i])).to_vec()
        })
        .ands(32)
        .and_depth(6),
    ];
    for (key, ands, depth) in [(128, 6400, 60), (192, 7168, 72), (256, 8832, 84)] {
        let cipher =
            Gadget::new(format!("aes {key}"), &[key, 128], |b, x| aes::encrypt(b, &x[0], &x[1]));
        gadgets.push(cipher.ands(ands).and_depth(depth));
    }
    for (key, ands, depth) in [(128, 1280, 60), (192, 1024, 48), (256, 1664, 78)] {
        let schedule = Gadget::new(format!("aes {key} key schedule"), &[key], |b, x| {
            let mut schedule = aes::Schedule::new(&x[0]);
            let last = schedule.rounds();
            schedule.round_key(b, last).concat()
        });
        gadgets.push(schedule.ands(ands).and_depth(depth));
    }
    gadgets.push(Gadget::new("aes 128 ctr 512", &[128, 96], |b, x| {
        aes::Ctr::new(&x[0], &x[1]).next_bits(b, 512)
    }));
    check("crypto", &gadgets);
}
