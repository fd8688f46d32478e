//! Builds designs as libraries and simulates them. The first tests show how to test a leaf module.

use halfgate_verilated::{Design, Error, Simulation, Toolchain};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A leaf module for these tests, so that they depend on no other module.
const LEAF: &str = "
module harness_leaf #(parameter int unsigned Width = 8) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic [Width-1:0]    a_i,
    input  logic [2:0][4:0]     small_i,
    input  logic                fail_i,
    output logic [Width-1:0]    sum_o,
    output logic [Width-1:0]    inverse_o,
    output logic [2:0][4:0]     small_o
);
  logic [Width-1:0] sum_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sum_q <= '0;
    else sum_q <= sum_q + a_i;
  end
  always_ff @(posedge clk_i) begin
    assert (!fail_i) else $error(\"harness_leaf: asked to fail\");
  end
  assign sum_o = sum_q;
  assign inverse_o = ~a_i;
  assign small_o = small_i;
endmodule
";

fn leaf(width: u64) -> Design {
    Design::of("harness_leaf").source("harness_leaf", LEAF).param("Width", width)
}

/// Verilator stores each of these widths differently.
#[test]
fn values_pass_through_ports_of_every_width() -> Tested {
    for width in [8, 13, 32, 33, 64, 128] {
        let mut sim = Simulation::new(&leaf(width).build()?)?;
        let width = width as u32;
        let (a, sum) = (sim.input("a_i", width)?, sim.output("sum_o", width)?);
        let inverse = sim.output("inverse_o", width)?;
        sim.reset()?;
        let mask = u128::MAX >> (128 - width);
        let mut expected = 0u128;
        for step in 1..50u128 {
            let value = step.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) & mask;
            sim.set_u128(a, value);
            sim.settle()?;
            assert_eq!(sim.get_u128(sum), expected, "registers wait for the edge");
            assert_eq!(sim.get_u128(inverse), !value & mask);
            sim.clock()?;
            expected = expected.wrapping_add(value) & mask;
            assert_eq!(sim.get_u128(sum), expected, "width {width}, step {step}");
        }
    }
    Ok(())
}

#[test]
fn elements_of_packed_arrays_are_fields() -> Tested {
    let mut sim = Simulation::new(&leaf(300).build()?)?;
    let (a, inverse) = (sim.input("a_i", 300)?, sim.output("inverse_o", 300)?);
    let (small_in, small_out) = (sim.input("small_i", 15)?, sim.output("small_o", 15)?);
    sim.reset()?;
    let label = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
    for low in 0..=172 {
        sim.clear(a);
        sim.set_field(a, low, 128, label);
        for e in 0..3 {
            sim.set_field(small_in, 5 * e, 5, u128::from((low + 9 * e) % 32));
        }
        sim.settle()?;
        assert_eq!(!sim.field(inverse, low, 128), label, "bits {low} on");
        let ones: u32 = sim.bytes(inverse).iter().map(|byte| byte.count_ones()).sum();
        assert_eq!(ones, 300 - label.count_ones(), "nothing else was written");
        for e in 0..3 {
            assert_eq!(sim.field(small_out, 5 * e, 5), u128::from((low + 9 * e) % 32));
        }
    }
    Ok(())
}

#[test]
fn ports_are_checked() -> Tested {
    let sim = Simulation::new(&leaf(8).build()?)?;
    let absent = sim.input("b_i", 8).unwrap_err();
    assert_eq!(absent.to_string(), "harness_leaf has no input b_i");
    let other_way = sim.output("a_i", 8).unwrap_err();
    assert_eq!(other_way.to_string(), "harness_leaf has no output a_i");
    let wide = sim.input("a_i", 9).unwrap_err();
    assert_eq!(wide.to_string(), "a_i of harness_leaf is 8 bits wide, not 9");
    Ok(())
}

#[test]
fn a_failed_assertion_is_an_error_with_its_message() -> Tested {
    let mut sim = Simulation::new(&leaf(8).build()?)?;
    let fail = sim.input("fail_i", 1)?;
    sim.reset()?;
    sim.clock()?;
    sim.set_bit(fail, true);
    let error = sim.clock().unwrap_err().to_string();
    assert!(error.contains("failed in cycle 3"), "{error}");
    assert!(error.contains("asked to fail"), "{error}");
    sim.set_bit(fail, false);
    assert!(sim.clock().is_err(), "a failed design stays so");
    let mut unchecked = Simulation::new(&leaf(8).unchecked().build()?)?;
    let fail = unchecked.input("fail_i", 1)?;
    unchecked.set_bit(fail, true);
    unchecked.clock()?;
    Ok(())
}

#[test]
fn a_mutation_changes_the_design_and_must_fit() -> Tested {
    let mutant = leaf(8).mutate("harness_leaf.sv", "sum_q + a_i", "sum_q - a_i");
    let mut sim = Simulation::new(&mutant.build()?)?;
    let (a, sum) = (sim.input("a_i", 8)?, sim.output("sum_o", 8)?);
    sim.reset()?;
    sim.set_u64(a, 1);
    sim.clock()?;
    assert_eq!(sim.get_u64(sum), 255);
    let unfit = leaf(8).mutate("harness_leaf.sv", "no such text", "").build().unwrap_err();
    assert!(unfit.to_string().contains("occurs 0 times"), "{unfit}");
    let twice = leaf(8).mutate("harness_leaf.sv", "clk_i", "").build().unwrap_err();
    assert!(matches!(twice, Error::Mutation { found: 3.., .. }), "{twice}");
    Ok(())
}

#[test]
fn waveforms_are_written_by_designs_built_for_it() -> Tested {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("leaf.fst");
    let mut sim = Simulation::new(&leaf(8).traced().build()?)?;
    let a = sim.input("a_i", 8)?;
    sim.trace(&path)?;
    sim.reset()?;
    for value in 0..100 {
        sim.set_u64(a, value);
        sim.clock()?;
    }
    drop(sim);
    let bytes = std::fs::read(&path)?;
    assert!(bytes.len() > 200, "{} bytes", bytes.len());
    assert_eq!(bytes[0], 0, "an FST file starts with its header's block");
    let mut other = Simulation::new(&leaf(8).build()?)?;
    assert!(matches!(other.trace(&path).unwrap_err(), Error::Trace { .. }));
    Ok(())
}

#[test]
fn faults_in_the_sources_are_verilators_first_lines() {
    let broken = LEAF.replace("sum_q <= '0;", "sum_q <= ;");
    let design = Design::of("harness_leaf").source("harness_leaf", &broken);
    let error = design.build().unwrap_err().to_string();
    assert!(error.starts_with("Verilating of design harness_leaf failed"), "{error}");
    assert!(error.contains("%Error: harness_leaf.sv:14"), "{error}");
    assert!(error.lines().count() <= 14, "{error}");
}

#[test]
fn unknown_modules_and_parameters_are_named() {
    let error = Design::of("no_such_module").build().unwrap_err().to_string();
    assert!(error.starts_with("no file no_such_module.sv under"), "{error}");
    let error = leaf(8).param("Hight", 1).build().unwrap_err().to_string();
    assert!(error.contains("Hight"), "{error}");
}

#[test]
fn without_verilator_the_error_says_what_to_do() {
    let tools =
        Toolchain { verilator: "/no/such/verilator".into(), ..Toolchain::from_environment() };
    let error = leaf(8).build_with(&tools).unwrap_err();
    let expected = "needs Verilator 5.006 to simulate SystemVerilog: run `make setup`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn simulations_are_independent_of_each_other_and_of_threads() -> Tested {
    let library = leaf(64).build()?;
    let sum_of = |library: &halfgate_verilated::Library, step: u64| -> Result<u64, Error> {
        let mut sim = Simulation::new(library)?;
        let (a, sum) = (sim.input("a_i", 64)?, sim.output("sum_o", 64)?);
        sim.reset()?;
        sim.set_u64(a, step);
        let mut sim = std::thread::spawn(move || sim.clock().map(|()| sim)).join().unwrap()?;
        sim.clock()?;
        Ok(sim.get_u64(sum))
    };
    let sums: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..5)
            .map(|e| {
                scope.spawn({
                    let l = &library;
                    move || sum_of(l, e)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (e, sum) in (1..5).zip(sums) {
        assert_eq!(sum?, 2 * e);
    }
    Ok(())
}

/// Blocks of a hierarchical design are compiled separately, and still get their parameters.
/// Different parameters lead to a different library.
#[test]
fn hierarchical_designs_have_parameters_too() -> Tested {
    let part = "
module harness_part (input logic clk_i, input logic [7:0] a_i, output logic [7:0] y_o);
  /* verilator hier_block */
  always_ff @(posedge clk_i) y_o <= a_i + 8'd1;
endmodule
";
    let top = "
module harness_chain #(
    parameter int unsigned Length = 1
) (
    input  logic       clk_i,
    input  logic [7:0] a_i,
    output logic [7:0] y_o
);
  logic [Length:0][7:0] between;
  assign between[0] = a_i;
  for (genvar i = 0; i < Length; i++) begin : gen_part
    harness_part u_part (.clk_i, .a_i(between[i]), .y_o(between[i+1]));
  end
  assign y_o = between[Length];
endmodule
";
    let design =
        Design::of("harness_chain").source("harness_part", part).source("harness_chain", top);
    for length in [5, 3] {
        let library = design.clone().param("Length", length).hierarchical().build()?;
        let mut sim = Simulation::new(&library)?;
        let (a, y) = (sim.input("a_i", 8)?, sim.output("y_o", 8)?);
        sim.set_u64(a, 7);
        for _ in 0..length {
            sim.clock()?;
        }
        assert_eq!(sim.get_u64(y), 7 + length);
    }
    Ok(())
}

/// Checks both implementations of the AES function that long simulations use.
#[test]
fn aes_behind_dpi_is_aes() -> Tested {
    let text = "
module harness_dpi (
    input  logic [127:0] key_i,
    input  logic [127:0] block_i,
    output logic [127:0] fast_o,
    output logic [127:0] portable_o
);
  import \"DPI-C\" function void halfgate_aes128(input bit [127:0] key, input bit [127:0] block,
                                                output bit [127:0] result);
  import \"DPI-C\" function void halfgate_aes128_portable(input bit [127:0] key,
                                                         input bit [127:0] block,
                                                         output bit [127:0] result);
  always_comb begin
    halfgate_aes128(key_i, block_i, fast_o);
    halfgate_aes128_portable(key_i, block_i, portable_o);
  end
endmodule
";
    let mut sim = Simulation::new(&Design::of("harness_dpi").source("harness_dpi", text).build()?)?;
    let (key, block) = (sim.input("key_i", 128)?, sim.input("block_i", 128)?);
    let (fast, portable) = (sim.output("fast_o", 128)?, sim.output("portable_o", 128)?);
    let (mut k, mut b) = (3, 5);
    for _ in 0..100 {
        sim.set_u128(key, k);
        sim.set_u128(block, b);
        sim.settle()?;
        let expected = halfgate_reference::Aes128::new(k).encrypt(b);
        assert_eq!(sim.get_u128(fast), expected);
        assert_eq!(sim.get_u128(portable), expected);
        (k, b) = (b ^ expected, expected);
    }
    Ok(())
}
