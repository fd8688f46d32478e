//! Aborts runs of the overlay. The machine must be wiped, even if responses from DDR are still
//! pending, and must then garble correctly.

use halfgate_verilated::testing::can_build;
use halfgate_verilated::testing::stimulus::{Random, Tested};
use halfgate_verilated::{Design, Error, In, Out, Simulation};
use std::collections::VecDeque;

/// Clock cycles in which a run is aborted: before any write, during ANDs, later, and never.
const ENDS: [usize; 7] = [1, 7, 20, 33, 60, 150, usize::MAX];

/// Tables, and labels in DDR.
type Ran = (Vec<u8>, Vec<u128>);

/// Clock cycles from a request to DDR to its response.
const LATENCY: usize = 12;

/// Handwritten batches. Commands have three registers, and a fourth for an AND's number. Places are
/// pairs (address, whether in block RAM) of a, b and out.
fn words() -> Vec<u32> {
    let ddr = |at: u32| at << 2;
    let ram = |at: u32| at << 2 | 1;
    let mut words = Vec::new();
    let mut batch = |ands: bool, gates: &[[u32; 3]], first: u32| {
        words.push(gates.len() as u32 | u32::from(ands) << 31);
        for (number, gate) in (first..).zip(gates) {
            words.extend(gate);
            words.extend(ands.then_some(number));
        }
    };
    batch(
        false,
        &[[ddr(2), ddr(3), ram(0)], [ddr(4), ddr(9), ram(1)], [ddr(5), ddr(6), ddr(20)]],
        0,
    );
    batch(
        true,
        &[[ram(0), ram(1), ram(2)], [ddr(20), ddr(7), ram(3)], [ram(1), ddr(8), ddr(21)]],
        0,
    );
    batch(false, &[[ram(2), ram(3), ram(4)], [ddr(21), ram(2), ram(5)]], 0);
    batch(true, &[[ram(4), ram(5), ddr(22)], [ram(2), ram(3), ddr(23)]], 3);
    batch(false, &[[ddr(22), ddr(23), ddr(24)]], 0);
    words.push(0);
    words
}

/// Commands that copy all labels in block RAM to DDR.
fn probe() -> Vec<u32> {
    let copies = (0..16_u32).flat_map(|at| [at << 2 | 1, 0, (16 + at) << 2]);
    [16].into_iter().chain(copies).chain([0]).collect()
}

#[test]
fn the_overlay_garbles_after_an_abort() -> Tested {
    if !can_build() {
        return Ok(());
    }
    for suite in [0_u64, 1] {
        let design = Design::of("overlay")
            .param("Ands", 2)
            .param("Xors", 2)
            .param("Suite", suite)
            .param("Latency", 12)
            .param("Rows", 16)
            .param("Impl", 2)
            .param("Banks", 2);
        let mut sim = Simulation::new(&design.named(&format!("overlay-abort-{suite}")).build()?)?;
        sim.reset()?;
        let mut whole: Option<Vec<u8>> = None;
        for end in [usize::MAX].into_iter().chain(ENDS) {
            let (found, _) = run(&mut sim, words(), end)?;
            let (_, memory) = run(&mut sim, probe(), usize::MAX)?;
            assert!(
                memory[16..32].iter().all(|label| *label == 0),
                "ended at {end}, a label stays"
            );
            match &whole {
                None => {
                    assert!(found.len() == 5 * 32, "{} bytes of tables", found.len());
                    whole = Some(found);
                }
                Some(whole) => {
                    assert!(end != usize::MAX || found.len() == whole.len(), "after an abort");
                    assert!(found == whole[..found.len()], "ended at {end}");
                }
            }
        }
    }
    Ok(())
}

/// Responses that a port still owes: for each, the cycle in which it is due and the labels of its
/// line.
type UnderWay = VecDeque<(usize, [u128; 4])>;

/// DDR, which serves both ports.
struct Ddr {
    ports: Ports,
    memory: Vec<u128>,
    under_way: [UnderWay; 2],
}

/// The machine's signals to and from DDR.
struct Ports {
    requests: Out,
    takes: In,
    writes: Out,
    lines: Out,
    mask: Out,
    out: Out,
    came: In,
    word: In,
}

impl Ports {
    fn of(sim: &Simulation) -> Result<Ports, Error> {
        Ok(Ports {
            requests: sim.output("ddr_valid_o", 2)?,
            takes: sim.input("ddr_ready_i", 2)?,
            writes: sim.output("ddr_write_o", 2)?,
            lines: sim.output("ddr_line_o", 54)?,
            mask: sim.output("ddr_mask_o", 8)?,
            out: sim.output("ddr_data_o", 1024)?,
            came: sim.input("ddr_valid_i", 2)?,
            word: sim.input("ddr_data_i", 1024)?,
        })
    }

    /// Runs a clock cycle of a port: returns a response if one is due, and accepts a request.
    fn serve(
        &self,
        sim: &mut Simulation,
        port: u32,
        clock: usize,
        memory: &mut [u128],
        under_way: &mut UnderWay,
    ) {
        let response = under_way.pop_front_if(|(due, _)| *due <= clock);
        sim.set_field(self.came, port, 1, response.is_some().into());
        for (lane, label) in (0..).zip(response.map_or([0; 4], |(_, labels)| labels)) {
            sim.set_field(self.word, 512 * port + 128 * lane, 128, label);
        }
        if sim.field(self.requests, port, 1) == 0 {
            return;
        }
        let first = (2 * sim.field(self.lines, 27 * port, 27) as usize + port as usize) * 4;
        let labels: [u128; 4] = std::array::from_fn(|lane| memory[first + lane]);
        if sim.field(self.writes, port, 1) == 1 {
            for lane in (0..4_u32).filter(|lane| sim.field(self.mask, 4 * port + lane, 1) == 1) {
                memory[first + lane as usize] = sim.field(self.out, 512 * port + 128 * lane, 128);
            }
        }
        under_way.push_back((clock + LATENCY, labels));
    }
}

fn wait_until_wiped(sim: &mut Simulation, wiping: Out) -> Tested {
    let mut clocks = 0;
    while sim.is_set(wiping) {
        assert!(clocks < 1000, "never wiped");
        sim.clock()?;
        clocks += 1;
    }
    Ok(())
}

/// Runs with the same labels each time, and aborts in clock cycle `end`. Then wipes the machine
/// while DDR still responds. Returns the tables and the contents of DDR.
fn run(
    sim: &mut Simulation,
    words: Vec<u32>,
    end: usize,
) -> Result<Ran, Box<dyn std::error::Error>> {
    let [wipe, start, half, valid, table_ready] =
        ["wipe_i", "start_i", "half_i", "link_valid_i", "table_ready_i"]
            .map(|name| sim.input(name, 1).expect("a port"));
    let [busy, wiping, link_ready, table_valid] =
        ["busy_o", "wiping_o", "link_ready_o", "table_valid_o"]
            .map(|name| sim.output(name, 1).expect("a port"));
    let (form, base) = (sim.input("form_i", 2)?, sim.input("base_i", 64)?);
    let (delta, point) = (sim.input("delta_i", 128)?, sim.input("point_i", 128)?);
    let (count, data) = (sim.input("link_count_i", 1)?, sim.input("link_data_i", 32)?);
    let table = sim.output("table_o", 256)?;

    wait_until_wiped(sim, wiping)?;
    let mut random = Random(5);
    let mut ddr = Ddr {
        ports: Ports::of(sim)?,
        memory: (0..32).map(|_| random.u128() >> 48).collect(),
        under_way: Default::default(),
    };
    ddr.memory[0] = 0;
    sim.set_u128(delta, random.u128() >> 48 | 1);
    sim.set_u128(point, random.u128());
    sim.set_bit(half, true);
    sim.set_u64(form, 2);
    sim.set_u64(base, 0);
    sim.set_bit(start, true);
    sim.clock()?;
    sim.set_bit(start, false);
    sim.clear(delta);
    sim.set_u64(ddr.ports.takes, 3);
    sim.set_bit(table_ready, true);
    sim.set_u64(count, 1);

    let mut words: VecDeque<u32> = words.into();
    let (mut tables, mut clock) = (Vec::new(), 0);
    let mut wiped_at = None;
    while sim.is_set(busy) || ddr.under_way.iter().any(|port| !port.is_empty()) {
        assert!(clock < 2000, "it never ends");
        if clock == end {
            sim.set_bit(wipe, true);
            wiped_at = Some(clock);
        }
        let ended = wiped_at.is_some();
        let sends = !ended && sim.is_set(link_ready) && !words.is_empty();
        sim.set_bit(valid, sends);
        if sends {
            sim.set_u64(data, words.pop_front().unwrap_or(0).into());
        }
        for (port, under_way) in (0..).zip(&mut ddr.under_way) {
            ddr.ports.serve(sim, port, clock, &mut ddr.memory, under_way);
        }
        if sim.is_set(table_valid) {
            tables.extend_from_slice(sim.bytes(table));
        }
        sim.clock()?;
        sim.set_bit(wipe, false);
        clock += 1;
    }
    sim.set_u64(ddr.ports.came, 0);
    if wiped_at.is_none() {
        sim.set_bit(wipe, true);
        sim.clock()?;
        sim.set_bit(wipe, false);
    }
    wait_until_wiped(sim, wiping)?;
    assert!(!sim.is_set(busy), "ended at {end}, it goes on");
    Ok((tables, ddr.memory))
}
