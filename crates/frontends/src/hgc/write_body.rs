//! Writes functions, gates and calls.

use super::error::{Wires, WriteError};
use super::words::{Shown, ShownRun, name};
use super::{MAX_NAME_BYTES, MAX_RANGE};
use halfgate_circuit::structured::{Argument, Call, Form, Function};
use halfgate_circuit::{Bit, GateKind, Gates, SourceMap, Wire};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// Bits, or runs of bits, per line.
const BITS_IN_A_LINE: usize = 16;

/// The gates of a body and its calls, if it has any.
#[derive(Clone, Copy)]
pub(super) struct Items<'a> {
    pub(super) gates: &'a Gates,
    pub(super) calls: &'a [Call],
}

/// Returns how each function's line names it, and how calls do: by its name, or by its number if
/// others have the same name.
pub(super) fn names(functions: &[Function]) -> Result<Vec<(String, String)>, WriteError> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    functions.iter().for_each(|function| *counts.entry(&function.name).or_default() += 1);
    let names = functions.iter().enumerate().map(|(number, function)| {
        let written = short(name(&function.name))?.into_owned();
        let called =
            if counts[&function.name[..]] == 1 { written.clone() } else { number.to_string() };
        Ok((written, called))
    });
    names.collect()
}

/// Returns a name as in a file, if readers accept it.
pub(super) fn short(written: Cow<'_, str>) -> Result<Cow<'_, str>, WriteError> {
    match written.len() {
        bytes if bytes > MAX_NAME_BYTES => Err(WriteError::NameTooLong { bytes }),
        _ => Ok(written),
    }
}

/// Writes function `number`, which may call those before it.
pub(super) fn function(
    number: usize,
    function: &Function,
    functions: &[Function],
    names: &[(String, String)],
    to: &mut impl Write,
) -> io::Result<()> {
    let (inputs, outputs) = (function.inputs, function.outputs.len());
    let name = &names[number].0;
    writeln!(to, "function {name} inputs {inputs} outputs {outputs}  # function {number}")?;
    let items = Items { gates: &function.body.gates, calls: &function.body.calls };
    items.write(inputs.into(), functions, names, to)?;
    list("return", short_runs(&function.outputs), to)?;
    writeln!(to, "end-function")
}

impl Items<'_> {
    /// Writes the items in order, which drive the wires from `own` on.
    pub(super) fn write(
        self,
        mut own: u64,
        functions: &[Function],
        names: &[(String, String)],
        to: &mut impl Write,
    ) -> io::Result<()> {
        let mut lines = self.gates.sources().into_iter().flat_map(SourceMap::runs).peekable();
        let mut calls = self.calls.iter().peekable();
        let mut gates = self.gates.iter().enumerate();
        loop {
            let next = gates.next();
            let before = next.map_or(self.gates.len(), |(number, _)| number);
            while let Some(call) = calls.next_if(|call| call.after == before) {
                let outputs = functions[call.function.index()].outputs.len();
                let count = call.wires(outputs).expect("a valid call's wires can be numbered");
                write_call(call, Wires(own, own + count - 1), names, to)?;
                own += count;
            }
            let Some((number, gate)) = next else { return Ok(()) };
            if let Some((_, line)) = lines.next_if(|&(first, _)| first == number as u64) {
                writeln!(to, "#line {}", source(line))?;
            }
            write_gate(own, gate.kind(), to)?;
            own += 1;
        }
    }
}

fn write_gate(own: u64, gate: GateKind, to: &mut impl Write) -> io::Result<()> {
    let either = |invert: bool, inverted: &'static str, plain: &'static str| match invert {
        true => inverted,
        false => plain,
    };
    match gate {
        GateKind::And { a, b, invert } => {
            let gate = either(invert, "nand", "and");
            writeln!(to, "{own} = {gate} {} {}", Shown(a), Shown(b))
        }
        GateKind::Xor { a, b, invert } => {
            let gate = either(invert, "xnor", "xor");
            writeln!(to, "{own} = {gate} {} {}", a.number(), b.number())
        }
        GateKind::Copy { a, invert } => {
            writeln!(to, "{own} = {} {}", either(invert, "not", "copy"), a.number())
        }
    }
}

/// Writes a call and its arguments.
fn write_call(
    call: &Call,
    drives: Wires,
    names: &[(String, String)],
    to: &mut impl Write,
) -> io::Result<()> {
    write!(to, "{drives} = call {} ", names[call.function.index()].1)?;
    match call.form {
        Form::Once => writeln!(to, "once")?,
        Form::Map { lanes } => writeln!(to, "map {lanes}")?,
        Form::Fold { steps, state } => writeln!(to, "fold {steps} state {state}")?,
    }
    for argument in &call.arguments {
        match argument {
            Argument::Shared(bits) => list("shared", short_runs(bits), to)?,
            Argument::Sliced { width, first, run_stride, bit_stride } => writeln!(
                to,
                "slice {width} from {} run-stride {run_stride} bit-stride {bit_stride}",
                first.number()
            )?,
            Argument::Listed { width, bits } => {
                list(&format!("list {width} from"), short_runs(bits), to)?;
            }
        }
    }
    Ok(())
}

/// Writes runs of bits, which are continued in `bits` lines. The first line begins with `word`.
pub(super) fn list(
    word: &str,
    runs: impl Iterator<Item = (Bit, u32)>,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut word = Some(word);
    let mut in_line = 0;
    for (first, count) in runs {
        if in_line == BITS_IN_A_LINE {
            writeln!(to)?;
            in_line = 0;
        }
        if in_line == 0 {
            write!(to, "{}", word.take().unwrap_or("bits"))?;
        }
        write!(to, " {}", ShownRun(first, count))?;
        in_line += 1;
    }
    if in_line > 0 { writeln!(to) } else { Ok(()) }
}

/// Returns the runs of consecutive wires in `bits`, each short enough for readers.
fn short_runs(bits: &[Bit]) -> impl Iterator<Item = (Bit, u32)> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let first = *left.first()?;
        let run = |&(index, &bit): &(usize, &Bit)| {
            let wire = first.wire().and_then(|wire| wire.number().checked_add(index as u32));
            bit.is_inverted() == first.is_inverted() && bit.wire().map(Wire::number) == wire
        };
        let most = left.len().min(MAX_RANGE as usize);
        let count = left[..most].iter().enumerate().take_while(run).count();
        left = &left[count..];
        Some((first, count as u32))
    })
}

/// Returns a source line in the form for a comment of the file. The folder of the source is
/// removed, because it is private. Characters that would end the comment are removed too.
fn source(line: &str) -> &str {
    let name = line.rsplit(['/', '\\']).next().unwrap_or(line);
    if name.contains(char::is_control) { "" } else { name }
}
