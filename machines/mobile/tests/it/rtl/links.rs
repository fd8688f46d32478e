//! The links of the mobile coprocessor: SPI and serial lines transfer bytes in both directions, at
//! rates that are not a whole number of clock cycles.

use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, Error, In, Out, Simulation};

/// The chip's side of a link: received bytes, and bytes to send.
struct Bytes {
    rx_valid: Out,
    rx_byte: Out,
    tx_valid: In,
    tx_byte: In,
    tx_ready: Out,
}

impl Bytes {
    fn of(sim: &Simulation) -> Result<Bytes, Error> {
        Ok(Bytes {
            rx_valid: sim.output("rx_valid_o", 1)?,
            rx_byte: sim.output("rx_byte_o", 8)?,
            tx_valid: sim.input("tx_valid_i", 1)?,
            tx_byte: sim.input("tx_byte_i", 8)?,
            tx_ready: sim.output("tx_ready_o", 1)?,
        })
    }

    /// Offers `value` before a clock edge, or nothing. Adds a received byte to `found`, and `value`
    /// to `gave` if it is taken.
    fn offer(
        &self,
        sim: &mut Simulation,
        offers: bool,
        value: u8,
        found: &mut Vec<u8>,
        gave: &mut Vec<u8>,
    ) -> Tested {
        sim.set_bit(self.tx_valid, offers);
        sim.set_u64(self.tx_byte, value.into());
        sim.settle()?;
        if sim.is_set(self.rx_valid) {
            found.push(sim.get_u64(self.rx_byte) as u8);
        }
        if offers && sim.is_set(self.tx_ready) {
            gave.push(value);
        }
        Ok(())
    }
}

/// SPI's clock has any phase relative to the chip's clock. Bytes must arrive unchanged in both
/// directions.
#[test]
fn spi_carries_bytes_both_ways() -> Tested {
    let library = Design::of("mobile_spi").build()?;
    // Half the host's clock period, in hundredths of the chip's. 67.5 is 30 against 40.5 MHz.
    // Between two and three periods, the chip offers its byte around the host's falling edge.
    for half in [19, 31, 67, 68, 90, 200, 210, 237, 262, 299, 300, 341] {
        bytes_both_ways(Simulation::new(&library)?, half)?;
    }
    Ok(())
}

fn bytes_both_ways(mut sim: Simulation, half: u64) -> Tested {
    let [clock, reset, sck, cs, mosi] = ["clk_i", "rst_ni", "sck_i", "cs_ni", "mosi_i"]
        .map(|name| sim.input(name, 1).expect("a port"));
    let (miso, chip) = (sim.output("miso_o", 1)?, Bytes::of(&sim)?);
    for value in [true, false, true] {
        sim.set_bit(reset, value);
        sim.set_bit(cs, true);
        sim.settle()?;
    }
    sim.set_bit(cs, false);
    sim.settle()?;
    let mut random = Random(half);
    let (mut sent, mut found) = (Vec::new(), Vec::new());
    let (mut gave, mut got) = (Vec::new(), Vec::new());
    let mut time = 0;
    let mut next_edge = 400 + random.u64() % 100;
    let (mut bit, mut byte, mut came, mut high) = (0, 0_u8, 0_u8, false);
    while sent.len() < 200 || found.len() < sent.len() {
        // A period of the chip's clock is a hundred units of time.
        if time % 100 == 0 {
            let offers = random.chance(70);
            let value = (random.u64() | 1) as u8;
            chip.offer(&mut sim, offers, value, &mut found, &mut gave)?;
            sim.set_bit(clock, true);
            sim.settle()?;
            sim.set_bit(clock, false);
            sim.settle()?;
        }
        time += 1;
        if time < next_edge || sent.len() == 200 {
            assert!(time < next_edge + 10_000, "a byte is lost");
            continue;
        }
        // An edge of the host's clock: the host changes its bit at falling edges, and samples
        // at rising ones.
        next_edge = time + half;
        if !high {
            if bit == 0 {
                byte = random.u64() as u8;
            }
            sim.set_bit(mosi, byte >> (7 - bit) & 1 == 1);
            sim.settle()?;
            came = came << 1 | u8::from(sim.is_set(miso));
            sim.set_bit(sck, true);
        } else {
            sim.set_bit(sck, false);
            bit += 1;
            if bit == 8 {
                sent.push(byte);
                if came != 0 {
                    got.push(came);
                }
                (bit, came) = (0, 0);
            }
        }
        sim.settle()?;
        high = !high;
    }
    assert_eq!(found, sent, "half a period is {half}");
    // The last bytes may not have arrived yet.
    assert!(gave.len() <= got.len() + 2 && got.len() > 50, "{} {}", gave.len(), got.len());
    assert_eq!(got[..], gave[..got.len()], "half a period is {half}");
    Ok(())
}

/// Lines at 12, 3 and 1 Mbaud against 40.5 MHz. The host's clock is some percent off. A byte
/// without a stop bit must be dropped.
#[test]
fn serial_lines_carry_bytes_both_ways() -> Tested {
    for (step, clocks) in [(19418, 3.375), (4855, 13.5), (1618, 40.5)] {
        let library = Design::of("mobile_uart").param("Step", step).build()?;
        for off in [0.98, 1.0, 1.02] {
            // At 12 Mbaud a clock cycle is about a third of a bit, so the tolerance is small.
            let clocks =
                if step > 10_000 { clocks * (1.0 + (off - 1.0) / 4.0) } else { clocks * off };
            let mut sim = Simulation::new(&library)?;
            let (rx, tx) = (sim.input("rx_i", 1)?, sim.output("tx_o", 1)?);
            let chip = Bytes::of(&sim)?;
            sim.set_bit(rx, true);
            sim.reset()?;
            let mut random = Random(step + (off * 100.0) as u64);
            let (mut sent, mut found) = (Vec::new(), Vec::new());
            let (mut gave, mut got): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
            // The bits that the host sends and the time of the next bit; the time of the next
            // sample and the sampled bits.
            let (mut line, mut begin) = (Vec::new(), 20.0_f64);
            let (mut sample, mut bits): (Option<f64>, Vec<bool>) = (None, Vec::new());
            for time in 0..30_000_u32 {
                let now = f64::from(time);
                if line.is_empty() && now < 28_000.0 {
                    let byte = random.u64() as u8;
                    let stops = !random.chance(5);
                    line = vec![false];
                    line.extend((0..8).map(|bit| byte >> bit & 1 == 1));
                    line.push(stops);
                    // After a byte without a stop bit, the line is idle for a while.
                    line.extend(vec![true; if stops { random.u64() as usize % 3 } else { 12 }]);
                    line.reverse();
                    begin = begin.max(now);
                    if stops {
                        sent.push(byte);
                    }
                }
                if now >= begin
                    && let Some(bit) = line.pop()
                {
                    sim.set_bit(rx, bit);
                    begin += clocks;
                }
                let offers = random.chance(80);
                let value = random.u64() as u8;
                chip.offer(&mut sim, offers, value, &mut found, &mut gave)?;
                match sample {
                    None if !sim.is_set(tx) => sample = Some(now + clocks / 2.0),
                    Some(at) if now >= at => {
                        bits.push(sim.is_set(tx));
                        sample = Some(at + clocks);
                        if bits.len() == 10 {
                            assert!(!bits[0] && bits[9], "a start and a stop bit");
                            got.push((0..8).map(|bit| u8::from(bits[1 + bit]) << bit).sum());
                            (sample, bits) = (None, Vec::new());
                        }
                    }
                    _ => (),
                }
                sim.clock()?;
            }
            assert_eq!(found, sent, "{step}, {off}");
            assert!(got.len() > 50 && gave.len() <= got.len() + 2, "{} {}", gave.len(), got.len());
            assert_eq!(got[..], gave[..got.len()], "{step}, {off}");
        }
    }
    Ok(())
}
