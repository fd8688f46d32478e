//! Tests of designs with functions as a whole: that the cache keeps them, that random ones compute
//! what they compute when flattened, and that designs with state have none.

use crate::verilog_common::functions::{MIX, compared, read};
use crate::verilog_common::{Folder, yosys};
use halfgate_cache::Store;
use halfgate_circuit::Circuit;
use halfgate_frontends::hgc;
use halfgate_frontends::verilog::{self, Options, Reading};
use std::process::Command;

#[test]
fn a_design_with_functions_is_kept_with_them() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let text = format!(
        "{MIX}
module m (input [31:0] g_input, e_input, output signed [31:0] o, output [7:0] p);
  mix lane [3:0] (.a(g_input), .b({{e_input[7:0], e_input[31:8]}}), .y(o));
  mix turned [3:0] (.a({{g_input[7:0], g_input[31:8]}}), .b(~e_input), .y());
  mix last (g_input[7:0], {{o[3:0], o[31:28]}}, p);
endmodule"
    );
    folder.write("m.v", &text);
    let store = Store::new(folder.path("kept"), 1 << 20);
    let read = || {
        let mut stages = Vec::new();
        let progress = &mut |stage| stages.push(stage);
        let reading = &mut Reading { store: Some(&store), progress };
        let options = Options::default();
        let circuit = verilog::read_structured_with(&folder.path("m.v"), &options, reading);
        let mut text = Vec::new();
        hgc::write_structured(&circuit.unwrap(), &mut text).unwrap();
        (String::from_utf8(text).unwrap(), stages.len())
    };
    let (first, stages) = read();
    assert!(stages > 0 && first.contains("map 4") && first.contains("m.v:3"), "{first}");
    assert_eq!(read(), (first.clone(), 0));
    // The flat circuit is that of the same entry.
    let reading = &mut Reading { store: Some(&store), progress: &mut |_| panic!("it is kept") };
    let flat = verilog::read_with(&folder.path("m.v"), &Options::default(), reading).unwrap();
    assert!(flat.gates.ands() > 5 * 32);
    let entry = store.entries().unwrap().remove(0);
    let payload = store.get(&entry.key).unwrap();
    // An entry whose calls are not valid is made again.
    let broken = String::from_utf8_lossy(&payload[8..]).find("\"function\":0").unwrap() + 8;
    let mut other = payload.clone();
    other[broken + 11] = b'9';
    store.put(&entry.key, "m.v", &other).unwrap();
    assert_eq!(read(), (first.clone(), stages));
    // And so is one that is cut off.
    store.put(&entry.key, "m.v", &payload[..payload.len() - 8]).unwrap();
    assert_eq!(read(), (first, stages));
}

/// SplitMix64, for designs that are the same on every computer.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % limit
    }
}

/// An expression of 8 bits on `words`.
fn expression(random: &mut Random, words: &[String], depth: u32) -> String {
    let kind = random.below(if depth == 0 { 2 } else { 8 });
    let mut next = || expression(random, words, depth - 1);
    match kind {
        0 | 1 => match random.below(6) {
            0 => format!("8'd{}", random.below(256)),
            _ => words[random.below(words.len() as u64) as usize].clone(),
        },
        2 => format!("({} * {})", next(), next()),
        3 => format!("({} + {})", next(), next()),
        4 => format!("({} ^ {})", next(), next()),
        5 => format!("({} & ~{})", next(), next()),
        6 => format!("({} > {} ? {} : {})", next(), next(), next(), next()),
        _ => format!("({} >> 1)", next()),
    }
}

/// A module of four words that has instances of earlier ones, and expressions on what they give.
/// Every second one has a loop of instances.
fn module(random: &mut Random, name: &str, ports: &str, earlier: u64) -> String {
    let mut words: Vec<String> = ["a", "b"].map(str::to_owned).into();
    let mut text = format!("module {name} ({ports});\n  wire [7:0] a0 = a, b0 = b;\n  genvar i;\n");
    for instance in 0..if earlier == 0 { 0 } else { 2 } {
        let callee = random.below(earlier);
        let (x, y) = (expression(random, &words, 1), expression(random, &words, 1));
        let lanes = 2 + random.below(3);
        let shift = random.below(3);
        text += &format!(
            "  wire [7:0] x{instance} = {x}, y{instance} = {y};
  wire [{}:0] u{instance}, v{instance}; assign u{instance}[7:0] = x{instance};
  generate for (i = 0; i < {lanes}; i = i + 1) begin : g{instance}
    part{callee} part (u{instance}[8*(i*{shift}/2)+:8], y{instance} ^ {}, u{instance}[8*i+8+:8], v{instance}[8*i+:8]);
  end endgenerate\n",
            8 * lanes + 7,
            ["i", "8'd7", "a0"][random.below(3) as usize],
        );
        for lane in 0..=lanes {
            words.push(format!("u{instance}[{}:{}]", 8 * lane + 7, 8 * lane));
        }
        words.push(format!("v{instance}[7:0]"));
    }
    let (c, d) = (expression(random, &words, 3), expression(random, &words, 2));
    text + &format!("  assign c = {c};\n  assign d = {d};\nendmodule\n")
}

#[test]
fn random_designs_compute_what_they_compute_when_flattened() {
    if yosys().is_none() {
        return;
    }
    let mut calls = 0;
    for seed in 0..20 {
        let random = &mut Random(seed);
        let ports = "input [7:0] a, b, output [7:0] c, d";
        let parts: String = (0..3).map(|i| module(random, &format!("part{i}"), ports, i)).collect();
        let ports = "(* party = \"g\" *) input [7:0] a, (* party = \"e\" *) input [7:0] b,
  output [7:0] c, d";
        let text = parts + &module(random, "m", ports, 3);
        let (circuit, ands, flat) = compared(&text);
        calls += circuit.body.calls.len();
        println!("seed {seed}: {ands} ANDs, {flat} flattened");
        assert!(ands <= flat, "seed {seed}: {ands} ANDs, {flat} flattened");
    }
    assert!(calls > 8, "{calls} calls");
}

/// The first bytes of a hash of everything in a circuit.
fn digest(circuit: &Circuit) -> String {
    let mut text = Vec::new();
    hgc::write(circuit, &mut text).unwrap();
    blake3::hash(&text).to_hex()[..16].to_owned()
}

/// The digests are those of the reader before it had functions.
#[test]
fn designs_with_state_are_the_circuits_that_they_were() {
    let Some(yosys) = yosys() else { return };
    let version = Command::new(&yosys).arg("-V").output().unwrap();
    if !String::from_utf8_lossy(&version.stdout).starts_with("Yosys 0.23 ") {
        eprintln!("not run: another Yosys than 0.23 makes other circuits");
        return;
    }
    let lanes = |register: &str| {
        format!(
            "{MIX}
(* cycles = 3 *)
module m (input clk, rst, input [15:0] g_input, input [7:0] e_input, output [15:0] o);
  reg [15:0] sum;
  wire [15:0] next;
  mix lane [1:0] (.a(g_input ^ sum), .b(e_input), .y(next));
  {register}
  assign o = sum;
endmodule"
        )
    };
    let register =
        lanes("always @(posedge clk or posedge rst) if (rst) sum <= 0; else sum <= next + sum;");
    let cell = lanes(
        "always @* sum = {part, part}; wire [7:0] part;
  DFF part_ [7:0] (.D(next[7:0]), .CLK(clk), .RST(rst), .I(8'd3), .Q(part));",
    );
    let memory = lanes(
        "reg [15:0] memory [0:1]; always @(posedge clk) memory[e_input[0]] <= next;
  always @* sum = memory[e_input[1]];",
    );
    let found = [register, cell, memory].map(|text| {
        let circuit = read(&text);
        assert!(circuit.functions.is_empty() && !circuit.flip_flops.is_empty());
        digest(&circuit.into_circuit().unwrap())
    });
    assert_eq!(found, ["27ddf0a7af6c8467", "d9df200636809e86", "851a3770083aabc8"]);
}
