//! A call: its line, and the lines of its arguments.

use super::MAX_RANGE;
use super::error::{CallProblem, Problem};
use super::functions::Functions;
use super::lexer::Lexer;
use super::line::Line;
use super::words::{self, keyword};
use crate::error::ReadError;
use halfgate_circuit::structured::{Argument, Call, Form};
use halfgate_circuit::{Bit, Wire};
use std::io::BufRead;

const CALL: &str = "WIRES = call FUNCTION FORM";
const MAP: &str = "WIRES = call FUNCTION map LANES";
const FOLD: &str = "WIRES = call FUNCTION fold STEPS state BITS";
const SHARED: &str = "shared BIT…";
const SLICE: &str = "slice WIDTH from WIRE run-stride NUMBER bit-stride NUMBER";
const LIST: &str = "list WIDTH from BIT…";

/// A call whose arguments are being read.
pub(super) struct OpenCall {
    pub(super) call: Call,
    /// Number of the call's line.
    line: u64,
    /// Inputs of the function.
    inputs: u32,
    /// Inputs that the arguments cover so far.
    covered: u32,
    /// Bits that the last argument still needs, if that is a list.
    missing: u64,
}

impl OpenCall {
    /// Reads the words after `call`. The call stands after `after` gates of its body.
    pub(super) fn read<R: BufRead>(
        lexer: &mut Lexer<R>,
        functions: &Functions,
        after: usize,
    ) -> Result<OpenCall, ReadError> {
        let called = lexer.number_or_name()?;
        let called = called.ok_or(Problem::Missing { what: "the function", form: CALL });
        let function = called.and_then(|called| functions.find(&called));
        let function = function.map_err(|problem| lexer.error(problem))?;
        let (inputs, outputs) = functions.ports(function);
        let form = form(lexer, inputs, outputs)?;
        let call = Call { after, function, form, arguments: Vec::new() };
        Ok(OpenCall { call, line: lexer.line(), inputs, covered: 0, missing: 0 })
    }

    /// Reads the rest of a line that begins with the word of `line`. The call may read wires below
    /// `wires`.
    pub(super) fn argument<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        line: Line,
        wires: u64,
    ) -> Result<(), ReadError> {
        if line != Line::Bits {
            self.begin(line).map_err(|problem| lexer.error(problem))?;
        }
        match line {
            Line::Slice => self.slice(lexer, wires),
            Line::Shared => {
                self.call.arguments.push(Argument::Shared(Vec::new()));
                self.bits(lexer, SHARED, wires)
            }
            Line::List => {
                let width = self.width(lexer, LIST)?;
                self.missing = self.call.form.runs().saturating_mul(width.into());
                self.call.arguments.push(Argument::Listed { width, bits: Vec::new() });
                lexer.field("`from`", LIST, |word| keyword(word, "from", "`from`"))?;
                self.bits(lexer, LIST, wires)
            }
            Line::Bits => match self.call.arguments.last() {
                Some(Argument::Shared(_) | Argument::Listed { .. }) => {
                    self.bits(lexer, "bits BIT…", wires)
                }
                Some(Argument::Sliced { .. }) | None => {
                    Err(lexer.error(CallProblem::NoCall("bits").into()))
                }
            },
        }
    }

    /// Checks that an argument may follow those before it.
    fn begin(&self, line: Line) -> Result<(), Problem> {
        self.check_list()?;
        let state = self.call.form.state();
        if self.covered == self.inputs {
            return Err(CallProblem::TooManyPassed { inputs: self.inputs }.into());
        }
        if self.covered < state && line != Line::Shared {
            return Err(CallProblem::StateNotShared { state }.into());
        }
        Ok(())
    }

    /// Checks that the last argument, if it is a list, has all its bits.
    fn check_list(&self) -> Result<(), Problem> {
        match self.call.arguments.last() {
            Some(&Argument::Listed { width, .. }) if self.missing > 0 => {
                let (runs, missing) = (self.call.form.runs(), self.missing);
                Err(CallProblem::TooFewListed { runs, width, missing }.into())
            }
            _ => Ok(()),
        }
    }

    /// Reads the width of a slice or a list, and counts it as covered.
    fn width<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        form: &'static str,
    ) -> Result<u32, ReadError> {
        let left = self.inputs - self.covered;
        let width = lexer.field("the width", form, |word| {
            match number(word, "the width, a number of bits")? {
                0 => Err(CallProblem::EmptyArgument.into()),
                width if width > left.into() => {
                    Err(CallProblem::TooManyPassed { inputs: self.inputs }.into())
                }
                width => Ok(width as u32),
            }
        })?;
        self.covered += width;
        Ok(width)
    }

    fn slice<R: BufRead>(&mut self, lexer: &mut Lexer<R>, wires: u64) -> Result<(), ReadError> {
        let width = self.width(lexer, SLICE)?;
        let not_driven = |wire| CallProblem::NotDriven { wire, wires };
        lexer.field("`from`", SLICE, |word| keyword(word, "from", "`from`"))?;
        let first = lexer.field("the first wire", SLICE, |word| {
            let wire = number(word, "the number of a wire")?;
            if wire >= wires { Err(not_driven(wire.into()).into()) } else { Ok(wire) }
        })?;
        let mut stride = |quoted: &'static str| {
            lexer.field(quoted, SLICE, |word| keyword(word, quoted.trim_matches('`'), quoted))?;
            lexer.field("the stride", SLICE, |word| {
                let expected = "a stride, a number of wires";
                let stride = number(word, expected)?;
                let found = || Problem::Expected { expected, found: word.to_owned() };
                u32::try_from(stride).map_err(|_| found())
            })
        };
        let run_stride = stride("`run-stride`")?;
        let bit_stride = stride("`bit-stride`")?;
        let along = |count: u64, stride: u32| u128::from(count - 1) * u128::from(stride);
        let last = u128::from(first)
            + along(self.call.form.runs(), run_stride)
            + along(width.into(), bit_stride);
        if last >= wires.into() {
            return Err(lexer.error(not_driven(last).into()));
        }
        let first = Wire::new(first as u32);
        self.call.arguments.push(Argument::Sliced { width, first, run_stride, bit_stride });
        lexer.end_line(SLICE)
    }

    /// Reads bits of the last argument, at least one.
    fn bits<R: BufRead>(
        &mut self,
        lexer: &mut Lexer<R>,
        form: &'static str,
        wires: u64,
    ) -> Result<(), ReadError> {
        let mut first = Some(Problem::Missing { what: "the bits", form });
        loop {
            let run = match lexer.word()? {
                None => return first.map_or(Ok(()), |problem| Err(lexer.error(problem))),
                Some(word) => argument_run(word, wires),
            };
            let pushed = run.and_then(|(bit, count)| self.push(bit, count));
            pushed.map_err(|problem| lexer.error(problem))?;
            first = None;
        }
    }

    /// Appends consecutive bits to the last argument, if it needs as many.
    fn push(&mut self, first: Bit, count: u32) -> Result<(), Problem> {
        let bits = match self.call.arguments.last_mut() {
            Some(Argument::Shared(bits)) => {
                if count > self.inputs - self.covered {
                    return Err(CallProblem::TooManyPassed { inputs: self.inputs }.into());
                }
                self.covered += count;
                bits
            }
            Some(Argument::Listed { width, bits }) => {
                let (runs, width) = (self.call.form.runs(), *width);
                if u64::from(count) > self.missing {
                    let bits = runs.saturating_mul(width.into());
                    return Err(CallProblem::TooManyListed { bits, runs, width }.into());
                }
                self.missing -= u64::from(count);
                bits
            }
            Some(Argument::Sliced { .. }) | None => unreachable!("the argument has bits"),
        };
        extend(bits, first, count);
        Ok(())
    }

    /// Ends the call, in a line after its arguments.
    pub(super) fn finish<R: BufRead>(self, lexer: &Lexer<R>) -> Result<Call, ReadError> {
        self.check_list().map_err(|problem| lexer.error(problem))?;
        if self.covered < self.inputs {
            let (inputs, found) = (self.inputs, self.covered);
            let problem = CallProblem::TooFewPassed { inputs, found };
            return Err(lexer.error_at(self.line, problem.into()));
        }
        Ok(self.call)
    }
}

/// Reads the form of a call of a function with these ports, up to the end of the line.
fn form<R: BufRead>(lexer: &mut Lexer<R>, inputs: u32, outputs: usize) -> Result<Form, ReadError> {
    let runs = |word: &str, expected| match number(word, expected)? {
        0 => Err(CallProblem::NeverRuns.into()),
        runs => Ok(runs),
    };
    let word = lexer.field("the form", CALL, |word| Ok(word.to_owned()))?;
    let (form, line) = match &word[..] {
        "once" => (Form::Once, CALL),
        "map" => {
            let lanes =
                lexer.field("the lanes", MAP, |word| runs(word, "a number of lanes in 64 bits"))?;
            (Form::Map { lanes }, MAP)
        }
        "fold" => {
            let steps = lexer
                .field("the steps", FOLD, |word| runs(word, "a number of steps in 64 bits"))?;
            lexer.field("`state`", FOLD, |word| keyword(word, "state", "`state`"))?;
            let state = lexer.field("the bits of state", FOLD, |word| {
                let state = number(word, "a number of bits of state")?;
                if state > inputs.into() || state > outputs as u64 {
                    return Err(CallProblem::State { state, inputs, outputs }.into());
                }
                Ok(state as u32)
            })?;
            (Form::Fold { steps, state }, FOLD)
        }
        _ => return Err(lexer.error(CallProblem::UnknownForm(word).into())),
    };
    lexer.end_line(line)?;
    Ok(form)
}

fn number(word: &str, expected: &'static str) -> Result<u64, Problem> {
    words::number(word).ok_or_else(|| Problem::Expected { expected, found: word.to_owned() })
}

/// Parses consecutive bits of an argument, which may read wires below `wires`.
fn argument_run(word: &str, wires: u64) -> Result<(Bit, u32), Problem> {
    match short_run(word, wires) {
        Ok((bit, _)) if bit.as_constant().is_some() => Err(CallProblem::ConstantArgument.into()),
        Err(Problem::NoSuchWire { wire, wires }) => {
            Err(CallProblem::NotDriven { wire: wire.into(), wires }.into())
        }
        run => run,
    }
}

/// Parses consecutive bits, not so many that they would take much more memory than their word.
pub(super) fn short_run(word: &str, wires: u64) -> Result<(Bit, u32), Problem> {
    match words::run(word, wires)? {
        (bit, count) if count > MAX_RANGE && bit.wire().is_some() => {
            Err(CallProblem::LongRange(word.to_owned()).into())
        }
        run => Ok(run),
    }
}

/// Appends `count` consecutive wires, each inverted as `first` is.
pub(super) fn extend(bits: &mut Vec<Bit>, first: Bit, count: u32) {
    let wire = first.wire().expect("a constant was refused").number();
    bits.extend((wire..wire + count).map(|wire| Bit::new(Wire::new(wire), first.is_inverted())));
}
