//! Checks that faults in the whole machine are found: by the first cycle that differs from the
//! exact model, by tables and labels, by counters, or by an error with a wrong name. Faults in the
//! lists of the tests of single parts (front, engine, window) are not repeated here.

use crate::rtl::common::*;
use halfgate_circuit::Party;
use halfgate_circuit::random::{self, Shape};
use halfgate_compiler::Program;
use halfgate_haac::engine::Machine;
use halfgate_haac::rtl::{Options, RtlEngine};
use halfgate_haac_model::model::exact::Mutation as Model;
use halfgate_verilated::Mutation;
use halfgate_verilated::testing::mutants::texts_occur_once;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The check that must find a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The garbler differs from the model or the reference.
    Garbler,
    /// The evaluator differs from the model or the reference.
    Evaluator,
    /// The machine reports an error of memory or of the program, which the test injects, under a
    /// wrong name or not at all.
    Errors,
}

use By::*;

/// A file, the original text, its replacement, and the check that finds the fault.
type Mutant = (&'static str, &'static str, &'static str, By);

#[rustfmt::skip]
const MUTANTS: &[Mutant] = &[
    // In pipeline stage D, one of the read ports for the second operand is not connected.
    ("haac_pipeline.sv", "s == D ? 4'b1100", "s == D ? 4'b0100", Garbler),
    // Window: it is not wiped between launches; other writes use the loader's access; writes are
    // not reserved; ties are broken differently.
    ("haac_window_wipe.sv", "wipe_q <= any_q;", "wipe_q <= 1'b0;", Garbler),
    ("haac_core.sv", ".all_loaded_i(all_loaded), .ld_valid_i", ".all_loaded_i(1'b1), .ld_valid_i", Garbler),
    ("haac_write_slots.sv", "here && (SameCycle || is_and_i[e])", "1'b0", Garbler),
    ("haac_write_slots.sv", "j < e && request_i[j]", "j > e && request_i[j]", Garbler),
    ("haac_read_arbiter.sv", "if (|late) second_o = rest_first;", "if (|late) second_o = '0;", Garbler),
    ("haac_core.sv", ".late_i(late),", ".late_i('0),", Garbler),
    // The bus reaches only the engine that drives it.
    ("haac_core.sv", ".bus_valid_i(bus_valid), .bus_addr_i(bus_addr), .bus_label_i(bus_label),\n      .wire",
        ".bus_valid_i(bus_valid & (Results'(3) << (2 * e))), .bus_addr_i(bus_addr), .bus_label_i(bus_label),\n      .wire",
        Garbler),
    // Halves and interlocks: live results finish too early; whether a half is odd is read from the
    // wrong bit of the address.
    ("haac_core.sv", "bus_valid & ~bus_live;", "bus_valid;", Garbler),
    ("haac_core.sv", ".odd_i(live_addr_o[e][HalfBits])", ".odd_i(live_addr_o[e][HalfBits-1])", Garbler),
    // Requests: instructions come after tables; a last table is written at once.
    ("haac_requests.sv", "bursts_allowed >> addr_requested;",
        "bursts_allowed >> (addr_requested + table_requested);", Garbler),
    ("haac_core.sv", ".all_dispatched_i(!next_valid)", ".all_dispatched_i(1'b1)", Garbler),
    // Not in the list: inputs that were placed in the window do not free their space. The list for
    // the requests (`front/mutants.rs`) has this fault. It has no effect here, since this window
    // loads fewer inputs than there is space for.
    // The machine ends before memory has responded. (Not in the list: it ends before the last write
    // to the window. This changes nothing: nothing reads that result, so it is an output, and the
    // machine waits for memory's response, which comes later.)
    ("haac_core.sv", "      && outstanding_q == '0 && engine_done == '1;", "      && engine_done == '1;", Garbler),
    // Tables: the two tables of a burst are swapped; the writer's step is wrong.
    ("haac_table_queue.sv", "second_q ? tables[1] : tables[0]", "second_q ? tables[0] : tables[1]", Evaluator),
    ("haac_table_writer.sv", "addr_q + AddrWidth'(64)", "addr_q + AddrWidth'(128)", Garbler),
    // Half gates: keys are in the wrong order, a tweak is one too high, delta is missing.
    ("haac_execute.sv", "{number_i, 1'b0, 64'b0}", "{number_i, 1'b1, 64'd1}", Garbler),
    ("haac_execute.sv", "{number_i, 1'b1, 64'b0}", "{number_i, 1'b1, 64'd1}", Evaluator),
    ("haac_execute.sv", "gate_i.inv && Garbler != 0", "1'b0", Garbler),
    ("half_gate_garbler.sv", "sigma(a_i ^ delta_i), sigma(a_i)", "sigma(a_i), sigma(a_i ^ delta_i)", Garbler),
    ("half_gate_rows.sv", "both_a ^ (delta_i & {128{b_i[0]}})", "both_a ^ (delta_i & {128{a_i[0]}})", Garbler),
    ("half_gate_evaluator.sv", "^ a_i) & {128{b_i[0]}}", ") & {128{b_i[0]}}", Evaluator),
    ("haac_machine.sv", ".and_base_i(and_base)", ".and_base_i('0)", Garbler),
    // Memory side: a wrong port, the start of stripes, lanes, addresses, timing, checksums.
    ("haac_memory.sv", "instr_port_d = after(instr_port_d);", "instr_port_d = instr_port_d;", Garbler),
    ("haac_memory.sv", "instr_port_q <= start_i ? '0 : instr_port_d", "instr_port_q <= instr_port_d", Garbler),
    ("haac_axi_write.sv", "lanes[addr[4+:LaneWidth] & LaneWidth'(Lanes - 1)]", "lanes[0]", Garbler),
    ("haac_axi_read.sv", "head.lane & 2'(Lanes - 1)", "head.lane & 2'(Lanes - 2)", Garbler),
    ("haac_stream_reader.sv", "addr_q + AddrWidth'(Step)", "(addr_q + AddrWidth'(Step)) | AddrWidth'(64)", Garbler),
    ("haac_pace.sv", "'0 : latency_i - 1'b1", "'0 : latency_i - 9'd2", Garbler),
    ("haac_memory.sv", "Garbler ? table_done : table_push_o", "table_push_o", Garbler),
    ("haac_axi_read.sv", "(error_q || last_q != last)", "(last_q != last)", Errors),
    ("haac_axi_read.sv", "(error_q || last_q != last)", "error_q", Errors),
    ("haac_crc_sum.sv", "bursts_i != '0 && ~sum_q != crc_i", "1'b0", Errors),
    ("haac_crc_sum.sv", "oor_words_i[Engines-1-n] != '0 && oor_i", "1'b0 && oor_i", Errors),
    ("haac_fetch.sv", "header_q.crc != crc_i", "1'b0", Errors),
    ("haac_fetch.sv", "header_q.machine != Machine", "1'b0", Errors),
    // Counters.
    ("haac_counters.sv", "if (issues && !issued_q)", "if (issues)", Garbler),
    ("haac_core.sv", "assign ev_window_writes_o = writes_q;", "assign ev_window_writes_o = writes_d;", Garbler),
    ("haac_core.sv", ".in_i(ev_reads), .sum_o(ev_window_reads_o)", ".in_i(ev_reads & {Engines{3'd1}}), .sum_o(ev_window_reads_o)", Garbler),
    ("haac_machine.sv", ".ev_live_o(events[CounterLive]), .ev_oor_wires_o(events[CounterOorWires])",
        ".ev_live_o(events[CounterOorWires]), .ev_oor_wires_o(events[CounterLive])", Garbler),
    ("haac_and_unit.sv", "assign working_o        = |valid[AndLatency-1:0];", "assign working_o        = |valid;", Garbler),
    ("haac_counters.sv", "if (cause_q[e] == CauseWidth'(c))", "if (cause_q[0] == CauseWidth'(c))", Garbler),
    ("haac_machine.sv", ".clear_i(launch), .run_i(run), .cause_i", ".clear_i(1'b0), .run_i(run), .cause_i", Garbler),
    ("haac_machine.sv", "16'(memory_bound)", "16'd0", Garbler),
    // Control: faults in the handling of errors. Faults that let the machine run for ever are not
    // in the list, as tests would not end.
    ("haac_control.sv", "code   = fault_code_i;", "code   = ErrorStuck;", Errors),
    ("haac_control.sv", "        failed_q <= 1'b1;\n        code_q   <= code;", "        code_q   <= code;", Errors),
    ("haac_control.sv", "AtSum && sum_done_i && sum_bad_i", "AtSum && 1'b0 && sum_bad_i", Errors),
];

/// The smallest machine in which every fault of the list has an effect. It is small because each
/// fault takes a build.
fn least() -> Machine {
    let mut machine = small();
    machine.name = "least".to_owned();
    machine.banks_per_engine = 2;
    let queues = &mut machine.queues;
    (queues.instruction_bytes, queues.issue, queues.inputs) = (512, 6, 4);
    (queues.tables, queues.oor_addresses, queues.oor_wires, queues.live) = (6, 20, 4, 4);
    machine
}

/// A machine, a program, the results of the model for both roles, and a number of launches.
struct Case {
    machine: Machine,
    program: Program,
    models: [Modelled; 2],
    seed: u64,
    cycles: u64,
}

fn cases() -> Vec<Case> {
    let shape = Shape { gates: 300, ..Shape::default() };
    let slow = (60, (3, 2), 16);
    let usual = (60, (35, 1), 16);
    let shapes = [
        (0, shape, "haac:full", usual),
        (1, Shape { flip_flops: 20, output_bits: 20, ..shape }, "haac:full", (20, (16, 1), 64)),
        (2, Shape { input_bits: 300, gates: 500, ..shape }, "grouped", usual),
        (3, Shape { and_percent: 80, output_bits: 60, ..shape }, "given", slow),
        (4, Shape { gates: 1500, ..shape }, "haac:segment:50", usual),
        // Each launch has an odd number of instruction bursts, which go to two ports in turn.
        (7, Shape { gates: 310, flip_flops: 12, ..shape }, "haac:full", usual),
        // Here writes of two engines meet at a bank.
        (21, Shape { gates: 600, and_percent: 60, ..shape }, "haac:segment:50", usual),
    ];
    let cases = shapes.into_iter().map(|(seed, shape, order, memory)| {
        let mut machine = least();
        machine.memory.latency = memory.0;
        (machine.memory.bytes_per_cycle, machine.memory.wire_bytes) = (memory.1, memory.2);
        let program = program(random::circuit(seed, &shape), order);
        let code = code(&machine, &program);
        let models = ROLES.map(|role| traced(&code, &machine, role, None).expect("runs"));
        let cycles = if program.circuit.flip_flops.is_empty() { 1 } else { 3 };
        Case { machine, program, models, seed, cycles }
    });
    cases.collect()
}

/// The difference, if any, between a machine with these changes and the machine without them.
fn found(mutations: &[Mutation], by: By, cases: &[Case]) -> Option<String> {
    let (sound, faulty) = (quick(), Options { mutations: mutations.to_vec(), ..quick() });
    let role = if by == Evaluator { Party::Evaluator } else { Party::Garbler };
    // A build failure does not count as found.
    RtlEngine::new(least(), faulty.clone()).build(role).expect("it can be built");
    if by == Errors {
        return name_faults(&least(), &faulty, &random_program(30, 900)).err();
    }
    let options = if by == Evaluator { [&sound, &faulty] } else { [&faulty, &sound] };
    cases.iter().find_map(|case| {
        let Case { machine, program, models, seed, cycles } = case;
        compare(machine, options, program, models.clone(), (*seed, *cycles)).err()
    })
}

/// The first line of a text, and the line that begins with "and then", if there is one.
fn short(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let then = lines.find(|line| line.starts_with("and then"));
    let text = format!("{first}{}{}", if then.is_some() { "; " } else { "" }, then.unwrap_or(""));
    text.chars().take(220).collect()
}

#[test]
#[ignore = "long: make mutants"]
fn faults_are_found() {
    let cases = cases();
    std::panic::set_hook(Box::new(|_| {}));
    let mut missed = Vec::new();
    for &(file, from, to, by) in MUTANTS {
        let (file, from, to) = (file.to_owned(), from.to_owned(), to.to_owned());
        let mutation = Mutation { file, from, to };
        let found =
            catch_unwind(AssertUnwindSafe(|| found(std::slice::from_ref(&mutation), by, &cases)));
        let Mutation { file, from, to } = &mutation;
        println!("{file}: {} -> {}", from.trim(), to.trim());
        match found {
            Ok(Some(what)) => println!("    {}", short(&what)),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map_or("", String::as_str);
                println!("    panic: {}", short(text));
                if text.contains("can be built") {
                    missed.push(mutation.clone());
                }
            }
            Ok(None) => {
                println!("    NOT FOUND");
                missed.push(mutation.clone());
            }
        }
    }
    let _ = std::panic::take_hook();
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

#[test]
fn texts_of_all_lists_occur_once() {
    let whole = MUTANTS.iter().map(|&(file, from, ..)| (file, from));
    let front = super::front::MUTANTS.iter().map(|&(file, from, ..)| (file, from));
    let engine =
        super::gate_engine::mutants::MUTANTS.iter().map(|&((file, from, _), _)| (file, from));
    let window = super::window::FAULTS.iter().map(|&(file, from, _)| (file, from));
    let forwarding = super::forwarding::MUTANTS.iter().map(|&(file, from, _)| (file, from));
    texts_occur_once(whole.chain(front).chain(engine).chain(window).chain(forwarding));
}

/// These programs show every fault of the model except three, which change labels only.
#[test]
fn programs_show_every_fault_of_the_model() {
    let cases = cases();
    let shows = |mutation| {
        let differs = |case: &Case| {
            let Case { machine, program, models, .. } = case;
            let code = code(machine, program);
            // A fault may break an assumption of the model, which then panics.
            let run = || traced(&code, machine, Party::Garbler, Some(mutation));
            let run = catch_unwind(AssertUnwindSafe(run));
            !matches!(run, Ok(Ok((_, trace))) if *trace == *models[0].1)
        };
        cases.iter().any(differs)
    };
    let unseen: Vec<Model> = Model::ALL.into_iter().filter(|mutation| !shows(*mutation)).collect();
    assert_eq!(unseen, [Model::OorSecondFirst, Model::AndNumberCountsAll, Model::TablesSwapped]);
}

#[test]
#[ignore = "long: make mutants"]
fn without_faults_nothing_is_found() {
    let cases = cases();
    for by in [Garbler, Evaluator, Errors] {
        assert_eq!(found(&[], by, &cases), None);
    }
}
