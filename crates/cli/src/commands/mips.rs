//! `halfgate mips`: programs for the garbled processor.

use crate::inputs;
use crate::mips_args::{BuildArgs, LowerArgs, MipsCommand, MipsInspectArgs, MipsRunArgs};
use crate::report::SHOW_ALL;
use halfgate_circuit::{Bits, Party};
use halfgate_console::error::{Exit, Failure};
use halfgate_console::{mips_source, print};
use halfgate_mips::core::Core;
use halfgate_mips::image::{Fault, Image, Owner, Port};
use halfgate_mips::isa::InstructionSet;
use halfgate_mips::lower::lower;
use halfgate_mips::processor::{Processor, Size, Status};
use halfgate_mips::toolchain::{self, BuildError, HEADER, Options};
use halfgate_mips::word::Word;
use halfgate_mips::{interface, toolchain::build};
use halfgate_values::{self as values, Elements, Port as ValuePort, show};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

pub(super) fn execute(command: &MipsCommand) -> Result<(), Failure> {
    match command {
        MipsCommand::Build(args) => build_program(args),
        MipsCommand::Lower(args) => lower_source(args),
        MipsCommand::Run(args) => run(args),
        MipsCommand::Inspect(args) => inspect(args),
        MipsCommand::Header => print::line(HEADER.trim_end()),
    }
}

fn set(name: &str) -> Result<InstructionSet, Failure> {
    InstructionSet::named(name).map_err(Failure::with(Exit::Unknown))
}

fn failed(error: BuildError) -> Failure {
    // A tool's output has several lines with source positions: they are printed first, unchanged.
    if let BuildError::Refused { printed, .. } | BuildError::Undefined { printed, .. } = &error {
        let _ = writeln!(std::io::stderr().lock(), "{printed}");
    }
    let error = match error {
        BuildError::Refused { tool, .. } => {
            return Failure::new(Exit::Circuit, format!("{tool} refuses the program"));
        }
        BuildError::Undefined { names, .. } => {
            BuildError::Undefined { names, printed: String::new() }
        }
        error => error,
    };
    let exit = match error {
        BuildError::Missing { .. } | BuildError::Folder(_) | BuildError::Output { .. } => {
            Exit::Local
        }
        BuildError::Kind(_) => Exit::Usage,
        _ => Exit::Circuit,
    };
    Failure::new(exit, error)
}

fn build_program(args: &BuildArgs) -> Result<(), Failure> {
    let set = set(&args.set)?;
    let (size, flags) = (memory(&args.memory)?, args.flags.clone());
    let options = Options { size, set, steps: args.steps, flags };
    let image = build(&args.sources, &options, &args.output).map_err(failed)?;
    let file = args.output.display().to_string();
    if args.json {
        return print::line(&facts(&image, &file).to_string());
    }
    print::line(&text(&image, &file))
}

/// Parses `256`, or `128,512`.
fn memory(text: &str) -> Result<Size, Failure> {
    let words = |text: &str| {
        let words = text.trim().parse().ok().filter(|&words| Core::has_memory_of(words));
        words.ok_or_else(|| {
            let what = format!(
                "--memory {text:?} is not a memory size: use a power of two from {} to {}",
                Core::WORDS.0,
                Core::WORDS.1
            );
            Failure::new(Exit::Usage, what)
        })
    };
    let (instructions, data) = text.split_once(',').unwrap_or((text, text));
    Ok(Size { instructions: words(instructions)?, data: words(data)? })
}

fn lower_source(args: &LowerArgs) -> Result<(), Failure> {
    let set = set(&args.set)?;
    let size = Size { instructions: Core::WORDS.1, data: Core::WORDS.1 };
    let options = Options { size, set, steps: None, flags: Vec::new() };
    let assembly = toolchain::assembly(&args.source, &options).map_err(failed)?;
    let lowered = lower(&assembly, set, &args.source.display().to_string());
    let lowered = lowered.map_err(Failure::with(Exit::Circuit))?;
    match &args.output {
        None => print::line(lowered.text.trim_end()),
        Some(path) => toolchain::write_whole(path, lowered.text.as_bytes()).map_err(|error| {
            Failure::new(Exit::Local, format!("cannot write {}: {error}", path.display()))
        }),
    }
}

fn inspect(args: &MipsInspectArgs) -> Result<(), Failure> {
    let image = program(&args.program)?;
    if let Some(path) = &args.interface {
        let text = interface::text(&image, args.privacy.unwrap_or_default());
        let text =
            text.map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", args.program)))?;
        toolchain::write_whole(path, text.as_bytes()).map_err(|error| {
            Failure::new(Exit::Local, format!("cannot write {}: {error}", path.display()))
        })?;
    }
    if args.json {
        return print::line(&facts(&image, &args.program).to_string());
    }
    let mut text = text(&image, &args.program);
    if args.disassemble {
        for (index, word) in image.instructions.iter().enumerate() {
            let (place, word) = (image.place(index as u32), word.to_string());
            let _ = write!(text, "\n{:6x}  {word:28} {place}", 4 * index);
        }
    }
    print::line(&text)
}

/// Reads the program that `spec` names; an interface is refused.
fn program(spec: &str) -> Result<Image, Failure> {
    let image = mips_source::image(spec)?;
    if image.instructions.is_empty() {
        let what = format!("{spec} is the interface of a program, not the program");
        return Err(Failure::new(Exit::Circuit, what));
    }
    Ok(image)
}

/// Counts each kind of instruction in a program.
fn used(image: &Image) -> BTreeMap<&'static str, u64> {
    let mut used = BTreeMap::new();
    for word in image.instructions.iter().filter(|&&word| word != Word::NOP) {
        if let Some(op) = word.op() {
            *used.entry(op.row().name).or_insert(0) += 1;
        }
    }
    used
}

fn describe(port: &Port) -> String {
    let kind = if port.signed { "signed" } else { "unsigned" };
    let owner = match port.owner {
        Owner::Input(party) => format!("input of the {party}"),
        Owner::Output => "output".to_owned(),
    };
    let Port { name, address, count, bytes, .. } = port;
    format!("  {name:20} {owner}, {count} x {} bits {kind}, at {address:#x}", 8 * bytes)
}

fn text(image: &Image, file: &str) -> String {
    // Register 0 is constant and not counted.
    let registers = (image.application().registers & !1).count_ones();
    let data: usize = image.data.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    let mut text = format!(
        "{file}: {} instructions of {} words, data memory of {} words (constants up to word {data}), set {}\n",
        image.instructions.len(),
        image.size.instructions,
        image.size.data,
        image.set.name,
    );
    let ops: Vec<String> =
        used(image).into_iter().map(|(name, times)| format!("{name} {times}")).collect();
    let _ = writeln!(text, "  uses {} registers and {}", registers, ops.join(", "));
    if let Some(steps) = image.steps {
        let _ = writeln!(text, "  a run takes {} steps", print::grouped(steps));
    }
    let ports: Vec<String> = image.ports.iter().map(describe).collect();
    text + &ports.join("\n")
}

fn facts(image: &Image, file: &str) -> Value {
    let ports = image.ports.iter().map(|port| {
        let owner = match port.owner {
            Owner::Input(party) => party.to_string(),
            Owner::Output => "output".to_owned(),
        };
        json!({ "name": port.name, "owner": owner, "address": port.address, "count": port.count,
                "bits": 8 * port.bytes, "signed": port.signed })
    });
    json!({
        "file": file,
        "set": image.set.name,
        "instructions": image.instructions.len(),
        "instruction_words": image.size.instructions,
        "data_words": image.size.data,
        "steps": image.steps,
        "uses": used(image),
        "ports": ports.collect::<Vec<_>>(),
    })
}

/// Most steps of a program if neither the program nor the user sets a number.
const MOST_STEPS: u64 = 10_000_000;

fn run(args: &MipsRunArgs) -> Result<(), Failure> {
    let image = program(&args.program)?;
    let mut stdin = Some(std::io::stdin().lock());
    let mut values = Vec::new();
    for (party, text) in
        [(Party::Garbler, &args.values.garbler), (Party::Evaluator, &args.values.evaluator)]
    {
        let ports: Vec<&Port> = image.ports_of(Owner::Input(party)).collect();
        let wanted: Vec<ValuePort> = ports
            .iter()
            .map(|port| ValuePort {
                name: port.name.clone(),
                width: port.bits() as usize,
                per_cycle: false,
                elements: Elements::of(Some(port.elements())),
            })
            .collect();
        let sources = values::parse(text).map_err(inputs::failure(party))?;
        let read = values::read(sources, &wanted, &mut stdin).map_err(inputs::failure(party))?;
        for ((port, wanted), value) in ports.iter().zip(&wanted).zip(read) {
            let bits = value.bits(wanted, 1).map_err(inputs::failure(party))?;
            values.push(elements(&bits, port));
        }
    }
    let most = args.steps.or(image.steps).unwrap_or(MOST_STEPS);
    if args.trace {
        return trace(&image, &values, most);
    }
    let run = image.run(&values, most).map_err(|fault| {
        let exit = match fault {
            Fault::Steps(_) => Exit::Unfinished,
            _ => Exit::Value,
        };
        Failure::new(exit, format!("{}: {fault}", args.program))
    })?;
    let status = match run.status {
        Status::Trapped => "trapped",
        _ => "ended",
    };
    let shown: Vec<(&str, Vec<show::Shown>)> = image
        .ports_of(Owner::Output)
        .map(|port| {
            let values = port.values(&run.processor.data);
            let bits: Bits = values
                .iter()
                .flat_map(|&value| (0..8 * port.bytes).map(move |bit| value >> bit & 1 == 1))
                .collect();
            let elements = Elements::of(Some(port.elements()));
            (port.name.as_str(), show::elements(&bits, elements).unwrap_or_default())
        })
        .collect();
    if args.json {
        let outputs: serde_json::Map<String, Value> =
            shown.into_iter().map(|(name, shown)| (name.to_owned(), show::json(shown))).collect();
        return print::line(
            &json!({ "steps": run.steps, "status": status, "outputs": outputs }).to_string(),
        );
    }
    let mut text = format!("{status} after {} steps", print::grouped(run.steps));
    for (name, shown) in &shown {
        let _ = write!(text, "\n{name} = {}", show::list(shown, SHOW_ALL));
    }
    print::line(&text)
}

/// Splits a port's bits into its elements.
fn elements(bits: &Bits, port: &Port) -> Vec<u64> {
    let width = 8 * port.bytes as usize;
    let one = |element: u32| {
        let start = element as usize * width;
        (0..width).fold(0, |value, bit| value | u64::from(bits.get(start + bit)) << bit)
    };
    (0..port.count).map(one).collect()
}

fn trace(image: &Image, values: &[Vec<u64>], most: u64) -> Result<(), Failure> {
    let mut processor =
        Processor::new(image.set, image.instruction_memory(), image.data_with(values));
    for step in 0..most {
        let (at, (word, _)) = (processor.pc, processor.next());
        print::line(&format!(
            "{step:8}  {:5x}  {:28} {}",
            4 * at,
            word.to_string(),
            image.place(at)
        ))?;
        if processor.status() != Status::Running {
            break;
        }
        processor.step();
    }
    Ok(())
}
