//! HAAC's registers and counters through AXI4-Lite, with a host that delays at random.

use crate::rtl::memory_bench::{Random, Tested};
use halfgate_haac::rtl::registers::*;
use halfgate_verilated::{Design, Error, In, Out, Simulation};

const ENGINES: u32 = 3;
const NAMES: u32 = 18;

/// The AXI4-Lite slave, with the registers and counters behind it.
const BENCH: &str = "
module registers_bench
  import haac_isa_pkg::*;
  import haac_regs_pkg::*;
#(parameter int unsigned Engines = 3) (
  input  logic clk_i, rst_ni, busy_i, wipe_i, launch_i, run_i,
  input  logic awvalid_i, wvalid_i, bready_i, arvalid_i, rready_i,
  input  logic [13:0] awaddr_i, araddr_i,
  input  logic [31:0] wdata_i, status_i, error_i,
  input  logic [3:0] wstrb_i,
  output logic awready_o, wready_o, bvalid_o, arready_o, rvalid_o,
  output logic [1:0] bresp_o, rresp_o,
  output logic [31:0] rdata_o,
  output logic start_o, reset_o, clear_o, interrupt_o,
  output logic [127:0] delta_o, point_o,
  output logic [8:0] latency_o,
  input  logic [Engines-1:0][CauseWidth-1:0] cause_i,
  input  logic [NumCounters-1:0][15:0] events_i
);
  logic write;
  logic [13:0] waddr, raddr;
  logic [3:0] wstrb;
  logic [31:0] wdata, rdata, counter, step, byte_cost, cap, wire_bytes, timeout;
  logic [63:0] program_addr, and_base;
  haac_axil u_axil (
    .clk_i, .rst_ni, .s_axil_awvalid_i(awvalid_i), .s_axil_awready_o(awready_o),
    .s_axil_awaddr_i(awaddr_i), .s_axil_wvalid_i(wvalid_i), .s_axil_wready_o(wready_o),
    .s_axil_wdata_i(wdata_i), .s_axil_wstrb_i(wstrb_i), .s_axil_bvalid_o(bvalid_o),
    .s_axil_bready_i(bready_i), .s_axil_bresp_o(bresp_o), .s_axil_arvalid_i(arvalid_i),
    .s_axil_arready_o(arready_o), .s_axil_araddr_i(araddr_i), .s_axil_rvalid_o(rvalid_o),
    .s_axil_rready_i(rready_i), .s_axil_rdata_o(rdata_o), .s_axil_rresp_o(rresp_o),
    .write_o(write), .waddr_o(waddr), .wdata_o(wdata), .wstrb_o(wstrb), .raddr_o(raddr), .rdata_i(rdata)
  );
  haac_registers #(
    .Engines(Engines), .WindowLabels(256), .NumPorts(2), .DataWidth(256), .AesImpl(1)
  ) u_registers (
    .clk_i, .rst_ni, .write_i(write), .waddr_i(waddr), .wdata_i(wdata), .wstrb_i(wstrb),
    .raddr_i(raddr), .rdata_o(rdata), .counter_i(counter), .busy_i, .wipe_i, .start_o, .reset_o, .clear_o,
    .status_i, .error_i, .interrupt_o, .program_o(program_addr), .and_base_o(and_base), .point_o,
    .delta_o, .latency_o, .credit_step_o(step), .credit_byte_o(byte_cost), .credit_cap_o(cap),
    .wire_bytes_o(wire_bytes), .timeout_o(timeout)
  );
  haac_counters #(.Engines(Engines)) u_counters (
    .clk_i, .rst_ni, .clear_i(launch_i), .run_i, .cause_i, .events_i, .raddr_i(raddr),
    .rdata_o(counter)
  );
endmodule
";

struct Host {
    sim: Simulation,
    random: Random,
    /// Numbers of commands that were seen: start, reset, clear.
    commands: [u32; 3],
}

impl Host {
    fn new() -> Result<Host, Error> {
        let design = Design::of("registers_bench").source("registers_bench", BENCH);
        let mut sim = Simulation::new(&design.build()?)?;
        sim.reset()?;
        Ok(Host { sim, random: Random(8), commands: [0; 3] })
    }

    fn input(&self, name: &str, width: u32) -> In {
        self.sim.input(name, width).unwrap()
    }

    fn set(&mut self, name: &str, width: u32, value: u64) {
        let port = self.input(name, width);
        self.sim.set_u64(port, value);
    }

    fn output(&self, name: &str, width: u32) -> Out {
        self.sim.output(name, width).unwrap()
    }

    fn get(&self, name: &str, width: u32) -> u128 {
        self.sim.get_u128(self.output(name, width))
    }

    fn clock(&mut self) -> Result<(), Error> {
        self.sim.settle()?;
        for (count, name) in self.commands.iter_mut().zip(["start_o", "reset_o", "clear_o"]) {
            *count += u32::from(self.sim.is_set(self.sim.output(name, 1)?));
        }
        self.sim.clock()
    }

    /// Writes a word; returns the response.
    fn write(&mut self, address: u32, value: u32, strobes: u64) -> Result<u128, Error> {
        self.set("awaddr_i", 14, address.into());
        self.set("wdata_i", 32, value.into());
        self.set("wstrb_i", 4, strobes);
        let (mut aw, mut w) = (false, false);
        loop {
            aw |= self.random.below(3) == 0;
            w |= self.random.below(3) == 0;
            self.set("awvalid_i", 1, aw.into());
            self.set("wvalid_i", 1, w.into());
            self.sim.settle()?;
            let taken = self.get("awready_o", 1) == 1;
            assert_eq!(taken, self.get("wready_o", 1) == 1);
            self.clock()?;
            if taken {
                break;
            }
        }
        self.set("awvalid_i", 1, 0);
        self.set("wvalid_i", 1, 0);
        loop {
            let ready = self.random.below(3) == 0;
            self.set("bready_i", 1, ready.into());
            let response = (self.get("bvalid_o", 1) == 1).then(|| self.get("bresp_o", 2));
            self.clock()?;
            if let Some(response) = response.filter(|_| ready) {
                return Ok(response);
            }
        }
    }

    fn read(&mut self, address: u32) -> Result<u32, Error> {
        self.set("araddr_i", 14, address.into());
        self.set("arvalid_i", 1, 1);
        loop {
            let taken = self.get("arready_o", 1) == 1;
            self.clock()?;
            if taken {
                break;
            }
        }
        self.set("arvalid_i", 1, 0);
        loop {
            let ready = self.random.below(3) == 0;
            self.set("rready_i", 1, ready.into());
            let word = (self.get("rvalid_o", 1) == 1).then(|| self.get("rdata_o", 32) as u32);
            assert_eq!(self.get("rresp_o", 2), 0);
            self.clock()?;
            if let Some(word) = word.filter(|_| ready) {
                return Ok(word);
            }
        }
    }

    fn read_long(&mut self, address: u32) -> Result<u64, Error> {
        Ok(u64::from(self.read(address)?) | u64::from(self.read(address + 4)?) << 32)
    }
}

#[test]
fn registers_are_read_as_they_were_written() -> Tested {
    let mut host = Host::new()?;
    assert_eq!(host.read(REG_ID)?.to_le_bytes(), *b"HAAC");
    assert_eq!(host.read(REG_VERSION)?, VERSION_REGISTERS.at(VERSION) | VERSION_ISA.at(1));
    assert_eq!(host.read(REG_CONFIG)?, CONFIG_ENGINES.at(3) | CONFIG_WINDOW_BITS.at(8));
    let features = FEATURES_PORTS.at(2) | FEATURES_DATA_BYTES.at(32) | FEATURES_COUNTERS.at(1);
    assert_eq!(host.read(REG_FEATURES)?, features | FEATURES_AES.at(1));
    assert_eq!((host.read(REG_TIMEOUT)?, host.read(REG_WIRE_BYTES)?), (65536, 16));
    let long = [(REG_PROGRAM, 2), (REG_AND_BASE, 2), (REG_POINT, 4)];
    let short = [REG_CREDIT_STEP, REG_CREDIT_BYTE, REG_CREDIT_CAP, REG_WIRE_BYTES, REG_TIMEOUT];
    let mut words: Vec<u32> =
        long.iter().flat_map(|&(at, words)| (0..words).map(move |i| at + 4 * i)).collect();
    words.extend(short);
    for round in 0..2 {
        let values: Vec<u32> = words.iter().map(|_| host.random.next() as u32).collect();
        for (&at, &value) in words.iter().zip(&values) {
            assert_eq!(host.write(at, value, 15)?, 0);
        }
        for (&at, &value) in words.iter().zip(&values) {
            assert_eq!(host.read(at)?, value, "{at:#x} in round {round}");
        }
    }
    // A write of some bytes of a word leaves the others.
    for &at in &words {
        for strobes in 0..16 {
            let (old, value) = (host.read(at)?, host.random.next() as u32);
            assert_eq!(host.write(at, value, strobes)?, 0);
            let keep = (0..4).filter(|b| strobes >> b & 1 == 0).map(|b| 0xff << (8 * b));
            let keep = keep.fold(0, |mask, byte| mask | byte);
            let is = host.read(at)?;
            assert_eq!(is, value & !keep | old & keep, "{at:#x}, strobes {strobes:#x}");
        }
    }
    // A latency is at most 255. A write in mid-run has no effect.
    for (value, is) in [(60, 60), (255, 255), (256, 255), (0x1_0001, 255), (0, 0)] {
        host.write(REG_LATENCY, value, 15)?;
        assert_eq!(host.read(REG_LATENCY)?, is);
    }
    host.write(REG_LATENCY, 60, 15)?;
    host.write(REG_LATENCY, 0x100, 2)?;
    assert_eq!(host.read(REG_LATENCY)?, 255, "60 with a higher byte");
    host.write(REG_TIMEOUT, 7, 15)?;
    host.set("busy_i", 1, 1);
    assert_eq!(host.write(REG_TIMEOUT, 9, 15)?, 0);
    host.write(REG_INTERRUPT, 1, 14)?;
    assert_eq!(host.read(REG_INTERRUPT)?, 0);
    host.write(REG_INTERRUPT, 1, 15)?;
    assert_eq!((host.read(REG_TIMEOUT)?, host.read(REG_INTERRUPT)?), (7, 1));
    host.set("busy_i", 1, 0);
    host.set("status_i", 32, 0x1234);
    host.set("error_i", 32, 0x5678);
    assert_eq!((host.read(REG_STATUS)?, host.read(REG_ERROR)?), (0x1234, 0x5678));
    Ok(())
}

#[test]
fn delta_is_never_read_and_is_wiped_and_commands_happen_once() -> Tested {
    let mut host = Host::new()?;
    let delta = host.random.label();
    for i in 0..4 {
        host.write(REG_DELTA + 4 * i, (delta >> (32 * i)) as u32, 3)?;
        host.write(REG_DELTA + 4 * i, (delta >> (32 * i)) as u32, 12)?;
        assert_eq!(host.read(REG_DELTA + 4 * i)?, 0);
    }
    assert!(host.get("delta_o", 128) == delta);
    host.set("busy_i", 1, 1);
    host.write(REG_DELTA, !delta as u32, 15)?;
    assert!(host.get("delta_o", 128) == delta, "delta does not change in mid-run");
    host.set("wipe_i", 1, 1);
    host.clock()?;
    host.set("wipe_i", 1, 0);
    assert!(host.get("delta_o", 128) == 0);
    for (bit, expected) in [(1, [1, 0, 0]), (2, [1, 1, 0]), (4, [1, 1, 1]), (7, [2, 2, 2])] {
        host.write(REG_CONTROL, bit, 15)?;
        assert_eq!(host.commands, expected);
        assert_eq!(host.read(REG_CONTROL)?, 0);
    }
    host.write(REG_CONTROL, 1, 14)?;
    assert_eq!(host.commands, [2; 3], "a byte without a strobe has no command");
    Ok(())
}

#[test]
fn counters_count_what_happens_in_the_cycles_of_a_run() -> Tested {
    let mut host = Host::new()?;
    let (events, cause) = (host.input("events_i", 16 * NAMES), host.input("cause_i", 4 * ENGINES));
    let number = |counter: u32| (counter - COUNTERS) / 8;
    let own = [COUNTER_CYCLES, COUNTER_FIRST_ISSUE, COUNTER_LAST_WRITE_BACK].map(number);
    for round in 0..2 {
        host.set("launch_i", 1, 1);
        host.clock()?;
        host.set("launch_i", 1, 0);
        let mut sums = vec![0u64; NAMES as usize];
        let mut causes = [[0u64; 13]; ENGINES as usize];
        let (mut cycles, mut first) = (0, None);
        for step in 0..500 {
            let runs = host.random.below(8) > 0;
            host.set("run_i", 1, runs.into());
            for n in 0..NAMES {
                let issue = n == number(COUNTER_ANDS) || n == number(COUNTER_XORS);
                let often = !(issue && step < 20) && host.random.below(3) == 0;
                let happened =
                    if often && !own.contains(&n) { host.random.below(1 << 16) } else { 0 };
                host.sim.set_field(events, 16 * n, 16, happened.into());
                if runs {
                    sums[n as usize] += happened;
                    if issue && happened > 0 {
                        first = first.or(Some(cycles));
                    }
                    if n == number(COUNTER_WINDOW_WRITES) && happened > 0 {
                        sums[own[2] as usize] = cycles;
                    }
                }
            }
            for e in 0..ENGINES {
                let value = host.random.below(13);
                host.sim.set_field(cause, 4 * e, 4, value.into());
                causes[e as usize][value as usize] += u64::from(runs);
            }
            cycles += u64::from(runs);
            host.clock()?;
        }
        host.set("run_i", 1, 0);
        sums[own[0] as usize] = cycles;
        sums[own[1] as usize] = first.expect("something was issued");
        for n in 0..NAMES {
            let is = host.read_long(COUNTERS + 8 * n)?;
            assert_eq!(is, sums[n as usize], "counter {n} in round {round}");
        }
        for e in 0..ENGINES {
            for c in 0..13 {
                let is = host.read_long(CAUSES + CAUSES_STRIDE * e + 8 * c)?;
                assert_eq!(is, causes[e as usize][c as usize], "engine {e}, cause {c}");
            }
        }
        let beyond = CAUSES + CAUSES_STRIDE * ENGINES;
        assert_eq!((host.read_long(beyond)?, host.read_long(COUNTERS + 8 * NAMES)?), (0, 0));
    }
    Ok(())
}
